"""Fixes of lint on real decks: ``python -m bench.lint_fixes DECK... [--out FOLDER]``.

Prints, for each rule that has a fix, the findings before (slide by slide), those that are gone, the
fixes that held, those that were taken back, and changes that no fix is meant to make. With --out
the fixed decks are written there, to be looked at. Nothing is written beside the decks.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from decklab.core.errors import DecklabError
from decklab.diffing.changes import Change
from decklab.linting.mend import FIXABLE, MendedDeck, fix_deck, write_fixed
from decklab.linting.project import LintOptions, find_lintable
from decklab.linting.settings import UNSET
from decklab.rendering.renderer import Cache, Renderer


def unexplained(mended: MendedDeck) -> Sequence[Change]:
    """The changes of a fixed deck that none of its fixes is meant to make: there are none."""
    return [
        change
        for change in mended.changes.edits
        if not any(fix.explains(change) for fix in mended.fixed)
    ]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.lint_fixes", description=__doc__)
    parser.add_argument("decks", nargs="+")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--reasons", action="store_true", help="say why fixes were taken back")
    given = parser.parse_args(arguments)
    found: Counter[str] = Counter()
    left: Counter[str] = Counter()
    held: Counter[str] = Counter()
    back: Counter[str] = Counter()
    others, decks, began = 0, 0, time.monotonic()
    with Renderer(cache=Cache()).started() as renderer:
        for deck in find_lintable(given.decks):
            try:
                mended = fix_deck(deck, LintOptions(settings=UNSET), renderer)
            except DecklabError as error:
                print(f"not fixed: {error}", file=sys.stderr)
                continue
            decks += 1
            found.update(mended.before)
            left.update(mended.left)
            held.update(fix.rule for fix in mended.fixed)
            back.update(item.fix.rule for item in mended.taken_back)
            others += len(unexplained(mended))
            for item in mended.taken_back if given.reasons else ():
                print(f"{deck.name}, slide {item.fix.slide}: {item.fix.says}: {item.reason}")
            if given.out is not None:
                write_fixed(mended, given.out / deck.name, force=True)
    print("| rule | findings before | gone | fixes that held | taken back |\n|---|---|---|---|---|")
    for rule in FIXABLE:
        counts = (found[rule], found[rule] - left[rule], held[rule], back[rule])
        print(f"| `{rule}` | {' | '.join(map(str, counts))} |")
    print(f"{decks} decks, {time.monotonic() - began:.0f} s; other changes: {others}")
    return int(others > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
