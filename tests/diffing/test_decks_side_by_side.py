"""Two decks side by side: what cannot be drawn is tried once, and numbers beyond are told."""

from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from decklab.core.errors import RenderError, RenderFailed
from decklab.diffing.pictures import DecksSideBySide
from decklab.rendering.renderer import Cache, Renderer


class Broken:
    """A renderer that draws nothing, and counts how often it was asked."""

    engine = "broken 1"

    def __init__(self) -> None:
        self.options: dict[str, Any] = {}
        self.asked = 0

    def pdf(self, path: str | Path) -> bytes:
        self.asked += 1
        raise RenderFailed(path, "the printer is on fire")

    resaved = pdf


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    made = Presentation()
    made.slides.add_slide(made.slide_layouts[6])
    made.save(str(tmp_path / "talk.pptx"))
    return tmp_path / "talk.pptx"


def test_a_deck_that_cannot_be_drawn_is_tried_once(deck: Path, tmp_path: Path) -> None:
    office = Broken()
    with DecksSideBySide(deck, deck, renderer=Renderer(office, Cache(tmp_path / "c"))) as decks:
        for _ in range(3):
            with pytest.raises(RenderError, match="on fire"):
                decks.drawn("modified", 1)
        assert office.asked == 1


@pytest.mark.office
def test_a_slide_that_is_not_there_has_no_picture(deck: Path) -> None:
    with DecksSideBySide(deck, deck) as decks:
        assert decks.drawn("original", 1).number == 1
        with pytest.raises(RenderError, match="no picture of slide 2"):
            decks.drawn("original", 2)
