"""Kinds of flaws, each drawn in several varieties beside slides that have none of them.

One deck holds every case on a slide of its own; python-pptx makes it, LibreOffice draws it, and the
rule has to find all varieties and leave the right ones alone.
"""

from collections import defaultdict
from collections.abc import Callable

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LABEL_POSITION
from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.oxml.ns import qn
from pptx.util import Pt

from decklab.linting.lint import lint

WORDS = "Three berths a year"
LONG = "Pilots are hard to find and tugs are hired by the day in all of the northern ports"


class Page:
    """A slide to draw on; places are in points of a slide of 960 by 540."""

    def __init__(self, slide):
        self.slide = slide

    def text(self, x, y, w, h, words=WORDS, *, size=20, align=None, color=None):
        box = self.slide.shapes.add_textbox(*map(Pt, (x, y, w, h)))
        self._fill(box, words, size, align, color)
        return box

    def shape(self, x, y, w, h, words="", *, kind=MSO_SHAPE.RECTANGLE, fill="1F4E79", line=None,
              size=20, align=None, color="FFFFFF"):  # fmt: skip
        item = self.slide.shapes.add_shape(kind, *map(Pt, (x, y, w, h)))
        item.shadow.inherit = False
        if fill is None:
            item.fill.background()
        else:
            item.fill.solid()
            item.fill.fore_color.rgb = RGBColor.from_string(fill)
        if line is None:
            item.line.fill.background()
        else:
            item.line.color.rgb, item.line.width = RGBColor.from_string(line), Pt(2)
        if words:
            item.text_frame.vertical_anchor = MSO_ANCHOR.MIDDLE
            self._fill(item, words, size, align, color)
        return item

    def line(self, x1, y1, x2, y2, kind=MSO_CONNECTOR.STRAIGHT):
        item = self.slide.shapes.add_connector(kind, *map(Pt, (x1, y1, x2, y2)))
        item.line.color.rgb, item.line.width = RGBColor.from_string("C00000"), Pt(2)
        return item

    def table(self, x, y, w, h, rows):
        frame = self.slide.shapes.add_table(len(rows), len(rows[0]), *map(Pt, (x, y, w, h)))
        for row, words in zip(frame.table.rows, rows, strict=True):
            for cell, word in zip(row.cells, words, strict=True):
                cell.text = word
        return frame

    def chart(self, kind, values, *, names=None, inside=None, legend=False, size=14):
        data = CategoryChartData()
        data.categories = names or [f"Port {number + 1}" for number in range(len(values))]
        data.add_series("Berths", values)
        chart = self.slide.shapes.add_chart(kind, *map(Pt, (180, 120, 600, 380)), data).chart
        chart.has_title, chart.has_legend, chart.font.size = False, legend, Pt(size)
        if inside is not None:
            chart.plots[0].has_data_labels = True
            labels = chart.plots[0].data_labels
            labels.show_category_name, labels.show_value = True, False
            labels.position = inside
        return chart

    @staticmethod
    def _fill(item, words, size, align, color):
        frame = item.text_frame
        frame.word_wrap = True
        for number, line in enumerate(words.split("\n")):
            paragraph = frame.paragraphs[0] if not number else frame.add_paragraph()
            run = paragraph.add_run()
            run.text, run.font.size, run.font.name = line, Pt(size), "Liberation Sans"
            paragraph.alignment = align or PP_ALIGN.LEFT
            if color is not None:
                run.font.color.rgb = RGBColor.from_string(color)


CASES: list[tuple[str, bool, Callable[[Page], object]]] = []
"""The rule, whether its flaw is there, and what draws the slide."""


def case(rule, flawed=True):
    def add(draw):
        CASES.append((rule, flawed, draw))
        return draw

    return add


def cards(page, tops, **fields):
    for number, top in enumerate(tops):
        page.shape(60 + 290 * number, top, 240, 120, WORDS, **fields)


