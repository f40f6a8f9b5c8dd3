"""Small items to ask about, drawn here without an office."""

import numpy as np
import pytest

from decklab.deck.model.base import PlainSlide
from decklab.deck.model.slide import SlideElements
from decklab.evals.slideeval.items import ExtractItem, OrderItem, RateItem, png

BLANK = {
    "size": {"w": 960.0, "h": 540.0}, "background": "#FFFFFF",
    "texts": [], "rects": [], "lines": [], "images": [], "tables": [],
}  # fmt: skip
RECT = {
    "x": 100.0, "y": 100.0, "w": 200.0, "h": 100.0, "rx": 0.0,
    "fill": "#C00000", "stroke": None, "strokeWidth": 0.0,
}  # fmt: skip


def text(words, x=100.0, y=50.0):
    font = {"name": "Arial", "size": 24.0, "style": ["bold"], "color": "#000000"}
    return {
        "x": x, "y": y, "w": 300.0, "h": 40.0, "text": words, "font": font, "align": "left",
    }  # fmt: skip


def plain(**lists):
    return PlainSlide.model_validate({**BLANK, **lists})


def picture(shade=255):
    return np.full((54, 96, 3), shade, np.uint8)


@pytest.fixture(autouse=True)
def logs_go_nowhere_else(tmp_path, monkeypatch):
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path / "logs"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def slides():
    truth = plain(texts=[text("Results")], rects=[RECT])
    return tuple(
        ExtractItem("a.pptx", number, truth, png(picture(250 + number))) for number in (1, 2, 3, 4)
    )


@pytest.fixture
def damaged():
    elements = SlideElements.model_validate({**BLANK, "texts": [text("Results")]})
    return tuple(
        RateItem(
            "a.pptx",
            3,
            "text",
            severity,
            png(picture(int(250 - 100 * severity))),
            elements,
            (),
            severity / 4,
        )
        for severity in (0.0, 0.5, 1.0)
    )


@pytest.fixture
def decks():
    pictures = tuple(png(picture(shade)) for shade in (10, 20, 30))
    return (OrderItem("a.pptx", (3, 1, 2), pictures, ()),)
