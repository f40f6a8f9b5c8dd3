"""Decks that LibreOffice saved: edits are told, and what LibreOffice does by itself is not."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.util import Inches
from tests.diffing.edits import edit_deck
from tests.diffing.exactness import taken
from tests.drawing import SharedOffice

from decklab.core.errors import RenderFailed
from decklab.deck.deck import write_samples
from decklab.diffing.changes import DeckDiff
from decklab.diffing.decks import diff_decks, diff_resaved
from decklab.diffing.snapshots import diff
from decklab.rendering.office import Office
from decklab.rendering.renderer import Cache, Renderer

pytestmark = pytest.mark.office


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    return Cache(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_samples(tmp_path_factory.mktemp("samples"))


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five slides with a title and points each, the third with a group of boxes."""
    deck = Presentation()
    words = ("rivers", "bridges", "harbours", "lighthouses", "ferries")
    for number, word in enumerate(words, start=1):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = f"On {word}"
        slide.placeholders[1].text = f"Why {word} matter\nWho pays for {word} in {2000 + number}"
    group = deck.slides[2].shapes.add_group_shape()
    for at in (1, 4):
        box = group.shapes.add_textbox(Inches(at), Inches(5), Inches(2), Inches(1))
        box.text_frame.text = f"Box {at}"
        box.fill.solid()
        box.fill.fore_color.rgb = RGBColor(200, 220, 240)
    path = tmp_path_factory.mktemp("talk") / "talk.pptx"
    deck.save(str(path))
    return path


Compared = Callable[[Callable[[Any], None]], DeckDiff]


@pytest.fixture
def saved(talk: Path, tmp_path: Path, office: SharedOffice, cache: Cache) -> Compared:
    """What is told of the talk after an edit by python-pptx and a save by LibreOffice."""

    def run(edit: Callable[[Any], None]) -> DeckDiff:
        deck = Presentation(str(talk))
        edit(deck)
        deck.save(str(tmp_path / "edited.pptx"))
        after = tmp_path / "saved.pptx"
        after.write_bytes(office.resaved(tmp_path / "edited.pptx"))
        return diff_decks(talk, after, renderer=Renderer(office, cache))

    return run


def told(found: DeckDiff) -> list[tuple[int | None, str, str]]:
    return [(one.slide, one.kind, one.property) for one in found.edits]


def test_without_an_edit_nothing_but_noise_is_told(saved: Compared) -> None:
    found = saved(lambda deck: None)
    assert found.edits == () and len(found.changes) > 50


@pytest.mark.long
def test_a_rich_deck_saved_by_libreoffice_shows_no_edit(
    samples: list[Path], tmp_path: Path, office: SharedOffice, cache: Cache
) -> None:
    rich = max(samples, key=lambda deck: deck.stat().st_size)
    after = tmp_path / "saved.pptx"
    after.write_bytes(office.resaved(rich))
    assert diff_decks(rich, after, renderer=Renderer(office, cache)).edits == ()


def test_words_and_places_are_told_with_their_values_in_the_older_deck(saved: Compared) -> None:
    def edit(deck: Any) -> None:
        deck.slides[1].shapes.title.text = "On tunnels"
        deck.slides[3].shapes.title.top += Inches(1)

    found = saved(edit)
    assert told(found) == [(2, "text", "text"), (4, "geometry", "position")]
    assert (found.edits[0].old, found.edits[0].new) == ("On bridges", "On tunnels")


def test_backgrounds_and_flips_of_groups_are_told(saved: Compared) -> None:
    def edit(deck: Any) -> None:
        deck.slides[0].background.fill.solid()
        deck.slides[0].background.fill.fore_color.rgb = RGBColor(18, 171, 86)
        group = deck.slides[2].shapes[2]._element
        group.grpSpPr.xfrm.set("flipH", "1")

    found = told(saved(edit))
    assert (1, "slide", "background") in found
    assert any(slide == 3 and kind == "geometry" for slide, kind, _property in found)
    assert {slide for slide, _kind, _property in found} == {1, 3}


