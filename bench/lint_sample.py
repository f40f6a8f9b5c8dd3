"""Random findings of the lint as pictures to look at: ``python -m bench.lint_sample``.

A finding is right when a person who looks at its picture says so. Each picture shows the slide
with what the finding is about: its box in magenta, the frame of its shape in blue. Sheets put four
of them with their words on one picture.
"""

import argparse
import random
import sys
import tempfile
import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from decklab.core.errors import DecklabError
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.core.results import Finding
from decklab.deck.model.shapes import box_of
from decklab.deck.model.slide import DeckElements
from decklab.deck.reading import read_elements
from decklab.linting.lint import lint
from decklab.linting.rules.rule import label
from decklab.ooxml.package import Package
from decklab.rendering.office import Office
from decklab.rendering.opening import open_rendered
from decklab.rendering.renderer import Cache, Renderer

DECKS = Path(__file__).parents[2] / "shared" / "decks" / "real"
_MARGIN = 40  # pixels of grey around the slide, so that what lies off it shows
_WIDTH = 1280
_FOUND, _FRAME, _BEYOND = "#FF00FF", "#0080FF", "#909090"
_SHEET = 2, 2  # columns and rows
_TILE = 800
_CAPTION = 96  # pixels of words under a picture


@dataclass(frozen=True)
class _Linted:
    deck: Path
    elements: DeckElements
    findings: list[Finding]


def main(arguments: Sequence[str]) -> int:
    """Lint the decks of folders, print counts, and draw a sample of the findings."""
    options = _options(arguments)
    decks = [deck for folder in options.folders for deck in sorted(folder.glob("*.pptx"))]
    if not decks:
        print(f"no decks in {', '.join(map(str, options.folders))}")
        return 1
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as room, Office() as office:
        cache = Cache(options.cache or Path(room))
        linted = [item for deck in decks if (item := _lint(deck, office, cache)) is not None]
        every = [
            (item, finding)
            for item in linted
            for finding in item.findings
            if finding.rule.startswith(tuple(options.rule)) and finding.severity in options.severity
        ]
        chosen = random.Random(options.seed).sample(every, min(options.count, len(every)))
        for index, (item, finding) in enumerate(chosen, start=1):
            picture = options.out / f"{index:02}.png"
            _draw(item, finding, picture, office, cache)
            where = f"{item.deck.name}, slide {finding.slide}"
            print(f"\n{picture}: {where}\n  {finding.rule} ({finding.severity}): {finding.message}")
        _sheets([(item, finding) for item, finding in chosen], options.out)
    return 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.lint_sample", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[DECKS])
    parser.add_argument("--count", type=int, default=10, help="findings to draw")
    parser.add_argument("--seed", type=int, default=1, help="which sample")
    parser.add_argument("--rule", nargs="*", default=[""], help="beginnings of rules to draw from")
    parser.add_argument(
        "--severity",
        nargs="*",
        default=["error", "warning", "info"],
        help="severities to draw from",
    )
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "lint-sample")
    parser.add_argument("--cache", type=Path, help="folder that keeps what was drawn")
    return parser.parse_args(arguments)


def _lint(deck: Path, office: Office, cache: Cache) -> _Linted | None:
    try:
        found = lint(deck, renderer=Renderer(office, cache))
        with Package.open(deck) as package:
            elements = read_elements(package)
    except DecklabError as error:
        print(f"left out: {error}")
        return None
    rules = Counter(finding.rule for finding in found.findings)
    told = ", ".join(f"{rule} {count}" for rule, count in rules.most_common())
    print(f"{deck.name}: {found.slides} slides, {len(found.findings)} findings ({told})")
    return _Linted(deck, elements, list(found.findings))


def _draw(item: _Linted, finding: Finding, path: Path, office: Office, cache: Cache) -> None:
    number = finding.slide or 1
    with open_rendered(item.deck, renderer=Renderer(office, cache), ocr=False) as drawn:
        slide = Image.fromarray(drawn.slide(number).image)
    picture = Image.new("RGB", (slide.width + 2 * _MARGIN, slide.height + 2 * _MARGIN), _BEYOND)
    picture.paste(slide, (_MARGIN, _MARGIN))
    pen = ImageDraw.Draw(picture)
    elements = item.elements.slides[number - 1].elements()
    frame = next((box_of(one) for one in elements if label(one) == finding.shape), None)
    for box, color in ((frame, _FRAME), (finding.box, _FOUND)):
        if box is not None:
            pen.rectangle(_place(box, slide.size, picture.size), outline=color, width=3)
    picture.resize((_WIDTH, round(picture.height * _WIDTH / picture.width))).save(path)


def _sheets(chosen: Sequence[tuple[_Linted, Finding]], folder: Path) -> None:
    """The pictures of a sample, four to a sheet, each over its number, place and words."""
    columns, rows = _SHEET
    font = ImageFont.load_default(15)
    for first in range(0, len(chosen), columns * rows):
        tiles = []
        for index in range(first, min(first + columns * rows, len(chosen))):
            picture: Image.Image = Image.open(folder / f"{index + 1:02}.png")
            picture = picture.resize((_TILE, round(picture.height * _TILE / picture.width)))
            tile = Image.new("RGB", (_TILE, picture.height + _CAPTION), "white")
            tile.paste(picture)
            item, found = chosen[index]
            words = (
                f"{index + 1}. {item.deck.stem[-40:]} slide {found.slide}: {found.rule}"
                f" ({found.severity}): {found.message}"
            )
            lines = "\n".join(textwrap.wrap(words, 104)[:5])
            ImageDraw.Draw(tile).text((6, picture.height + 4), lines, fill="black", font=font)
            tiles.append(tile)
        high = max(tile.height for tile in tiles)
        sheet = Image.new("RGB", (_TILE * columns, high * -(-len(tiles) // columns)), "white")
        for place, tile in enumerate(tiles):
            sheet.paste(tile, (place % columns * _TILE, place // columns * high))
        sheet.save(folder / f"sheet{first // (columns * rows) + 1:02}.png")


def _place(box: Box, slide: tuple[int, int], picture: tuple[int, int]) -> tuple[float, ...]:
    """A box of the frame in the picture, drawn no farther than its edge."""
    found = box.scaled(slide[0] / FRAME_WIDTH, slide[1] / FRAME_HEIGHT)
    right, bottom = picture[0] - 1, picture[1] - 1
    left = min(max(found.left + _MARGIN, 0), right)
    top = min(max(found.top + _MARGIN, 0), bottom)
    return (
        left,
        top,
        max(min(found.right + _MARGIN, right), left),
        max(min(found.bottom + _MARGIN, bottom), top),
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
