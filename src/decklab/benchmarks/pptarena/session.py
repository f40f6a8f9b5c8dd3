"""Whole runs of ``decklab bench pptarena``: editors on cases, checks, and their findings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import Any

from inspect_ai.model import Model

from decklab.agents.editor.model_editor import ModelEditOptions
from decklab.benchmarks.editors.baselines import agent as own_agent
from decklab.benchmarks.editors.baselines import editor_for
from decklab.benchmarks.editors.isolation import EditorFor, isolation_facts
from decklab.benchmarks.editors.protocol import EditTask
from decklab.benchmarks.pptarena.case_decks import Decks
from decklab.benchmarks.pptarena.cases import Case, CaseSet, chosen, load_cases
from decklab.benchmarks.pptarena.checking import CaseCheck, self_check
from decklab.benchmarks.pptarena.reference_scores import COMPANIONS, compare
from decklab.benchmarks.pptarena.report import (
    EVERY_KIND,
    FLAWED,
    ArenaEditor,
    ArenaRun,
    write_pages,
)
from decklab.benchmarks.pptarena.running import PREDICTIONS, CaseResult, Judge, judging, secrets_of
from decklab.benchmarks.pptarena.starter import ATTEMPTS, BASELINES, starter_cases
from decklab.benchmarks.pptarena.starter import attempts as flawed
from decklab.benchmarks.pptarena.starter import predictions as made_elsewhere
from decklab.benchmarks.pptarena.tables import (
    COLUMNS,
    Difficulty,
    RankCheck,
    difficulty,
    difficulty_table,
    ordering,
)
from decklab.benchmarks.pptarena.task import run_editors
from decklab.errors import DeckError
from decklab.files import check_run_folder, write_whole
from decklab.judges.editing.judging import judge_agreement
from decklab.models.asking import Ask
from decklab.models.inspect import open_model
from decklab.models.opening import open_asking
from decklab.options import (
    BASELINE_EDITORS,
    AgentOptions,
    EditLimits,
    EditorAccess,
    JudgeOptions,
    names_function,
)
from decklab.reports.files import strict_json
from decklab.results import NotScored
from decklab.sandbox.sandbox import check_isolation

STARTER = "starter"
"""Folder of the starter set, in the folder of a run."""


def bench_pptarena(
    out: Path,
    *,
    cases: Path | None = None,
    subset: Path | None = None,
    names: Sequence[str] = (),
    editors: Sequence[str] = BASELINE_EDITORS,
    predictions: Path | None = None,
    model: str | None = None,
    limits: EditLimits | None = None,
    access: EditorAccess | None = None,
    agent: AgentOptions | None = None,
    judges: JudgeOptions | None = None,
    pictures: bool = True,
    check: bool = True,
    check_judge: bool = False,
    overwrite: bool = False,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> ArenaRun:
    """Run ``editors`` on ``cases``, all or those of ``subset`` and ``names``, and write decks, log, pages and
    ``results.json`` to ``out``. Without ``cases`` the starter set is written there and used.

    An editor is a baseline, a function, or a model with which decklab's agent edits; decks in
    ``predictions`` count as one more editor. Functions of others may ask ``model``. ``progress`` is
    called with the number of edits done and of all, first with 0 when everything is ready. Until
    then it raises DecklabError or OSError for anything missing or wrong. See `run_session`.
    """
    with ExitStack() as stack:
        check_run_folder(out, overwrite=overwrite)
        judge, second = [*_judges(stack, judges or JudgeOptions()), None, None][:2]
        starter = cases is None
        if cases is None:
            found = starter_cases(out / STARTER, names)
        else:
            found = chosen(load_cases(cases, subset=subset), names)
        known = open_model(model) if model else None
        if any(name not in BASELINES and not names_function(name) for name in editors):
            check_isolation()
        every: dict[str, EditorFor[Case]] = {
            name: editor_for(
                name, BASELINES, limits=limits, access=access, hidden=secrets_of(found, out)
            )
            if name in BASELINES or names_function(name)
            else _agent(stack.enter_context(open_asking(name)), agent, draw=pictures)
            for name in editors
        }
        isolation = _isolation(every, found)
        if predictions is not None:
            every[predictions.name] = made_elsewhere(predictions)
        total = len(found) * (len(every) + len(ATTEMPTS) * starter)
        done = count(1)
        progress(0, total)
        decks = stack.enter_context(Decks(pictures=pictures))
        run = run_session(
            found, every, out / PREDICTIONS, decks=decks, model=known, check=check,
            check_judge=check_judge, judge=judge, second=second,
            attempts=out / STARTER if starter else None,
            report=lambda _: progress(next(done), total),
        )  # fmt: skip
        title = "PPTArena, starter set" if starter else run.title
        run = replace(run, title=title, kept_apart=isolation)
        write_pages(run, out, decks)
    write_whole(out / "results.json", (strict_json(run.to_json()) + "\n").encode())
    return run


def _judges(stack: ExitStack, how: JudgeOptions) -> list[Judge]:
    asks = [stack.enter_context(open_asking(name)) for name in how.models]
    kind, warmth = how.configuration, how.temperature
    return [
        judging(ask, configuration=kind, temperature=warmth, repeats=how.repeats) for ask in asks
    ]


def _agent(ask: Ask, how: AgentOptions | None, *, draw: bool) -> EditorFor[EditTask]:
    how = how or AgentOptions()
    options = ModelEditOptions(paths=how.paths, rounds=how.rounds)
    return own_agent(ask, options=options, draw=draw)


def _isolation(editors: Mapping[str, EditorFor[Case]], cases: CaseSet) -> dict[str, Any]:
    """How editors are isolated, by the names of the isolated editors."""
    facts = {
        name: isolation_facts(editors[name](case)) for name in editors for case in cases.cases[:1]
    }
    return {name: how for name, how in facts.items() if how}


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
    report: Callable[[CaseResult], object] = lambda result: None,
) -> ArenaRun:
    """Run editors on cases; their decks go to ``folder``, one folder for each editor.
    Functions of others may ask ``model``.

    ``check`` adds the self-check; with ``check_judge`` that asks the judge as well, three times a
    case. ``attempts`` is the folder of the starter set: its flawed attempts are graded as the work
    of three more editors.
    """
    every = dict(editors)
    if attempts is not None:
        every |= {f"{FLAWED}{kind}": flawed(attempts, kind) for kind in ATTEMPTS}
    judges = [one for one in (judge, second) if one is not None]
    runs = run_editors(
        cases, every, folder, decks=decks, model=model, report=report,
        judges=lambda name: judges if name in editors else (),
    )  # fmt: skip
    checks = self_check(cases, decks=decks, judge=judge if check_judge else None) if check else ()
    run = ArenaRun(
        f"PPTArena, {cases.path.name}",
        cases.version,
        COLUMNS,
        tuple(ArenaEditor.of(name, results) for name, results in runs.items()),
        difficulty=tuple(difficulty_table(_difficulties(cases, decks))),
        orders={} if attempts is None else _orders(cases, runs, decks),
    )
    facts = (
        *cases.sentences,
        *_check_facts(checks),
        *_order_facts(run.order),
        *agreement_facts(runs),
    )
    return replace(run, facts=facts)


def _difficulties(cases: CaseSet, decks: Decks) -> Iterator[tuple[Case, Difficulty]]:
    """The difficulty of cases that can be read; the self-check reports the others."""
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
        found[companion][EVERY_KIND] = ordering(best, chain.from_iterable(scores.values()))
    return found


def _check_facts(checks: Sequence[CaseCheck]) -> list[str]:
    if not checks:
        return []
    sound = sum(not one.faults for one in checks)
    facts = [f"Self-check: {sound} of {len(checks)} cases are sound."]
    facts += [f"{one.case.name}: {fault}." for one in checks for fault in one.faults]
    facts += [f"{one.case.name}: {note}." for one in checks for note in one.notes]
    return facts


def _order_facts(order: RankCheck | None) -> list[str]:
    if order is None or isinstance(order.share, NotScored):
        return []
    facts = [
        f"The companions put the truth above the flawed attempt in {order.right} of {order.pairs} "
        f"pairs ({order.share:.0%})."
    ]
    return facts + [f"Not so: {case}, {kind}." for case, kind in order.wrong]


def agreement_facts(runs: Mapping[str, Sequence[CaseResult]]) -> list[str]:
    """Sentences on how far the two judges agree; empty where there is no second judge."""
    facts = []
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
            facts.append(f"{name}: the two judges cannot be compared: no case was scored by both.")
            continue
        tau = found.tau_b
        rank = f"; tau-b {tau:.2f}" if isinstance(tau, float) else ""
        facts.append(
            f"{name}: the two judges give the same score in {found.exact:.0%} and scores at most "
            f"one apart in {found.near:.0%} of {found.pairs} cases{rank}."
        )
    return facts
