"""Which figure or table a page shows, and whether a chart has the numbers of its table."""

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.writer.scripted import Script, visual

from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import DocumentTable
from decklab.documents.reading import read_documents
from decklab.models.asking_loop import PicturesUnseen
from decklab.writer.figures import (
    ChosenVisuals,
    VisualCandidate,
    VisualFinder,
    ask_visual,
    each_once,
    shown_chart,
)
from decklab.writer.outline import Evidence, Outline, OutlinePage, OutlinePoint, VisualRef
from decklab.writer.slides import deck_plan

REPORT = """# Report

## Traffic

Ships called often in summer.

| Quarter | Ships | Tons |
|---|---|---|
| Q1 | 210 | 300 |
| Q2 | 262 | 310 |
| Q3 | 301 | 350 |
| Q4 | 244 | 320 |

## Staff

The staff trained on the new crane.

![The crane lifts a container](crane.png)

## Weather

| Month | Days of rain |
|---|---|
| June | 9 |
| July | 4 |
| August | 6 |
"""


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    folder = tmp_path_factory.mktemp("figures")
    Image.new("RGB", (2000, 1000), "#336699").save(folder / "crane.png")
    (folder / "report.md").write_text(REPORT)
    return read_documents([folder / "report.md"])


def page(title: str, *points: str, quote: str = "") -> OutlinePage:
    evidence = (Evidence(document="report.md", quote=quote),) if quote else ()
    made = tuple(OutlinePoint(text=text, evidence=evidence) for text in points)
    return OutlinePage(title=title, points=made)


SHIPS = page("Ships called in all quarters", "Ships in Q3")


def asked(
    sources: KnowledgeBase, *replies: Any, shown: OutlinePage = SHIPS
) -> tuple[ChosenVisuals, Script, tuple[VisualCandidate, ...]]:
    candidates = VisualFinder(sources).candidates(shown)
    script = Script(figures=list(replies))
    return ask_visual(shown, candidates, script), script, candidates


def chart(*ships: float, rows: tuple[str, ...] = ("Q1", "Q3"), **changes: Any) -> dict[str, Any]:
    return {
        "table": "V1", "kind": "bar", "categories": list(rows),
        "series": [{"name": "Ships", "values": list(ships)}], **changes,
    }  # fmt: skip


def test_candidates_share_words_with_the_page(sources: KnowledgeBase) -> None:
    found = VisualFinder(sources).candidates(page("Rain", "Days of rain in July"))
    assert [one.ref.number for one in found][:1] == [2]
    assert VisualFinder(sources).candidates(page("Zebras", "Giraffes")) == ()


def test_what_stands_in_the_section_of_the_evidence_comes_first(sources: KnowledgeBase) -> None:
    words = ("Ships brought a crane",)
    by_words = VisualFinder(sources).candidates(page("Ships", *words))
    assert by_words[0].ref.kind == "table"
    quoted = page("Ships", *words, quote="The staff trained on the new crane.")
    by_section = VisualFinder(sources).candidates(quoted)
    assert by_section[0].ref.kind == "figure"


def test_five_are_offered_at_most(tmp_path: Path) -> None:
    table = "| Year | Ships |\n|---|---|\n| 2001 | 5 |\n| 2002 | 6 |\n| 2003 | 7 |\n\n"
    (tmp_path / "many.md").write_text(
        "# Many\n\n" + "".join(f"## {n}\n\n{table}" for n in range(9))
    )
    many = read_documents([tmp_path / "many.md"])
    assert [one.name for one in VisualFinder(many).candidates(page("Ships"))] == [
        "V1", "V2", "V3", "V4", "V5",
    ]  # fmt: skip
    assert VisualFinder(KnowledgeBase()).candidates(page("Ships")) == ()


def test_the_choice_is_named_with_its_reason(sources: KnowledgeBase) -> None:
    got, script, _ = asked(sources, visual("V1"))
    assert got.refs == (VisualRef(kind="table", document="report.md", number=1),)
    assert got.reason == "it shows the ships"
    assert "Q3\t301\t350" in script.prompts[0]


def test_none_is_an_answer(sources: KnowledgeBase) -> None:
    got, script, _ = asked(sources, visual())
    assert got.refs == () and got.told == () and script.asked["figures"] == 1


def test_what_was_not_offered_is_asked_again_and_then_told(sources: KnowledgeBase) -> None:
    got, script, _ = asked(sources, visual("V9"), visual("V1"))
    assert script.asked["figures"] == 2 and "'V9' is none of those offered" in script.prompts[1]
    assert len(got.refs) == 1
    got, script, _ = asked(sources, visual("V9", "V1"))
    assert script.asked["figures"] == 3
    assert [ref.number for ref in got.refs] == [1]
    assert got.told == ("not offered: 'V9'",)


