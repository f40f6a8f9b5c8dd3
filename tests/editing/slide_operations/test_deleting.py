import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from decklab.core.errors import DeckError, MissingPart
from decklab.editing.slide_operations import clone_slide, delete_slide
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries

Looker = Callable[[Path], Any]


@pytest.fixture
def without(tmp_path: Path) -> Callable[..., Path]:
    def delete(path: Path, *slides: int | str) -> Path:
        with Package.open(path) as package:
            draft = Draft(package)
            for slide in slides:
                delete_slide(draft, slide)
            return draft.save(tmp_path / "deleted.pptx")

    return delete


def test_what_only_the_slide_used_goes_with_it(rich: Path, without: Any, look: Looker) -> None:
    seen = look(without(rich, 4))
    gone = set(look(rich).parts) - set(seen.parts)
    assert gone == {
        "ppt/slides/slide4.xml", "ppt/slides/_rels/slide4.xml.rels",
        "ppt/charts/chart1.xml", "ppt/charts/_rels/chart1.xml.rels",
        "ppt/embeddings/Microsoft_Excel_Sheet1.xlsx",
        "ppt/notesSlides/notesSlide4.xml", "ppt/notesSlides/_rels/notesSlide4.xml.rels",
    }  # fmt: skip
    assert seen.dangling() == []
    assert seen.orphans() == set()
    assert len(seen.slides()) == 13
    assert "ppt/charts/chart1.xml" not in seen.types()


def test_media_go_with_the_last_slide_that_uses_them(
    rich: Path, look: Looker, tmp_path: Path
) -> None:
    with Package.open(rich) as package:
        draft = Draft(package)
        clone_slide(draft, 10)
        delete_slide(draft, 10)
        once = look(draft.save(tmp_path / "once.pptx"))
        delete_slide(draft, 10)
        twice = look(draft.save(tmp_path / "twice.pptx"))
    assert {"ppt/media/image1.jpg", "ppt/media/media-bc1fb97b.wav"} <= set(once.parts)
    assert not {"ppt/media/image1.jpg", "ppt/media/media-bc1fb97b.wav"} & set(twice.parts)


def test_nothing_leads_to_the_slide_any_more(full: Path, without: Any, look: Looker) -> None:
    seen = look(without(full, 4))
    assert seen.dangling() == []
    assert seen.orphans() == set()
    assert not [part for part in seen.parts if "slide4.xml" in part.lower()]
    main = seen.parts["ppt/presentation.xml"].decode()
    assert main.count("<p:sld ") == 1
    assert '<p14:sldId id="259"/>' not in main
    assert b"collapse" not in seen.parts["ppt/viewProps.xml"]
    second = seen.parts["ppt/slides/slide2.xml"].decode()
    assert "hlinksldjump" not in second
    assert "sldZmObj" not in second
    assert 'name="Jump"' in second
    assert second.count('name="Zoom"') == 1
    assert "ppt/commentAuthors.xml" in seen.parts
    assert not [part for part in seen.parts if part.startswith(("ppt/comments", "ppt/tags"))]
    assert not [part for part in seen.parts if part.startswith("customXml")]
    assert len(Presentation(str(without(full, 4))).slides) == 13


def test_a_button_that_jumped_there_keeps_its_text(rich: Path, without: Any) -> None:
    deck = Presentation(str(without(rich, 14)))
    (button,) = (one for one in deck.slides[12].shapes if one.name == "Assumptions button")
    assert button.text_frame.text == "See the assumptions"
    assert button.click_action.target_slide is None


def test_parts_that_nothing_led_to_before_are_left_alone(
    rich: Path, without: Any, look: Looker, tmp_path: Path
) -> None:
    loose = tmp_path / "loose.pptx"
    loose.write_bytes(rich.read_bytes())
    with zipfile.ZipFile(loose, "a") as archive:
        archive.writestr("ppt/media/loose.png", b"\x89PNG")
    assert "ppt/media/loose.png" in look(without(loose, 1)).parts


def test_a_section_left_empty_stays(rich: Path, without: Any, look: Looker) -> None:
    assert look(without(rich, 14)).sections()[-1] == []


def test_the_only_slide_stays(rich: Path) -> None:
    with Package.open(rich) as package:
        draft = Draft(package)
        for _ in range(13):
            delete_slide(draft, 1)
        with pytest.raises(DeckError, match="only slide"):
            delete_slide(draft, 1)
        assert len(slide_entries(draft)) == 1


def test_a_slide_without_a_layout_can_go(
    rich: Path, edited: Any, without: Any, look: Looker, tmp_path: Path
) -> None:
    rels = "ppt/slides/_rels/slide3.xml.rels"
    broken = edited(rich, tmp_path / "broken.pptx", (rels, '/slideLayout"', '/somethingElse"'))
    assert len(look(without(broken, 3)).slides()) == 13


def test_a_show_of_some_slides_ends_with_the_last_one(
    rich: Path, edited: Any, without: Any, look: Looker, tmp_path: Path
) -> None:
    props = look(rich).parts["ppt/presProps.xml"].decode()
    start = re.search(r"<p:presentationPr[^>]*>", props)
    assert start is not None
    shown = '<p:showPr><p:sldRg st="14" end="14"/></p:showPr>'
    swap = ("ppt/presProps.xml", start[0], start[0] + shown)
    path = edited(rich, tmp_path / "show.pptx", swap)
    seen = look(without(path, 2))
    assert b'<p:sldRg st="13" end="13"/>' in seen.parts["ppt/presProps.xml"]


def test_an_unknown_slide_is_refused(rich: Path) -> None:
    with Package.open(rich) as package, pytest.raises(MissingPart, match="no slide 15"):
        delete_slide(Draft(package), 15)
