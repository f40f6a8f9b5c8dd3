"""What is in a copy with few slides; how it looks is tested where it is drawn."""

from pathlib import Path

from pptx import Presentation
from tests.rendering.incremental.decks import (
    CHART,
    DATE,
    HIDDEN,
    LINK,
    NUMBER,
    TABLE,
    TITLE,
    ChangePart,
    replacing,
)

from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.validity.validating import validate
from decklab.rendering.partial_copies import can_write_partial_copy, write_partial_copy
from decklab.rendering.slide_keys import SlideKeys


def copied(path: Path, numbers: list[int]) -> tuple[Path, dict[int, int]]:
    target = path.with_name("copy.pptx")
    with Package.open(path) as package:
        return target, write_partial_copy(package, SlideKeys(package, {}), numbers, target)


def texts(path: Path) -> list[str]:
    deck = Presentation(str(path))
    return [
        " ".join(shape.text_frame.text for shape in slide.shapes if shape.has_text_frame).strip()
        for slide in deck.slides
    ]


def test_the_slides_asked_for_are_at_the_places_told(rich_deck: Path) -> None:
    copy, places = copied(rich_deck, [LINK, CHART])
    shown = texts(copy)
    assert sorted(places) == [CHART, LINK]
    for number, place in places.items():
        assert shown[place].startswith(f"Slide {number} ")
    assert len(shown) == max(places.values()) + 1


def test_a_slide_that_shows_its_number_keeps_its_place(rich_deck: Path) -> None:
    copy, places = copied(rich_deck, [NUMBER])
    assert places == {NUMBER: NUMBER - 1}
    assert texts(copy)[NUMBER - 1].startswith("Slide 2")


def test_text_that_was_drawn_before_is_stood_in_for(rich_deck: Path) -> None:
    copy, places = copied(rich_deck, [HIDDEN])
    blank, *_ = texts(copy)
    assert blank in ("", "text")
    assert places[HIDDEN] >= 1


def test_the_copy_has_no_new_fault_and_the_deck_stays(rich_deck: Path) -> None:
    before = rich_deck.read_bytes()
    copy, _ = copied(rich_deck, [LINK])
    with Package.open(copy) as package, Package.open(rich_deck) as original:
        known = {problem.rule for problem in validate(original)}
        assert {problem.rule for problem in validate(package)} <= known
        assert b"sectionLst" not in package.read("ppt/presentation.xml")
        entry = slide_entries(package)[-1]
        assert b"hlinksldjump" not in package.read(entry.part)
        assert not package.related(entry.part, "slide")
    assert rich_deck.read_bytes() == before


def test_equal_decks_give_equal_copies(rich_deck: Path) -> None:
    one, _ = copied(rich_deck, [CHART])
    first = one.read_bytes()
    other, _ = copied(rich_deck, [CHART])
    assert other.read_bytes() == first


def test_facts_about_the_whole_deck_cannot_be_copied(
    rich_deck: Path, change_part: ChangePart
) -> None:
    with Package.open(rich_deck) as package:
        keys = SlideKeys(package, {})
        assert can_write_partial_copy(keys, [TITLE, NUMBER, DATE])
        slide = keys.slides[NUMBER - 1]
    counted = change_part(rich_deck, slide, replacing('type="slidenum"', 'type="slidecount"'))
    with Package.open(counted) as package:
        keys = SlideKeys(package, {})
        assert not can_write_partial_copy(keys, [NUMBER])
        assert can_write_partial_copy(keys, [TITLE])


def test_a_copy_carries_only_what_its_slides_use(rich_deck: Path) -> None:
    copy, _ = copied(rich_deck, [CHART])
    with Package.open(copy) as package:
        kinds = {name.split("/")[1] for name in package.names if name.startswith("ppt/")}
        assert {"charts", "embeddings", "slideLayouts", "theme"} <= kinds
        assert not kinds & {"media", "notesSlides"}
        assert len([name for name in package.names if name.startswith("ppt/slides/slide")]) < 8
    assert copy.stat().st_size < rich_deck.stat().st_size


def test_text_that_shrinks_follows_the_layout_it_follows_in_the_deck(rich_deck: Path) -> None:
    copy, places = copied(rich_deck, [TABLE])
    with Package.open(copy) as package, Package.open(rich_deck) as original:
        stand_in = slide_entries(package)[places[TABLE] - 1].part
        before = slide_entries(original)[DATE - 1].part
        assert stand_in == before
        assert package.related(stand_in, "slideLayout") == original.related(before, "slideLayout")
    assert texts(copy)[places[TABLE] - 1] == ""
