import pytest

from decklab.documents.model import DocumentTable
from decklab.documents.table_columns import (
    TableColumns,
    cell_number,
    heading_unit,
    labelled_numbers,
    table_columns,
    table_header,
)


def table(*rows: str, header_rows: int = 1, native: bool = True) -> DocumentTable:
    cells = tuple(tuple(cell.strip() for cell in row.split("|")) for row in rows)
    return DocumentTable("a.md", 1, cells, header_rows=header_rows, native=native)


def columns(*rows: str) -> TableColumns:
    read = table_columns(table(*rows))
    assert read is not None
    return read


def test_columns_have_the_types_of_their_cells() -> None:
    read = columns(
        "No.|Month|Region|Sales (EUR m)|Share|Calls|Weight, kg|Remark",
        "1|Jan|North|4.2|40 %|1,930|2.5|" + "a long remark about the north " * 3,
        "2|Feb|South|3.9|60 %|2,882|3.5|short",
    )
    assert [column.kind for column in read.columns] == [
        "identifier", "time", "category", "money", "share", "count", "measure", "text",
    ]  # fmt: skip
    assert [column.unit for column in read.columns[3:7]] == ["EUR m", "%", "", "kg"]
    assert read.columns[3].scale == 1e6 and read.columns[5].values == (1930, 2882)


@pytest.mark.parametrize(
    ("heading", "unit"),
    [
        ("Sales (EUR m)", ("Sales", "EUR m")),
        ("Umsatz in Mio. EUR", ("Umsatz", "Mio. EUR")),
        ("Share %", ("Share", "%")),
        ("Weight [kg]", ("Weight", "kg")),
        ("Waiting time, hours", ("Waiting time", "hours")),
        ("Sales (2024)", ("Sales (2024)", "")),
        ("Accuracy (higher is better)", ("Accuracy (higher is better)", "")),
        ("(EUR m)", ("(EUR m)", "")),
    ],
)
def test_a_unit_in_a_heading_is_told_from_other_words(heading: str, unit: tuple[str, str]) -> None:
    assert heading_unit(heading) == unit


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("-3", (-3, "")), ("(3.2)", (-3.2, "")), ("+5", (5, "")), ("12 %", (12, "%")),
        ("€ 1,200", (1200, "EUR")), ("$1.2m", (1_200_000, "USD")), ("3*", (3, "")),
        ("3 of 5", None), ("Figure 3", None), ("1.2.3", None), ("12:30", None), ("<5", None),
        ("3–5", None), ("", None), ("abc", None),
    ],
)  # fmt: skip
def test_a_cell_is_a_number_if_it_holds_nothing_else(
    cell: str, number: tuple[float, str] | None
) -> None:
    assert cell_number(cell) == number


def test_the_decimal_mark_is_that_of_the_cells_and_else_as_told() -> None:
    german = table("Ort|Menge", "A|1.234,5", "B|2.000,0")
    read = table_columns(german)
    assert read is not None and list(read.columns[1].values) == [1234.5, 2000]
    thousands = table("Ort|Menge", "A|1.234", "B|12.000")
    told = table_columns(thousands, ",")
    assert told is not None and list(told.columns[1].values) == [1234, 12000]
    english = table_columns(table("Place|Amount", "A|1,234", "B|12,000"), ",")
    assert english is not None and list(english.columns[1].values) == [1234, 12000]


def test_total_rows_are_no_rows_whatever_their_language() -> None:
    for word in ("Total", "Summe", "Ensemble", "Suma", "合计", "Average"):
        read = columns("Region|Calls", "North|3", "South|4", f"{word}|7")
        assert read.rows == 2 and read.totals == ((word, "7"),)


def test_a_row_that_only_begins_like_a_total_is_one_if_it_is_the_sum() -> None:
    assert columns("Item|Cost", "A|3", "B|4", "Total cost|7").rows == 2
    assert columns("Item|Cost", "A|3", "B|4", "Total cost of ownership|9").rows == 3
    assert columns("Group|Members", "All Saints|3", "B|4", "C|5").rows == 3


def test_a_column_that_sums_up_others_is_a_total() -> None:
    read = columns("Year|Men|Women|Staff", "2020|10|12|22", "2021|11|15|26", "2022|12|18|30")
    assert [column.is_total for column in read.columns] == [False, False, False, True]


def test_counts_that_look_like_years_are_counts() -> None:
    read = columns("Region|Calls|Year", "North|1930|2020", "South|1812|2021")
    assert [column.kind for column in read.columns] == ["category", "count", "time"]