def test_a_reply_in_no_form_leaves_the_page_without(sources: KnowledgeBase) -> None:
    got, script, _ = asked(sources, "none of them")
    assert script.asked["figures"] == 3 and got.refs == ()
    assert got.told[0].startswith("no figure or table: ")


def test_figures_go_along_as_small_pictures_where_the_model_sees(sources: KnowledgeBase) -> None:
    shown = page("The crane lifts a container", "Staff and crane")
    _, script, candidates = asked(sources, visual(), shown=shown)
    assert [one.ref.kind for one in candidates].count("figure") == 1
    ((_, images),) = script.images
    with Image.open(io.BytesIO(images[0])) as picture:
        assert picture.size == (640, 320)
    got, script, _ = asked(sources, PicturesUnseen("script", "blind"), visual("V1"), shown=shown)
    assert script.images[1][1] == ()
    assert got.refs[0].kind == "figure"


def test_a_chart_of_a_part_of_a_table_has_the_numbers_of_its_cells(
    sources: KnowledgeBase, tmp_path: Path
) -> None:
    rows = ("Q1", "Q3", "Q4")
    got, _, _ = asked(sources, visual(chart=chart(210, 301, 244, rows=rows)))
    (ref,) = got.refs
    assert (ref.chart, ref.rows, ref.columns) == ("bar", rows, ("Ships",))
    shown = SHIPS.model_copy(update={"visual": ref})
    outline = Outline(title="T", pages=(shown,))
    (slide,) = [s for s in deck_plan(outline, sources, tmp_path).slides if s.chart]
    assert slide.chart is not None
    assert slide.chart.kind == "bar" and slide.chart.categories == rows
    assert [(one.name, one.values) for one in slide.chart.series] == [("Ships", (210, 301, 244))]


def test_figures_stand_in_turn_at_the_right_and_the_left_of_the_words(
    sources: KnowledgeBase, tmp_path: Path
) -> None:
    shown = VisualRef(kind="figure", document="report.md", number=1)
    with_words = page("The crane", "It lifts a container").model_copy(update={"visual": shown})
    bare = page("The crane alone").model_copy(update={"visual": shown})
    outline = Outline(title="T", pages=(with_words, with_words, bare))
    slides = [one for one in deck_plan(outline, sources, tmp_path).slides if one.picture]
    assert [one.layout for one in slides] == ["picture_right", "picture_left", "picture_full"]
    [drawn] = tmp_path.iterdir()
    assert drawn.name == "report.md-figure-1.png"
    for one in slides:
        assert one.picture is not None and one.picture.path == str(drawn)
        assert one.picture.alt == "The crane lifts a container"
    with Image.open(drawn) as picture:
        assert picture.width == 2 * picture.height  # as the file beside the report
        assert picture.convert("RGB").getpixel((5, 5)) == (0x33, 0x66, 0x99)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (chart(210, 999, 244, rows=("Q1", "Q3", "Q4")), "Q3 is '301' in the table, not 999"),
        (chart(210, 301, 244, rows=("Q1", "Q3", "Q9")), "'Q9' is no row"),
        (chart(210, 301), "no chart of this kind"),
        (chart(210, 301, 244), "one value for each category"),
        (chart(210, 301, 1, table="V7"), "a chart needs its source"),
        (chart(1, 2, series=[{"name": "Profit", "values": [1, 2]}]), "'Profit' is no column"),
    ],
)
def test_a_chart_that_its_table_does_not_hold_is_refused_and_named(
    sources: KnowledgeBase, bad: dict[str, Any], said: str
) -> None:
    got, script, _ = asked(sources, visual("V1", chart=bad), visual("V1"))
    assert script.asked["figures"] == 2 and said in script.prompts[1]
    assert got.refs == (VisualRef(kind="table", document="report.md", number=1),)
    got, script, _ = asked(sources, visual("V1", chart=bad))
    assert script.asked["figures"] == 3
    assert got.refs == (VisualRef(kind="table", document="report.md", number=1),)
    assert got.told[0].startswith("the chart is refused: ") and said in got.told[0]


def test_a_pie_of_what_is_no_whole_is_no_chart() -> None:
    table = DocumentTable("d", 1, (("A", "B"), ("x", "-1"), ("y", "2"), ("z", "3")), 1)
    pie = VisualRef(kind="table", document="d", number=1, chart="pie")
    assert shown_chart(table, pie, "S") is None


def test_no_figure_stands_on_two_pages() -> None:
    one, two = (VisualRef(kind="figure", document="d", number=number) for number in (1, 2))
    chosen = [ChosenVisuals((one, two)), ChosenVisuals((one,)), ChosenVisuals((one,))]
    assert each_once(chosen) == [two, one, None]
    assert each_once([]) == []
