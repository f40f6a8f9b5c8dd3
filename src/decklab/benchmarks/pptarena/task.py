"""The Inspect task ``pptarena``: an editor as solver, judges and companions as scorer."""

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import anyio.to_thread
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import concurrency

from decklab.benchmarks.editors.places import Outside
from decklab.benchmarks.editors.room import EditorRoom, kept_apart, words
from decklab.benchmarks.editors.session import EditLimits, Trusted
from decklab.benchmarks.pptarena.cases import Case, CaseSet, load_cases
from decklab.benchmarks.pptarena.companions import COMPANIONS
from decklab.benchmarks.pptarena.decks import Decks
from decklab.benchmarks.pptarena.editors import BASELINES, Edited, Editor, apart, with_model
from decklab.benchmarks.pptarena.judging import Configuration, judging
from decklab.benchmarks.pptarena.running import CaseResult, Judge, compared, edited_by
from decklab.benchmarks.pptarena.session import secrets_of
from decklab.benchmarks.pptarena.starter import slug, starter_cases
from decklab.judges.editing.verdict import TEMPERATURE
from decklab.models.inspect import asking_from_thread, open_model
from decklab.results import NotScored

NONE = "none/none"
"""How Inspect AI calls the model of a run that has none."""
AGENT = "agent"
"""Name of the editor that is decklab's agent with the task's model."""