def test_rates_prices_and_ranks_are_not_added_up() -> None:
    read = columns("R|Calls|Error rate|Price (EUR)|Speed (km/h)|Cost (EUR)", "A|1|2|3|4|5",
                   "B|2|3|4|5|7")  # fmt: skip
    assert [column.is_additive for column in read.columns[1:]] == [True, False, False, False, True]


def test_units_that_differ_in_a_column_stay_with_their_cells() -> None:
    read = columns("Measure|2024", "Calls|4,812", "Share|40 %", "Cost|$3.1m")
    assert read.columns[1].kind == "mixed" and read.columns[1].units == ("", "%", "USD")


def test_a_name_written_once_for_several_rows_is_that_of_each() -> None:
    read = columns("Region|City|Sales", "North|A|1", "|B|2", "South|C|3")
    assert read.columns[0].texts == ("North", "North", "South")


def test_headings_of_two_rows_are_joined() -> None:
    two = table("|2024||2025|", "Region|Sales|Cost|Sales|Cost", "North|1|2|3|4", header_rows=2)
    assert table_header(two) == (
        "Region", "2024 / Sales", "2024 / Cost", "2025 / Sales", "2025 / Cost",
    )  # fmt: skip


def test_what_is_no_table_of_columns_is_not_read() -> None:
    assert table_columns(table("A|B", "1|2", native=False)) is None
    assert table_columns(table("A|B")) is None
    assert table_columns(DocumentTable("a.md", 1, (), header_rows=1)) is None
    ragged = DocumentTable("a.md", 1, (("A", "B"), ("1",)), header_rows=1)
    assert table_columns(ragged) is None


def test_labelled_numbers_keep_totals_and_need_names_that_differ() -> None:
    found = labelled_numbers(table("Region|Calls", "North|3", "South|–", "Total|3"))
    assert found is not None
    assert found[0] == ("North", "South", "Total") and list(found[1][0].values) == [3, None, 3]
    assert labelled_numbers(table("Region|Calls", "North|3", "North|4")) is None
    assert labelled_numbers(table("Region|Calls", "North|3", "South|four or five")) is None


def test_marks_on_a_scale_are_ratings_and_not_added_up() -> None:
    read = columns(
        "Person|Satisfied (1-5)|Would recommend (0–10)|Aged (30-44)", "A|4|9|3", "B|5|7|4"
    )
    assert [column.kind for column in read.columns[1:]] == ["rating", "rating", "count"]
    assert [column.name for column in read.columns[1:3]] == ["Satisfied", "Would recommend"]
    assert not any(column.is_additive for column in read.columns[1:3])


def test_numbers_with_words_among_them_neither_name_rows_nor_are_drawn() -> None:
    read = columns("Region|Calls", "North|3", "South|about four", "East|5")
    assert read.columns[1].kind == "unclear"


def test_an_arrow_that_says_what_is_good_is_no_unit() -> None:
    assert heading_unit("Usability (\\uparrow)") == ("Usability", "")
    assert heading_unit("Error ↓") == ("Error", "")


def test_small_whole_numbers_that_name_classes_are_codes_and_no_amounts() -> None:
    headed = columns("Ticket|Priority|Q|Calls|Grade", *(f"T{at}|{1 + at % 3}|{1 + at % 4}|{at % 5}|"
                     f"{1.5 + at}" for at in range(8)))  # fmt: skip
    assert [column.kind for column in headed.columns[1:]] == ["code", "code", "count", "measure"]
    many = columns("Ticket|Queue|Guests|Anzahl|Stars|Fee", *(
        f"T{at}|{at % 4}|{at % 4}|{at % 4}|{1 + at % 5}|{at % 9}" for at in range(40)
    ))  # fmt: skip
    assert [column.kind for column in many.columns[1:]] == [
        "code", "count", "count", "count", "count",
    ]  # fmt: skip
    assert not many.columns[1].is_additive and many.columns[2].is_additive
    few = columns("Ticket|Queue", *(f"T{at}|{at % 4}" for at in range(8)))
    assert few.columns[1].kind == "count"


