"""Many decks drawn in one go: each gets its folder, and one that fails stops no other."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from pptx import Presentation
from tests.drawing import RecordedOffice

from decklab.core.errors import DeckError, RenderFailed
from decklab.core.options import PictureFormat
from decklab.rendering.job import Pictures, draw_decks, save_pictures
from decklab.rendering.opening import open_rendered
from decklab.rendering.renderer import Cache, Renderer


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    """Three slides that differ, the second of them hidden."""
    made = Presentation()
    for number in (1, 2, 3):
        slide = made.slides.add_slide(made.slide_layouts[6])
        slide.shapes.add_textbox(0, 0, 999999, 999999).text_frame.text = f"Slide {number}"
    made.slides[1]._element.set("show", "0")
    made.save(str(tmp_path / "talk.pptx"))
    return tmp_path / "talk.pptx"


@pytest.fixture
def office(make_pdf: Callable[..., bytes]) -> RecordedOffice:
    pages = [f"BT /F1 40 Tf 100 300 Td (Page {number}) Tj ET" for number in (1, 2, 3)]
    return RecordedOffice({"talk.pptx": make_pdf(*pages, size=(720, 540))})


def test_each_slide_is_a_picture_as_it_is_drawn(
    deck: Path, office: RecordedOffice, cache: Cache, tmp_path: Path
) -> None:
    saved = save_pictures(
        deck, tmp_path / "out", Pictures(size=(400, 300)), renderer=Renderer(office, cache)
    )
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["slide-001.png", "slide-002.png", "slide-003.png"]
    assert [slide.picture and slide.picture.name for slide in saved.slides] == names
    with open_rendered(deck, renderer=Renderer(office), size=(400, 300)) as drawn:
        for slide, page in zip(saved.slides, drawn, strict=True):
            assert slide.picture is not None
            assert np.array_equal(np.asarray(Image.open(slide.picture)), page.image)
    assert [(slide.width, slide.height, slide.drawn) for slide in saved.slides] == [
        (400, 300, True)
    ] * 3
    assert [slide.hidden for slide in saved.slides] == [False, True, False]
    assert (saved.count, saved.slides[0].spans) == (3, None)


@pytest.mark.parametrize("format", ["png", "jpeg", "webp"])
def test_formats_are_what_they_say(
    deck: Path, office: RecordedOffice, cache: Cache, tmp_path: Path, format: PictureFormat
) -> None:
    saved = save_pictures(deck, tmp_path, Pictures(format=format), renderer=Renderer(office, cache))
    picture = saved.slides[0].picture
    assert picture is not None
    assert picture.name == {"jpeg": "slide-001.jpg"}.get(format, f"slide-001.{format}")
    with Image.open(picture) as opened:
        assert opened.format == format.upper()


def test_a_second_run_draws_nothing_and_gives_the_same_files(
    deck: Path, office: RecordedOffice, cache: Cache, tmp_path: Path
) -> None:
    save_pictures(deck, tmp_path / "one", renderer=Renderer(office, cache))
    saved = save_pictures(
        deck, tmp_path / "two", Pictures(text=True), renderer=Renderer(office, cache)
    )
    assert [slide.drawn for slide in saved.slides] == [False] * 3
    assert len(office.asked) == 1
    assert [[span.text for span in slide.spans or ()] for slide in saved.slides] == [
        ["Page 1"], ["Page 2"], ["Page 3"]
    ]  # fmt: skip
    assert {slide.text_source for slide in saved.slides} == {"layout"}
    for name in ("slide-001.png", "slide-003.png"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_another_size_is_another_picture(
    deck: Path, office: RecordedOffice, cache: Cache, tmp_path: Path
) -> None:
    for size in ((400, 300), (200, 150)):
        saved = save_pictures(deck, tmp_path, Pictures(size=size), renderer=Renderer(office, cache))
        assert {(slide.width, slide.height) for slide in saved.slides} == {size}


def test_only_slides_asked_for_are_saved_and_missing_ones_passed_over(
    deck: Path, office: RecordedOffice, cache: Cache, tmp_path: Path
) -> None:
    save_pictures(deck, tmp_path / "all", renderer=Renderer(office, cache))
    saved = save_pictures(
        deck, tmp_path / "some", Pictures(slides=[3, 1, 8]), renderer=Renderer(office, cache)
    )
    assert [slide.number for slide in saved.slides] == [1, 3]
    assert len(list((tmp_path / "some").iterdir())) == 2


def test_pictures_past_the_last_slide_go_and_other_files_stay(
    deck: Path, office: RecordedOffice, cache: Cache, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    for name in ("slide-004.png", "slide-012.jpg", "slide-012.txt", "slide-9.png", "my.png"):
        (out / name).write_bytes(b"")
    save_pictures(deck, out, Pictures(slides=[1]), renderer=Renderer(office, cache))
    left = sorted(path.name for path in out.iterdir())
    assert left == ["my.png", "slide-001.png", "slide-012.txt", "slide-9.png"]


def test_a_slide_that_cannot_be_drawn_stops_no_other(
    deck: Path, cache: Cache, tmp_path: Path, make_pdf: Callable[..., bytes]
) -> None:
    pages = ["BT /F1 40 Tf 100 300 Td (Page) Tj ET"] * 3
    whole = make_pdf(*pages, size=(720, 540))
    broken = whole.replace(b"/Type /Page /", b"/Type /Gone /", 2).replace(
        b"/Type /Gone /", b"/Type /Page /", 1
    )
    assert broken != whole
    office = RecordedOffice({"talk.pptx": broken})
    saved = save_pictures(deck, tmp_path / "out", renderer=Renderer(office, cache))
    first, second, third = saved.slides
    assert first.picture is not None and third.picture is not None
    assert second.picture is None
    assert "page 2 is damaged" in second.error


def test_decks_of_pictures_are_saved_as_well(cache: Cache, tmp_path: Path) -> None:
    folder = tmp_path / "slides"
    folder.mkdir()
    Image.new("RGB", (160, 90), "navy").save(folder / "1.png")
    saved = save_pictures(
        folder, tmp_path / "out", Pictures(size=(320, 180)), renderer=Renderer(cache=cache)
    )
    (slide,) = saved.slides
    assert slide.picture is not None
    assert np.asarray(Image.open(slide.picture))[5, 5].tolist() == [0, 0, 128]
    assert slide.hidden is None


def test_what_is_no_deck_raises_and_leaves_nothing(
    office: RecordedOffice, cache: Cache, tmp_path: Path
) -> None:
    (tmp_path / "bad.pptx").write_bytes(b"no deck")
    with pytest.raises(DeckError, match=r"bad\.pptx"):
        save_pictures(tmp_path / "bad.pptx", tmp_path / "out", renderer=Renderer(office, cache))
    Presentation().save(str(tmp_path / "other.pptx"))
    empty = save_pictures(
        tmp_path / "other.pptx", tmp_path / "out", renderer=Renderer(office, cache)
    )
    assert (empty.count, empty.slides) == (0, ())
    assert not (tmp_path / "out").exists()


def test_a_deck_that_cannot_be_drawn_raises(deck: Path, cache: Cache, tmp_path: Path) -> None:
    with pytest.raises(RenderFailed):
        save_pictures(deck, tmp_path / "out", renderer=Renderer(RecordedOffice({}), cache))
    assert not (tmp_path / "out").exists()


def test_a_deck_that_cannot_be_read_stops_no_other(tmp_path: Path) -> None:
    good, bad = tmp_path / "pictures", tmp_path / "bad.pptx"
    good.mkdir()
    for number in (1, 2):
        Image.new("RGB", (320, 180), (number * 40, 0, 0)).save(good / f"{number}.png")
    bad.write_bytes(b"no deck")
    folders = {deck: tmp_path / "out" / deck.name for deck in (bad, good)}
    broken, drawn = draw_decks(folders, Pictures(slides=[2, 5], size=(160, 90)))
    assert (broken.saved, broken.fonts, len(broken.errors)) == (None, (), 1)
    assert drawn.errors == (f"{good}: there is no slide 5; it has 2",)
    [slide] = drawn.as_json()["slides"]
    assert (slide["number"], slide["width"], slide["height"]) == (2, 160, 90)
    assert Path(slide["picture"]).is_file()
