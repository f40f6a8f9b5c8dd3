"""Contact sheets: slides side by side, each under its label."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from decklab.core.files import output_file, scratch_folder
from decklab.core.options import Axis, LadderDraws
from decklab.evals.perturb.deck import write_ladder
from decklab.ooxml.package import Package
from decklab.rendering.opening import open_rendered
from decklab.rendering.renderer import Renderer

_Picture = NDArray[np.uint8]

# All ours, in pixels: four slides fit a screen, with letters that can be read on it.
_WIDTH = 480
_GAP = 16
_LABEL = 34
_LETTERS = 22
_COLUMNS = 4
_PAPER = (238, 238, 238)
_INK = (24, 24, 24)


def contact_sheet(
    pictures: Sequence[tuple[str, _Picture]], *, columns: int = _COLUMNS, width: int = _WIDTH
) -> _Picture:
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
    for place, (label, picture) in enumerate(small):
        x = _GAP + place % columns * (width + _GAP)
        y = _GAP + place // columns * (high + _GAP)
        pen.text((x, y), label, fill=_INK, font=font)
        sheet.paste(picture, (x, y + _LABEL))
    return np.asarray(sheet, dtype=np.uint8)


def write_ladder_sheet(
    deck: Path,
    sheet: Path,
    axis: Axis,
    severities: Sequence[float],
    *,
    slide: int = 1,
    seed: int = 0,
    ladder_draws: LadderDraws = "coupled",
    keep: Path | None = None,
    force: bool = False,
    renderer: Renderer | None = None,
) -> tuple[str, ...]:
    """Write a PNG that shows one slide of a deck at each severity; returns what was left out of it.

    ``slide`` is 1-based, ``ladder_draws`` as in ``perturb``. ``keep`` is the path at which to store
    the deck of the damaged slides; without it that deck is deleted. Raises DeckError if the deck
    cannot be read or has no such slide, RenderError if it cannot be drawn, OSError if the
    sheet cannot be written, NameTaken if a file exists; with ``force`` a copy of it is kept
    beside it.
    """
    with scratch_folder("ladder") as folder:
        with Package.open(deck) as package:
            built = write_ladder(
                package, keep or folder / "ladder.pptx", axis, severities,
                slide=slide, seed=seed, ladder_draws=ladder_draws, force=force,
            )  # fmt: skip
        with open_rendered(built.path, renderer=renderer, ocr=False) as drawn:
            pictures = [
                (f"{axis} {severity:g}", picture.image)
                for severity, picture in zip(severities, drawn, strict=True)
            ]
    with output_file(sheet, force=force) as unfinished:
        Image.fromarray(contact_sheet(pictures)).save(unfinished, format="PNG")
    return built.left_out


def _resized(picture: _Picture, width: int) -> Image.Image:
    height = max(1, round(picture.shape[0] * width / picture.shape[1]))
    return Image.fromarray(picture).resize((width, height), Image.Resampling.LANCZOS)
