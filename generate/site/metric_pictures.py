"""Scores of pairs of decks, and their slides: ``python -m generate.site.metric_pictures``."""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

import decklab
from decklab.core.results import NotScored
from generate.site.pairs import PAIRS

IMAGES = Path(__file__).parents[2] / "docs" / "images" / "metrics"
WIDTH, GAP, COLUMNS = 360, 8, 4
"""Pixels of a slide and between slides, and slides in a strip (ours)."""


def strip(pictures: list[Path]) -> Image.Image:
    """The slides side by side."""
    height = round(WIDTH * 9 / 16)
    sheet = Image.new("RGB", (COLUMNS * (WIDTH + GAP) - GAP, height), "#8a8f98")
    for column, picture in enumerate(pictures[:COLUMNS]):
        with Image.open(picture) as slide:
            place = (column * (WIDTH + GAP), 0)
            sheet.paste(
                slide.convert("RGB").resize((WIDTH, height), Image.Resampling.LANCZOS), place
            )
    return sheet


def main() -> int:
    """Make the decks, score them, draw them; write strips and numbers into ``docs/images``."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    measured = {}
    with TemporaryDirectory(prefix="decklab-pairs-") as scratch:
        for metric, makers in PAIRS.items():
            for kind, make in zip(("more", "less"), makers, strict=True):
                folder = Path(scratch) / f"{metric}-{kind}"
                folder.mkdir()
                deck = make(folder / "deck.pptx")
                (result,) = decklab.score(deck, folder / "scored", jobs=1).results()
                value = result.value(metric)
                if isinstance(value, NotScored):
                    raise SystemExit(f"{metric}, {kind}: {value.reason}")
                decklab.render(deck, folder / "pictures")
                pictures = sorted((folder / "pictures").rglob("*.png"))
                name = f"{metric}-{kind}.webp"
                strip(pictures).save(IMAGES / name, quality=72, method=6)
                measured[f"{metric}-{kind}"] = round(value, 3) + 0.0  # no -0.0
    (IMAGES / "measured.json").write_text(json.dumps(measured, indent=2) + "\n")
    print(json.dumps(measured, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