@solver
def edit_with(cases: CaseSet, editor: Editor | None, out: str) -> Solver:
    """Have an editor, or decklab's agent with the task's model, edit the deck of each case."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = get_model()
        used = editor or with_model(asking_from_thread(model), draw=True)
        if isinstance(used, EditorRoom):
            used = apart(used, None if str(model) == NONE else asking_from_thread(model))
        case = _case(cases, state)
        path = Path(out) / f"{slug(case.name)}.pptx"
        async with concurrency("decklab-editor", 1):  # LibreOffice and the sandbox fill a machine
            edited, seconds, prediction = await _in_thread(edited_by, used, case, path)
        state.metadata.update(
            prediction=str(prediction), ending=edited.ending, note=edited.note, seconds=seconds
        )
        state.output.completion = f"{edited.ending}: {edited.note}".rstrip(": ")
        return state

    return solve


@metric
def table_3() -> Metric:
    """Means by category, as ``content_IF``, and over all cases, as ``IF``, each over the cases
    that have the value."""

    def tabled(scores: list[SampleScore]) -> Value:
        found: dict[str, list[float]] = {}
        for one in scores:
            values, told = one.score.value, one.score.metadata or {}
            if not isinstance(values, dict):
                continue  # not scored
            places = ["", *(f"{name.lower()}_" for name in told.get("categories", []))]
            for name, value in values.items():
                assert isinstance(value, int | float), "all scores of editing are numbers"
                for place in places:
                    found.setdefault(f"{place}{name}", []).append(value)
        return {name: fmean(values) for name, values in found.items()}

    return tabled


@scorer(metrics=[table_3()])
def editing(
    cases: CaseSet,
    judge: str | None = None,
    configuration: Configuration = "dual",
    *,
    temperature: float | None = TEMPERATURE,
    repeats: int = 1,
    pictures: bool = True,
) -> Scorer:
    """Companions of each prediction, and IF and VQ where a judge is named; what was not scored is
    in no mean, and the metadata says why."""

    async def score(state: TaskState, target: Target) -> Score:
        asked: Judge | None = None
        if judge is not None:
            asked = judging(
                asking_from_thread(open_model(judge)), configuration=configuration,
                temperature=temperature, repeats=repeats,
            )  # fmt: skip
        case = _case(cases, state)
        prediction = Path(state.metadata["prediction"])
        async with concurrency("decklab-compare", 1):
            edited = Edited(state.metadata["ending"], state.metadata["note"])
            result = await _in_thread(_scored, case, prediction, edited, asked, pictures)
        return _score(result)

    return score


def _scored(
    case: Case, prediction: Path, edited: Edited, judge: Judge | None, pictures: bool
) -> CaseResult:
    with Decks(pictures=pictures) as decks:
        return compared(case, prediction, decks, edited=edited, judge=judge)


def _score(result: CaseResult) -> Score:
    names = (*(("IF", "VQ") if result.instruction else ()), *COMPANIONS)
    values = {name: result.value(name) for name in names}
    reasons = {name: one.reason for name, one in values.items() if isinstance(one, NotScored)}
    verdicts = (result.instruction, result.visual)
    told = "\n".join(verdict.reason for verdict in verdicts if verdict)
    scored = {name: one for name, one in values.items() if not isinstance(one, NotScored)}
    metadata = {"not_scored": reasons, "categories": list(result.case.categories)}
    if not scored:
        return Score.unscored(
            explanation=told or next(iter(reasons.values())), metadata=metadata
        )  # fmt: skip
    return Score(value=dict(scored), explanation=told or None, metadata=metadata)


def _case(cases: CaseSet, state: TaskState) -> Case:
    """The case of a sample, which does not tell itself where its truth is."""
    return next(case for case in cases if case.name == state.sample_id)


async def _in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    return await anyio.to_thread.run_sync(functools.partial(function, *arguments))


@task
def pptarena(
    cases: str | None = None,
    editor: str = AGENT,
    judge: str | None = None,
    *,
    configuration: Configuration = "dual",
    temperature: float | None = TEMPERATURE,
    repeats: int = 1,
    pictures: bool = True,
    out: str = "pptarena",
    seconds: float = EditLimits().seconds,
    trust_editor: bool = False,
    editor_env: str | Sequence[str] = (),
    editor_files: str | Sequence[str] = (),
    editor_network: bool = False,
) -> Task:
    """Edits of slide decks by instruction (paper 003).

    ``cases`` is a checkout of the data set; without it the starter set is written to ``out``.
    ``editor`` is ``agent`` for decklab's agent with the task's model, or a baseline: use
    ``--model none`` then; or ``package.module:function``, yours, which works behind walls for at
    most ``seconds`` a case. ``editor_env`` are variables that it gets, ``editor_files`` what it may
    read besides its code, ``editor_network`` opens the network to it, ``trust_editor`` takes the
    walls away. ``judge`` is the model that judges; without one there are companions only.
    """
    found = starter_cases(Path(out) / "starter") if cases is None else load_cases(cases)
    used: Editor | None = None if editor == AGENT else BASELINES.get(editor)
    if used is None and editor != AGENT:
        used = EditorRoom(
            Outside.named(editor), limits=EditLimits(seconds), trust=trust_editor,
            environment=words(editor_env), files=[Path(one) for one in words(editor_files)],
            network=editor_network, hidden=secrets_of(found, Path(out)),
        )  # fmt: skip
        used.check()
    return pptarena_task(
        found, used, out, judge=judge, configuration=configuration, temperature=temperature,
        repeats=repeats, pictures=pictures,
    )  # fmt: skip


def pptarena_task(
    cases: CaseSet,
    editor: Editor | None,
    out: str,
    *,
    judge: str | None = None,
    configuration: Configuration = "dual",
    temperature: float | None = TEMPERATURE,
    repeats: int = 1,
    pictures: bool = True,
) -> Task:
    """The task for cases in hand and any editor; None stands for decklab's agent."""
    if editor is not None and not isinstance(editor, Trusted | EditorRoom):
        editor = EditorRoom(Outside.of(editor), hidden=secrets_of(cases, Path(out)))
    samples = [
        Sample(
            id=case.name, input=case.prompt, target=case.style_target,
            metadata={
                "categories": list(case.categories),
                "edit_types": list(case.edit_types),
            },
        )
        for case in cases
    ]  # fmt: skip
    return Task(
        name="pptarena",
        dataset=MemoryDataset(samples, name="pptarena"),
        solver=edit_with(cases, editor, str(Path(out) / "predictions")),
        scorer=editing(
            cases, judge, configuration, temperature=temperature, repeats=repeats, pictures=pictures
        ),
        metadata={
            "cases_version": cases.version,
            "kept_apart": kept_apart(editor) if editor else {},
        },
    )
