"""Charts of every kind as others see them: python-pptx, openpyxl, LibreOffice; their SVG marks."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from openpyxl import load_workbook
from pptx import Presentation
from pptx.chart.series import LineSeries
from pptx.enum.chart import XL_CHART_TYPE
from tests.board.plans import plan_of

from decklab.board.blueprint import ChartPlan
from decklab.board.boxes import ChartBox
from decklab.board.chart_frame import frame_chart
from decklab.board.chart_looks import axis_scales
from decklab.board.html_charts import ChartDrawing
from decklab.board.pages.layout import lay_out_deck
from decklab.board.pages.writing import write_deck
from decklab.board.themes import THEMES
from decklab.board.typography import Face
from decklab.core.errors import PlanError
from decklab.core.geometry import Box
from decklab.deck.reading import read_deck
from decklab.linting.lint import lint
from decklab.metrics.editability.judge import judge_pptx
from decklab.ooxml.package import Package
from decklab.ooxml.validity.validating import validate_deck
from decklab.rendering.opening import open_rendered
from decklab.scoring.trial_edits import DeckProbes

QUARTERS = ["Q1", "Q2", "Q3", "Q4"]
CALLS = {"name": "Calls", "values": [1210, 1340, 1402, 1467]}
MAIL = {"name": "Mail", "values": [800, 760, 700, 610]}
TONNAGE = {"name": "Tonnage", "values": [10.4, 12.1, 9.8, 14.2], "unit": "million t"}
SHARES = [
    {"name": "Good", "values": [60, 55, 70, 71]},
    {"name": "Poor", "values": [40, 45, 30, 29]},
]
KINDS: dict[str, tuple[list[dict[str, Any]], XL_CHART_TYPE]] = {
    "column": ([CALLS, MAIL], XL_CHART_TYPE.COLUMN_CLUSTERED),
    "bar": ([CALLS], XL_CHART_TYPE.BAR_CLUSTERED),
    "line": ([CALLS, MAIL], XL_CHART_TYPE.LINE_MARKERS),
    "pie": ([CALLS], XL_CHART_TYPE.PIE),
    "area": ([CALLS, MAIL], XL_CHART_TYPE.AREA_STACKED),
    "stacked": ([CALLS, MAIL], XL_CHART_TYPE.COLUMN_STACKED),
    "share": (SHARES, XL_CHART_TYPE.COLUMN_STACKED_100),
    "scatter": ([CALLS, TONNAGE], XL_CHART_TYPE.XY_SCATTER),
    "combination": ([CALLS, TONNAGE], XL_CHART_TYPE.COLUMN_CLUSTERED),
}
COLORS = THEMES["light"].colors
FACE = Face(THEMES["light"].fonts.body)


def chart_data(kind: str, series: list[dict[str, Any]], **changes: Any) -> dict[str, Any]:
    data = {"kind": kind, "categories": QUARTERS, "series": series, "unit": "calls",
            "source": "Annual report"}  # fmt: skip
    return {**data, **changes}


def chart_of(kind: str, series: list[dict[str, Any]], **changes: Any) -> ChartPlan:
    return ChartPlan.model_validate(chart_data(kind, series, **changes), strict=False)


def written(folder: Path, *charts: dict[str, Any], theme: str = "light") -> Path:
    slides = [{"layout": "chart", "title": f"The {chart['kind']} chart", "chart": chart}
              for chart in charts]  # fmt: skip
    plan = plan_of({"title": "Charts", "slides": slides})
    write_deck(plan, theme, folder / "charts.pptx")
    return folder / "charts.pptx"


def native_charts(deck: Path) -> list[Any]:
    slides = Presentation(str(deck)).slides
    return [shape.chart for slide in slides for shape in slide.shapes if shape.has_chart]


def svg_of(chart: ChartPlan, width: float = 864.0, height: float = 280.0) -> str:
    return ChartDrawing(ChartBox("Chart", Box(0, 0, width, height), chart, 12), FACE, COLORS).svg()


@pytest.fixture(scope="module")
def every_kind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    charts = [chart_data(kind, series) for kind, (series, _) in KINDS.items()]
    return written(tmp_path_factory.mktemp("charts"), *charts)


def test_python_pptx_reads_kind_and_values_of_every_chart(every_kind: Path) -> None:
    for native, (kind, (series, type)) in zip(
        native_charts(every_kind), KINDS.items(), strict=True
    ):
        assert native.chart_type == type, kind
        read = {item.name: list(item.values) for plot in native.plots for item in plot.series}
        wanted = {item["name"]: item["values"] for item in series}
        if kind == "scatter":
            assert read == {"Tonnage": wanted["Tonnage"]}
            (points,) = native.plots[0].series
            across = points._element.findall(".//{*}xVal//{*}v")
            assert [float(item.text) for item in across] == wanted["Calls"]
        else:
            assert read == wanted, kind
            assert list(native.plots[0].categories) == QUARTERS


def test_the_workbook_of_every_chart_has_its_table(every_kind: Path, tmp_path: Path) -> None:
    for native, (series, _) in zip(native_charts(every_kind), KINDS.values(), strict=True):
        book = tmp_path / "book.xlsx"
        book.write_bytes(native.part.chart_workbook.xlsx_part.blob)
        rows = list(load_workbook(book).active.iter_rows(values_only=True))
        assert [name for name in rows[0] if name] == [item["name"] for item in series]
        columns = list(zip(*rows[1:], strict=True))
        assert [list(column) for column in columns] == [QUARTERS, *(s["values"] for s in series)]


def test_a_combination_has_lines_on_axes_of_their_own(every_kind: Path) -> None:
    native = native_charts(every_kind)[list(KINDS).index("combination")]
    columns, lines = native.plots
    assert [item.name for item in columns.series] == ["Calls"]
    assert [type(item) for item in lines.series] == [LineSeries]
    ids = [{item.get("val") for item in plot._element.iter("{*}axId")} for plot in (columns, lines)]
    assert not ids[0] & ids[1]
    titles = native._chartSpace.findall(".//{*}valAx/{*}title//{*}t")
    assert [item.text for item in titles] == ["calls", "million t"]


def test_a_deck_of_every_kind_is_valid(every_kind: Path) -> None:
    assert not validate_deck(every_kind)


@pytest.mark.office
def test_every_kind_is_drawn_whole_and_free_of_findings(every_kind: Path) -> None:
    with open_rendered(every_kind, size=(480, 270), ocr=False) as drawn:
        words = [" ".join(span.text for span in slide.spans) for slide in drawn]
    for kind, shown in zip(KINDS, words, strict=True):
        assert all(name in shown for name in QUARTERS), kind
    both = words[list(KINDS).index("combination")]
    assert "calls" in both and "milliont" in both.replace(" ", "")
    rules = ("overlap", "overflow", "contrast", "cut", "off")
    found = [str(item) for item in lint(every_kind).findings
             if any(rule in item.rule for rule in rules)]  # fmt: skip
    assert found == []


@pytest.mark.office
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_libreoffice_draws_the_shades_that_html_states(theme: str, tmp_path: Path) -> None:
    both: list[list[dict[str, Any]]] = [
        [{"name": "A", "values": [50.0] * 4}, {"name": "B", "values": [9.0] * 4, "unit": unit}]
        for unit in ("kg", None)
    ]
    charts = [chart_data("combination", both[0]), chart_data("column", both[1])]
    deck = written(tmp_path, *charts, theme=theme)
    with open_rendered(deck, size=(960, 540), ocr=False) as drawn:
        pixels = np.vstack([page.image.reshape(-1, 3).astype(int) for page in drawn])
    for token in ("accent", "pale", "grey3"):
        value = THEMES[theme].colors.value(token)
        wanted = [int(value[at : at + 2], 16) for at in (1, 3, 5)]
        near = abs(pixels - wanted).max(axis=1) <= 3
        assert near.sum() > 2000, token


@pytest.mark.long
@pytest.mark.office
def test_charts_of_every_kind_are_editable_to_the_level_of_native_data(every_kind: Path) -> None:
    with Package.open(every_kind) as package:
        outline = read_deck(package).outline
        verdict = judge_pptx(outline, DeckProbes(package, outline))
    assert verdict.level == 4


@pytest.mark.parametrize(
    ("kind", "series", "changes", "message"),
    [
        ("column", [CALLS, TONNAGE], {}, "'calls' and 'million t' cannot share an axis"),
        ("stacked", [{**CALLS, "unit": "t"}, MAIL], {"unit": None}, "'t' and 'no unit' cannot"),
        ("combination", [CALLS, MAIL], {}, "two units, not of calls"),
        ("combination", [CALLS, TONNAGE], {"unit": None}, "two units, not of none, million t"),
        ("scatter", [CALLS], {}, "a scatter shows two series, not 1"),
        ("scatter", [{"name": "a", "values": [1, None, 2, None]},
                     {"name": "b", "values": [None, 1, None, 2]}], {}, "no point of the scatter"),
        ("share", [{"name": "a", "values": [1, 2, 3, -1]}], {}, "numbers of 0 or more"),
        ("share", [{"name": "a", "values": [1, 2, 3, None]}], {}, "numbers of 0 or more"),
        ("share", [{"name": "a", "values": [1, 2, 3, 0]}], {}, "not all 0"),
        ("area", [{"name": "a", "values": [1, None, 3, 0]}], {}, "an area has no gaps"),
        ("area", [CALLS, {"name": "a", "values": [1, -2, 3, 0]}], {}, "numbers of 0 or more"),
        ("area", [{"name": "a", "values": [1]}], {"categories": ["Q1"]}, "two categories"),
        ("pie", [{"name": "a", "values": [1] * 8}], {"categories": list("abcdefgh")},
         "at most 7 parts, not 8"),
        ("column", [CALLS] * 7, {}, "at most 6"),
        ("line", [{"name": "a", "values": [1.0] * 37}],
         {"categories": [str(at) for at in range(37)]}, "at most 36"),
    ],
)  # fmt: skip
def test_charts_that_would_mislead_are_refused_in_one_line(
    kind: str, series: list[dict[str, Any]], changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        chart_of(kind, series, **changes)


@pytest.mark.parametrize(
    ("kind", "count", "series", "message"),
    [
        ("bar", 30, 1, "its 30 bars do not fit (columns have more room)"),
        ("column", 36, 6, "its 216 bars are too thin (a line has more room)"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_slide(
    kind: str, count: int, series: int, message: str
) -> None:
    rows = [{"name": f"S{at}", "values": [1.0 + at] * count} for at in range(series)]
    chart = chart_data(kind, rows, categories=[f"C{at}" for at in range(count)])
    slide = {"layout": "chart", "title": "T", "chart": chart}
    with pytest.raises(PlanError, match=re.escape(f"slide 1 (chart): Chart: {message}")):
        lay_out_deck(plan_of({"title": "T", "slides": [slide]}), THEMES["light"])


def test_months_stand_turned_and_do_not_meet() -> None:
    names = [f"{month} {year}" for year in (2024, 2025) for month in
             ("January", "February", "March", "April", "May", "June", "July", "August",
              "September", "October", "November", "December")]  # fmt: skip
    chart = chart_of("column", [{"name": "n", "values": list(range(24))}], categories=names)
    frame = frame_chart(chart, FACE, 12, 864, 280)
    assert frame.style == "turned" and frame.problem is None
    # Lines of 12 pt at 45 degrees are as far apart as their step times the sine of 45 degrees.
    assert frame.step * 0.7071 >= 12 * 1.1
    longest = 12 * 0.55 * len("September 2025")  # letters of Carlito are at most .55 em on average
    assert frame.plot.bottom + longest * 0.7071 + 12 <= 280


def test_a_line_of_months_in_a_narrow_place_names_every_second_or_third() -> None:
    names = [f"{at:02d}/2025" for at in range(36)]
    chart = chart_of("line", [{"name": "n", "values": list(range(36))}], categories=names)
    frame = frame_chart(chart, FACE, 12, 420, 280)
    assert frame.problem is None
    assert [bool(lines) for lines in frame.names[: frame.every + 1]] == [
        True, *[False] * (frame.every - 1), True,
    ]  # fmt: skip
    assert frame.step * frame.every * 0.7071 >= 12 * 1.1


def test_names_of_lines_with_near_ends_stand_apart() -> None:
    series = [{"name": f"Line {at}", "values": [at, 2, 3, 50 + at / 10]} for at in range(6)]
    frame = frame_chart(chart_of("line", series), FACE, 12, 864, 280)
    heights = sorted(name for _, _, name in frame.line_ends())
    gaps = [after - before for before, after in pairwise(heights)]
    assert min(gaps) >= 12 * 1.2 - 1e-6
    assert frame.plot.top - 12 <= heights[0] and heights[-1] <= frame.plot.bottom


def test_the_axes_of_a_combination_have_their_marks_and_zeros_at_one_height() -> None:
    margin = {"name": "Margin", "values": [-3.5, 2, 11, 4], "unit": "per cent"}
    left, right = axis_scales(chart_of("combination", [CALLS, margin]), labelled=False)
    assert left.share(0) == pytest.approx(right.share(0))
    assert len(left.ticks()) == len(right.ticks())
    assert left.low <= 0 and left.high >= 1467
    assert right.low <= -3.5 and right.high >= 11


def test_parts_of_stacks_are_as_high_as_their_values_and_hold_their_labels() -> None:
    series: list[dict[str, Any]] = [
        {"name": "a", "values": [50, -20, 2, None]},
        {"name": "b", "values": [25, -10, 80, 5]},
    ]
    chart = chart_of("stacked", series)
    frame = frame_chart(chart, FACE, 12, 864, 280)
    marks = r'<rect x="([\d.]+)" y="([\d.]+)" width="[\d.]+" height="([\d.]+)"[^>]*stroke'
    rects = re.findall(marks, svg_of(chart))
    heights = sorted(float(height) for _, _, height in rects)
    pixels = frame.plot.height / (frame.scales[0].high - frame.scales[0].low)
    assert heights == pytest.approx(sorted(abs(v) * pixels for v in (50, 25, 20, 10, 2, 80, 5)),
                                    abs=0.1)  # fmt: skip
    assert frame.parts == ((True, True, False, False), (True, True, True, False))
    first = sorted((float(y), float(high)) for x, y, high in rects if x == rects[0][0])
    assert first[0][0] + first[0][1] == pytest.approx(first[1][0], abs=0.2)  # b stands on a


def test_shares_write_values_only_if_these_are_per_cent() -> None:
    counts = [{"name": "a", "values": [30, 10, 20, 5]}, {"name": "b", "values": [20, 10, 5, 9]}]
    assert frame_chart(chart_of("share", SHARES), FACE, 12, 864, 280).parts[0] == (True,) * 4
    assert frame_chart(chart_of("share", counts), FACE, 12, 864, 280).parts == ()
    assert ">100%<" in svg_of(chart_of("share", counts))


@pytest.mark.parametrize(
    ("kind", "type"),
    [("column", XL_CHART_TYPE.BAR_CLUSTERED), ("stacked", XL_CHART_TYPE.BAR_STACKED)],
)
def test_columns_with_names_too_long_to_turn_lie(
    kind: str, type: XL_CHART_TYPE, tmp_path: Path
) -> None:
    names = [f"Wages and social security of permanent staff in district {at}" for at in range(9)]
    series = [{"name": name, "values": [float(at) for at in range(9)]} for name in "AB"]
    chart = chart_data(kind, series, categories=names)
    (native,) = native_charts(written(tmp_path, chart))
    assert native.chart_type == type
    assert native.category_axis.reverse_order
    frame = frame_chart(chart_of(kind, series, categories=names), FACE, 12, 864, 280)
    assert frame.lying and frame.problem is None


def test_shares_under_long_names_lie() -> None:
    names = [f"I was told in good time what would happen in the {at} weeks after the visit"
             for at in range(2, 9)]  # fmt: skip
    series = [{"name": "yes", "values": [60.0] * 7}, {"name": "no", "values": [40.0] * 7}]
    frame = frame_chart(chart_of("share", series, categories=names), FACE, 12, 864, 280)
    assert frame.lying and frame.problem is None


def test_a_line_is_interrupted_where_values_are_missing() -> None:
    chart = chart_of("line", [{"name": "n", "values": [1, 2, None, 4]}])
    accent = THEMES["light"].colors.accent
    assert len(re.findall(rf'<line [^>]*stroke="{accent}"', svg_of(chart))) == 1
    assert svg_of(chart).count("<circle") == 3


def test_the_names_of_a_scatter_do_not_cover_each_other() -> None:
    values = [(at * 37 % 36, at * 11 % 7) for at in range(36)]
    series = [{"name": "x", "values": [x for x, _ in values], "unit": "m"},
              {"name": "y", "values": [y for _, y in values], "unit": "t"}]  # fmt: skip
    names = [f"Settlement {at}" for at in range(36)]
    chart = chart_of("scatter", series, categories=names, accent_category=7)
    frame = frame_chart(chart, FACE, 12, 864, 300)
    assert 7 in dict(frame.points)
    spots = [
        (float(x), float(y), anchor)
        for x, y, anchor in re.findall(
            r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="(\w+)"[^>]*>Settlement', svg_of(chart)
        )
    ]
    assert len(spots) == len(frame.points)
    wide = 12 * 5.0  # less than the width of "Settlement 1" at 12 pt
    boxes = [(x if side == "start" else x - wide, y) for x, y, side in spots]
    for at, (x, y) in enumerate(boxes):
        for other_x, other_y in boxes[at + 1 :]:
            assert abs(x - other_x) >= wide - 1 or abs(y - other_y) >= 12


def test_a_point_without_both_values_is_in_the_workbook_and_not_drawn(tmp_path: Path) -> None:
    series = [{"name": "x", "values": [1, None, 3, 4]}, {"name": "y", "values": [5, 6, None, 8]}]
    (native,) = native_charts(written(tmp_path, chart_data("scatter", series)))
    points = native._chartSpace.findall(".//{*}yVal//{*}pt")
    assert [(point.get("idx"), float(point[0].text)) for point in points] == [("0", 5), ("3", 8)]
    book = tmp_path / "book.xlsx"
    book.write_bytes(native.part.chart_workbook.xlsx_part.blob)
    rows = list(load_workbook(book).active.iter_rows(min_row=2, values_only=True))
    assert rows == [("Q1", 1, 5), ("Q2", None, 6), ("Q3", 3, None), ("Q4", 4, 8)]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_zeros_and_very_small_numbers_are_drawn(kind: str) -> None:
    series = [{**item, "values": [0.0004, 0.001, 0.0, 0.002]} for item in KINDS[kind][0]]
    if kind == "share":
        series[0]["values"] = [0.0004, 0.001, 0.1, 0.002]
    drawing = svg_of(chart_of(kind, series))
    assert drawing.count("<svg role") == 1
    assert "nan" not in drawing and "inf" not in drawing
    if kind in ("column", "bar", "line"):
        assert "0.0004" in drawing or "0.0005" in drawing


@pytest.mark.parametrize("kind", ["column", "bar", "line", "pie"])
def test_charts_of_zeros_and_of_one_value_are_drawn(kind: str) -> None:
    values = [0.0, 5.0] if kind == "pie" else [0.0, 0.0]
    for names, numbers in ((["a", "b"], values), (["a"], [3.0])):
        chart = chart_of(kind, [{"name": "n", "values": numbers}], categories=names)
        assert "nan" not in svg_of(chart)


def test_names_of_categories_that_do_not_fit_are_named() -> None:
    names = [f"Instandhaltungsverantwortliche {number}" for number in range(12)]
    slide = {"layout": "chart", "title": "T", "chart": chart_data(
        "line", [{"name": "n", "values": [1.0] * 12}], categories=names)}  # fmt: skip
    with pytest.raises(PlanError, match=r"do not fit \(a chart of kind 'bar' has more room"):
        lay_out_deck(plan_of({"title": "T", "slides": [slide]}), THEMES["light"])
    for kind in ("bar", "column"):
        chart = chart_of(kind, [{"name": "n", "values": [1.0] * 12}], categories=names)
        assert frame_chart(chart, FACE, 12, 864, 280).problem is None


@pytest.mark.office
def test_the_values_of_bars_stand_at_the_foot_and_categories_from_the_top(tmp_path: Path) -> None:
    names = [f"Place {number}" for number in range(9)]
    series = [{"name": name, "values": [float(number) for number in range(9)]} for name in "AB"]
    deck = written(tmp_path, chart_data("bar", series, categories=names))
    with open_rendered(deck, size=(480, 270), ocr=False) as drawn:
        heights = {span.text.strip(): span.box.top for span in next(iter(drawn)).spans}
    places = [heights[name] for name in names]
    assert places == sorted(places)
    assert heights["4"] > places[-1]


def test_the_unit_stands_above_the_chart_and_two_units_at_its_axes(every_kind: Path) -> None:
    for slide, kind in zip(Presentation(str(every_kind)).slides, KINDS, strict=True):
        said = [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]
        assert ("calls" in said) == (kind not in ("combination", "scatter")), kind
