"""Draws the themes on every layout: ``python -m generate.composing FOLDER``.

Writes into the folder a deck and an HTML file for each theme, the slides of each as pictures, and
``themes.png``, one row for each theme and one column for each layout.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from decklab.comparing.contact_sheet import contact_sheet
from decklab.composing.compose import compose
from decklab.composing.html_deck import write_html
from decklab.composing.pptx_deck import write_pptx
from decklab.composing.themes import THEMES
from decklab.rendering.opening import open_rendered
from generate.composing.showcase import showcase_plan

_WIDTH = 200


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m generate.composing", description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args(arguments).folder
    folder.mkdir(parents=True, exist_ok=True)
    plan = showcase_plan(folder)
    rows = []
    for name in THEMES:
        composed = compose(plan, name)
        deck = write_pptx(composed, folder / f"{name}.pptx")
        write_html(composed, folder / f"{name}.html")
        pictures = []
        with open_rendered(deck, size=(1280, 720), ocr=False) as drawn:
            for slide, page in zip(composed.slides, drawn, strict=True):
                Image.fromarray(page.image).save(folder / f"{name}-{slide.layout}.png")
                pictures.append((f"{name}: {slide.layout.replace('_', ' ')}", page.image))
        sheet = contact_sheet(pictures, columns=3, width=640)
        Image.fromarray(sheet).save(folder / f"{name}.png")
        rows.append(contact_sheet(
            [(label.split(": ")[1], image) for label, image in pictures],
            columns=len(pictures), width=_WIDTH,
        ))  # fmt: skip
    Image.fromarray(np.vstack(rows)).save(folder / "themes.png")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
