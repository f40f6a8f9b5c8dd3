"""Random known edits of real decks: does the diff report exactly these?

Each try makes one to ten edits, of kinds drawn at random, in a deck, and compares the deck with
what came out: a try fails where an edit is not reported, or anything else is, or where comparing
the files says something else than comparing their snapshots. Every other edited deck is saved once
more by python-pptx before it is compared. The edits are those of ``tests/diffing/edits``, made in
the XML and foretold from it.

Run as ``python -m bench.diff_exactness [TRIES] [FIRST]``: 300 tries over the decks of
``../shared/decks/real``, or over the samples where those are absent. Each try is the seed of its
own chance; FIRST is that of the first.
"""

import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.diffing.edits import EDITS, edit_deck
from tests.diffing.exactness import compared, of_snapshots, resaved, shortfall, taken

from decklab.core.errors import DecklabError
from decklab.deck.deck import write_samples

REAL = Path(__file__).parents[2] / "shared" / "decks" / "real"
TRIES = 300


def main(arguments: list[str]) -> int:
    """Print every failure and the count of tries by kind; 1 where a try failed."""
    tries = int(arguments[0]) if arguments else TRIES
    first = int(arguments[1]) if len(arguments) > 1 else 0
    made: Counter[str] = Counter()
    failed: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        room = Path(name)
        edited = room / "edited.pptx"
        decks = _decks(room)
        before = {deck: taken(deck) for deck in decks}
        for seed in range(first, first + tries):
            deck = decks[seed % len(decks)]
            chance = random.Random(f"{deck.name} {seed}")
            kinds = chance.sample(sorted(EDITS), chance.randint(1, 10))
            try:
                done, expected = edit_deck(deck, edited, kinds, seed)
                if seed % 2:
                    expected = resaved(edited, expected)
                files = compared(deck, edited)
                missed, invented, found = shortfall(before[deck], taken(edited), expected, files)
            except DecklabError as error:
                failed.append(f"{deck.name} seed {seed}: {error}")
                continue
            made.update(done)
            quick = of_snapshots(files) == found
            if missed or invented or not quick:
                failed.append(
                    f"{deck.name} seed {seed} {done}\n  missed {dict(missed)}\n"
                    f"  invented {dict(invented)}{'' if quick else ' FILES DIFFER'}"
                )
    print(*failed, sep="\n")
    print(", ".join(f"{kind} {made[kind]}" for kind in sorted(EDITS)))
    print(f"diff exactness: {tries} tries on {len(decks)} decks, {sum(made.values())} edits, "
          f"{len(failed)} tries failed")  # fmt: skip
    return 1 if failed else 0


def _decks(room: Path) -> list[Path]:
    if REAL.is_dir():
        return sorted(REAL.glob("*.pptx"))
    return write_samples(room / "samples")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
