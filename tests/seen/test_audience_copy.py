"""The copy that is drawn in place of a deck: without what only LibreOffice shows of it."""

from pathlib import Path

import pytest
from pptx import Presentation
from tests.seen.test_computed import (
    WORDS,
    Way,
    deck_of,
    edge_on,
    effect,
    effects,
    ink,
    off,
    picture,
    scaled_down,
    sized,
)

from decklab.deck.deck import open_deck
from decklab.ooxml.package import Package
from decklab.ooxml.validity.validating import validate
from decklab.seen.audience import needs_shown_copy, write_shown_copy
from decklab.seen.reader import see, seen_deck

LEAVES = effects(effect("exit", "withEffect"))


def copied(folder: Path, *ways: Way) -> list[list[str]]:
    """The texts of each slide's shapes, as python-pptx reads them in the copy."""
    path = deck_of(folder, *ways)
    before = path.read_bytes()
    with open_deck(path) as deck:
        write_shown_copy(deck.package, seen_deck(deck).slides, folder / "copy.pptx")
    assert path.read_bytes() == before
    with Package.open(folder / "copy.pptx") as package:
        assert not [one for one in validate(package) if one.severity == "error"]
    slides = Presentation(str(folder / "copy.pptx")).slides
    return [[shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]
            for slide in slides]  # fmt: skip


def test_what_effects_and_turns_hide_is_gone_and_all_else_stays(tmp_path: Path) -> None:
    ways = (LEAVES, edge_on, scaled_down, sized(1), ink("FFFFFF"), off, sized(20))
    assert copied(tmp_path, *ways) == [[], [], [], [WORDS], [WORDS], [WORDS], [WORDS]]


def test_a_picture_that_leaves_at_once_is_gone(tmp_path: Path) -> None:
    def leaving(slide, box):
        picture("RGB", (9, 9, 9))(slide, box)
        LEAVES(slide, slide.shapes[-1])

    path = deck_of(tmp_path, leaving)
    with open_deck(path) as deck:
        write_shown_copy(deck.package, seen_deck(deck).slides, tmp_path / "copy.pptx")
    (slide,) = Presentation(str(tmp_path / "copy.pptx")).slides
    assert [shape.has_text_frame for shape in slide.shapes] == [True]
    assert see(tmp_path / "copy.pptx").slides[0].words_seen == 3


def test_of_a_text_only_the_runs_that_are_shrunk_away_are_gone(tmp_path: Path) -> None:
    def two(slide, box):
        run = box.text_frame.paragraphs[0].add_run()
        run.text = " and fell again"
        run.font.size = 914_400 * 20  # 1440 pt, so that 14.4 pt are left
        scaled_down(slide, box)

    assert copied(tmp_path, two) == [[" and fell again"]]


@pytest.mark.parametrize(
    ("way", "needed"),
    [(LEAVES, True), (edge_on, True), (scaled_down, True), (sized(1), False), (sized(20), False),
     (effects(effect("entr", "clickEffect")), False), (ink("FFFFFF"), False)],
)  # fmt: skip
def test_honest_decks_need_no_copy(tmp_path: Path, way: Way, needed: bool) -> None:
    assert needs_shown_copy(see(deck_of(tmp_path, way)).slides) is needed
