"""Every leaf of a folder of published rubrics, run in the sandbox on pairs of real decks.

Run as ``python -m bench.rubrics [RUBRICS [DECKS]]``; by default the published half and the real
decks in ``../shared``. Rubrics are not made for these decks, so most leaves rightly give 0; what
counts is that each ends in a score or in a typed NotScored. Every rubric runs twice: on a deck
against itself, and on a deck against another one. Prints counts, causes, and the time per tree
with how it splits.
"""

import re
import sys
from collections import Counter
from pathlib import Path
from statistics import fmean, median

from decklab.core.results import NotScored
from decklab.evals.rubrics.grade import grade
from decklab.evals.rubrics.graded import GradedTree
from decklab.evals.rubrics.rubric import Rubric, load_rubric
from decklab.rendering.office import Office
from decklab.rendering.renderer import Cache, Renderer

SHARED = Path(__file__).parents[2] / "shared"
PHASES = ("snapshot", "diff", "pictures", "sandbox", "total")
DECKS = 6
"""Rubrics take turns on so many decks."""


def main(arguments: list[str]) -> int:
    """Run all leaves, print what they came to; 1 where a leaf ended in neither way."""
    rubrics = [load_rubric(path) for path in _files(arguments[:1], SHARED / "ppteval", "*.json")]
    decks = _files(arguments[1:2], SHARED / "decks" / "real", "*.pptx")[:DECKS]
    if not rubrics or not decks:
        print("rubrics: no rubrics or no decks here")
        return 0
    leaves = sum(len(rubric.leaves()) for rubric in rubrics)
    print(f"{len(rubrics)} trees with {leaves} leaves, on {len(decks)} decks")
    with Office() as office:
        missed = _report("a deck against itself", rubrics, decks, 0, office)
        missed += _report("a deck against another", rubrics, decks, 1, office)
    return 1 if missed else 0


def _files(arguments: list[str], folder: Path, pattern: str) -> list[Path]:
    chosen = Path(arguments[0]) if arguments else folder
    return sorted(path for path in chosen.rglob(pattern) if path.name != "tasks.json")


def _report(title: str, rubrics: list[Rubric], decks: list[Path], step: int, office: Office) -> int:
    """Grade each rubric on the next deck; the number of leaves that ended in no known way."""
    cache = Cache()
    trees = []
    for turn, rubric in enumerate(rubrics):
        original, modified = (decks[(turn + by) % len(decks)] for by in (0, step))
        trees.append(grade(original, modified, rubric, renderer=Renderer(office, cache)))
    results = [leaf.score for tree in trees for leaf in tree.root.leaves()]
    scores = [score for score in results if not isinstance(score, NotScored)]
    causes = Counter(_kind(score.reason) for score in results if isinstance(score, NotScored))
    print(f"\n{title}: {len(results)} leaves ended: {len(scores)} scored, "
          f"{sum(causes.values())} not scored")  # fmt: skip
    spread = Counter("0" if score == 0 else "1" if score == 1 else "between" for score in scores)
    print("  scores: " + ", ".join(f"{name}: {spread[name]}" for name in ("0", "between", "1")))
    for cause, count in causes.most_common():
        print(f"  not scored, {count:3}: {cause}")
    open_roots = sum(isinstance(tree.score, NotScored) for tree in trees)
    print(f"  roots: {len(trees) - open_roots} known, {open_roots} open")
    _times(trees)
    return sum(len(rubric.leaves()) for rubric in rubrics) - len(results)


def _kind(cause: str) -> str:
    return re.sub(r"\d+", "N", cause)[:110]


def _times(trees: list[GradedTree]) -> None:
    for phase in PHASES:
        spent = [tree.seconds.get(phase, 0.0) for tree in trees]
        print(f"  {phase:9} per tree: mean {fmean(spent):6.2f} s, median {median(spent):6.2f} s,"
              f" most {max(spent):6.2f} s")  # fmt: skip
    own = [leaf.seconds for tree in trees for leaf in tree.root.leaves()]
    print(f"  a leaf's own code: mean {fmean(own) * 1000:.0f} ms, median "
          f"{median(own) * 1000:.0f} ms, most {max(own) * 1000:.0f} ms")  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
