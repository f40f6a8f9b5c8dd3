import csv
import io
import random
import time

import pytest

from decklab.documents.model import DocumentTable
from decklab.writer.table_views import TableView, chart_of, table_views


def table(*rows: str, native: bool = True, header_rows: int = 1) -> DocumentTable:
    cells = tuple(tuple(cell.strip() for cell in row.split("|")) for row in rows)
    return DocumentTable("a.md", 1, cells, header_rows=header_rows, native=native)


def views(*rows: str, language: str = "en") -> tuple[TableView, ...]:
    return table_views(table(*rows), source="a.md, p. 2", language=language)


def sales(days: int = 24, seed: int = 3) -> tuple[list[str], list[tuple[str, str, str, int]]]:
    """A long table of sales by day, region and product, and its rows."""
    chance = random.Random(seed)
    rows = [
        (f"2024-{month:02}-{day:02}", region, product, chance.randint(5, 99))
        for month in range(1, 13)
        for day in range(1, days // 12 + 1)
        for region in ("North", "South", "East")
        for product in ("A", "B")
    ]
    lines = ["Date|Region|Product|Sales", *("|".join(map(str, row)) for row in rows)]
    return lines, rows


def test_a_table_of_numbers_is_a_chart_of_exactly_these_numbers_and_a_table() -> None:
    chart, whole = views(
        "Region|Revenue (million EUR)", "North|4.2", "South|3.9", "East|4.6", "West|1.1"
    )
    assert chart.chart is not None and whole.table is not None
    assert chart.chart.categories == ("North", "South", "East", "West")
    assert chart.chart.series[0].values == (4.2, 3.9, 4.6, 1.1)
    assert (chart.chart.unit, chart.chart.source) == ("million EUR", "a.md, p. 2")
    assert chart.chart.accent_category == 2
    assert chart.claim == "East has 33 % of the revenue (4.6 of 13.8 million EUR)"
    assert whole.table.rows[3] == ("West", "1.1") and not chart.shown and not whole.shown


def test_two_units_over_time_are_one_combination_and_a_chart_each() -> None:
    found = views("Quarter|Calls|Tonnage (t)", "Q1|4,812|120.5", "Q2|5,001|128", "Q3|4,950|131",
                  "Q4|5,102|140")  # fmt: skip
    charts = [view.chart for view in found if view.chart]
    assert [chart.kind for chart in charts] == ["combination", "line", "line"]
    assert [series.unit for series in charts[0].series] == ["Calls", "t"]
    assert [view.claim for view in found[:3]] == [
        "Calls rose 6 % from Q1 to Q4", "", "Tonnage rose 16 % from Q1 to Q4",
    ]  # fmt: skip


def test_totals_are_not_drawn_among_their_parts() -> None:
    rows = views("Region|Calls", "North|3", "South|4", "East|5", "Total|12")
    assert rows[0].chart is not None and rows[0].chart.categories == ("North", "South", "East")
    assert rows[-1].table is not None and rows[-1].table.rows[-1] == ("Total", "12")
    columns = views("Year|Men|Women|Total", "2021|10|12|22", "2022|11|15|26", "2023|12|18|30")
    assert columns[0].chart is not None and columns[0].chart.kind == "stacked"
    assert [series.name for series in columns[0].chart.series] == ["Men", "Women"]


def test_shares_of_a_whole_are_parts_of_it() -> None:
    one = views("Region|Share", "North|40 %", "South|35 %", "East|25 %")
    assert one[0].chart is not None and one[0].chart.kind == "pie"
    each = views("Region|Yes|No", "North|40 %|60 %", "South|35 %|65 %", "East|25 %|75 %")
    assert each[0].chart is not None and each[0].chart.kind == "share"
    no_whole = views("Region|Share", "North|40 %", "South|85 %", "East|25 %")
    assert no_whole[0].chart is not None and no_whole[0].chart.kind == "column"


def test_years_beside_each_other_are_times_whatever_the_rows() -> None:
    found = views("Item|2021|2022|2023|2024|Change", "Staff|11|12|13|14|3", "Energy|6|5|4|3|-3")
    assert found[0].chart is not None and found[0].chart.kind == "line"
    assert found[0].chart.categories == ("2021", "2022", "2023", "2024")
    assert found[0].claim == "Energy fell 50 % from 2021 to 2024"


def test_a_long_table_is_gathered_by_month_and_region() -> None:
    lines, rows = sales()
    found = views(*lines)
    names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    by_month: dict[tuple[str, str], int] = {}
    for date, region, _, amount in rows:
        month = f"{names[int(date[5:7]) - 1]} 2024"
        by_month[month, region] = by_month.get((month, region), 0) + amount
    parted = next(view for view in found if view.shown == "sums by Date, Region")
    chart = parted.chart
    assert chart is not None and chart.kind == "stacked"
    assert chart.categories == tuple(f"{name} 2024" for name in names)
    drawn = {
        (month, series.name): value
        for series in chart.series
        for month, value in zip(chart.categories, series.values, strict=True)
    }
    assert drawn == by_month
    assert " in " in parted.claim and "(" not in parted.claim.partition(" from ")[0]
    regions = next(view for view in found if view.shown == "sums by Region")
    totals = {name: sum(row[3] for row in rows if row[1] == name) for name in ("North", "South")}
    assert regions.chart is not None
    shown = dict(zip(regions.chart.categories, regions.chart.series[0].values, strict=True))
    assert {name: shown[name] for name in totals} == totals


def test_of_many_rows_the_largest_and_the_rest_are_drawn() -> None:
    cities = [f"City {at}|{at**4}" for at in range(1, 41)]
    chart = views("City|Trips", *cities)[0]
    assert chart.chart is not None and chart.shown == "10 of 40 rows: largest by Trips"
    assert chart.chart.categories[0] == "City 40" and chart.chart.categories[-1] == "Other"
    rest = sum(at**4 for at in range(1, 31))
    assert chart.chart.series[0].values[-1] == rest
    assert any(item.text == f"{rest:,}" for item in chart.computed)


def test_means_and_not_sums_are_taken_of_rates() -> None:
    lines = ["Region|Error rate", *(f"{'NSE'[at % 3]}|{at}" for at in range(21))]
    chart = views(*lines)[0]
    assert chart.chart is not None and chart.shown == "means by Region"
    assert chart.chart.series[0].values == (9, 10, 11)


def test_rows_without_numbers_are_counted_by_group() -> None:
    rows = [f"T-{at}|{('open', 'closed', 'waiting')[min(at % 4, 2)]}" for at in range(40)]
    found = views("Ticket|Status", *rows)
    assert found[0].chart is not None and found[0].shown == "sums by Status"
    counted = dict(zip(found[0].chart.categories, found[0].chart.series[0].values, strict=True))
    assert counted == {"open": 10, "closed": 10, "waiting": 20}
    assert found[0].claim == "Waiting has 50 % of the tickets (20 of 40)"


def test_answers_on_a_scale_are_averaged_by_group() -> None:
    rows = [f"P{at}|{'ABC'[at % 3]}|{1 + at % 3}|{4 + at % 3}" for at in range(30)]
    found = views("Person|Group|Satisfied (1-5)|Would recommend (0-10)", *rows)
    assert found[0].chart is not None and found[0].shown.startswith("means by Group")
    assert found[0].chart.unit == "1-5"
    assert list(found[0].chart.series[0].values) == [1, 2, 3]


def test_pages_of_a_long_table_of_words_hold_every_row_in_order() -> None:
    rows = [f"term {at}|{'meaning ' * (1 + at % 9)}{at}" for at in range(60)]
    found = views("Term|Meaning", *rows)
    assert all(view.table is not None for view in found) and len(found) > 5
    shown = [row[0] for view in found if view.table for row in view.table.rows]
    assert shown == [f"term {at}" for at in range(60)]
    assert found[0].shown == f"1/{len(found)}"


def test_a_table_of_many_columns_is_parted_with_its_names_in_each() -> None:
    header = "|".join(["Name", *(f"Note {at}" for at in range(15))])
    row = "|".join(["North", *(f"words {at}" for at in range(15))])
    found = views(header, row, row.replace("North", "South"))
    assert all(view.table is not None and len(view.table.header) <= 8 for view in found)
    assert all(view.table.rows[0][0] == "North" for view in found if view.table)
    cells = [cell for view in found if view.table for cell in view.table.rows[0][1:]]
    assert cells == [f"words {at}" for at in range(15)]


def test_a_long_cell_is_shortened_at_the_end_of_a_word_and_that_is_said() -> None:
    cell = "several words that say much more than a cell of a slide can hold " * 7
    found = views("Name|Meaning", f"A|{cell}", *(f"B{at}|short" for at in range(5)))
    assert found[0].table is not None and "cells shortened" in found[0].shown
    cut = found[0].table.rows[0][1]
    assert cut.endswith("…") and cell.startswith(cut[:-1]) and cell[len(cut) - 1] == " "


def test_a_table_that_would_lose_many_cells_is_not_shown() -> None:
    cell = "several words that say much more than a cell of a slide can hold " * 7
    assert views("Name|Meaning", f"A|{cell}", f"B|{cell}") == ()


def test_a_first_row_of_numbers_is_no_heading() -> None:
    assert views("42.6|121,300|58.1", "41.9|122,000|59.0", "40.2|123,400|60.2") == ()
    years = views("Item|2022|2023|2024", "Losses|42.6|41.9|40.2", "Leaks|12|11|9")
    assert years[0].chart is not None


def test_rows_of_several_units_share_no_axis() -> None:
    mixed = views("Measure|2023|2024", "Losses (%)|42.6|41.9", "Customers|121,300|122,000",
                  "Revenue ($ million)|58.1|59.0")  # fmt: skip
    assert all(view.chart is None for view in mixed) and mixed[0].table is not None
    once = views("Measure|North", "Losses (%)|42.6", "Customers|121,300", "Length (km)|31")
    assert all(view.chart is None for view in once)
    remarks = views("Site|Calls", "North (main)|3", "South|4", "East (new)|5")
    assert remarks[0].chart is not None


def test_words_beside_numbers_come_before_a_chart_that_would_lose_them() -> None:
    found = views("Action|Owner|Cost", "Crane|Ann|200", "Paint|Bob|20", "Test|Cy|50")
    assert found[0].table is not None and any(view.chart for view in found)


@pytest.mark.parametrize(
    "rows",
    [
        ("A|B",),
        ("|", "|"),
        ("Region|Calls", "North|–", "South|n/a"),
        ("A", "1", "2"),
        ("Region|Calls", "North|0", "South|0", "East|0"),
    ],
    ids=["headings only", "empty", "no value", "one column", "zeros"],
)
def test_degenerate_tables_give_at_most_a_table(rows: tuple[str, ...]) -> None:
    assert all(view.chart is None and view.claim == "" for view in views(*rows))


def test_a_table_that_was_not_read_for_certain_is_neither_chart_nor_table() -> None:
    unsure = table("Region|Revenue", "North|4.2", "South|3.9", "East|2", native=False)
    assert table_views(unsure, source="a.md") == ()
    ragged = DocumentTable("a.md", 1, (("A", "B"), ("1",)), header_rows=1)
    assert table_views(ragged, source="a.md") == ()


def test_thousands_of_rows_are_read_in_seconds() -> None:
    chance = random.Random(5)
    text = "Date,Region,City,Sales,Price\n" + "".join(
        f"2023-{1 + at % 12:02}-{1 + at % 28:02},{'NESW'[at % 4]},City {at % 300},"
        f"{chance.randint(1, 999)},{chance.uniform(1, 9):.2f}\n"
        for at in range(8000)
    )
    rows = tuple(tuple(row) for row in csv.reader(io.StringIO(text)))
    started = time.process_time()
    found = table_views(DocumentTable("a.csv", 1, rows, header_rows=1), source="a.csv")
    assert time.process_time() - started < 20
    assert found[0].chart is not None and len(found[0].chart.categories) == 12


def test_the_chart_of_all_is_the_one_that_shows_no_part() -> None:
    assert chart_of(table("Name|Meaning", "alpha|the first", "beta|the second"), "-") is None
    two_scales = table("Region|A|B", "North|1|90000", "South|2|80000", "East|3|70000")
    assert chart_of(two_scales, "-") is None
    gap = chart_of(table("Quarter|Ships", "Q1|210", "Q2|–", "Q3|301"), "a.md")
    assert gap is not None and gap.series[0].values == (210, None, 301)


def test_codes_group_rows_and_are_neither_summed_nor_averaged() -> None:
    rows = [f"T{at}|{1 + at % 3}|{10 + at}" for at in range(36)]
    found = views("Ticket|Priority|Cost", *rows)
    assert all("Priority" not in [series.name for series in view.chart.series]
               for view in found if view.chart)  # fmt: skip
    grouped = next(view.chart for view in found if view.chart and view.shown == "sums by Priority")
    assert grouped.categories == ("Priority 1", "Priority 2", "Priority 3")
    assert grouped.series[0].values == tuple(
        sum(10 + at for at in range(36) if at % 3 == part) for part in range(3)
    )


def test_differences_are_not_drawn_beside_the_amounts_they_come_from() -> None:
    found = views("Site|Plan|Actual|Difference", "A|30|41|11", "B|40|62|22", "C|50|83|33")
    drawn = {series.name for view in found if view.chart for series in view.chart.series}
    assert drawn == {"Plan", "Actual"}
    alone = views("Site|Change", "A|3", "B|-4", "C|5")
    assert alone[0].chart is not None and alone[0].chart.series[0].name == "Change"


def test_the_rows_of_a_small_table_are_not_counted() -> None:
    rows = [f"T-{at}|{('open', 'closed', 'new')[at % 3]}" for at in range(19)]
    assert all(view.chart is None for view in views("Ticket|Status", *rows))
    assert views("Ticket|Status", *rows, "T-19|open")[0].chart is not None


def test_no_name_of_a_column_is_shown_with_an_underscore() -> None:
    rows = [f"2024-{1 + at % 12:02}-{1 + at // 2:02}|{'ab'[at % 2]}|{at}" for at in range(48)]
    found = views("opened_at|sales_team|first_response_min", *rows)
    shown = [text for view in found for text in (view.claim, view.shown)]
    for view in found:
        shown += [series.name for series in view.chart.series] if view.chart else []
        shown += [view.chart.unit or ""] if view.chart else []
        shown += view.table.header if view.table else []
    assert "first response min" in shown and "_" not in "".join(shown)


def test_a_table_of_a_pdf_without_most_of_its_headings_is_not_shown() -> None:
    def shown(document: str, *header: str, header_rows: int = 1) -> bool:
        rows = (header, ("North", "3", "4"), ("South", "5", "6"), ("East", "7", "8"))
        found = DocumentTable(document, 1, rows, header_rows=header_rows)
        return bool(table_views(found, source="-"))

    assert not shown("a.pdf", "Region", "", "–") and not shown("a.PDF", "", "", "2024")
    assert not shown("a.pdf", "Region 1", "North", "2", header_rows=0)
    assert shown("a.pdf", "", "2023", "2024") and shown("a.pdf", "Region", "2023", "")
    assert shown("a.csv", "Region", "", "")
    pair = DocumentTable("a.pdf", 1, (("", "Calls"), ("North", "3"), ("South", "5")), 1)
    assert table_views(pair, source="-")


def test_unlike_units_share_no_axis_and_what_has_most_series_comes_first() -> None:
    shown = views(
        "Building|Floor area m2|Power kWh 2023|Power kWh 2024|Gas cost GBP",
        "Hall|6420|61240|58810|63150", "Library|3050|39820|30150|19875",
        "Block|4180|90480|98730|38325", "Centre|3890|65530|64920|91050",
    )  # fmt: skip
    charts = [view.chart for view in shown if view.chart is not None]
    assert [series.name for series in charts[0].series] == ["Power 2023", "Power 2024"]
    drawn = [{series.name for series in chart.series} for chart in charts]
    assert not any({"Floor area", "Gas cost"} <= names for names in drawn)


@pytest.mark.parametrize(("rows", "pages"), [(9, 1), (14, 1), (15, 2)])
def test_a_table_that_one_slide_holds_is_not_parted(rows: int, pages: int) -> None:
    cells = [f"Item {at}|word|other word {at}" for at in range(rows)]
    shown = [view.table for view in views("Item|Use|Remark", *cells) if view.table is not None]
    assert len(shown) == pages and sum(len(page.rows) for page in shown) == rows


def test_one_curve_in_two_units_is_one_chart_and_rates_have_their_own_axis() -> None:
    found = views("Day|Bags|Net (kg)|EUR/kg|Score", "2025-07-01|100|6000|8.1|85",
                  "2025-07-02|210|12900|7.9|84", "2025-07-03|420|25200|7.2|86",
                  "2025-07-04|150|9100|6.9|83")  # fmt: skip
    drawn = [[one.name for one in view.chart.series] for view in found if view.chart]
    assert ["Net"] in drawn and ["EUR/kg"] in drawn
    assert all(len(names) == 1 for names in drawn)


def test_an_account_with_sums_among_its_rows_is_a_table() -> None:
    found = views("Item|This year|Last year", "Fees|310|300", "Bar|90|80", "Total income|400|380",
                  "Rent|150|140", "Boats|100|90", "Total expenditure|250|230")  # fmt: skip
    assert [view.chart for view in found] == [None]


def test_a_narrow_column_takes_no_room_from_a_wide_one() -> None:
    event = "What happened at the lift in the next minute, and who was called then and came"
    [view] = views("Time | Event", *(f"18:{at}0 | {event}" for at in range(9)))
    assert view.table is not None and len(view.table.rows) == 9
