"""The page of a comparison: safe, complete in itself, and readable without pictures."""

from pathlib import Path

from decklab.geometry import Box
from decklab.reports.diff_page import ChangedSlide, ChangeLine, Comparison, Piece, write_diff_page
from decklab.reports.pictures import SlidePicture

PICTURE = SlidePicture(b"\x89PNG\r\n\x1a\n", 960, 540)


def page(tmp_path: Path, comparison: Comparison) -> str:
    write_diff_page(tmp_path / "page.html", comparison)
    return (tmp_path / "page.html").read_text()


def comparison(*slides: ChangedSlide, **others: object) -> Comparison:
    values = {"before": "a.pptx", "after": "b.pptx", "deck": (), "slide_count": 9} | others
    return Comparison(slides=slides, **values)  # type: ignore[arg-type]


def test_text_of_decks_is_escaped(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    line = ChangeLine("text", evil, (Piece(evil, "gone"), Piece(evil, "come")))
    text = page(
        tmp_path,
        comparison(
            ChangedSlide(1, 1, evil, (line,)), before=evil, noise=((evil, (evil,)),),
            unpictured=evil,
        ),
    )  # fmt: skip
    assert evil not in text
    assert "<del>&lt;script&gt;" in text


def test_colours_from_decks_stay_colours(tmp_path: Path) -> None:
    line = ChangeLine("style", "fill changed", colors=("#123456", "red;background:url(x)"))
    text = page(tmp_path, comparison(ChangedSlide(1, 1, "", (line,))))
    assert "background:#123456" in text and "url(x)" not in text


def test_a_slide_that_looks_the_same_is_shown_once(tmp_path: Path) -> None:
    line = ChangeLine("notes", "notes", (Piece("new", "come"),))
    same = ChangedSlide(2, 2, "", (line,), PICTURE, PICTURE, (), 1.0)
    other = ChangedSlide(3, 3, "", (line,), PICTURE, PICTURE, (Box(0, 0, 9, 9),), 0.5)
    assert page(tmp_path, comparison(same)).count("<image") == 1
    text = page(tmp_path, comparison(other))
    assert text.count("<image") == 2 and text.count('class="box"') == 2


def test_slides_that_came_went_and_moved_are_counted(tmp_path: Path) -> None:
    came = ChangedSlide(None, 1, "", (ChangeLine("slide", "this slide was added"),))
    went = ChangedSlide(4, None, "", (ChangeLine("slide", "this slide was removed"),))
    moved = ChangedSlide(5, 2, "", (ChangeLine("slide", "the slide moved here from place 5"),))
    found = comparison(came, went, moved)
    assert [found.count(fate) for fate in ("added", "removed", "moved", "")] == [1, 1, 1, 0]
    text = page(tmp_path, found)
    assert "Slide 4 of the older deck" in text and "was slide 5" in text


def test_near_marks_become_one() -> None:
    regions = (Box(0, 0, 10, 10), Box(20, 0, 30, 10), Box(500, 0, 510, 10))
    slide = ChangedSlide(1, 1, "", (), PICTURE, PICTURE, regions)
    assert slide.marks(PICTURE) == [Box(-4, -4, 34, 14), Box(496, -4, 514, 14)]


def test_nothing_at_all(tmp_path: Path) -> None:
    assert "Nothing changed." in page(tmp_path, comparison())
    text = page(tmp_path, comparison(noise=(("Deck", ("property revision changed",)),)))
    assert "Nothing changed but what programs write anew" in text
    assert "1 difference that programs make" in text