case("layout.row")(lambda p: cards(p, (200, 208, 203)))
case("layout.row")(lambda p: cards(p, (200, 200, 214)))
case("layout.row")(lambda p: cards(p, (206, 200, 206)))
case("layout.row")(lambda p: cards(p, (200, 207)))
case("layout.row")(lambda p: cards(p, (212, 200, 218), kind=MSO_SHAPE.ROUNDED_RECTANGLE))
case("layout.row")(lambda p: [p.line(60 + 290 * n, 250 + (0, 9, 0)[n], 300 + 290 * n,
                                     250 + (0, 9, 0)[n]) for n in range(3)])  # fmt: skip
case("layout.row")(lambda p: [p.text(60 + 290 * n, 250 + (0, 8, 3)[n], 240, 40) for n in range(3)])
case("layout.row", False)(lambda p: cards(p, (200, 200, 200)))
case("layout.row", False)(lambda p: cards(p, (160, 190, 220)))  # stairs
case("layout.row", False)(lambda p: cards(p, (200, 160, 200)))  # the middle one stands out
case("layout.row", False)(lambda p: cards(p, (200, 230)))
LEVEL = ("One pilot", LONG, "Tugs")
case("layout.row", False)(
    lambda p: [p.text(60 + 290 * n, 250, 240, 40, words) for n, words in enumerate(LEVEL)]
)


def stacked(page, *lefts, sizes=(20, 20, 20)):
    for number, left in enumerate(lefts):
        page.text(left, 150 + 80 * number, 600, 40, size=sizes[number])


case("layout.edge")(lambda p: stacked(p, 100, 107))
case("layout.edge")(lambda p: stacked(p, 107, 100))
case("layout.edge")(lambda p: stacked(p, 100, 106, sizes=(28, 18, 18)))
case("layout.edge")(lambda p: stacked(p, 100, 100, 108))
case("layout.edge")(lambda p: stacked(p, 100, 110, 100, sizes=(20, 16, 20)))
case("layout.edge", False)(lambda p: stacked(p, 100, 100, 100))
case("layout.edge", False)(lambda p: stacked(p, 100, 130, 130))
case("layout.edge", False)(lambda p: stacked(p, 100, 101))
case("layout.edge", False)(lambda p: [p.text(100 + 7 * n, 150 + 80 * n, 600, 40,
                                             align=PP_ALIGN.CENTER) for n in range(2)])  # fmt: skip


def like(page, sizes=(20, 20, 20), aligns=(None, None, None), down=False):
    for number, (size, align) in enumerate(zip(sizes, aligns, strict=True)):
        x, y = (60, 120 + 130 * number) if down else (60 + 290 * number, 200)
        page.shape(x, y, 260, 110, WORDS, size=size, align=align)


MIDDLE = PP_ALIGN.CENTER
case("style.peers")(lambda p: like(p, (20, 14, 20)))
case("style.peers")(lambda p: like(p, (24, 20, 20)))
case("style.peers")(lambda p: like(p, (20, 20, 16), down=True))
case("style.peers")(lambda p: like(p, aligns=(MIDDLE, MIDDLE, None)))
case("style.peers")(lambda p: like(p, aligns=(None, MIDDLE, None), down=True))
case("style.peers", False)(like)
case("style.peers", False)(lambda p: like(p, (28, 20, 16)))
case("style.peers", False)(lambda p: like(p, aligns=(None, MIDDLE, PP_ALIGN.RIGHT)))


def listed(page, lines, *, bullet=False, width=700, hang=False):
    box = page.text(100, 160, width, 200, "\n".join(lines))
    for paragraph in box.text_frame.paragraphs if bullet or hang else ():
        properties = paragraph._p.get_or_add_pPr()
        properties.set("marL", "342900")
        properties.set("indent", "-342900")
        if bullet:
            properties.append(properties.makeelement(qn("a:buChar"), {"char": "•"}))


