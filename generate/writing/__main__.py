"""Writes decks from documents of our own: ``python -m generate.writing FOLDER``.

Writes into the folder ``written.webp``, all slides of one deck, and for each document a picture of
its deck in all designs, one row each. The decks and what their stages left stay beside them.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

import decklab
from decklab.board.themes import THEMES
from decklab.pages.pictures import contact_sheet
from decklab.rendering.opening import open_rendered
from generate.writing.sources import HARBOUR, own_sources

_COLUMNS, _WIDTH = 3, 480
_SMALL = 240
_SHOWN = "corporate"

_Cells = list[tuple[str, NDArray[np.uint8]]]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m generate.writing", description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args(arguments).folder
    workbook, report, _page = own_sources(folder / "sources")
    for source in (HARBOUR, workbook, report):
        rows = {theme: _slides(source, theme, folder) for theme in THEMES}
        if source == HARBOUR:
            _save(rows[_SHOWN], folder / "written.webp", _COLUMNS, _WIDTH)
        longest = max(map(len, rows.values()))
        cells = [cell for row in rows.values() for cell in _filled(row, longest)]
        _save(cells, folder / f"written-{source.stem}.webp", longest, _SMALL)
    return 0


def _slides(source: Path, theme: str, folder: Path) -> _Cells:
    """The slides of a deck in a theme, with their labels."""
    kept = folder / source.stem
    deck = kept / f"{theme}.pptx"
    options = decklab.WriteOptions(theme=theme)
    decklab.write([source], deck, options=options, keep=kept / theme, force=True)
    with open_rendered(deck, size=(1280, 720), ocr=False) as drawn:
        return [(f"{theme} {page.number}", page.image) for page in drawn]


def _filled(cells: _Cells, count: int) -> _Cells:
    """A row with white pictures at its end, so that all rows are of one length."""
    empty = np.full_like(cells[0][1], 255)
    return [*cells, *[("", empty)] * (count - len(cells))]


def _save(cells: _Cells, path: Path, columns: int, width: int) -> None:
    sheet = contact_sheet(cells, columns=columns, width=width)
    Image.fromarray(sheet).save(path, quality=80, method=6)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
