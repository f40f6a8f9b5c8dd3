from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Pt
from tests.evals.judges.quiz.scripts import Script
from tests.rendering.dying_office import DyingOffice, write_numbered

from decklab.core.errors import DeckError, ModelFailed
from decklab.core.results import NotScored
from decklab.evals.judges.preference.showing import show_deck
from decklab.evals.judges.quiz.statements import own_slide_texts, seen_slide_texts
from decklab.rendering.renderer import Renderer

SEEN = {
    "headline": "The crane", "statements": ["It cost 4.2 million euros"],
    "data": ["Ships, Q1: 210"], "visuals": ["An arrow up: traffic grows"],
}  # fmt: skip


def write_deck(path: Path, slides: Sequence[tuple[str, str, str]]) -> Path:
    """A deck of slides with title, body and notes, and a hidden slide at its end."""
    deck = Presentation()
    for title, body, notes in (*slides, ("Hidden", "Nobody sees 77 secrets", "")):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = body
        if notes:
            slide.notes_slide.notes_text_frame.text = notes
    slide._element.set("show", "0")
    deck.save(str(path))
    return path


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    return write_deck(
        tmp_path / "talk.pptx",
        [("Traffic", "Ships from 31 countries", "The notes say 99"), ("Crane", "It lifts", "")],
    )


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number in (1, 2):
        Image.new("RGB", (320, 180), (number * 60, 90, 120)).save(folder / f"{number}.png")
    return folder


def test_own_text_is_what_the_slides_show(deck: Path) -> None:
    texts = own_slide_texts(deck)
    assert len(texts.markdown) == 2
    assert texts.markdown[0] == "## 1. Traffic\n\n- Ships from 31 countries\n"
    everything = "".join(texts.markdown) + "".join(one.text for one in texts.seen.statements)
    assert "99" not in everything and "77" not in everything
    assert {one.slide for one in texts.seen.statements} == {1, 2}


def test_a_deck_without_slides_has_no_text(tmp_path: Path) -> None:
    path = tmp_path / "empty.pptx"
    Presentation().save(str(path))
    texts = own_slide_texts(path)
    assert texts.markdown == () and texts.seen.statements == ()


def test_pictures_are_read_one_by_one(pictures: Path) -> None:
    script = Script(read_slide=[SEEN])
    texts = seen_slide_texts(pictures, script)
    assert not isinstance(texts, NotScored)
    assert script.asked["read slide"] == 2 and texts.usage.requests == 2
    assert texts.markdown[1] == (
        "## 2. The crane\n\n- It cost 4.2 million euros\n\nData:\n\n- Ships, Q1: 210\n\n"
        "Visuals:\n\n- An arrow up: traffic grows\n"
    )
    assert any("210" in one.text for one in texts.seen.statements)


@pytest.mark.parametrize("said", ["a nice slide", ModelFailed("m", "blind", "refused")])
def test_a_picture_that_nobody_could_read_scores_nothing(said: Any, pictures: Path) -> None:
    texts = seen_slide_texts(pictures, Script(read_slide=[said]))
    assert isinstance(texts, NotScored)
    assert texts.reason.startswith("slide 1 could not be read from its picture")


def test_a_slide_that_the_model_could_not_read_has_its_own_text(deck: Path) -> None:
    class HalfBlind(Script):
        def __call__(self, prompt: str, **how: Any) -> Any:
            # Both slides are asked for at once: tell them apart by the place of their pictures.
            assert len(how["images"]) == 1 and how["images"][0].startswith(b"\x89PNG")
            with self._lock:
                self.seen = getattr(self, "seen", [])
                if how["images"][0] not in self.seen:
                    self.seen.append(how["images"][0])
                first = how["images"][0] == self.seen[0]
            self.replies["read slide"] = [SEEN if first else "what?"]
            return super().__call__(prompt, **how)

    told: list[str] = []
    texts = seen_slide_texts(deck, HalfBlind(read_slide=[SEEN]), parallel=1, tell=told.append)
    assert not isinstance(texts, NotScored)
    assert texts.markdown[0].startswith("## 1. The crane")
    assert texts.markdown[1] == "## 2. Crane\n\n- It lifts\n"
    assert told == list(texts.notes) and told[0].startswith("slide 2 is read by its own text")
    assert texts.own is not None and texts.own is not texts.seen


def test_a_slide_that_cannot_be_drawn_has_its_own_text(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "talk.pptx", 3)
    script = Script(read_slide=[SEEN])
    texts = seen_slide_texts(path, script, renderer=Renderer(DyingOffice("Slide 2")))
    assert not isinstance(texts, NotScored)
    assert script.asked["read slide"] == 2
    assert [text.splitlines()[0] for text in texts.markdown] == [
        "## 1. The crane", "## 2. Slide 2", "## 3. The crane",
    ]  # fmt: skip
    assert texts.notes == ("slide 2 is read by its own text: LibreOffice dies on it",)


@pytest.mark.office
def test_pictures_of_hidden_slides_are_not_read(tmp_path: Path) -> None:
    """The examinee gets the slides of the show, whatever stands hidden before them."""
    path = write_deck(tmp_path / "talk.pptx", [("One", "31 ships", ""), ("Two", "12 cranes", "")])
    deck = Presentation(str(path))
    deck.slides[0]._element.set("show", "0")
    deck.save(str(path))
    texts = seen_slide_texts(path, Script(read_slide=[SEEN]))
    assert not isinstance(texts, NotScored)
    assert [text.splitlines()[0] for text in texts.markdown] == ["## 2. The crane"]
    shown = show_deck(path, Renderer())
    assert shown.numbers == (2,) and "12 cranes" in shown.texts[0] and len(shown.slides) == 1


def test_alternative_texts_are_not_said(tmp_path: Path) -> None:
    Image.new("RGB", (64, 36), "navy").save(tmp_path / "one.png")
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Ships"
    picture = slide.shapes.add_picture(str(tmp_path / "one.png"), 0, 0)
    picture._element.nvPicPr.cNvPr.set("descr", "Ships came from 31 countries")
    deck.save(str(tmp_path / "talk.pptx"))
    texts = own_slide_texts(tmp_path / "talk.pptx")
    assert [one.text for one in texts.seen.statements] == ["Ships"]
    assert texts.markdown == ("## 1. Ships\n\n\\[image\\]\n",)


def test_key_points_in_a_box_of_one_point_buy_nothing(tmp_path: Path) -> None:
    path = write_deck(tmp_path / "honest.pptx", [("Traffic", "Ships from 31 countries", "")])
    deck = Presentation(str(path))
    box = deck.slides[0].shapes.add_textbox(0, 0, 5_000_000, 900_000)
    box.text_frame.text = "The crane cost 4.2 million euros"
    box.text_frame.paragraphs[0].runs[0].font.size = Pt(1)
    deck.save(str(tmp_path / "stuffed.pptx"))
    honest, stuffed = (own_slide_texts(tmp_path / name) for name in ("honest.pptx", "stuffed.pptx"))
    assert stuffed.markdown == honest.markdown
    assert [one.text for one in stuffed.seen.statements] == [
        one.text for one in honest.seen.statements
    ]
    assert honest.notes == ("5 words on 1 slide cannot be seen.",)  # the hidden slide
    assert stuffed.notes == ("11 words on 2 slides cannot be seen.",)


def test_what_is_no_deck_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "deck.pptx"
    path.write_bytes(b"no deck")
    with pytest.raises(DeckError):
        own_slide_texts(path)
    with pytest.raises(DeckError):
        seen_slide_texts(path, Script(read_slide=[SEEN]))
