"""Draws the themes on every layout: ``python -m generate.composing FOLDER``.

Writes into the folder a deck and an HTML file for each theme, the slides of each as pictures,
``themes.webp`` with all of them, one row for each layout and one column for each theme,
``designs.webp`` with a few of them, one row for each theme, and ``NAME.webp``, a theme's cover.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from decklab.board.blueprint import DeckPlan
from decklab.board.pages.writing import write_deck
from decklab.board.themes import THEMES
from decklab.pages.pictures import contact_sheet
from decklab.rendering.opening import open_rendered
from generate.composing.library import library_plan
from generate.composing.showcase import showcase_plan

_WIDTH, _SMALL = 320, 150
_SHOWN: Final = ("title", "section", "body", "chart_takeaways", "big_numbers", "quote")
_COVER: Final = (240, 135)
"""Pixels, of the workbench's choice of themes."""


def _draw(name: str, plan: DeckPlan, folder: Path) -> list[tuple[str, NDArray[np.uint8]]]:
    """Write the plan in a theme; gives the picture of each slide, with its label."""
    deck = folder / f"{name}.pptx"
    laid_out = write_deck(plan, name, deck, html=folder / f"{name}.html")
    pictures = []
    with open_rendered(deck, size=(1280, 720), ocr=False) as drawn:
        for slide, page in zip(laid_out.slides, drawn, strict=True):
            Image.fromarray(page.image).save(folder / f"{name}-{slide.layout}.png")
            pictures.append((f"{name}: {slide.layout.replace('_', ' ')}", page.image))
    return pictures


def _save(
    cells: Sequence[tuple[str, NDArray[np.uint8]]], columns: int, path: Path, width: int = _WIDTH
) -> None:
    sheet = contact_sheet(cells, columns=columns, width=width)
    Image.fromarray(sheet).save(path, quality=70, method=6)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m generate.composing", description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args(arguments).folder
    folder.mkdir(parents=True, exist_ok=True)
    plan = showcase_plan(folder)
    more = library_plan(folder).slides
    plan = plan.model_copy(update={"slides": (*plan.slides, *more)})
    columns = [_draw(name, plan, folder) for name in THEMES]
    cells = [cell for row in zip(*columns, strict=True) for cell in row]
    _save(cells, len(columns), folder / "themes.webp", _SMALL)
    shown = [at for at, slide in enumerate(plan.slides) if slide.layout in _SHOWN]
    _save([column[at] for column in columns for at in shown], len(shown), folder / "designs.webp")
    for name, column in zip(THEMES, columns, strict=True):
        cover = Image.fromarray(column[0][1]).resize(_COVER)
        cover.save(folder / f"{name}.webp", quality=85, method=6)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
