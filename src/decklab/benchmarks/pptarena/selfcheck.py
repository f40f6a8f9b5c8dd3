"""Whether a set of cases can tell good edits from bad ones."""

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from decklab.benchmarks.pptarena.cases import Case
from decklab.benchmarks.pptarena.companions import Companions, compare
from decklab.benchmarks.pptarena.damage import spoil
from decklab.benchmarks.pptarena.decks import Decks
from decklab.benchmarks.pptarena.running import Judge
from decklab.errors import DecklabError
from decklab.results import NotScored

PASSING = 4.0
"""IF and VQ from which a judge is taken to be content. Ours: at 4 all that was asked is there."""

BEST = 5.0


@dataclass(frozen=True)
class CaseCheck:
    """What was found of one case; without ``faults`` it is sound."""

    case: Case
    faults: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """What could not be checked, and why."""


def self_check(
    cases: Iterable[Case], *, decks: Decks, judge: Judge | None = None
) -> list[CaseCheck]:
    """Check each case: the untouched original must not pass, the truth must, and the truth with
    collateral damage must lose preservation (or VQ, with a judge).

    A judge's marks are checked besides those of the companions, with ``PASSING`` for a pass.
    """
    with tempfile.TemporaryDirectory() as scratch:
        return [
            _checked(case, Path(scratch) / f"spoilt-{number}.pptx", decks, judge)
            for number, case in enumerate(cases)
        ]


def _checked(case: Case, scratch: Path, decks: Decks, judge: Judge | None) -> CaseCheck:
    try:
        same = compare(case, case.original, decks)
        best = compare(case, case.ground_truth, decks)
        if not same.agreement.missing:
            return CaseCheck(case, ("original and truth are the same",))
        found = [
            *_of_companions(same, best),
            *_judged(case, decks, judge),
            *_of_damage(case, best, scratch, decks, judge),
        ]
    except DecklabError as error:
        return CaseCheck(case, (str(error),))
    faults = tuple(one for one in found if isinstance(one, str))
    return CaseCheck(case, faults, tuple(one.reason for one in found if not isinstance(one, str)))


def _of_companions(same: Companions, best: Companions) -> Iterator[str]:
    if same.passed:
        yield "the untouched original passes"
    if not best.passed:
        yield "the truth does not pass"


def _judged(case: Case, decks: Decks, judge: Judge | None) -> Iterator[str | NotScored]:
    """A fault, or why there was no verdict."""
    if judge is None:
        return
    for path, name, should in (
        (case.original, "the untouched original", False),
        (case.ground_truth, "the truth", True),
    ):
        scores = [verdict.score for verdict in judge(case, path, decks)]
        missing = [score.reason for score in scores if isinstance(score, NotScored)]
        if missing:
            yield NotScored(f"{name} was not judged: {missing[0]}")
            continue
        passed = all(score >= PASSING for score in scores if not isinstance(score, NotScored))
        if passed is not should:
            yield f"{name} {'passes' if passed else 'does not pass'} with the judges"


def _of_damage(
    case: Case, best: Companions, scratch: Path, decks: Decks, judge: Judge | None
) -> Iterator[str | NotScored]:
    done = spoil(case.ground_truth, best.asked, scratch)
    if isinstance(done, NotScored):
        yield NotScored(f"no collateral damage was tried: {done.reason}")
        return
    kept = compare(case, scratch, decks).preservation.share
    visual = judge(case, scratch, decks)[1].score if judge else NotScored("no judge was asked")
    if isinstance(kept, NotScored) or kept == 1:
        if isinstance(visual, NotScored) or visual == BEST:
            yield f"collateral damage goes unseen: {done}"
    elif visual == BEST:
        yield NotScored(f"preservation sees the collateral damage, VQ does not: {done}")
