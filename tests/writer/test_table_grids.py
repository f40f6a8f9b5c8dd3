from datetime import date, timedelta
from pathlib import Path

from decklab.documents.model import DocumentTable
from decklab.documents.reading import read_documents
from decklab.documents.table_columns import table_columns
from decklab.writer.table_grids import grids
from decklab.writer.table_series import Grid
from decklab.writer.table_views import table_views


def read(*rows: str, language: str = "en") -> list[Grid]:
    cells = tuple(tuple(cell.strip() for cell in row.split("|")) for row in rows)
    table = DocumentTable("a.md", 1, cells, header_rows=1)
    columns = table_columns(table)
    assert columns is not None
    return list(grids(columns, table, language))


def test_times_are_put_in_their_order() -> None:
    found = read("Month|Calls", "Mar|3", "Jan|1", "Feb|2")
    assert found[0].labels == ("Jan", "Feb", "Mar") and found[0].series[0].values == (1, 2, 3)


def test_a_category_names_the_rows_before_a_date_beside_it() -> None:
    found = read("Action|Due|Cost", "Paint|2024-05-01|3", "Crane|2024-02-01|4", "Test|2024-03-01|5")
    assert found[0].labels == ("Paint", "Crane", "Test") and not found[0].times


def test_days_become_months_and_long_series_become_coarser() -> None:
    days = [f"2024-{1 + at // 28:02}-{1 + at % 28:02}|1" for at in range(28 * 6)]
    found = read("Day|Calls", *days)[0].labels
    assert found == ("Jan 2024", "Feb 2024", "Mar 2024", "Apr 2024", "May 2024", "Jun 2024")
    assert read("Day|Calls", *days)[0].series[0].values == (28,) * 6
    years = [f"{1900 + at}|{at}" for at in range(120)]
    decades = read("Year|Ships", *years)[0]
    assert decades.labels[0] == "1900s" and decades.series[0].values[0] == sum(range(10))


def test_the_last_weeks_are_shown_if_no_year_tells_coarser_times() -> None:
    weeks = [f"W{at}|{at}" for at in range(1, 53)]
    found = read("Week|Calls", *weeks)[0]
    assert found.labels[-1] == "W52" and found.shown == "last 24 of 52"


def test_a_last_month_that_is_known_in_part_is_left_out() -> None:
    whole = [f"2024-{month:02}-{day:02}|1" for month in range(1, 6) for day in range(1, 29)]
    assert read("Day|Calls", *whole)[0].ends
    for last in (1, 24):
        begun = [f"2024-06-{day:02}|1" for day in range(1, last + 1)]
        found = read("Day|Calls", *whole, *begun)[0]
        assert found.labels[-1] == "May 2024" and found.ends
        assert found.shown == "sums by Day, without Jun 2024, which is incomplete"
    late = [f"2023-12-{day:02}|1" for day in range(20, 29)]
    assert not read("Day|Calls", *late, *whole)[0].ends
    weekly = [f"2024-{month:02}-{day:02}|1" for month in range(1, 7) for day in (2, 9, 16, 23)]
    assert read("Day|Calls", *weekly)[0].ends


def test_groups_of_one_row_each_are_not_computed() -> None:
    rows = ("A|2023|1", "A|2024|2", "B|2023|3", "B|2024|5", "C|2023|4", "C|2024|4")
    found = read("Region|Year|Calls", *rows)[0]
    assert found.labels == ("2023", "2024") and not found.computed and not found.shown
    assert {series.name: series.values for series in found.series} == {
        "A": (1, 2), "B": (3, 5), "C": (4, 4),
    }  # fmt: skip


def test_words_for_what_is_shown_are_those_of_the_language_or_signs() -> None:
    rows = [f"{'NSE'[at % 3]}|{at}" for at in range(21)]
    shown = [read("Region|Calls", *rows, language=tag)[0].shown for tag in ("de", "fr", "es", "zh")]
    assert shown == [
        "Summen nach Region", "sommes par Region", "sumas por Region", "Σ Region",
    ]  # fmt: skip


def test_a_table_of_words_has_no_grid() -> None:
    assert read("Name|Meaning", "alpha|first", "beta|second") == []


def test_months_that_end_on_their_31st_are_whole_and_one_that_ends_on_its_fifth_is_not() -> None:
    first = date(2025, 3, 1)
    days = [first + timedelta(days=at) for at in range((date(2025, 10, 5) - first).days + 1)]
    labels = read("Day|Calls", *(f"{day}|1" for day in days))[0].labels
    assert labels[0] == "Mar 2025" and labels[-1] == "Sep 2025"
    quarters = [f"Q{1 + at % 4} {2000 + at // 4}|1" for at in range(43)]
    assert read("Quarter|Calls", *quarters)[0].labels[-1] == "2009"


def test_groups_of_a_trial_are_means_with_their_units_and_no_name_twice(tmp_path: Path) -> None:
    rows = ["plot;site;soil;nitrogen_kg_ha;lodging_percent;yield_t_ha"]
    for at, (site, soil) in enumerate((("Hill", "chalk"), ("Fen", "clay"), ("Moor", "sand"))):
        for plot in range(8):
            low, high = 6.0 + at + plot / 10, 3 + at + plot % 2
            rows.append(f"{at}{plot};{site};{soil};{120 + 60 * (plot % 2)};{high};{low:.2f}")
    path = tmp_path / "trial.csv"
    path.write_text("\n".join(rows) + "\n")
    views = table_views(read_documents([path]).documents[0].tables[0], source="trial.csv")
    means = [view.chart for view in views if view.chart and view.shown.startswith("means")]
    assert [set(chart.units) for chart in means] == [{"%"}, {"t/ha"}]
    assert all(chart.categories == ("Hill", "Fen", "Moor") for chart in means)


def test_codes_are_no_labels_and_a_short_table_is_not_summed() -> None:
    rows = [f"0x{at:02X}|{4 * at} bytes|(Reserved)" for at in range(1, 16)]
    assert read("ID|Size|Name", *rows) == []


def test_levels_and_temperatures_are_never_summed() -> None:
    rows = [f"{gauge}|{river}|2026-10-{day}|{level}|9.5|12.5"
            for gauge, river, level in (("A", "Tam", 1.2), ("B", "Tam", 2.4))
            for day in range(10, 24)]  # fmt: skip
    found = read("station|river|date|stage_m|water_temp_C|flow_m3s", *rows)
    assert [grid.measure for grid in found] == ["stage", "water temp", "flow"]
    assert [grid.series[0].unit for grid in found] == ["m", "°C", "m³/s"]
    values = [value for grid in found for series in grid.series for value in series.values]
    assert max(value or 0 for value in values) <= 12.5
    assert not any(grid.computed for grid in found)


def test_a_sum_that_lacks_many_of_its_values_is_not_known() -> None:
    rows = [f"{site}|2024-0{month}|{'' if (site, month) == ('A', 2) else 10}|{month}{site}"
            for month in range(1, 9) for site in "ABC"]  # fmt: skip
    summed = next(grid for grid in read("Site|Month|Parcels|Note", *rows) if grid.computed)
    assert summed.times and summed.series[0].values == (30, None, *(30,) * 6)
