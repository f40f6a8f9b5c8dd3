"""The Inspect task ``pptarena``: an editor as solver, judges and companions as scorer."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

import anyio.to_thread
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState
from inspect_ai.util import concurrency

from decklab.benchmarks.editors.baselines import agent, editor_for
from decklab.benchmarks.editors.inspect_solver import ask_run_model, edit_deck
from decklab.benchmarks.editors.isolation import (
    EditorFor,
    IsolatedEditor,
    as_list,
    isolated,
    isolation_facts,
)
from decklab.benchmarks.editors.protocol import EditLimits, EditSession, Trusted
from decklab.benchmarks.editors.running import Submission, run_editor
from decklab.benchmarks.pptarena.case_decks import Decks
from decklab.benchmarks.pptarena.cases import Case, CaseSet, load_cases
from decklab.benchmarks.pptarena.editors import BASELINES
from decklab.benchmarks.pptarena.judging import judging
from decklab.benchmarks.pptarena.reference_scores import COMPANIONS
from decklab.benchmarks.pptarena.running import (
    CaseResult,
    Edited,
    Judge,
    compared,
    handed_in,
    limits_of,
)
from decklab.benchmarks.pptarena.session import PREDICTIONS, secrets_of
from decklab.benchmarks.pptarena.starter import slug, starter_cases
from decklab.judges.editing.judging import Configuration
from decklab.judges.editing.verdict import TEMPERATURE
from decklab.models.inspect import asking_from_thread, open_model
from decklab.results import NotScored
from decklab.sandbox.host_files import FunctionReference

AGENT = "agent"
"""Name of the editor that is decklab's agent with the task's model."""


@dataclass(frozen=True)
class _Bench:
    """What the solver wants to know of the cases."""

    cases: CaseSet
    editor: EditorFor[Case]
    out: Path
    made: dict[FunctionReference, IsolatedEditor] = field(default_factory=dict)

    def editor_of(self, case: Case) -> Trusted[..., Any] | IsolatedEditor:
        """The editor for a case, isolated where decklab does not vouch for it."""
        return isolated(self.editor(case), self.made, hidden=secrets_of(self.cases, self.out))

    def editor_at(self, state: TaskState) -> Trusted[..., Any] | IsolatedEditor:
        return self.editor_of(_case(self.cases, state))

    def limits_at(self, state: TaskState) -> EditLimits:
        return limits_of(self.editor_at(state))

    def edit(
        self, state: TaskState, editor: Trusted[..., Any] | IsolatedEditor, session: EditSession
    ) -> Submission:
        case = _case(self.cases, state)
        return run_editor(editor, case, self.out / PREDICTIONS / f"{slug(case.name)}.pptx", session)

    def cut_off(self, state: TaskState, session: EditSession) -> Submission:
        raise AssertionError("the time of trusted editors is not limited here")

    def finish(self, state: TaskState, submission: Submission) -> None:
        edited, prediction = handed_in(_case(self.cases, state), submission)
        state.metadata.update(
            prediction=str(prediction), ending=edited.ending, note=edited.note,
            seconds=submission.seconds,
        )  # fmt: skip
        state.output.completion = f"{edited.ending}: {edited.note}".rstrip(": ")


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
    used = None if editor == AGENT else editor_for(
        editor, BASELINES, limits=EditLimits(seconds), trust=trust_editor,
        environment=as_list(editor_env), files=[Path(one) for one in as_list(editor_files)],
        network=editor_network, hidden=secrets_of(found, Path(out)),
    )  # fmt: skip
    return pptarena_task(
        found, used, out, judge=judge, configuration=configuration, temperature=temperature,
        repeats=repeats, pictures=pictures,
    )  # fmt: skip


def pptarena_task(
    cases: CaseSet,
    editor: EditorFor[Case] | None,
    out: str,
    *,
    judge: str | None = None,
    configuration: Configuration = "dual",
    temperature: float | None = TEMPERATURE,
    repeats: int = 1,
    pictures: bool = True,
) -> Task:
    """The task for cases in hand and any editor; None stands for decklab's agent."""
    bench = _Bench(cases, editor or agent(ask_run_model, draw=True), Path(out))
    apart = isolation_facts(bench.editor_of(cases.cases[0])) if len(cases) else {}
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
        solver=edit_deck(bench, one_at_a_time=True),
        scorer=editing(
            cases, judge, configuration, temperature=temperature, repeats=repeats, pictures=pictures
        ),
        metadata={"cases_version": cases.version, "kept_apart": apart},
    )
