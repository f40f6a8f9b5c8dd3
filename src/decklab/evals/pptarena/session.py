"""Whole runs of ``decklab bench pptarena``: editors on cases, checks, and their findings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from functools import partial
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any

from inspect_ai.model import Model

from decklab.core.errors import DeckError
from decklab.core.files import write_whole
from decklab.core.options import (
    BASELINE_EDITORS,
    AgentOptions,
    EditLimits,
    EditorAccess,
    JudgeOptions,
    Spending,
    names_function,
)
from decklab.core.output_folder import begin_run_folder, check_run_folder
from decklab.core.results import NotScored
from decklab.editor.rounds import ModelEditOptions
from decklab.evals.editors.baselines import agent as own_agent
from decklab.evals.editors.baselines import editor_for
from decklab.evals.editors.isolation import EditorFor, isolation_facts
from decklab.evals.judges.editing.judging import judge_agreement
from decklab.evals.pptarena.board import board, board_csv, scores_csv
from decklab.evals.pptarena.case_decks import Decks
from decklab.evals.pptarena.cases import Case, CaseSet, chosen, in_subset, load_cases, slug
from decklab.evals.pptarena.checking import CaseCheck, self_check
from decklab.evals.pptarena.external import ExternalDecks, external_editor, find_external
from decklab.evals.pptarena.progress import ArenaProgress, ArenaWatch
from decklab.evals.pptarena.reference_scores import COMPANIONS, compare
from decklab.evals.pptarena.report import EVERY_KIND, FLAWED, ArenaEditor, ArenaRun, write_pages
from decklab.evals.pptarena.running import (
    BOARD_FILE,
    PREDICTIONS,
    SCORES,
    CaseResult,
    Judge,
    judging,
    secrets_of,
)
from decklab.evals.pptarena.starter import ATTEMPTS, BASELINES, starter_cases
from decklab.evals.pptarena.starter import attempts as flawed
from decklab.evals.pptarena.tables import (
    COLUMNS,
    Difficulty,
    RankCheck,
    difficulty,
    difficulty_table,
    ordering,
)
from decklab.evals.pptarena.task import run_editors
from decklab.models.inspect import open_model
from decklab.models.model_run import ModelRun, begin_run
from decklab.pages.files import strict_json
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
    predictions: Mapping[str, Path] | None = None,
    model: str | None = None,
    limits: EditLimits | None = None,
    access: EditorAccess | None = None,
    agent: AgentOptions | None = None,
    judges: JudgeOptions | None = None,
    spending: Spending | None = None,
    pictures: bool = True,
    check: bool = True,
    check_judge: bool = False,
    overwrite: bool = False,
    progress: ArenaProgress = lambda event: None,
) -> ArenaRun:
    """Run ``editors`` on ``cases``, all or those of ``subset`` and ``names``, and write decks, log,
    pages, ``results.json`` and ``board.csv`` to ``out``. Without ``cases`` the starter set is
    written there and used.

    An editor is a baseline, a function, or a model with which decklab's agent edits; folders of
    decks in ``predictions`` count as further editors by their names. Functions of others may ask
    ``model``. ``spending`` bounds and keeps what models are asked; when it is spent, what is left
    is not scored. ``progress`` is called with what goes on, first when everything is ready. Until
    then it raises DecklabError or OSError for anything missing or wrong. See `run_session`.
    """
    how, starter = judges or JudgeOptions(), cases is None
    with ExitStack() as stack:
        kept = spending is not None and spending.record is not None
        check_run_folder(out, overwrite=overwrite or kept)
        whole, found = _cases(cases or out / STARTER, starter=starter, subset=subset, names=names)
        notes: list[Callable[[str], object]] = []
        external = {
            name: find_external(folder, found, name=name, known=whole)
            for name, folder in (predictions or {}).items()
        }
        facts = _facts(found, editors, external, agent, how)
        facts |= {"model": model, "pictures": pictures, "check": check and check_judge}
        models = begin_run(spending, facts, tell=partial(_tell, notes))
        begin_run_folder(out, overwrite=overwrite or models.resumed)
        judge, second = [*_judges(stack, how, models), None, None][:2]
        known = open_model(model) if model else None
        hidden = secrets_of(found, out, *models.folders)
        every = {
            name: _editor(stack, name, models, agent=agent, draw=pictures)
            or editor_for(name, BASELINES, limits=limits, access=access, hidden=hidden)
            for name in editors
        }
        isolation = _isolation(every, found)
        every |= {name: external_editor(decks) for name, decks in external.items()}
        watch = ArenaWatch(progress, len(found) * (len(every) + len(ATTEMPTS) * starter))
        notes.append(watch.tell)
        decks = stack.enter_context(Decks(pictures=pictures))
        run = run_session(
            found, every, out / PREDICTIONS, decks=decks, model=known, check=check,
            check_judge=check_judge, judge=judge, second=second,
            attempts=out / STARTER if starter else None, models=models, watch=watch,
        )  # fmt: skip
        told = [line for made in external.values() for line in made.sentences]
        run = replace(run, kept_apart=isolation, facts=(*told, *run.facts))
        write_pages(run, out, decks)
    _write_results(run, out)
    return run


def _cases(
    place: Path, *, starter: bool, subset: Path | None, names: Sequence[str]
) -> tuple[CaseSet, CaseSet]:
    """The whole set at ``place``, where the starter set is written, and the cases to run."""
    if starter:
        found = starter_cases(place, names)
        return found, found
    whole = load_cases(place)
    return whole, chosen(in_subset(whole, subset) if subset else whole, names)


def _facts(
    cases: CaseSet,
    editors: Sequence[str],
    external: Mapping[str, ExternalDecks],
    agent: AgentOptions | None,
    judges: JudgeOptions,
) -> dict[str, Any]:
    """What a record has to know of a run."""
    return {
        "command": "bench pptarena",
        "decklab": version("decklab"),
        "cases": cases.version,
        "names": [case.name for case in cases],
        "editors": list(editors),
        "predictions": sorted(external),
        "agent": agent and asdict(agent),
        "judges": asdict(judges),
    }


def _tell(listeners: Sequence[Callable[[str], object]], line: str) -> None:
    """Pass a line on to those who listen by now."""
    for listener in listeners:
        listener(line)


def _write_results(run: ArenaRun, out: Path) -> None:
    for editor in run.tried:
        text = scores_csv(editor.results, run.left_out)
        write_whole(out / SCORES / f"{slug(editor.name)}.csv", text.encode())
    write_whole(out / BOARD_FILE, board_csv(run.board).encode())
    write_whole(out / "results.json", (strict_json(run.to_json()) + "\n").encode())


def _judges(stack: ExitStack, how: JudgeOptions, models: ModelRun) -> list[Judge]:
    asks = [stack.enter_context(models.asking(name)) for name in how.models]
    kind, warmth = how.configuration, how.temperature
    return [
        judging(
            ask, configuration=kind, temperature=warmth, repeats=how.repeats, secret=models.secret
        )
        for ask in asks
    ]


def _editor(
    stack: ExitStack, name: str, models: ModelRun, *, agent: AgentOptions | None, draw: bool
) -> EditorFor[Case] | None:
    """decklab's agent with the model of that name; None for the name of another editor."""
    if name in BASELINES or names_function(name):
        return None
    check_isolation()
    how = agent or AgentOptions()
    return own_agent(
        stack.enter_context(models.asking(name)),
        ended=lambda: models.costs.ended,
        options=ModelEditOptions(paths=how.paths, rounds=how.rounds),
        draw=draw,
    )


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
    models: ModelRun | None = None,
    watch: ArenaWatch | None = None,
) -> ArenaRun:
    """Run editors on cases; their decks go to ``folder``, one folder for each editor.
    Functions of others may ask ``model``.

    ``check`` adds the self-check; with ``check_judge`` that asks the judge as well, three times a
    case. ``attempts`` is the folder of the starter set: its flawed attempts are graded as the work
    of three more editors. ``models`` counts what is asked, and ``watch`` is told what goes on.
    """
    models, every = models or ModelRun(), dict(editors)
    watch = watch or ArenaWatch(lambda event: None, len(cases) * len(editors))
    if attempts is not None:
        every |= {f"{FLAWED}{kind}": flawed(attempts, kind) for kind in ATTEMPTS}
    judges = [one for one in (judge, second) if one is not None]
    runs = run_editors(
        cases, every, folder, decks=decks, model=model, run=models, begin=watch.begin,
        report=lambda name, result: watch.finish(result.case.name, name, _ended(result)),
        judges=lambda name: judges if name in editors else (),
    )  # fmt: skip
    checks = self_check(cases, decks=decks, judge=judge if check_judge else None) if check else ()
    run = ArenaRun(
        f"PPTArena, {'starter set' if attempts else cases.path.name}",
        cases.version,
        COLUMNS,
        tuple(ArenaEditor.of(name, results) for name, results in runs.items()),
        difficulty=tuple(difficulty_table(_difficulties(cases, decks))),
        orders={} if attempts is None else _orders(cases, runs, decks),
        board=tuple(
            board(
                {name: runs[name] for name in editors},
                left_out=len(cases.left_out),
                prices=models.costs.prices,
            )
        ),
        left_out=cases.left_out,
        spent=models.words,
        ended=models.costs.ended,
    )
    facts = (
        *cases.sentences,
        *_check_facts(checks),
        *_order_facts(run.order),
        *agreement_facts(runs),
    )
    return replace(run, facts=facts)


def _ended(result: CaseResult) -> str:
    """How an edit ended and what it is worth, for a line of progress."""
    seconds = "" if result.seconds is None else f", {result.seconds:.1f} s"
    values = {name: result.value(name) for name in ("edit", "IF", "VQ")}
    scores = [
        f"{name} {value:.2f}" for name, value in values.items() if not isinstance(value, NotScored)
    ]
    return ", ".join([f"{result.edited.ending}{seconds}", *scores])


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
    facts += [f"{check.case.name}: {fault}." for check in checks for fault in check.faults]
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
