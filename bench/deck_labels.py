"""Labels of word lists against labels by hand: ``python -m bench.deck_labels FOLDER...``.

``deck_labels.csv`` has what one person thinks each deck is about, what it is for, and its language;
``other`` where no label of the list fits, ``none`` where the deck has no words. Lists were changed
by looking at the half ``tuned`` alone; the half ``held`` says how they do on decks that nobody
looked at for that. Prints for each half how many decks have a label, how many of these are right,
and with ``--decks`` each deck where the two differ.
"""

import argparse
import csv
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from decklab.workbench.cluster.dataset import open_dataset
from decklab.workbench.cluster.jobs import Job
from decklab.workbench.cluster.run import Machine, run_job
from decklab.workbench.cluster.sources import source_items
from decklab.workbench.corpus.annotations import annotate, annotation_rows

LABELS: Final = Path(__file__).with_name("deck_labels.csv")
COLUMNS: Final = ("topic", "purpose", "language")
HALVES: Final = ("tuned", "held")
NO_LABEL: Final = frozenset({"other", "none"})
"""By hand: a program should give no label."""


@dataclass(frozen=True)
class LabelCounts:
    """How labels by program compare with those by hand."""

    fitting: int
    """Decks that have a label by hand."""
    right: int
    wrong: int
    """Decks whose label by program is that by hand, or is not; also where there should be none."""

    def __str__(self) -> str:
        """Recall and precision with their counts."""
        given = self.right + self.wrong
        precision = f"{self.right} of {given} ({self.right / given:.0%})" if given else "none"
        recall = f"{self.right} of {self.fitting}"
        return f"{recall} ({self.right / self.fitting:.0%}) | {precision}" if self.fitting else "-"


def counts(pairs: Sequence[tuple[str, str]]) -> LabelCounts:
    """Counts of pairs of a label by hand and one by program, which is empty for none.

    >>> str(counts([("science", "science"), ("health", ""), ("other", "culture")]))
    '1 of 2 (50%) | 1 of 2 (50%)'
    """
    fitting = sum(hand not in NO_LABEL for hand, _ in pairs)
    right = sum(hand == given for hand, given in pairs)
    return LabelCounts(fitting, right, sum(bool(given) and hand != given for hand, given in pairs))


def given_labels(sources: Sequence[str]) -> dict[str, dict[str, str]]:
    """What a program says of each deck, by its file name; an empty text where it says nothing."""
    with TemporaryDirectory(prefix="decklab-labels-") as folder:
        machine = Machine(processes=1)
        run_job(source_items(sources), Job("extract"), Path(folder) / "data", machine=machine)
        annotate(Path(folder) / "data")
        rows = open_dataset(Path(folder) / "data").rows("decks", ["deck", "language"])
        found = {Path(row["deck"]).name: {"language": row["language"] or ""} for row in rows}
        for row in annotation_rows(Path(folder) / "data"):
            told = {name: row[name] or "" for name in ("topic", "purpose")}
            found[Path(row["deck"]).name].update(told)
    return found


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.deck_labels", description=__doc__)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--decks", action="store_true", help="name the decks that differ")
    parser.add_argument("--half", choices=HALVES, help="only these")
    given = parser.parse_args(arguments)
    with LABELS.open(newline="") as stream:
        by_hand = list(csv.DictReader(stream))
    found = given_labels(given.folders)
    print("| labels | half | found of those there are | right of those given |\n|---|---|---|---|")
    for column in COLUMNS:
        for half in [given.half] if given.half else HALVES:
            rows = [row for row in by_hand if row["half"] == half and row["deck"] in found]
            pairs = [(row[column], found[row["deck"]].get(column, "")) for row in rows]
            print(f"| {column} | {half} | {counts(pairs)} |")
            for row, (hand, said) in zip(rows, pairs, strict=True):
                if given.decks and hand != said and (said or hand not in NO_LABEL):
                    print(f"  {row['deck']}: {hand}, by program {said or 'nothing'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
