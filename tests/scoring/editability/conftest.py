"""Decks that python-pptx makes, opened as packages with their outlines."""

from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Emu

from decklab.deck.model.outline import DeckOutline
from decklab.deck.reading import read_outline
from decklab.ooxml.package import Package

PIXEL = 12700  # one frame pixel of a slide 13.33 by 7.5 inches, in EMU


class Draft:
    """A deck in the making; all boxes are in the 960x540 frame."""

    def __init__(self) -> None:
        self.deck = Presentation()
        self.deck.slide_width, self.deck.slide_height = Emu(12192000), Emu(6858000)

    def slide(self, layout: int = 6) -> Any:
        return self.deck.slides.add_slide(self.deck.slide_layouts[layout])

    def frame(self, box: tuple[int, int, int, int]) -> tuple[Emu, Emu, Emu, Emu]:
        left, top, right, bottom = (Emu(edge * PIXEL) for edge in box)
        return left, top, Emu(right - left), Emu(bottom - top)

    def text(
        self, slide: Any, words: str, box: tuple[int, int, int, int], wraps: bool = True
    ) -> Any:
        shape = slide.shapes.add_textbox(*self.frame(box))
        shape.text_frame.word_wrap = wraps
        shape.text_frame.text = words
        return shape

    def picture(self, slide: Any, data: bytes, box: tuple[int, int, int, int]) -> Any:
        return slide.shapes.add_picture(BytesIO(data), *self.frame(box))

    def chart(self, slide: Any, values: tuple[float, ...] = (3, 7, 5)) -> Any:
        data = CategoryChartData()
        data.categories = [f"Q{n}" for n in range(1, len(values) + 1)]
        data.add_series("Sales", values)
        return slide.shapes.add_chart(
            XL_CHART_TYPE.COLUMN_CLUSTERED, *self.frame((200, 120, 800, 500)), data
        )


Opened = tuple[Package, DeckOutline]


@pytest.fixture
def draft() -> Draft:
    return Draft()


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[Draft], Opened]]:
    """Saves a draft and opens it; closes what it opened."""
    packages: list[Package] = []

    def save(draft: Draft) -> Opened:
        path = tmp_path / f"deck{len(packages)}.pptx"
        draft.deck.save(str(path))
        packages.append(Package.open(path))
        return packages[-1], read_outline(packages[-1])

    yield save
    for package in packages:
        package.close()


def png(image: Image.Image) -> bytes:
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


@pytest.fixture(scope="session")
def noise() -> bytes:
    """A picture with the soft steps of a photograph: smoothed noise, as PNG."""
    rough = np.random.default_rng(7).integers(0, 255, (60, 80, 3)).astype(np.uint8)
    return png(Image.fromarray(rough).resize((640, 480), Image.Resampling.BICUBIC))


@pytest.fixture(scope="session")
def flat() -> bytes:
    """A drawing with flat areas and hard edges, opaque, as PNG."""
    image = Image.new("RGB", (640, 480), "white")
    for left in range(40, 600, 120):
        image.paste((200, 30, 30), (left, 100, left + 60, 400))
    return png(image)
