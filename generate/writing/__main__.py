"""Writes a deck from a report of our own: ``python -m generate.writing FOLDER``.

Writes into the folder the deck, what its stages left, and ``written.webp`` with all slides.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

import decklab
from decklab.comparing.contact_sheet import contact_sheet
from decklab.rendering.opening import open_rendered

_REPORT = Path(__file__).parent / "harbour.md"
_COLUMNS, _WIDTH = 3, 480


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m generate.writing", description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args(arguments).folder
    options = decklab.WriteOptions(theme="corporate")
    written = decklab.write([_REPORT], folder / "written.pptx", options=options, keep=folder)
    with open_rendered(written.files[0], size=(1280, 720), ocr=False) as drawn:
        cells = [(str(page.number), page.image) for page in drawn]
    sheet = contact_sheet(cells, columns=_COLUMNS, width=_WIDTH)
    Image.fromarray(sheet).save(folder / "written.webp", quality=80, method=6)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