THREE = ("Pilots are hard to find", "Tugs are hired by the day", "The channel is shallow")
case("layout.list")(lambda p: listed(p, [f"{n}. {w}" for n, w in enumerate(THREE, 1)], bullet=True))
case("layout.list")(lambda p: listed(p, [f"{n}) {w}" for n, w in enumerate(THREE, 1)], bullet=True))
case("layout.list")(lambda p: listed(p, [f"- {w}" for w in THREE], bullet=True))
case("layout.list")(lambda p: listed(p, [f"{n}. {LONG}" for n in (1, 2)], width=400))
case("layout.list")(lambda p: listed(p, [f"• {LONG}" for _ in (1, 2)], width=400))
case("layout.list")(lambda p: listed(p, [f"- {LONG}" for _ in (1, 2, 3)], width=300))
case("layout.list", False)(lambda p: listed(p, THREE, bullet=True))
case("layout.list", False)(lambda p: listed(p, [f"{n}. {w}" for n, w in enumerate(THREE, 1)]))
case("layout.list", False)(lambda p: listed(p, ["2024 was a good year", "2025 was none"]))


def on_panel(page, kind=MSO_SHAPE.RECTANGLE, fill="1F4E79", left=300, **fields):
    page.shape(left, 150, 260, 200, kind=kind, fill=fill)
    page.text(120, 230, 600, 40, size=24, **fields)


case("text.crosses-edge")(lambda p: on_panel(p, left=200))
case("text.crosses-edge")(lambda p: on_panel(p, MSO_SHAPE.OVAL, left=200))
case("text.crosses-edge")(lambda p: on_panel(p, MSO_SHAPE.ROUNDED_RECTANGLE, left=240))
case("text.crosses-edge")(lambda p: on_panel(p, MSO_SHAPE.HEXAGON, "70AD47", left=210))
case("text.crosses-edge")(lambda p: on_panel(p, MSO_SHAPE.RIGHT_ARROW, "ED7D31", left=10))
case("text.crosses-edge", False)(lambda p: on_panel(p, left=500))
case("text.crosses-edge", False)(lambda p: p.shape(100, 200, 600, 90, WORDS, size=24))
case("text.crosses-edge", False)(lambda p: on_panel(p, fill="F7F7F7", left=240))

case("text.struck")(lambda p: (p.text(120, 230, 600, 40), p.line(100, 246, 700, 246)))
case("text.struck")(lambda p: (p.text(120, 230, 600, 40), p.line(200, 100, 200, 400)))
case("text.struck")(lambda p: (p.text(120, 230, 600, 40),
                               p.shape(200, 150, 300, 300, fill=None, line="C00000")))  # fmt: skip
case("text.struck")(lambda p: (p.text(120, 230, 600, 40), p.shape(
    200, 130, 300, 230, fill=None, line="C00000", kind=MSO_SHAPE.OVAL)))  # fmt: skip
case("text.struck")(lambda p: (p.text(120, 230, 600, 40), p.line(150, 200, 260, 290)))
case("text.struck", False)(lambda p: (p.text(120, 230, 600, 40), p.line(100, 290, 700, 290)))
case("text.struck", False)(lambda p: (p.text(120, 230, 600, 40), p.shape(
    60, 130, 700, 230, fill=None, line="C00000", kind=MSO_SHAPE.OVAL)))  # fmt: skip

ROWS = [["", "", "Berths"], ["", "", "15"], ["", "", "18"]]
for left, top, width in ((100, 270, 330), (100, 250, 280), (250, 230, 260), (120, 280, 300),
                         (60, 260, 300)):  # fmt: skip
    case("text.on-object")(
        lambda p, at=(left, top, width): (
            p.table(200, 300, 500, 120, ROWS),
            p.text(at[0], at[1], at[2], 40, f"{LONG}, {LONG}"),
        )
    )
case("text.on-object", False)(
    lambda p: (p.table(200, 300, 500, 120, ROWS), p.text(200, 220, 500, 40))
)

case("text.touching")(lambda p: (p.text(120, 230, 600, 40, size=24),
                                 p.shape(100, 259, 300, 8)))  # fmt: skip
case("text.touching")(lambda p: (p.text(120, 230, 600, 40, size=24),
                                 p.shape(180, 260, 400, 60)))  # fmt: skip
case("text.touching", False)(lambda p: (p.text(120, 230, 600, 40, size=24),
                                        p.shape(100, 275, 300, 8)))  # fmt: skip

