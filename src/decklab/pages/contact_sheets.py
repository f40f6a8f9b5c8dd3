"""Contact sheets: pictures of slides side by side, each under its label."""

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from decklab.core.colors import Image as Picture

# All ours, in pixels: four slides fit a screen, with letters that can be read on it.
_WIDTH = 480
_GAP = 16
_LABEL = 34
_LETTERS = 22
_COLUMNS = 4
_PAPER = (238, 238, 238)
_INK = (24, 24, 24)


def contact_sheet(
    pictures: Sequence[tuple[str, Picture]], *, columns: int = _COLUMNS, width: int = _WIDTH
) -> Picture:
    """Pictures (RGB, uint8, height x width x 3) in even rows, each under its label.

    All are drawn ``width`` pixels wide, up to ``columns`` in a row; rows are as high as the
    highest picture. Raises ValueError if there are no pictures.
    """
    if not pictures:
        raise ValueError("a contact sheet needs at least one picture")
    small = [(label, _resized(picture, width)) for label, picture in pictures]
    high = max(picture.height for _label, picture in small) + _LABEL
    rows = -(-len(small) // columns)
    columns = -(-len(small) // rows)
    size = (columns * (width + _GAP) + _GAP, rows * (high + _GAP) + _GAP)
    sheet = Image.new("RGB", size, _PAPER)
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(_LETTERS)
    for index, (label, picture) in enumerate(small):
        x = _GAP + index % columns * (width + _GAP)
        y = _GAP + index // columns * (high + _GAP)
        pen.text((x, y), label, fill=_INK, font=font)
        sheet.paste(picture, (x, y + _LABEL))
    return np.asarray(sheet, dtype=np.uint8)


def _resized(picture: Picture, width: int) -> Image.Image:
    height = max(1, round(picture.shape[0] * width / picture.shape[1]))
    return Image.fromarray(picture).resize((width, height), Image.Resampling.LANCZOS)
