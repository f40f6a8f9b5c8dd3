"""Damage beside a task: what takes from a score, and what a rubric may let change."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.util import Emu

from decklab.core.results import NotScored
from decklab.evals.rubrics.damage import WHOLE, damage_of
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.graded import RUIN, Damage, GradedNode, GradedTree, Harm
from decklab.evals.rubrics.rubric import AllowedChanges
from decklab.rendering.renderer import Cache, Renderer

ASKED = AllowedChanges(({"slide": 1, "shapes": ["Title*"], "may": ["text:text"]},))


@pytest.fixture(scope="module")
def look(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Damage]:
    folder = tmp_path_factory.mktemp("damage")
    deck = Presentation()
    for number in range(1, 4):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = f"Topic {number}"
        slide.placeholders[1].text = f"What there is to say of {number}"
    before = folder / "before.pptx"
    deck.save(str(before))

    def go(edit: Callable[[Any], None], scope: AllowedChanges | None = ASKED) -> Damage:
        edited = Presentation(str(before))
        edit(edited)
        after = folder / "after.pptx"
        edited.save(str(after))
        renderer = Renderer(cache=Cache(folder / "cache"))
        with ComparedDecks(before, after, renderer=renderer) as decks:
            return damage_of(decks, scope)

    return go


def retitle(deck: Any) -> None:
    deck.slides[0].shapes.title.text = "Asked for"


def whiten(deck: Any) -> None:
    retitle(deck)
    run = deck.slides[0].shapes.title.text_frame.paragraphs[0].runs[0]
    run.font.color.rgb = RGBColor(255, 255, 255)


def plate(deck: Any) -> None:
    retitle(deck)
    slide = deck.slides[2]
    cover = slide.shapes.add_shape(1, 0, 0, deck.slide_width, deck.slide_height)
    cover.fill.solid()
    cover.fill.fore_color.rgb = RGBColor(255, 255, 255)


def redden(deck: Any) -> None:
    retitle(deck)
    deck.slide_masters[0].background.fill.solid()
    deck.slide_masters[0].background.fill.fore_color.rgb = RGBColor(255, 0, 0)


def resize(deck: Any) -> None:
    retitle(deck)
    deck.slide_width, deck.slide_height = 3 * 914_400, 20 * 914_400


def reword(deck: Any) -> None:
    retitle(deck)
    deck.slides[1].placeholders[1].text = "Something else"


@pytest.mark.long
@pytest.mark.office
def test_what_was_asked_is_no_damage_and_what_was_not_is(look: Callable[..., Damage]) -> None:
    assert look(retitle) == Damage((), 0.0, 1.0)
    [*harms] = look(reword).harms
    assert {one.slide for one in harms} == {2}
    assert 1 <= look(reword).loss <= 2  # one of the two texts of a slide
    assert look(plate).loss == pytest.approx(2)  # all that one slide has
    assert look(redden).loss > 5
    assert look(resize).loss >= 6


@pytest.mark.office
def test_work_that_nobody_sees_counts_for_nothing_with_any_rubric(
    look: Callable[..., Damage],
) -> None:
    for scope in (ASKED, None):
        found = look(whiten, scope)
        assert found.work == 0 and found.factor == 0


@pytest.mark.long
@pytest.mark.office
def test_without_a_scope_only_what_can_no_longer_be_seen_is_harm(
    look: Callable[..., Damage],
) -> None:
    assert look(reword, None) == Damage((), 0.0, 1.0)
    assert look(plate, None).loss == pytest.approx(2)
    told = look(resize, None)
    assert any("another size" in one.what for one in told.harms)


def graded(low: float, high: float) -> GradedTree:
    return GradedTree(GradedNode("root", "all", "", False, low, high, "as asked"))


def test_damage_takes_from_the_root_and_is_open_where_it_is_not_known() -> None:
    found = Damage((Harm(2, "gone", 3.0),), 3.0, 1.0)
    tree = graded(0.8, 0.8).with_damage(found, counted=True)
    assert tree.score == pytest.approx(0.8 * 2 / 3) and tree.passed is False
    assert "damage leaves 67%" in tree.root.reason
    assert tree.to_json()["damage"]["factor"] == pytest.approx(2 / 3)
    assert graded(0.8, 0.8).with_damage(found, counted=False).score == 0.8
    lost = graded(1.0, 1.0).with_damage(NotScored("no office"), counted=True)
    assert (lost.root.low, lost.root.high, lost.passed) == (0.0, 1.0, None)
    assert lost.score == NotScored("no office")
    assert graded(1.0, 1.0).with_damage(Damage((), 0.0, 1.0), counted=True).passed is True


def test_nine_cells_beside_the_task_cost_no_less_than_the_only_one_that_it_asks_for() -> None:
    assert RUIN == 9 and Damage((), 9.0, 1.0).factor == 0
    assert Damage((), 12.0, 1.0).factor == 0
    assert graded(1.0, 1.0).with_damage(Damage((), 9.0, 1.0), counted=True).score == 0
    assert Damage((), 1.0, 1.0).factor == pytest.approx(8 / 9)


@pytest.fixture
def table_harm(tmp_path: Path) -> Callable[..., Damage]:
    """The damage beside a cell that was asked for, in a table of four rows and columns."""

    def go(spoil: Callable[[Any], None], *, first_rows: int = 4) -> Damage:
        deck = Presentation()
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        frame = slide.shapes.add_table(
            4, 4, Emu(900_000), Emu(900_000), Emu(6_000_000), Emu(2_000_000)
        )
        for row in range(first_rows):
            for column in range(4):
                frame.table.cell(row, column).text = f"{row}{column}"
        deck.save(str(tmp_path / "before.pptx"))
        frame.table.cell(0, 0).text_frame.paragraphs[0].runs[0].text = "5"
        spoil(frame)
        deck.save(str(tmp_path / "after.pptx"))
        asked = AllowedChanges(({"slide": 1, "shapes": ["Table*"], "parts": ["row 1, column 1"],
                                 "may": ["table:cell text"]},))  # fmt: skip
        paths = tmp_path / "before.pptx", tmp_path / "after.pptx"
        with ComparedDecks(*paths, renderer=Renderer(cache=Cache(tmp_path / "cache"))) as decks:
            return damage_of(decks, asked)

    return go


def nine_wrong(frame: Any) -> None:
    for row in range(1, 4):
        for column in range(1, 4):
            frame.table.cell(row, column).text = "999"


def rows_gone(frame: Any) -> None:
    for row in list(frame.table._tbl.tr_lst)[1:]:
        frame.table._tbl.remove(row)


def frame_gone(frame: Any) -> None:
    frame._element.getparent().remove(frame._element)


@pytest.mark.long
@pytest.mark.office
@pytest.mark.parametrize(
    ("spoil", "first_rows"), [(nine_wrong, 4), (nine_wrong, 1), (rows_gone, 4), (frame_gone, 4)]
)
def test_nine_cells_cost_the_whole_score_however_they_are_lost(
    table_harm: Callable[..., Damage], spoil: Callable[[Any], None], first_rows: int
) -> None:
    found = table_harm(spoil, first_rows=first_rows)
    assert found.loss >= 9 and found.factor == 0


@pytest.mark.long
@pytest.mark.office
def test_a_slide_of_another_colour_loses_no_cell_of_its_table(tmp_path: Path) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    frame = slide.shapes.add_table(5, 5, Emu(0), Emu(0), Emu(6_000_000), Emu(3_000_000))
    for row in range(5):
        for column in range(5):
            frame.table.cell(row, column).text = f"{row}{column}"
    deck.save(str(tmp_path / "before.pptx"))
    slide.background.fill.solid()
    slide.background.fill.fore_color.rgb = RGBColor(255, 235, 215)
    deck.save(str(tmp_path / "after.pptx"))
    paths = tmp_path / "before.pptx", tmp_path / "after.pptx"
    with ComparedDecks(*paths, renderer=Renderer(cache=Cache(tmp_path / "cache"))) as decks:
        assert 0.25 < damage_of(decks, ASKED).loss <= 1.25


def add_picture(deck: Any, left: int) -> None:
    data = io.BytesIO()
    Image.new("RGB", (40, 30), (30, 90, 160)).save(data, "PNG")
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_picture(data, Emu(left), Emu(914_400), Emu(3_000_000), Emu(2_000_000))


@pytest.mark.long
@pytest.mark.office
def test_each_thing_of_the_deck_that_nobody_asked_for_is_told(look: Callable[..., Damage]) -> None:
    def reorder(deck: Any) -> None:
        retitle(deck)
        slides = deck.slides._sldIdLst
        slides.append(slides[1])

    (harm,) = look(reorder).harms
    assert (harm.slide, harm.what) == (None, "slides changed their order")
    assert harm.loss == pytest.approx(WHOLE)

    def add(deck: Any) -> None:
        retitle(deck)
        add_picture(deck, 914_400)

    added = look(add).harms
    assert [(one.slide, one.what) for one in added] == [
        (None, "1 slides were added that nobody asked for")
    ]
    assert [one.slide for one in look(redden).harms].count(None) == 1


@pytest.mark.office
def test_a_picture_on_a_new_slide_is_work_where_it_is_seen(look: Callable[..., Damage]) -> None:
    allowed = AllowedChanges(({"added": 1},))
    assert look(lambda deck: add_picture(deck, 914_400), allowed).work == 1
    assert look(lambda deck: add_picture(deck, 90 * 914_400), allowed).work == 0