for right, bottom in ((970, 300), (964, 300), (300, 545), (990, 300), (300, 560)):
    case("shape.off-slide")(
        lambda p, at=(right, bottom): (
            p.shape(400, 200, 200, 100, WORDS),
            p.shape(at[0] - 200, at[1] - 100, 200, 100, WORDS),
        )
    )
case("shape.off-slide", False)(lambda p: p.shape(-10, 480, 980, 70))  # a band
case("shape.off-slide", False)(
    lambda p: (p.shape(400, 200, 200, 100, WORDS), p.shape(700, 200, 200, 100, WORDS))
)

for size, width in ((40, 48), (36, 44), (28, 38)):
    case("text.broken")(
        lambda p, at=(size, width): p.shape(400, 200, at[1], 120, "AI", size=at[0], align=MIDDLE)
    )
case("text.broken", False)(lambda p: p.shape(400, 100, 44, 380, "LEVEL", size=36, align=MIDDLE))

PIE, CENTRE = XL_CHART_TYPE.PIE, XL_LABEL_POSITION.CENTER
for values in (
    (40, 1, 1, 1, 1, 30),
    (60, 1, 1, 1),
    (1, 1, 1, 1, 1, 90),
    (30, 2, 1, 1, 30, 2, 1, 1),
):
    case("chart.labels")(lambda p, v=values: p.chart(PIE, v, inside=CENTRE, size=20))
case("chart.labels")(lambda p: p.chart(PIE, (50, 1, 1, 1, 1), inside=CENTRE, size=22))
case("chart.labels", False)(lambda p: p.chart(PIE, (40, 30, 30), size=14, inside=CENTRE))
case("chart.labels", False)(lambda p: p.chart(XL_CHART_TYPE.COLUMN_CLUSTERED, (12, 15, 18)))
for count in (8, 9, 10, 12, 16):
    case("chart.crowded")(lambda p, n=count: p.chart(PIE, range(1, n + 1)))
case("chart.crowded", False)(lambda p: p.chart(PIE, (40, 30, 30)))
case("chart.crowded", False)(lambda p: p.chart(XL_CHART_TYPE.COLUMN_CLUSTERED, range(1, 20)))
case("chart.legend")(lambda p: p.chart(XL_CHART_TYPE.COLUMN_CLUSTERED, (12, 15), legend=True))
case("chart.legend")(lambda p: p.chart(XL_CHART_TYPE.LINE, (12, 15, 9), legend=True))
case("chart.legend", False)(lambda p: p.chart(PIE, (12, 15, 9), legend=True))


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """The rules found on each slide."""
    presentation = Presentation()
    presentation.slide_width, presentation.slide_height = Pt(960), Pt(540)
    for _rule, _flawed, draw in CASES:
        draw(Page(presentation.slides.add_slide(presentation.slide_layouts[6])))
    path = tmp_path_factory.mktemp("kinds") / "kinds.pptx"
    presentation.save(path)
    found = defaultdict(set)
    result = lint(path)
    assert not result.not_run
    for finding in result.findings:
        for slide in finding.slides or (finding.slide,):
            found[slide].add(finding.rule)
    return found


@pytest.mark.office
@pytest.mark.parametrize("rule", sorted({rule for rule, _flawed, _draw in CASES}))
def test_a_kind_of_flaw_is_found_in_all_varieties_and_nowhere_else(told, rule):
    missed, false = [], []
    for number, (own, flawed, _draw) in enumerate(CASES, start=1):
        has = rule in told[number]
        if own == rule and flawed and not has:
            missed.append(number)
        if own == rule and not flawed and has:
            false.append(number)
    assert (missed, false) == ([], [])


def written(build, *lines, **fields):
    texts = [build.text(line, 100, 60 * number, **fields) for number, line in enumerate(lines, 1)]
    return {finding.rule for finding in build.lint_all(build.slide(*texts))}