def test_a_slide_put_in_the_place_of_another_is_no_edited_slide(saved: Compared) -> None:
    def edit(deck: Any) -> None:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = "Questions"
        slide.placeholders[1].text = "Whom to call\nWhere to read more"
        listed = deck.slides._sldIdLst
        deck.part.drop_rel(listed[2].rId)
        listed.remove(listed[2])
        listed.insert(2, listed[-1])

    found = saved(edit)
    assert (found.slides.removed, found.slides.added) == ((3,), (3,))
    assert told(found) == [(3, "slide", "removed"), (3, "slide", "added")]


def test_a_removed_shape_has_the_name_that_it_had(saved: Compared) -> None:
    def edit(deck: Any) -> None:
        group = deck.slides[2].shapes[2]._element
        group.getparent().remove(group)

    (change,) = saved(edit).edits
    assert change.kind == "removed" and change.element is not None
    assert change.element.name == "Group 3"


@pytest.mark.by_day(1)
@pytest.mark.parametrize("kind", ["theme color", "hide", "notes", "chart value", "picture"])
def test_edits_made_in_the_file_are_told_after_the_save(
    kind: str, samples: list[Path], tmp_path: Path, office: SharedOffice, cache: Cache
) -> None:
    edited = tmp_path / "edited.pptx"
    deck = next(deck for deck in samples if edit_deck(deck, edited, [kind], 1)[0])
    (expected,) = edit_deck(deck, edited, [kind], 1)[1]
    after = tmp_path / "saved.pptx"
    after.write_bytes(office.resaved(edited))
    found = diff_decks(deck, after, renderer=Renderer(office, cache))
    assert {(one.kind, one.property) for one in found.edits} == {(expected.kind, expected.property)}


def test_without_libreoffice_rules_tell_noise_and_somebody_hears_why(
    talk: Path, tmp_path: Path, office: SharedOffice
) -> None:
    class Broken(Office):
        def resaved(self, path: str | Path) -> bytes:
            raise RenderFailed(Path(path), "it died")

    after = tmp_path / "saved.pptx"
    after.write_bytes(office.resaved(talk))
    heard: list[str] = []
    with Broken(installation=office.installation) as broken:
        found = diff_decks(
            talk, after, renderer=Renderer(broken, Cache(tmp_path / "cache")), on_rules=heard.append
        )
    assert found == diff(taken(talk), taken(after)) and found.edits == ()
    assert len(heard) == 1 and "it died" in heard[0]


@pytest.mark.long
def test_what_libreoffice_saved_once_is_not_saved_again(
    talk: Path, tmp_path: Path, office: SharedOffice
) -> None:
    class Counting(Office):
        asked = 0

        def resaved(self, path: str | Path) -> bytes:
            self.asked += 1
            return super().resaved(path)

    after, cache = tmp_path / "saved.pptx", Cache(tmp_path / "cache")
    after.write_bytes(office.resaved(talk))
    with Counting(installation=office.installation) as counting:
        first = diff_decks(talk, after, renderer=Renderer(counting, cache))
        assert diff_decks(talk, after, renderer=Renderer(counting, cache)) == first
        assert counting.asked == 1
        assert diff_decks(talk, talk, renderer=Renderer(counting, cache)) == DeckDiff()
        assert diff_decks(after, after, renderer=Renderer(counting, cache)) == DeckDiff()
        assert counting.asked == 1


def test_a_deck_that_lost_slides_on_the_way_is_compared_by_rules(
    talk: Path, office: SharedOffice, tmp_path: Path
) -> None:
    after = tmp_path / "saved.pptx"
    after.write_bytes(office.resaved(talk))
    before, resaved = taken(talk), taken(after)
    shorter = {**resaved, "slides": resaved["slides"][:-1]}
    assert diff_resaved(before, shorter, resaved) == diff(before, resaved)
