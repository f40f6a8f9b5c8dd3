import pytest

from decklab.documents.table_times import TimeLabel
from decklab.writer.table_charts import chart_kind, charts_of, short_text
from decklab.writer.table_series import Grid, TableSeries


def series(name: str, *values: float | None, unit: str = "") -> TableSeries:
    texts = tuple("" if value is None else str(value) for value in values)
    return TableSeries(name, values, texts, "share" if unit == "%" else "measure", unit)


def grid(*rows: TableSeries, years: tuple[int, ...] = (), parts: bool = False) -> Grid:
    count = len(rows[0].values)
    labels = tuple(map(str, years)) or tuple(f"L{at}" for at in range(count))
    return Grid("", labels, rows, times=tuple(TimeLabel(year) for year in years), parts=parts)


@pytest.mark.parametrize(
    ("shown", "kind"),
    [
        (grid(series("A", 1, 2, 3, 4), years=(2020, 2021, 2022, 2023)), "line"),
        (grid(series("A", 1, 2, 3), years=(2020, 2021, 2022)), "column"),
        (grid(series("A", 1, 2, 3, 4), years=(1950, 2000, 2001, 2002)), "column"),
        (grid(series("A", 1, 2, 3, 4)), "column"),
        (grid(series("A", *range(1, 12))), "bar"),
        (grid(series("A", 20, 30, 50, unit="%")), "pie"),
        (grid(series("A", 20, 30, -50, unit="%")), "column"),
        (grid(series("A", 1, 2, 3), series("B", 3, 2, 1), parts=True), "stacked"),
        (grid(series("A", 1, None, 3), series("B", 3, 2, 1), parts=True), "column"),
        (grid(series("A", 40, 45, unit="%"), series("B", 60, 55, unit="%")), "share"),
    ],
)
def test_the_kind_of_chart_follows_from_times_parts_and_counts(shown: Grid, kind: str) -> None:
    assert chart_kind(shown) == kind


def test_two_units_share_no_axis() -> None:
    both = (series("Speed", 1, 2, 3, unit="km"), series("Weight", 4, 5, 6, unit="kg"))
    named = list(charts_of(grid(*both), "a.md"))
    assert [chart.kind for chart, _ in named] == ["column", "column"]
    timed = list(charts_of(grid(*both, years=(2020, 2021, 2022)), "a.md"))
    assert timed[0][0].kind == "combination" and timed[0][1].series == both


def test_many_points_of_two_units_are_a_scatter_too() -> None:
    both = (series("Speed", *range(1, 10), unit="km"), series("Weight", *range(1, 10), unit="kg"))
    kinds = [chart.kind for chart, _ in charts_of(grid(*both), "a.md")]
    assert kinds == ["bar", "bar", "scatter"]


def test_no_chart_is_drawn_of_nothing() -> None:
    assert list(charts_of(grid(series("A", None, None, None)), "a.md")) == []
    assert list(charts_of(grid(series("A", 0, 0, 0)), "a.md")) == []
    assert list(charts_of(grid(series("A", 1)), "a.md")) == []


def test_a_text_is_shortened_at_the_end_of_a_word() -> None:
    assert short_text("Repairs of the northern quay", 18) == "Repairs of the…"
    assert short_text("Donaudampfschifffahrt", 10) == "Donaudamp…"
    assert short_text("", 10) == ""


def test_bars_that_cannot_be_seen_are_no_chart() -> None:
    assert list(charts_of(grid(series("A", 1_640_000, 230_000, 0.14, 86)), "s")) == []
    assert len(list(charts_of(grid(series("A", 1_640_000, 230_000, 190_000, 86)), "s"))) == 1


def test_many_series_share_no_two_axes() -> None:
    large = [series(name, 400, 455, 390) for name in "ABC"]
    shown = grid(*large, series("D", 4, 5, 9), years=(2020, 2021, 2022))
    assert "combination" not in {chart.kind for chart, _ in charts_of(shown, "s")}
