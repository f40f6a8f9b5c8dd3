"""All of ``decklab bench pptarena``: cases, editors, checks, and what is told of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from inspect_ai.model import Model

from decklab.benchmarks.editors.isolation import EditorFor
from decklab.benchmarks.pptarena.case_decks import Decks
from decklab.benchmarks.pptarena.cases import Case, CaseSet
from decklab.benchmarks.pptarena.checking import CaseCheck, self_check
from decklab.benchmarks.pptarena.editors import attempts as flawed
from decklab.benchmarks.pptarena.reference_scores import COMPANIONS, compare
from decklab.benchmarks.pptarena.running import CaseResult, Judge
from decklab.benchmarks.pptarena.starter import ATTEMPTS
from decklab.benchmarks.pptarena.tables import (
    Difficulty,
    DifficultyRow,
    RankCheck,
    difficulty,
    difficulty_table,
    ordering,
)
from decklab.benchmarks.pptarena.task import run_editors
from decklab.errors import DeckError, UnknownName
from decklab.judges.editing.agreement import judge_agreement
from decklab.results import NotScored

ALL = "all"
FLAWED = "attempt: "
"""How the names begin under which attempts that are flawed on purpose are run."""


@dataclass(frozen=True)
class PptArenaRun:
    """What came of a run."""

    cases: CaseSet
    runs: Mapping[str, Sequence[CaseResult]]
    """By the name of the editor."""
    facts: tuple[str, ...]
    difficulty: tuple[DifficultyRow, ...]
    checks: tuple[CaseCheck, ...] = ()
    orders: Mapping[str, Mapping[str, RankCheck]] = field(default_factory=dict)
    """Of truths and flawed attempts, by companion and by kind of attempt, where ``ALL`` is every
    kind; of the starter set only."""

    @property
    def order(self) -> RankCheck | None:
        """By ``edit``, the companion that goes by all of an edit, over all attempts."""
        return self.orders["edit"][ALL] if self.orders else None


def chosen(cases: CaseSet, names: Sequence[str]) -> CaseSet:
    """The cases of these names, all without any; UnknownName for one that there is not."""
    known = {case.name for case in cases}
    for name in names:
        if name not in known:
            raise UnknownName(f"{cases.path}: no case named {name!r}")
    kept = tuple(case for case in cases if not names or case.name in names)
    return replace(cases, cases=kept)


def run_session(
    cases: CaseSet,
    editors: Mapping[str, EditorFor[Case]],
    folder: Path,
    *,
    decks: Decks,
    model: Model | None = None,
    judge: Judge | None = None,
    second: Judge | None = None,
    check: bool = True,
    check_judge: bool = False,
    attempts: Path | None = None,
    report: Callable[[CaseResult], None] | None = None,
) -> PptArenaRun:
    """Put editors to cases; their decks go to ``folder``, one folder for each editor.
    Functions of others may ask ``model``.

    ``check`` adds the self-check, in which ``check_judge`` has the judge asked as well, three
    times a case. ``attempts``, the folder of the starter set, runs its flawed attempts as if three
    more editors had made them.
    """
    every = dict(editors)
    if attempts is not None:
        every |= {f"{FLAWED}{kind}": flawed(attempts, kind) for kind in ATTEMPTS}
    asked_of = [one for one in (judge, second) if one is not None]
    runs = run_editors(
        cases, every, folder, decks=decks, model=model, report=report,
        judges=lambda name: asked_of if name in editors else (),
    )  # fmt: skip
    asked = judge if check_judge else None
    checks = tuple(self_check(cases, decks=decks, judge=asked)) if check else ()
    done = PptArenaRun(
        cases,
        runs,
        (),
        tuple(difficulty_table(_difficulties(cases, decks))),
        checks,
        {} if attempts is None else _orders(cases, runs, decks),
    )
    facts = (*_check_facts(checks), *_order_facts(done.order), *agreement_facts(runs))
    return replace(done, facts=facts)


def _difficulties(cases: CaseSet, decks: Decks) -> Iterator[tuple[Case, Difficulty]]:
    """Of the cases that can be read; the self-check names the others."""
    for case in cases:
        try:
            edit = decks.edit(case.original, case.ground_truth)
        except DeckError:
            continue
        yield case, difficulty(case, edit)


def _orders(
    cases: CaseSet, runs: Mapping[str, Sequence[CaseResult]], decks: Decks
) -> dict[str, dict[str, RankCheck]]:
    truths = {case.name: compare(case, case.ground_truth, decks) for case in cases}
    found: dict[str, dict[str, RankCheck]] = {}
    for companion in COMPANIONS:
        best = {name: truth.value(companion) for name, truth in truths.items()}
        scores = {
            kind: [(one.case.name, kind, one.value(companion)) for one in runs[f"{FLAWED}{kind}"]]
            for kind in ATTEMPTS
        }
        found[companion] = {kind: ordering(best, some) for kind, some in scores.items()}
        found[companion][ALL] = ordering(best, chain.from_iterable(scores.values()))
    return found


def _check_facts(checks: Sequence[CaseCheck]) -> list[str]:
    if not checks:
        return []
    sound = sum(not one.faults for one in checks)
    told = [f"Self-check: {sound} of {len(checks)} cases are sound."]
    told += [f"{one.case.name}: {fault}." for one in checks for fault in one.faults]
    told += [f"{one.case.name}: {note}." for one in checks for note in one.notes]
    return told


def _order_facts(order: RankCheck | None) -> list[str]:
    if order is None or isinstance(order.share, NotScored):
        return []
    told = [
        f"The companions put the truth above the flawed attempt in {order.right} of {order.pairs} "
        f"pairs ({order.share:.0%})."
    ]
    return told + [f"Not so: {case}, {kind}." for case, kind in order.wrong]


def agreement_facts(runs: Mapping[str, Sequence[CaseResult]]) -> list[str]:
    """How far the two judges agree, in sentences; nothing where there is no second one."""
    told = []
    for place, name in enumerate(("IF", "VQ")):
        both = [
            (result.value(name), result.second[place][1].score)
            for results in runs.values()
            for result in results
            if result.second
        ]
        if not both:
            continue
        found = judge_agreement([a for a, _ in both], [b for _, b in both])
        if isinstance(found.exact, NotScored) or isinstance(found.near, NotScored):
            told.append(f"{name}: the two judges cannot be compared: no case was scored by both.")
            continue
        tau = found.tau_b
        rank = f"; tau-b {tau:.2f}" if isinstance(tau, float) else ""
        told.append(
            f"{name}: the two judges give the same score in {found.exact:.0%} and scores at most "
            f"one apart in {found.near:.0%} of {found.pairs} cases{rank}."
        )
    return told
