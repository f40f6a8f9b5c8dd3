"""How much faster a diff is than the diff evaluator of PPT-Eval.

What that evaluator does is known from paper 001 (appendix A.1.3) and its repository
(microsoft/ppteval, commit 8ebb460): it opens both decks with python-pptx, twice. Once every slide
is unzipped, parsed and searched for its transition and its animations; once it is serialised,
hashed, parsed, turned into nested dictionaries and asked for title, layout, notes and number of
shapes. Then slides, transitions and animations are compared by slide id. It draws no pictures for
that. Its code is not used here. ``bench.plain_diff`` is ours, written plainly to take the same
steps with the same libraries and to give the same kinds of findings; xmltodict's place is taken by
a function of ours. Side by side on the same pairs, on one machine, it took 0.92 of the time of the
evaluator's own steps (0.75 to 1.13 by deck), so that the ratios below are rather too low.
Who has the repository can have the evaluator itself run in its place: with ``--evaluator CHECKOUT``
the class ``PowerPointDiffEvaluator`` is taken from there.

Both sides read both files and compare them, in turns, in one run; processor time is taken. The
reference says which slides differ, decklab what on them does. Three pairs of decks: a deck and what
one edit made of it; up to ten edits on as many slides, saved by python-pptx, which writes every
part anew; and a changed theme colour.

Run as ``python -m bench.diffing [FOLDER] [--evaluator CHECKOUT]``; without a folder the decks of
about 40 slides of ``../shared/decks/real``, or one of 40 slides made from the samples where those
are absent.
"""

import argparse
import gc
import importlib
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import geometric_mean, median

from pptx import Presentation
from tests.diffing.edits import EDITS, edit_deck

from bench.measuring import Cost, cost_of, remember
from bench.plain_diff import reference
from decklab.deck.deck import write_samples
from decklab.diffing.decks import diff_packages
from decklab.editing.slide_operations import clone_slide
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries

REAL = Path(__file__).parents[2] / "shared" / "decks" / "real"
ABOUT_40 = range(34, 49)
BUDGET = 10.0
ROUNDS = 5
SEED = 11
_MANY = [kind for kind in sorted(EDITS) if not kind.startswith(("theme", "master", "layout"))]
CASES = {
    "one edit": (["word"], False),
    "ten edits, saved by python-pptx": (_MANY[::4][:10], True),
    "the theme": (["theme color"], False),
}

Comparison = Callable[[Path, Path], object]


def main(arguments: list[str]) -> int:
    """Print a table and the ratios; 1 where the budget is missed."""
    options = _options(arguments)
    evaluate = _evaluator(options.evaluator) if options.evaluator else reference
    missed = False
    with tempfile.TemporaryDirectory() as name:
        decks = _decks(options.folder, Path(name))
        for case, (kinds, resave) in CASES.items():
            print(f"\n{case:44} {'slides':>6} {'reference':>10} {'decklab':>9} {'faster':>7}")
            ratios, commands = [], []
            for deck in decks:
                edited = Path(name) / "edited.pptx"
                edit_deck(deck, edited, kinds, SEED)
                if resave:
                    Presentation(str(edited)).save(str(edited))
                theirs, ours = _paces(evaluate, deck, edited)
                ratios.append(theirs / ours)
                print(f"{deck.stem[:44]:44} {_count(deck):6} {theirs * 1000:7.0f} ms "
                      f"{ours * 1000:6.0f} ms {theirs / ours:6.1f}x", flush=True)  # fmt: skip
                commands.append(_commands(deck, edited))
            missed |= _missed(f"diff, {case}", ratios)
            whole = [theirs.seconds / ours.seconds for theirs, ours in commands]
            said = remember(f"diff, {case}, whole command", geometric_mean(whole), BUDGET,
                            ours=commands[-1][1], theirs=commands[-1][0])  # fmt: skip
            print(f"diff, {case}, whole command with the start of Python: "
                  f"{geometric_mean(whole):.1f} times, {min(whole):.1f} to {max(whole):.1f}; "
                  f"{said}")  # fmt: skip
    return int(missed)


def _missed(name: str, ratios: list[float]) -> bool:
    ratio = geometric_mean(ratios)
    verdict = "met" if ratio >= BUDGET else "MISSED"
    print(f"{name}: {ratio:.1f} times faster than the reference, {min(ratios):.1f} "
          f"to {max(ratios):.1f} (budget {BUDGET:g}): {verdict}; "
          f"{remember(name, ratio, BUDGET)}")  # fmt: skip
    return ratio < BUDGET


def _commands(before: Path, after: Path) -> tuple[Cost, Cost]:
    """The comparison as a whole command, by the reference and by ``decklab diff``."""
    decks = [str(before), str(after)]
    theirs = [sys.executable, "-m", "bench.plain_diff", *decks]
    ours = [str(Path(sys.executable).with_name("decklab")), "diff", *decks]
    return cost_of([theirs]), cost_of([ours], codes=(0, 1))


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.diffing")
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--evaluator", type=Path, metavar="CHECKOUT")
    return parser.parse_args(arguments)


def _evaluator(checkout: Path) -> Comparison:
    """The evaluator itself, from a copy of its repository."""
    sys.path.insert(0, str(checkout))
    found = importlib.import_module("ppteval.verify.ppt.diff")

    def compare(before: Path, after: Path) -> object:
        return found.PowerPointDiffEvaluator().compare_files(str(before), str(after))

    return compare


def _paces(evaluate: Comparison, before: Path, after: Path) -> tuple[float, float]:
    rounds = [(_timed(evaluate, before, after), _timed(_ours, before, after))
              for _ in range(ROUNDS)]  # fmt: skip
    return median(one for one, _ in rounds), median(other for _, other in rounds)


def _timed(work: Comparison, before: Path, after: Path) -> float:
    gc.collect()
    started = time.process_time()
    work(before, after)
    return time.process_time() - started


def _ours(before: Path, after: Path) -> object:
    with Package.open(before) as old, Package.open(after) as new:
        return diff_packages(old, new).as_json()


def _count(path: Path) -> int:
    with Package.open(path) as package:
        return len(slide_entries(package))


def _decks(folder: Path | None, room: Path) -> list[Path]:
    if folder is not None:
        return sorted(folder.glob("*.pptx"))
    if REAL.is_dir():
        return [path for path in sorted(REAL.glob("*.pptx")) if _count(path) in ABOUT_40]
    sample = write_samples(room / "samples")[0]
    with Package.open(sample) as package:
        draft = Draft(package)
        slides = len(slide_entries(draft))
        for copy in range(40 - slides):
            clone_slide(draft, 1 + copy % slides)
        return [draft.save(room / "forty.pptx")]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
