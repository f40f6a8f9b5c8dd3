"""HTML decks for the tests of native ones, and what was made of them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pptx import Presentation

from decklab.board.native.decks import ConvertedDeck, convert

MakeDeck = Callable[..., "Made"]


class Made:
    """A converted deck, open in python-pptx."""

    def __init__(self, result: ConvertedDeck) -> None:
        self.result, self.path = result, result.path
        self.deck = Presentation(str(result.path))

    def slide(self, number: int = 1):
        return self.deck.slides[number - 1]

    def shapes(self, number: int = 1):
        return list(self.slide(number).shapes)

    def texts(self, number: int = 1) -> list[str]:
        return [shape.text_frame.text for shape in self.shapes(number) if shape.has_text_frame
                and shape.text_frame.text]  # fmt: skip

    def text(self, words: str, number: int = 1):
        return next(shape for shape in self.shapes(number)
                    if shape.has_text_frame and words in shape.text_frame.text)  # fmt: skip


@pytest.fixture
def page(tmp_path: Path) -> Callable[..., Path]:
    """Writes an HTML deck from its body and style."""

    def write(body: str, style: str = "", head: str = "") -> Path:
        path = tmp_path / "deck" / "talk.html"
        path.parent.mkdir(exist_ok=True)
        path.write_text(
            "<!doctype html><html lang=en><head><meta charset=utf-8><title>Talk</title><style>"
            "body{margin:0;font:20px/1.4 Lato,sans-serif}.slide{width:1280px;height:720px;"
            "position:relative;overflow:hidden;box-sizing:border-box;padding:60px;background:#fff}"
            f"{style}</style>{head}</head><body>{body}</body></html>",
            encoding="utf-8",
        )
        return path

    return write


@pytest.fixture
def make(page: Callable[..., Path], tmp_path: Path) -> MakeDeck:
    """Converts a deck of its body and style."""

    def write(body: str, style: str = "", **options: bool) -> Made:
        return Made(convert(page(body, style), tmp_path / "talk.pptx", **options))

    return write
