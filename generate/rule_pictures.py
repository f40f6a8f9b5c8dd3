"""Draws a bad and a good slide for each rule of lint: ``python -m generate.rule_pictures``.

The pictures go to ``docs/images/rules``, one a rule; a test lints the decks that they show.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from decklab.rendering.opening import open_rendered
from decklab.rendering.pictures import RenderedDeck
from decklab.rendering.renderer import Renderer
from generate.rule_decks import RULE_SLIDES, slide_of, write_rule_deck

FOLDER: Final = Path(__file__).parents[1] / "docs" / "images" / "rules"

MOST_BYTES: Final = 15_000
"""A picture's file is smaller than this (ours): a page loads at once."""

_WIDTH, _GAP, _HEAD = 400, 12, 30
_QUALITIES: Final = (80, 65, 50, 35, 20, 10)
_LABELS: Final[Mapping[str, str]] = {"Bad": "#B3261E", "Good": "#2E7D32"}


def pair(bad: Image.Image, good: Image.Image) -> Image.Image:
    """Two slides side by side, each under its word."""
    height = round(_WIDTH * bad.height / bad.width)
    sheet = Image.new("RGB", (2 * _WIDTH + _GAP, _HEAD + height), "white")
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(20)
    for column, (slide, (word, color)) in enumerate(zip((bad, good), _LABELS.items(), strict=True)):
        left = column * (_WIDTH + _GAP)
        pen.text((left, 2), word, fill=color, font=font)
        sheet.paste(slide.resize((_WIDTH, height), Image.Resampling.LANCZOS), (left, _HEAD))
        pen.rectangle((left, _HEAD, left + _WIDTH - 1, _HEAD + height - 1), outline=color)
    return sheet


def save(picture: Image.Image, path: Path) -> None:
    """Write a picture as WebP in the best quality that is small enough."""
    for quality in _QUALITIES:
        picture.save(path, quality=quality, method=6)
        if path.stat().st_size < MOST_BYTES:
            return
    raise SystemExit(f"{path}: over {MOST_BYTES} bytes")


def _slide(deck: RenderedDeck, rule: str) -> Image.Image:
    return Image.fromarray(deck.slide(slide_of(rule)).image)


def main() -> int:
    """Make and draw both decks; write one picture a rule."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="decklab-rules-") as scratch, Renderer().started() as renderer:
        paths = [
            write_rule_deck(Path(scratch) / f"{name}.pptx", bad=name == "bad")
            for name in ("bad", "good")
        ]
        with (
            open_rendered(paths[0], renderer=renderer, ocr=False) as bad,
            open_rendered(paths[1], renderer=renderer, ocr=False) as good,
        ):
            for rule in RULE_SLIDES:
                save(pair(_slide(bad, rule), _slide(good, rule)), FOLDER / f"{rule}.webp")
    return 0


if __name__ == "__main__":
    sys.exit(main())