@pytest.mark.parametrize(
    "lines",
    [
        ("Add a Chart Page",),
        ("Write the problem here and elaborate on it.",),
        ("Write Your Topic or Idea",),
        ("Present with ease and wow any audience",),
        ("Don't forget to delete this page before presenting.",),
        ("Mercury is the closest planet to the Sun",),
        ("Name", "Job Title", "Name", "Job Title"),
        ("Describe the feature", "Describe the feature"),
        ("Item 1", "Item 2", "Item 3"),
        ("Column1", "data1", "Column2"),
    ],
)
def test_words_of_templates_and_dummies_are_prompts(build, lines):
    assert "placeholder.prompt" in written(build, *lines)


@pytest.mark.parametrize(
    "lines",
    [
        ("Add salt to the water",),
        ("Write the test first, then the code",),
        ("Name", "Age", "Address"),
        ("Describe the feature", "Explain the risk"),
        ("Phase 1", "Phase 2", "Phase 3"),
        ("Q1", "Q2", "Q3", "Q4"),
        ("Mars, Inc. sells food",),
    ],
)
def test_words_that_are_meant_are_no_prompts(build, lines):
    assert "placeholder.prompt" not in written(build, *lines)


@pytest.mark.parametrize(
    "line",
    [
        "roots,stems and leaves",
        "It ends here.Then the next one begins",
        "oxygen , water and light",
        "?Postulate of Euclid",
        "A  statement  that we  accept",
    ],
)
def test_stray_and_missing_spaces_are_told(build, line):
    assert "written.spacing" in written(build, line)


@pytest.mark.parametrize(
    "line",
    [
        "roots, stems and leaves",
        "Costs rose by 3,500 in all",
        "See www.example.org/a,b or Node.js",
        "It ends.  Then the next one begins.  And so on.",
        "from os import path,sep",
        "...and so on",
        "",
    ],
)
def test_usual_spaces_are_left_alone(build, line):
    assert "written.spacing" not in written(build, line)


def test_words_that_stand_three_times_are_told_once(build):
    again = ("Pilots are hard to find",) * 3
    assert "written.repeated" in written(build, *again)
    assert "written.repeated" not in written(build, *again[:2])
    assert "written.repeated" not in written(build, "Read more", "Read more", "Read more")
    stacked = [build.text(again[0], 100, 100) for _ in range(3)]  # an animation has them
    assert build.told("written.repeated", build.slide(*stacked)) == []


def test_a_fence_of_markdown_shows_its_marks_though_code_is_around_it(build):
    assert "written.markup" in written(build, "```css\nbody { color: red; }\n```")
    assert "written.markup" not in written(build, "body { color: red; }")


def test_small_print_against_the_edge_is_told(build):
    number = build.text("17", 0, 500, 60, 40, placeholder="sldNum")
    spans = [build.span("17", 1, 510, 30, 530)]
    (found,) = build.told("text.margin", build.slide(number), spans)
    assert "1 px from the edge" in found.message
    spans = [build.span("17", 8, 510, 37, 530)]
    assert build.told("text.margin", build.slide(number), spans) == []


def test_a_panel_that_runs_a_little_over_another_is_told(build):
    def panels(*places, **fields):
        return build.slide(*(build.rect(*place, stroke="#000000", **fields) for place in places))

    (found,) = build.told("shape.overlap", panels((100, 100, 300, 200), (390, 120, 300, 200)))
    assert "10 px over" in found.message
    assert build.told("shape.overlap", panels((100, 100, 300, 200), (400, 120, 300, 200))) == []
    assert build.told("shape.overlap", panels((100, 100, 300, 200), (150, 120, 200, 100))) == []
    assert build.told("shape.overlap", panels((100, 100, 300, 40), (100, 130, 300, 200))) == []
    far = panels((100, 100, 300, 200), (390, 120, 300, 200), groups=(9,))
    assert build.told("shape.overlap", far) == []


def test_a_picture_just_inside_the_edge_is_told(build):
    (found,) = build.told("shape.margin", build.slide(build.image(4, 100, 200, 150)))
    assert "4 px from the edge" in found.message
    for left in (0, -20, 30):
        assert build.told("shape.margin", build.slide(build.image(left, 100, 200, 150))) == []
    assert build.told("shape.margin", build.slide(build.image(4, 4, 952, 532))) == []
