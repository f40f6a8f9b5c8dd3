"""Convert the HTML decks of a folder and measure them beside what the browser shows.

``python -m bench.convert FOLDER --out OUT [--peer html-to-pptx=VENV] [--peer dom-to-pptx=FOLDER]
[--pictures] [--only NAME ...]``

A deck is a folder in FOLDER: its ``deck.html``, or all its HTML files as pages in their order. Each
is converted by ``decklab convert`` and by the peers; LibreOffice draws the PPTX, Chromium the
pages. OUT gets ``convert.md`` and ``convert.json``, the decks, and with ``--pictures`` both
pictures of each slide side by side. A block is an element that lays out lines of text; one on a
baseline that is not level counts only in words.

Columns: slides in the PPTX and in the browser; percentage of words in common; of blocks whose first
baseline is within 2 px, and the median distance; whose ink is within 2 px on every side; with as
many lines, and how many take more; mean SSIM of the pictures at 960x540; percentage of elements
that are no pictures of something else; of headings that are in a title placeholder; editability
level; seconds with start-up.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import decklab
from bench.convert.converters import Converter, NotConverted, peer
from bench.convert.measuring import BrowserSlide, browser_slides, measure
from bench.convert.table import Row, markdown
from decklab.core.errors import DecklabError
from decklab.core.results import NotScored
from decklab.rendering.renderer import Cache, Renderer


def main(arguments: Sequence[str]) -> int:
    """Convert, measure and write the table; 1 where decklab gave no deck for one."""
    asked = _arguments(arguments)
    decks = [
        folder for folder in sorted(asked.folder.iterdir())
        if folder.is_dir() and (not asked.only or folder.name in asked.only)
    ]  # fmt: skip
    converters = [*([] if asked.peers_only else [Converter("decklab")]), *asked.peer]
    rows: list[Row] = []
    with Renderer(cache=Cache(asked.out / "cache")).started() as renderer:
        for folder in decks:
            slides = list(browser_slides(_pages(folder)))
            for converter in converters:
                row = _row(folder, slides, converter, asked, renderer)
                rows.append(row)
                print(f"{row.deck} by {row.converter}: {row.remark or row.measures}", flush=True)
        rows = list(_levelled(rows, asked.out, renderer))
    text = markdown(rows)
    (asked.out / "convert.md").write_text(text, encoding="utf-8")
    facts = json.dumps([asdict(row) for row in rows], indent=1) + "\n"
    (asked.out / "convert.json").write_text(facts, encoding="utf-8")
    print(text)
    return int(any(row.converter == "decklab" and row.measures is None for row in rows))


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.convert", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--peer", type=peer, action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--peers-only", action="store_true", help="without decklab")
    parser.add_argument("--only", nargs="*", default=[], help="names of decks")
    parser.add_argument("--pictures", action="store_true", help="both pictures of each slide")
    return parser.parse_args(words)


def _pages(folder: Path) -> list[Path]:
    whole = folder / "deck.html"
    return [whole] if whole.is_file() else sorted(folder.glob("*.html"))


def _row(
    folder: Path, slides: Sequence[BrowserSlide], converter: Converter,
    asked: argparse.Namespace, renderer: Renderer,
) -> Row:  # fmt: skip
    pages = _pages(folder)
    out = asked.out / "decks" / converter.name / f"{folder.name}.pptx"
    pictures = asked.out / "pictures" / converter.name if asked.pictures else None
    try:
        seconds = converter.convert(pages[0] if len(pages) == 1 else folder, out)
        found = measure(slides, out, renderer, pictures)
    except (NotConverted, DecklabError) as error:
        return Row(folder.name, converter.name, remark=str(error))
    return Row(folder.name, converter.name, found, seconds=round(seconds, 1))


def _levelled(rows: Sequence[Row], out: Path, renderer: Renderer) -> Iterator[Row]:
    """The rows with the editability levels of their decks."""
    levels: dict[tuple[str, str], float] = {}
    for name in dict.fromkeys(row.converter for row in rows if row.measures):
        decks = [out / "decks" / name / f"{row.deck}.pptx" for row in rows
                 if row.converter == name and row.measures]  # fmt: skip
        scored = decklab.score(decks, out / "scores" / name, renderer=renderer)
        for result in scored.results():
            level = result.value("editability.level")
            if not isinstance(level, NotScored):
                levels[name, Path(result.deck).stem] = level
    yield from (replace(row, level=levels.get((row.converter, row.deck))) for row in rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
