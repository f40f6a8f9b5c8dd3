"""Truths of PPTArena's starter set, spoilt by program: which still get what the truth gets?

The sabotages are those of PPT-Eval's starter set. Run as ``python -m bench.arena_sabotages [--case
NAME] [--sabotage NAME] [--no-pictures]``; without names all. Ends with 1 where a spoilt truth is
worth as much as the truth, or hidden work is worth anything.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import translate
from pathlib import Path
from re import fullmatch
from tempfile import TemporaryDirectory
from typing import Any

from decklab.core.results import NotScored
from decklab.diffing.snapshots import DeckEdit
from decklab.evals.perturb.sabotage import SABOTAGES
from decklab.evals.pptarena.cases import Case, Decks
from decklab.evals.pptarena.reference_scores import compare
from decklab.evals.pptarena.running import starter_cases
from decklab.evals.ppteval.meta import sabotage_sandbox, sabotaged
from decklab.rendering.renderer import Cache, Renderer

_ON_SLIDES = frozenset(("background", "layout", "notes", "transition", "animation", "slide"))


def touched(asked: DeckEdit) -> list[dict[str, Any]]:
    """What the truth changed, in the words of ``may_change``, by the truth's own slides."""
    names: dict[int, set[str]] = defaultdict(set)
    added = set(asked.found.slides.added)
    for change in asked.found.edits:
        if change.slide is None or (change.kind, change.property) == ("slide", "removed"):
            continue
        if change.slide in added:
            continue
        names[change.slide] |= {change.element.name} if change.element else set()
    entries: list[dict[str, Any]] = [
        {"slide": number, "shapes": [_literal(name) for name in sorted(found)]}
        for number, found in sorted(names.items())
    ]
    return entries + [{"added": number} for number in sorted(added)]


def _literal(name: str) -> str:
    """A name as a pattern that matches nothing else."""
    found = "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)
    assert fullmatch(translate(found), name)
    return found


def tried(
    cases: Iterable[Case], names: Sequence[str], decks: Decks, folder: Path
) -> Iterator[tuple[Case, str, float | NotScored]]:
    """Each case with each sabotage that fits, and what ``edit`` gives for it."""
    for case in cases:
        asked = decks.edit(case.original, case.ground_truth)
        with sabotage_sandbox({case.ground_truth.name: case.ground_truth}) as sandbox:
            for number, name in enumerate(names):
                deck = sabotaged(sandbox, case.ground_truth.name, name, touched(asked))
                if deck is None:
                    continue
                path = folder / f"{case.ground_truth.stem}-{number}.pptx"
                path.write_bytes(deck)
                yield case, name, compare(case, path, decks).edit


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.arena_sabotages")
    parser.add_argument("--case", action="append")
    parser.add_argument("--sabotage", action="append")
    parser.add_argument("--no-pictures", action="store_true")
    given = parser.parse_args(arguments)
    found: dict[str, list[float]] = defaultdict(list)
    faults = 0
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        cases = starter_cases(folder / "cases", given.case or ())
        cache = Cache(folder / "cache")
        with Decks(pictures=not given.no_pictures, renderer=Renderer(cache=cache)) as decks:
            for case, name, edit in tried(cases, given.sabotage or list(SABOTAGES), decks, folder):
                if isinstance(edit, NotScored) or edit >= 1:
                    faults += 1
                    print(f"{case.name}: {name}: {edit}", flush=True)
                if not isinstance(edit, NotScored):
                    found[name].append(edit)
    print(f"\n{'sabotage':32}{'kind':>9}{'fits':>6}{'mean':>7}{'most':>7}")
    for name, scores in found.items():
        mean = sum(scores) / len(scores)
        print(f"{name:32}{SABOTAGES[name]:>9}{len(scores):6}{mean:7.2f}{max(scores):7.2f}")
    count = sum(map(len, found.values()))
    print(f"\n{count} spoilt truths, {faults} worth as much as the truth")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