def test_differences_are_told_by_their_heading_or_by_their_numbers() -> None:
    def marked(*rows: str) -> list[str]:
        return [column.name for column in columns(*rows).columns if column.is_difference]

    named = "Site|Plan|Actual|Variance|Change vs 2023 (%)|+/-|Abweichung|Change requests"
    assert marked(named, "A|3|4|1|5|1|2|7", "B|4|6|2|5|3|4|9") == [
        "Variance", "Change vs 2023", "+/-", "Abweichung",
    ]  # fmt: skip
    assert marked("Site|2023|2024|More", "A|3|4|1", "B|4|6|2", "C|5|9|4") == ["More"]
    assert marked("Site|Sales|Cost|Profit", "A|9|4|5", "B|8|6|2", "C|7|4|3") == ["Profit"]
    assert marked("Site|Sales|Cost|Left", "A|9|4|5", "B|4|6|-2", "C|7|4|3") == ["Left"]
    assert marked("Site|All|Men|Women", "A|9|4|5", "B|8|6|2", "C|7|4|3") == []
    assert marked("Site|Men|Women|All", "A|4|5|9", "B|6|2|8", "C|4|3|7") == []


def test_raw_names_of_columns_are_said_with_spaces() -> None:
    read = columns("opened_at|first_response_min|customer_account_id", "2024-01-01|4|70012")
    assert [column.name for column in read.columns] == [
        "opened at", "first response", "customer account id",
    ]  # fmt: skip
    assert read.columns[1].heading == "first_response_min"
    assert read.columns[2].kind == "identifier" and not read.columns[1].is_additive


def test_a_currency_in_some_cells_holds_not_for_the_others() -> None:
    def kind(*cells: str) -> str:
        rows = (("Line", "2025"), *((f"l{at}", cell) for at, cell in enumerate(cells)))
        columns = table_columns(DocumentTable("a.md", 1, rows, header_rows=1))
        assert columns is not None
        return columns.columns[1].kind

    assert kind("$1,640", "$230", "$14", "6,240", "86") == "mixed"
    assert kind("$1,640", "230", "14", "$1,884") == "money"


def test_levels_temperatures_and_readings_are_no_amounts_to_add() -> None:
    for heading in ("stage_m", "water_temp_C", "Wasserstand", "Reading", "Druck", "Nivel"):
        column = columns(heading, "1.5", "2.5").columns[0]
        assert column.is_numeric and not column.is_additive, heading


def test_a_unit_over_the_names_of_the_rows_is_that_of_plain_numbers() -> None:
    read = columns("Item (EUR thousand)|Plan|Real", "Gas|395|672", "Staff|240|318")
    assert [(one.kind, one.unit, one.scale) for one in read.columns[1:]] == [
        ("money", "EUR thousand", 1e3)
    ] * 2
    own = columns("Item (EUR thousand)|Plan|Share", "Gas|395|60 %", "Staff|240|40 %")
    assert [one.unit for one in own.columns[1:]] == ["", "%"]
    named = columns("Team (south)|Plan", "Gas|395", "Staff|240")
    assert named.columns[1].unit == ""


@pytest.mark.parametrize("heading", ["Route", "Room", "Clause", "Gate"])
def test_numbers_of_things_are_names_and_no_amounts(heading: str) -> None:
    read = columns(f"Way|{heading}|Riders", "Pine Lake|7|640", "Shore|19|280", "Hospital|11|2,010")
    assert [column.kind for column in read.columns] == ["category", "identifier", "count"]
    again = columns(f"Way|{heading}|Riders", "Pine Lake|7|640", "Shore|7|280", "Hospital|11|2,010")
    assert again.columns[1].kind != "identifier"  # two rows have one number: it tells none apart


def test_whole_numbers_before_names_name_their_rows_unless_they_are_counted() -> None:
    named = columns("Bay|Ship|Crew", "31|Ada|12", "4|Bela|30", "18|Cora|7")
    assert [column.kind for column in named.columns] == ["identifier", "category", "count"]
    counted = columns("Calls|Branch|Cost (EUR)", "310|North|12", "402|South|30", "188|East|7")
    assert counted.columns[0].kind == "count"


@pytest.mark.parametrize(
    ("heading", "unit"),
    [
        ("Electricity kWh 2022/23", ("Electricity 2022/23", "kWh")),
        ("Floor area m2", ("Floor area", "m2")),
        ("Gas cost GBP", ("Gas cost", "GBP")),
        ("kWh per m2", ("kWh per m2", "")),
        ("Heat kWh (both)", ("Heat kWh (both)", "")),
    ],
)
def test_units_behind_what_is_measured_are_read(heading: str, unit: tuple[str, str]) -> None:
    assert heading_unit(heading) == unit


def test_an_estimate_is_a_number() -> None:
    assert cell_number("E 52000") == cell_number("52000") == (52000, "")
    assert cell_number("A 52000") is None
