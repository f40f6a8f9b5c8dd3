"""Print the tables of ``bench.edits``."""

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.edits.exactness import Exactness, edited_exactly
from bench.edits.requests import TEN, drawn
from bench.edits.stages import STAGES, decks, measured, whole_deck
from decklab.core.errors import DeckError
from decklab.deck.reading import read_elements
from decklab.ooxml.package import Package
from decklab.rendering.office import Office

SHARED = Path(__file__).parents[3] / "shared" / "decks" / "real"
STAGED = "full_azure-functions_slides.pptx"
_SHOWN = 3


def main(words: Sequence[str]) -> int:
    """Print the tables; 1 where an edit was not exact."""
    told = _arguments().parse_args(words)
    with tempfile.TemporaryDirectory(prefix="decklab-edits-") as room, Office() as office:
        wrong = 0
        if not told.stages:
            wrong = _exact(told, Path(room), office)
        if not told.exact:
            _stages(Path(room), office)
    return int(wrong > 0)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.edits", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[SHARED])
    parser.add_argument("--random", type=int, default=0, metavar="N", help="draw N requests")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--exact", action="store_true", help="the first table only")
    parser.add_argument("--stages", action="store_true", help="the second table only")
    return parser


def _exact(told: argparse.Namespace, room: Path, office: Office) -> int:
    cases = list(_cases(told))
    rows = []
    print("| deck | request | outcome | changes | unplanned | missing | other slides equal "
          "| pixels astray on changed slides |\n|---|---|---|---|---|---|---|---|")  # fmt: skip
    for deck, request in cases:
        row = edited_exactly(deck, request, room, office)
        rows.append((request, row))
        print(_line(request, row), flush=True)
    for request, row in rows:
        print(f"\n{row.result.deck.name}: {request}")
        for line in (*row.result.sentences[:_SHOWN], *row.result.undone):
            print(f"    {line}")
        if len(row.result.sentences) > _SHOWN:
            print(f"    and {len(row.result.sentences) - _SHOWN} more")
    exact = sum(row.exact for _request, row in rows)
    refused = sum(row.result.outcome == "refused" for _request, row in rows)
    print(f"\n{exact} of {len(rows)} exact: all that was asked, and nothing else changed or looks "
          f"different; {refused} refused")  # fmt: skip
    return len(rows) - exact - (refused if told.random else 0)


def _cases(told: argparse.Namespace) -> Iterator[tuple[Path, str]]:
    if not told.random:
        there = [(told.folders[0] / deck, request) for deck, request in TEN]
        yield from (case for case in there if case[0].exists())
        if not all(deck.exists() for deck, _request in there):
            print(f"decks are missing in {told.folders[0]}", file=sys.stderr)
        return
    chance = random.Random(told.seed)
    paths = [path for folder in told.folders for path in sorted(folder.glob("*.pptx"))]
    chance.shuffle(paths)
    left = told.random
    while left and paths:
        path = paths.pop()
        try:
            with Package.open(path) as package:
                requests = list(drawn(read_elements(package), chance, 1))
        except DeckError as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        left -= len(requests)
        yield from ((path, request) for request in requests)


def _line(request: str, row: Exactness) -> str:
    checked = row.result.best.verification if row.result.best else None
    cells = (
        row.result.deck.stem[:40],
        request,
        row.result.outcome,
        len(row.result.changes.edits),
        len(checked.unplanned) if checked else "",
        len(checked.missing) if checked else "",
        f"{row.untouched - len(row.astray)} of {row.untouched}",
        f"{sum((row.spilled or {}).values())} on {row.touched}",
    )
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def _stages(room: Path, office: Office) -> None:
    source = SHARED / STAGED
    found = decks(source if source.exists() else None, room)
    print(f"\n| editor | deck | edited | drawn | {' | '.join(STAGES)} | all |")
    print("|---|---|---|---|" + "---|" * (len(STAGES) + 1))
    for row in measured(found, room, office):
        spent = " | ".join(f"{row.seconds[stage]:.2f}" for stage in STAGES)
        print(f"| {row.editor} | {row.slides} | {row.edited} | {row.drawn} | {spent} | "
              f"{sum(row.seconds.values()):.2f} |", flush=True)  # fmt: skip
    for size, deck in found.items():
        print(f"all {size} slides drawn once: {whole_deck(deck, room, office):.2f} s")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
