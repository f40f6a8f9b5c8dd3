"""Contact sheets: six slides of a deck on one picture, for people who rate them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

import decklab

WIDTH: Final = 1500
"""The width of a sheet in pixels."""
ACROSS: Final = 2
DOWN: Final = 3
_GAP: Final = 10
_LABEL: Final = 22


def draw_sheets(decks: Sequence[Path], out: Path) -> list[Path]:
    """Draw decks by LibreOffice and set six slides on a sheet, ``out/DECK-1.png`` and so on.

    Below each slide stands its number. Raises RendererMissing without LibreOffice.
    """
    sheets: list[Path] = []
    width = (WIDTH - _GAP * (ACROSS + 1)) // ACROSS
    size = (width, width * 9 // 16)
    for drawn in decklab.render(decks, out / "slides", decklab.Pictures(size=size)):
        slides = drawn.saved.slides if drawn.saved else ()
        pictures = [slide.picture for slide in slides if slide.picture]
        for first in range(0, len(pictures), ACROSS * DOWN):
            path = out / f"{drawn.deck.stem}-{first // (ACROSS * DOWN) + 1}.png"
            _sheet(pictures[first : first + ACROSS * DOWN], first, size).save(path)
            sheets.append(path)
    return sheets


def _sheet(pictures: Sequence[Path], first: int, size: tuple[int, int]) -> Image.Image:
    width, height = size
    step = height + _LABEL + _GAP
    rows = -(-len(pictures) // ACROSS)
    sheet = Image.new("RGB", (WIDTH, rows * step + _GAP), "#888888")
    pen = ImageDraw.Draw(sheet)
    for i, path in enumerate(pictures):
        left = _GAP + (i % ACROSS) * (width + _GAP)
        top = _GAP + i // ACROSS * step
        with Image.open(path) as picture:
            sheet.paste(picture.convert("RGB").resize(size), (left, top))
        label = f"slide {first + i + 1}"
        pen.text((left, top + height + 2), label, "white", ImageFont.load_default(16))
    return sheet
