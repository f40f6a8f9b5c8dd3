"""The page of a comparison: safe, complete in itself, and readable without pictures."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.util import Inches
from tests.rendering.dying_office import DyingOffice

from decklab.core.errors import RendererDied
from decklab.core.geometry import Box
from decklab.diffing.page import (
    ChangedSlide,
    ChangeLine,
    Comparison,
    TextPiece,
    compare_decks,
    write_comparison,
    write_diff_page,
)
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.xml import qn
from decklab.pages.pictures import SlidePicture
from decklab.rendering.renderer import Cache, Renderer

PICTURE = SlidePicture(b"\x89PNG\r\n\x1a\n", 960, 540)


def page(tmp_path: Path, comparison: Comparison) -> str:
    write_diff_page(tmp_path / "page.html", comparison)
    return (tmp_path / "page.html").read_text()


def comparison(*slides: ChangedSlide, **others: object) -> Comparison:
    values = {"before": "a.pptx", "after": "b.pptx", "deck": (), "slide_count": 9} | others
    return Comparison(slides=slides, **values)  # type: ignore[arg-type]


def test_text_of_decks_is_escaped(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    line = ChangeLine("text", evil, (TextPiece(evil, "gone"), TextPiece(evil, "come")))
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
    line = ChangeLine("notes", "notes", (TextPiece("new", "come"),))
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
    assert [mark.box for mark in slide.marks(PICTURE)] == [Box(0, 0, 38, 18), Box(492, 0, 518, 18)]


def test_frames_and_their_numbers_leave_what_changed_free() -> None:
    regions = (Box(100, 100, 200, 130), Box(300, 100, 420, 130), Box(100, 300, 900, 500))
    marks = ChangedSlide(1, 1, "", (), PICTURE, PICTURE, regions).marks(PICTURE)
    assert [mark.label for mark in marks] == [1, 2, 3]
    for mark, region in zip(marks, regions, strict=True):
        assert mark.box.intersection(region) == region and mark.box.left < region.left - 5
        assert not any(mark.tag.intersection(other).area for other in regions)


def test_a_change_has_the_numbers_of_the_marks_on_its_element() -> None:
    there = ChangeLine("style", "fill changed", boxes=(Box(90, 90, 210, 140),))
    nowhere = ChangeLine("notes", "notes")
    regions = (Box(100, 100, 200, 130), Box(300, 100, 420, 130))
    slide = ChangedSlide(1, 1, "", (there, nowhere), PICTURE, PICTURE, regions)
    assert (slide.labels(there), slide.labels(nowhere)) == ([1], [])


def test_nothing_at_all(tmp_path: Path) -> None:
    assert "Nothing changed." in page(tmp_path, comparison())
    text = page(tmp_path, comparison(noise=(("Deck", ("property revision changed",)),)))
    assert "Nothing changed but what programs write anew" in text
    assert "1 difference that programs make" in text


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    deck = Presentation()
    for number in range(1, 5):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = f"Topic {number}"
        box = slide.shapes.add_textbox(Inches(1), Inches(3), Inches(5), Inches(1))
        box.text_frame.text = "A red fox, and " + "a lazy dog " * 20 + "at the end"
    path = tmp_path_factory.mktemp("decks") / "before.pptx"
    deck.save(str(path))
    return path


@pytest.fixture
def after(before: Path, tmp_path: Path) -> Path:
    """Words and a colour on slide 2, notes on slide 3; slide 1 gone, another at the end."""
    deck = Presentation(str(before))
    box = deck.slides[1].shapes[1]
    box.text_frame.paragraphs[0].runs[0].text = box.text_frame.text.replace("red", "blue")
    box.fill.solid()
    box.fill.fore_color.rgb = RGBColor(255, 255, 0)
    deck.slides[2].notes_slide.notes_text_frame.text = "Say it slowly"
    deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = "The end of it all"
    listed = deck.slides._sldIdLst
    deck.part.drop_rel(listed[0].rId)
    listed.remove(listed[0])
    path = tmp_path / "after.pptx"
    deck.save(str(path))
    return path


@pytest.fixture
def without_office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


def by_heading(comparison: Comparison) -> dict[str, ChangedSlide]:
    return {slide.heading: slide for slide in comparison.slides}


def test_without_libreoffice_there_are_words_and_the_reason(
    before: Path, after: Path, without_office: None, tmp_path: Path
) -> None:
    found, comparison = compare_decks(
        before, after, renderer=Renderer(cache=Cache(tmp_path / "cache"))
    )
    assert "LibreOffice" in comparison.unpictured
    slides = by_heading(comparison)
    assert list(slides) == ["Slide 1", "Slide 2", "Slide 4", "Slide 1 of the older deck"]
    assert [slide.fate for slide in slides.values()] == ["", "", "added", "removed"]
    assert (slides["Slide 1"].before, slides["Slide 1"].after) == (2, 1)
    assert comparison.edits == len(found.edits)
    assert all(slide.new_picture is None for slide in slides.values())


def test_a_slide_that_cannot_be_drawn_costs_only_its_own_picture(
    before: Path, after: Path, tmp_path: Path
) -> None:
    office = DyingOffice("Topic 2", error=RendererDied)
    _, comparison = compare_decks(
        before, after, renderer=Renderer(office, cache=Cache(tmp_path / "cache"))
    )
    assert comparison.unpictured == ""
    assert comparison.not_drawn == (
        f"{before}: slide 2: LibreOffice dies on it; {after}: slide 1: LibreOffice dies on it"
    )
    slides = by_heading(comparison)
    drawn = {name: one.new_picture or one.old_picture for name, one in slides.items()}
    assert [name for name, picture in drawn.items() if picture is None] == ["Slide 1"]
    assert comparison.not_drawn in page(tmp_path, comparison)


def test_a_changed_text_is_told_piece_by_piece_and_long_stretches_are_cut(
    before: Path, after: Path, without_office: None, tmp_path: Path
) -> None:
    _found, comparison = compare_decks(
        before, after, renderer=Renderer(cache=Cache(tmp_path / "cache"))
    )
    lines = by_heading(comparison)["Slide 1"].changes
    (text,) = [line for line in lines if line.kind == "text"]
    assert [piece.state for piece in text.pieces] == ["same", "gone", "come", "same"]
    assert [piece.text for piece in text.pieces[:3]] == ["A ", "red", "blue"]
    assert len(text.pieces[3].text) < 130 and "…" in text.pieces[3].text


@pytest.mark.office
def test_changed_slides_are_drawn_before_and_after_and_marked(
    before: Path, after: Path, tmp_path: Path
) -> None:
    _found, comparison = compare_decks(
        before, after, renderer=Renderer(cache=Cache(tmp_path / "cache"))
    )
    slides = by_heading(comparison)
    assert comparison.unpictured == ""
    changed = slides["Slide 1"]
    assert changed.old_picture is not None and changed.new_picture is not None
    assert any(box.left < 300 < box.right for box in changed.regions)
    assert changed.likeness is not None and changed.likeness < 0.999
    assert slides["Slide 2"].looks_same  # notes do not show
    assert slides["Slide 4"].old_picture is None and slides["Slide 4"].new_picture is not None
    removed = slides["Slide 1 of the older deck"]
    assert removed.old_picture is not None and removed.new_picture is None


@pytest.mark.office
def test_only_slides_that_a_new_theme_changed_are_shown(before: Path, tmp_path: Path) -> None:
    deck = Presentation(str(before))
    box = deck.slides[2].shapes[1]
    box.fill.solid()
    box.fill.fore_color.theme_color = MSO_THEME_COLOR.ACCENT_1
    deck.save(str(tmp_path / "themed.pptx"))
    after = tmp_path / "after.pptx"
    recolor(tmp_path / "themed.pptx", after)
    cache = Cache(tmp_path / "cache")
    found, comparison = compare_decks(
        tmp_path / "themed.pptx", after, renderer=Renderer(cache=cache)
    )
    assert found.edits and all(change.slide is None for change in found.edits)
    (slide,) = comparison.slides
    assert (slide.heading, slide.changes) == ("Slide 3", ()) and slide.regions


def recolor(before: Path, after: Path) -> None:
    with Package.open(before) as package:
        draft = Draft(package)
        (master,) = draft.related(draft.main_part, "slideMaster")
        (theme,) = draft.related(master, "theme")
        for slot in draft.edit(theme).iterfind(f".//{qn('a:clrScheme')}/*"):
            for color in slot.iter(qn("a:srgbClr")):
                color.set("val", "12AB56")
        draft.save(after)


def test_the_page_is_written_and_the_decks_stay_as_they_were(
    before: Path, after: Path, without_office: None, tmp_path: Path
) -> None:
    states = before.read_bytes(), after.read_bytes()
    page = tmp_path / "page.html"
    found: Any = write_comparison(
        page, before, after, renderer=Renderer(cache=Cache(tmp_path / "cache"))
    )
    assert found.edits
    text = page.read_text()
    assert "<del>red</del><ins>blue</ins>" in text
    assert "http" not in text.replace("http-equiv", "")
    assert (before.read_bytes(), after.read_bytes()) == states


def test_two_equal_decks_have_nothing_to_draw(before: Path, without_office: None) -> None:
    _found, comparison = compare_decks(before, before)
    assert (comparison.slides, comparison.deck, comparison.unpictured) == ((), (), "")


def test_pictures_stay_in_their_own_proportions(before: Path) -> None:
    buffer = Path(before).parent / "4to3.png"
    Image.new("RGB", (400, 300)).save(buffer)
    picture = SlidePicture(buffer.read_bytes(), 400, 300)
    slide = ChangedSlide(1, 1, "", (), picture, picture, (Box(0, 270, 96, 540),))
    (mark,) = slide.marks(picture)
    assert mark.box == pytest.approx((0, 352, 104, 720))
