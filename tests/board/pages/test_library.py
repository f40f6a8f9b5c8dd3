"""Layouts of figures, people and several pictures: native shapes with all words, none cut off."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from generate.composing.library import library_plan
from pptx import Presentation
from tests.board.pages.words import words_of
from tests.board.plans import LANGUAGES, later_layouts

from decklab.board.blueprint import SlidePlan
from decklab.board.library import LAYOUTS
from decklab.board.pages.document import DeckPages, PageSizes, page_grid
from decklab.board.pages.layout import LaidOutDeck, lay_out_deck
from decklab.board.pages.links import linked_parts
from decklab.board.pages.writing import write_pages
from decklab.board.themes import THEMES
from decklab.ooxml.xml import qn

_WIDTH, _HEIGHT, _SLACK = 12192000, 6858000, 9000


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pictures")


@pytest.fixture(scope="module")
def laid_out(pictures: Path) -> LaidOutDeck:
    return lay_out_deck(library_plan(pictures), THEMES["light"])


@pytest.fixture(scope="module")
def native(laid_out: LaidOutDeck, pictures: Path) -> Any:
    return Presentation(str(write_pages(laid_out, pictures / "deck.pptx")))


def words(texts: list[str]) -> Counter[str]:
    return Counter(word for text in texts for word in re.findall(r"\w+", text))


def texts_of(slide: Any) -> list[str]:
    """All that a slide says, tables and groups included."""
    return [
        "".join(part.text or "\n" for part in paragraph.iter(qn("a:t"), qn("a:br")))
        for paragraph in slide._element.iter(qn("a:p"))
    ]


def said(plan: SlidePlan) -> list[str]:
    """All that a slide of a plan says, in whatever order."""
    cells = [] if plan.table is None else [*plan.table.header, *sum(plan.table.rows, ())]
    periods = plan.schedule.periods if plan.schedule else ()
    by = [plan.quote.by or ""] if plan.quote else []
    headings = [chart.heading or "" for chart in plan.charts]
    return [*plan.texts, *cells, *periods, *by, *headings, plan.shown_source or ""]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_page_has_the_words_of_its_slide(language: str, pictures: Path) -> None:
    plan = later_layouts(language, pictures)
    pages = DeckPages(plan, THEMES["light"])
    html = pages.html(plan.slides, [PageSizes()] * len(plan.slides))
    for slide, shown in zip(plan.slides, words_of(html), strict=True):
        for text in ": ".join(said(slide)).split(": "):
            assert all(word in shown for word in text.split()), (slide.layout, text)


@pytest.mark.chromium
def test_native_slides_say_what_the_plan_says(laid_out: LaidOutDeck, native: Any) -> None:
    for slide, plan in zip(native.slides, laid_out.slides, strict=True):
        missing = words(said(plan)) - words(texts_of(slide))
        assert not missing, (plan.layout, missing)


@pytest.mark.chromium
def test_native_slides_keep_title_tables_charts_and_pictures(
    laid_out: LaidOutDeck, native: Any
) -> None:
    for slide, plan in zip(native.slides, laid_out.slides, strict=True):
        assert slide.shapes.title.text_frame.text == plan.title, plan.layout
        assert slide.slide_layout.name == LAYOUTS[plan.layout].title
        charts = [shape.chart for shape in slide.shapes if shape.has_chart]
        assert len(charts) == len(plan.all_charts)
        for chart, wanted in zip(charts, plan.all_charts, strict=True):
            assert tuple(chart.plots[0].series[0].values) == wanted.series[0].values
        tabled = plan.table is not None or plan.layout in ("decisions", "formula")
        assert any(shape.has_table for shape in slide.shapes) == tabled, plan.layout
        shown = [shape for shape in slide.shapes if shape.shape_type == 13]
        assert len(shown) == len(plan.all_pictures), plan.layout


@pytest.mark.chromium
def test_nothing_stands_over_the_edge(native: Any) -> None:
    for slide in native.slides:
        for shape in slide.shapes:
            assert shape.left >= -_SLACK and shape.left + shape.width <= _WIDTH + _SLACK
            assert shape.top >= -_SLACK and shape.top + shape.height <= _HEIGHT + _SLACK


@pytest.mark.chromium
@pytest.mark.parametrize(
    ("layout", "joined"),
    [
        ("org_chart", ["Nadia Ames>Jo Berg", "Jo Berg>Ines Calva", "Jo Berg>Sam Dahl",
                       "Nadia Ames>Mira Eke", "Mira Eke>Tom Fehr", "Nadia Ames>Ada Grun"]),
        ("cycle", ["1>2", "2>3", "3>4", "4>1"]),
        ("swimlanes", ["Reports the fault>Finds the part", "Finds the part>Sends the part",
                       "Sends the part>Changes it", "Changes it>Signs for the repair"]),
        ("flowchart", ["Fault reported>Part in the depot?", "Part in the depot?>Change the part",
                       "Part in the depot?>Order the part", "Change the part>Pump runs"]),
        ("problem_solution", [
            "Nobody in the village can change a seal>Two trained mechanics in each village",
            "Parts come by boat once a week>Depots with parts for thirty days",
            "The fault is reported late>Counters that report by text message"]),
    ],
)  # fmt: skip
def test_lines_are_connectors_glued_to_the_shapes_that_they_join(
    layout: str, joined: list[str], laid_out: LaidOutDeck, native: Any
) -> None:
    slide = native.slides[[str(plan.layout) for plan in laid_out.slides].index(layout)]
    first_lines = {
        str(shape.shape_id): shape.text_frame.paragraphs[0].text
        for shape in slide.shapes if shape.has_text_frame
    }  # fmt: skip
    ends = [
        [first_lines[glue.get("id")] for glue in line.iter(qn("a:stCxn"), qn("a:endCxn"))]
        for line in slide._element.iter(qn("p:cxnSp"))
    ]
    assert sorted(">".join(pair) for pair in ends) == sorted(joined)


@pytest.mark.chromium
def test_small_multiples_have_one_scale(laid_out: LaidOutDeck, native: Any) -> None:
    slide = native.slides[[str(plan.layout) for plan in laid_out.slides].index("small_multiples")]
    tops = {shape.chart.value_axis.maximum_scale for shape in slide.shapes if shape.has_chart}
    assert len(tops) == 1 and 61 < tops.pop() < 80


def test_the_table_of_layouts_names_each_with_what_it_shows() -> None:
    page = Path(__file__).parents[3] / "docs" / "composing.md"
    table = page.read_text(encoding="utf-8").partition("| layout | shows |")[2].partition("\n\n")[0]
    rows = dict(re.findall(r"^\| `(\w+)` (.*)$", table, re.MULTILINE))
    assert set(rows) == set(LAYOUTS)
    for name in LAYOUTS:
        layout = LAYOUTS[name]
        named = re.findall(r"`(\w+)`", rows[name])
        assert named == [*layout.needs, *layout.shows], name


def test_a_tree_spans_its_leaves() -> None:
    levels = [0, 1, 2, 2, 1, 2, 1]
    slide = SlidePlan.model_validate(
        {"layout": "tree", "title": "T",
         "body": [{"text": str(at), "level": level} for at, level in enumerate(levels)]},
        strict=False,
    )  # fmt: skip
    cells = [(cell.first, cell.span) for cell in page_grid(slide).cells]
    assert cells == [(1, 4), (1, 2), (1, 1), (2, 1), (3, 1), (3, 1), (4, 1)]
    assert linked_parts(slide) == [(0, 1), (1, 2), (1, 3), (0, 4), (4, 5), (0, 6)]
