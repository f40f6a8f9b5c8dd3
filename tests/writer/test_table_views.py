import pytest
from decklab.writer.tables import chart_of, claim_of, excerpt_of, table_numbers, table_plan

from decklab.documents.model import DocumentTable


def table(*rows: str, native: bool = True, header_rows: int = 1) -> DocumentTable:
    cells = tuple(tuple(cell.strip() for cell in row.split("|")) for row in rows)
    return DocumentTable("a.md", 1, cells, header_rows=header_rows, native=native)


SALES = table("Region|Revenue (million EUR)", "North|4.2", "South|3.9", "East|4.6", "West|1.1")


def test_a_table_of_numbers_becomes_a_chart_of_exactly_these_numbers() -> None:
    chart = chart_of(SALES, "a.md, p. 2")
    assert chart is not None
    assert chart.categories == ("North", "South", "East", "West")
    assert chart.series[0].values == (4.2, 3.9, 4.6, 1.1)
    assert (chart.series[0].name, chart.unit) == ("Revenue", "million EUR")
    assert (chart.kind, chart.accent_category, chart.source) == ("column", 2, "a.md, p. 2")
    assert claim_of(SALES) == "Revenue: East leads with 4.6"


def test_years_make_a_line_and_say_how_the_ends_compare() -> None:
    years = table("Year|Ships", "2019|210", "2020|180", "2021|262", "2022|301")
    chart = chart_of(years, "a.md")
    assert chart is not None and chart.kind == "line" and chart.accent_category is None
    assert claim_of(years) == "Ships: 301 in 2022, up from 210 in 2019"


def test_of_several_series_the_one_that_changed_most_is_told_or_the_largest_of_the_last() -> None:
    years = table("Item|2023|2024", "Staff|11|12", "Energy|6|3", "Quay|3|4")
    assert claim_of(years) == "Energy: 3 in 2024, down from 6 in 2023"
    down = table("Year|Staff|Energy", "2022|11|6", "2023|12|6", "2024|12|9")
    assert claim_of(down) == "Energy: 9 in 2024, up from 6 in 2022"
    quarters = table("Region|Q1|Q2", "North|4|5", "South|6|3", "East|1|2")
    assert claim_of(quarters) == "Q2: North leads with 5"
    chart = chart_of(quarters, "a.md")
    assert chart is not None and chart.accent == 1
    assert claim_of(table("Region|A|B", "North|1|90000", "South|2|80000", "East|3|70000")) is None


def test_a_missing_cell_is_a_gap_and_no_zero() -> None:
    chart = chart_of(table("Quarter|Ships", "Q1|210", "Q2|–", "Q3|301"), "a.md")
    assert chart is not None and chart.series[0].values == (210, None, 301)


@pytest.mark.parametrize(
    "rows",
    [
        ("Region|Revenue", "North|4.2", "South|about four or five", "East|2"),
        ("Region|Revenue", "North|4.2", "North|3.9", "East|2"),
        ("Region|Revenue|Share", "North|4.2|12%", "South|3.9|20%", "East|1|3%"),
        ("Region|A|B", "North|1|90000", "South|2|80000", "East|3|70000"),
        ("Region|Revenue", "North|4.2"),
    ],
    ids=["words in a cell", "two rows of one name", "two units", "two scales", "one row"],
)
def test_a_table_that_no_one_axis_can_show_is_no_chart(rows: tuple[str, ...]) -> None:
    assert chart_of(table(*rows), "a.md") is None


def test_a_table_that_was_not_read_for_certain_becomes_neither_chart_nor_table() -> None:
    unsure = table("Region|Revenue", "North|4.2", "South|3.9", "East|2", native=False)
    assert chart_of(unsure, "a.md") is None
    assert table_plan(unsure) is None
    assert table_numbers(unsure) is None


def test_a_table_of_words_stays_a_table() -> None:
    plan = table_plan(table("Name|Meaning", "alpha|the first", "beta|the second"))
    assert plan is not None
    assert plan.header == ("Name", "Meaning")
    assert plan.rows == (("alpha", "the first"), ("beta", "the second"))
    assert table_plan(table("|".join("abcdefghij"), "|".join("1234567890"))) is None


def test_of_years_side_by_side_the_last_stands_out() -> None:
    chart = chart_of(table("Item|2023|2024", "Staff|11|12", "Energy|6|5", "Quay|3|4"), "a.md")
    assert chart is not None and chart.unit is None
    assert (chart.accent, chart.accent_category) == (1, None)


def test_a_row_that_is_named_by_a_number_is_named_with_its_heading() -> None:
    gates = table("Gate|Accidents", "1|2", "2|1", "4|5")
    assert claim_of(gates) == "Accidents: Gate 4 leads with 5"


def test_a_cell_without_a_value_never_leads() -> None:
    losses = table("Region|Result (million EUR)", "North|-5", "South|-", "East|-3", "West|-4")
    assert claim_of(losses) == "Result: East leads with -3"


def test_only_a_table_that_does_not_fit_has_an_excerpt() -> None:
    assert excerpt_of(table("Gate|Who", "1|Ann", "2|Bob")) is None
    wide = table(*("|".join(f"{row}{column}" for column in "abcdefghijkl") for row in range(30)))
    part = excerpt_of(wide)
    assert part is not None
    assert len(part.rows) < 30 and all(len(row) < 12 for row in part.rows)
    assert part.rows[0][0].endswith("a")
