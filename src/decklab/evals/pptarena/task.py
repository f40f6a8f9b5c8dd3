"""The task ``pptarena`` for Inspect AI: an editor as solver, judges and companions as scorer."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

from inspect_ai import Task, task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import Model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from decklab.core.errors import ModelFailed, UnknownName
from decklab.core.options import (
    JUDGE_TEMPERATURE,
    EditLimits,
    JudgeConfiguration,
    JudgeOptions,
    Spending,
    names_function,
)
from decklab.core.results import reason_of, scored_by_name
from decklab.evals.editors.isolation import (
    EditorFor,
    IsolatedEditor,
    SafeEditor,
    editor_access,
    isolated,
    isolation_facts,
)
from decklab.evals.editors.protocol import NEEDS_MODEL, UNLIMITED, EditSession
from decklab.evals.editors.running import (
    Submission,
    agent,
    asking_run_model,
    edit_deck,
    editor_for,
    run_editor,
)
from decklab.evals.inspect_run import EVERY_SAMPLE, one_at_a_time
from decklab.evals.pptarena.cases import Case, CaseSet, Decks, in_subset, load_cases, slug
from decklab.evals.pptarena.reference_scores import COMPANIONS
from decklab.evals.pptarena.running import (
    BASELINES,
    LOGS,
    PREDICTIONS,
    CaseResult,
    Edited,
    Judge,
    compared,
    handed_in,
    judging,
    secrets_of,
    starter_cases,
)
from decklab.models.asking import Usage, price_of
from decklab.models.inspect import asking_from_thread, open_model
from decklab.models.model_run import ModelRun, begin_run
from decklab.sandbox.host_files import FunctionReference

AGENT = "agent"
"""Name of decklab's agent with the task's model."""


@dataclass(frozen=True)
class _Bench:
    """Things that solver and scorer share: editors by name, and the cases they edit."""

    samples: Mapping[str, tuple[str, Case]]
    """Editor's name and case by the id of the sample."""
    editors: Mapping[str, EditorFor[Case]]
    folders: Mapping[str, Path]
    """Folders of edited decks by the name of the editor."""
    hidden: Sequence[Path]
    open_decks: Callable[[], AbstractContextManager[Decks]]
    judges: Callable[[str], Sequence[Judge]]
    """Judges for an editor's name: none, one, or two that are compared."""
    keep: Callable[[str, CaseResult], None] = lambda name, result: None
    """Called with the name of the editor and each result."""
    needs_model: bool = False
    """Whether the run ends when an editor asks for a model and there is none."""
    run: ModelRun = field(default_factory=ModelRun)
    """Counts and keeps the questions of editors that ask Inspect's model."""
    begin: Callable[[str, str], object] = lambda case, editor: None
    """Called with the names of case and editor when the editor begins."""
    failures: list[Exception] = field(default_factory=list)
    """The exceptions that ended the run."""
    made: dict[FunctionReference, IsolatedEditor] = field(default_factory=dict)

    def at(self, state: TaskState) -> tuple[str, Case]:
        """Editor's name and case of a sample, whose own data do not give the path of the truth."""
        return self.samples[str(state.sample_id)]

    def editor_of(self, name: str, case: Case) -> SafeEditor:
        """The editor for a case, isolated where decklab does not vouch for it."""
        return isolated(self.editors[name](case), self.made, hidden=self.hidden)

    def editor_at(self, state: TaskState) -> tuple[SafeEditor, EditLimits]:
        with self._recorded():
            editor = self.editor_of(*self.at(state))
            # Trusted editors have no limits here.
            return editor, editor.limits if isinstance(editor, IsolatedEditor) else UNLIMITED

    def edit(self, state: TaskState, editor: SafeEditor, session: EditSession) -> Submission:
        name, case = self.at(state)
        self.begin(case.name, name)
        with self._recorded():
            made = run_editor(editor, case, self.folders[name] / f"{slug(case.name)}.pptx", session)
            # A mistake of the editor or of its user must not become a score.
            if self.needs_model and NEEDS_MODEL in (made.ended, str(made.error)):
                raise UnknownName(NEEDS_MODEL)
            return made

    def cut_off(self, state: TaskState, session: EditSession) -> Submission:
        raise AssertionError("the time of trusted editors is not limited here")

    def finish(self, state: TaskState, submission: Submission) -> None:
        edited, prediction = handed_in(self.at(state)[1], submission)
        session = submission.session
        seconds = session.took if session.elsewhere else submission.seconds + session.waited
        state.metadata.update(
            prediction=str(prediction), ending=edited.ending, note=edited.note,
            seconds=seconds, usage=asdict(session.usage), cost=session.cost,
        )  # fmt: skip
        state.output.completion = f"{edited.ending}: {edited.note}".rstrip(": ")

    def compare(self, state: TaskState, judges: Sequence[Judge]) -> CaseResult:
        """Compare and judge the deck of a sample; called in a thread."""
        (name, case), facts = self.at(state), state.metadata
        edited = Edited(facts["ending"], facts["note"])
        with self._recorded(), self.open_decks() as decks:
            made = compared(case, Path(facts["prediction"]), decks, edited, judges)
            result = replace(
                made, seconds=facts["seconds"], usage=Usage(**facts["usage"]), cost=facts["cost"]
            )
            self.keep(name, result)
            return result

    @contextmanager
    def _recorded(self) -> Iterator[None]:
        """Store exceptions in ``failures``, as Inspect's log has only their text."""
        try:
            yield
        except Exception as error:
            self.failures.append(error)
            raise


@metric
def table_3() -> Metric:
    """Means by category, as ``content_IF``, and over all cases, as ``IF``, each over the cases
    that have the value."""

    def tabled(scores: list[SampleScore]) -> Value:
        columns: dict[str, list[float]] = {}
        for score in scores:
            values, facts = score.score.value, score.score.metadata or {}
            if not isinstance(values, dict):
                continue  # not scored
            places = ["", *(f"{name.lower()}_" for name in facts.get("categories", []))]
            for name, value in values.items():
                assert isinstance(value, int | float), "all scores of editing are numbers"
                for column in places:
                    columns.setdefault(f"{column}{name}", []).append(value)
        return {name: fmean(values) for name, values in columns.items()}

    return tabled


@scorer(metrics=[table_3()])
def editing(bench: _Bench) -> Scorer:
    """Companions of each prediction, and IF and VQ if there is a judge; the metadata says why a
    value has no score, and no mean counts it."""

    async def score(state: TaskState, target: Target) -> Score:
        judges = bench.judges(bench.at(state)[0])
        result = await one_at_a_time("decklab-compare", bench.compare, state, judges)
        return _score(result, bench.run)

    return score


def _score(result: CaseResult, run: ModelRun) -> Score:
    names = (*(("IF", "VQ") if result.instruction else ()), *COMPANIONS)
    values = {name: result.value(name) for name in names}
    reasons = {name: reason_of(score) for name, score in values.items() if reason_of(score)}
    verdicts = (result.instruction, result.visual)
    remarks = (*(verdict.reason for verdict in verdicts if verdict), *result.notes)
    reason = "\n".join(remarks)
    metadata = {"not_scored": reasons, "categories": list(result.case.categories)}
    if len(reasons) == len(values):
        run.check(next(iter(reasons.values())))
        return Score.unscored(explanation=reason or next(iter(reasons.values())), metadata=metadata)
    scores: Any = scored_by_name(values)
    return Score(value=scores, explanation=reason or None, metadata=metadata)


@task
def pptarena(
    cases: str | None = None,
    editor: str = AGENT,
    judge: str | None = None,
    *,
    subset: str | None = None,
    configuration: JudgeConfiguration = "dual",
    temperature: float | None = JUDGE_TEMPERATURE,
    repeats: int = 1,
    pictures: bool = True,
    out: str = "pptarena",
    seconds: float = EditLimits().seconds,
    record: str | None = None,
    trust_editor: bool = False,
    editor_env: str | Sequence[str] = (),
    editor_files: str | Sequence[str] = (),
    editor_network: bool = False,
) -> Task:
    """Edits of slide decks by instruction (paper 003).

    ``cases`` is a checkout of the data set, of which the file ``subset`` may name some; without it
    the starter set is written to ``out``. ``editor`` is ``agent`` for decklab's agent with the
    task's model; or a baseline, for which use ``--model none``; or ``package.module:function``, an
    editor of yours, which is isolated and has ``seconds`` a case. ``editor_env`` are environment
    variables that it gets, ``editor_files`` what it may read besides its code, ``editor_network``
    lets it use the network, ``trust_editor`` runs it without isolation. ``judge`` is the model that
    judges; without it there are companions only. ``record`` is a folder that keeps every question
    and reply; the same run with it asks only the rest.
    """
    if cases is None:
        case_set = starter_cases(Path(out) / "starter")
    else:
        case_set = load_cases(cases)
        case_set = in_subset(case_set, Path(subset)) if subset else case_set
    run = begin_run(
        Spending(record=Path(record)) if record else None,
        {
            "command": "inspect eval decklab/pptarena",
            "cases": case_set.version,
            "names": [case.name for case in case_set],
            "editor": editor,
            "judge": judge,
            "judged": [configuration, temperature, repeats],
            "pictures": pictures,
        },
    )
    run, used = replace(run, reported=False), None
    if editor != AGENT:
        access = editor_access(trust_editor, editor_env, editor_files, editor_network)
        hidden = secrets_of(case_set, Path(out), *run.folders)
        limits = EditLimits(seconds)
        used = editor_for(editor, BASELINES, limits=limits, access=access, hidden=hidden)
    how = JudgeOptions([judge] if judge else [], configuration, temperature, repeats)
    return pptarena_task(case_set, used, out, judges=how, pictures=pictures, run=run)


def pptarena_task(
    cases: CaseSet,
    editor: EditorFor[Case] | None,
    out: str,
    *,
    judges: JudgeOptions | None = None,
    pictures: bool = True,
    run: ModelRun | None = None,
) -> Task:
    """The task for loaded cases and any editor; None stands for decklab's agent. ``run`` counts and
    keeps all questions."""
    run, how = run or ModelRun(), judges or JudgeOptions()

    def judges_of(_name: str) -> list[Judge]:
        asks = [
            run.kept(asking_from_thread(open_model(name), account=run.costs, tell=run.tell), name)
            for name in how.models
        ]
        return [judging(ask, how, secret=run.secret) for ask in asks]

    name = ""
    bench = _Bench(
        samples={case.name: (name, case) for case in cases},
        editors={name: editor or agent(asking_run_model(run), draw=True)},
        folders={name: Path(out) / PREDICTIONS},
        hidden=secrets_of(cases, Path(out), *run.folders),
        run=run,
        open_decks=partial(Decks, pictures=pictures),
        judges=judges_of,
    )
    facts = isolation_facts(bench.editor_of(name, cases.cases[0])) if len(cases) else {}
    facts = {"cases_version": cases.version, "kept_apart": facts}
    return _task(bench, facts, fail_on_error=EVERY_SAMPLE)


def _task(bench: _Bench, metadata: dict[str, Any], **options: Any) -> Task:
    samples = [
        Sample(
            id=id,
            input=case.prompt,
            target=case.style_target,
            metadata={
                "categories": list(case.categories),
                "edit_types": list(case.edit_types),
                "system": name,
                "case": case.name,
                "original": str(case.original),
                "ground_truth": str(case.ground_truth),
            },
        )
        for id, (name, case) in bench.samples.items()
    ]
    return Task(
        name="pptarena",
        dataset=MemoryDataset(samples, name="pptarena"),
        solver=edit_deck(bench, one_at_a_time=True, run=bench.run),
        scorer=editing(bench),
        metadata=metadata,
        **options,
    )


def run_editors(
    cases: CaseSet,
    editors: Mapping[str, EditorFor[Case]],
    folder: Path,
    *,
    decks: Decks,
    model: Model | None = None,
    judges: Callable[[str], Sequence[Judge]] = lambda name: (),
    report: Callable[[str, CaseResult], object] = lambda name, result: None,
    begin: Callable[[str, str], object] = lambda case, editor: None,
    run: ModelRun | None = None,
) -> dict[str, list[CaseResult]]:
    """Run editors on cases as one run of the task; results by editor, in the order of cases.

    The decks of an editor go to a folder of its name in ``folder``, the log to a folder beside
    ``folder``. Functions of others are isolated, and may ask ``model``. ``judges`` gives the judges
    for an editor's name; results hold the scores of a second judge beside the first's. ``begin`` is
    called with the names of case and editor before each edit, ``report`` with the editor's name and
    each result. ``run`` counts and keeps the questions of functions, and knows prices.

    An editor that raises DecklabError could not be run, and the case is not scored. A deck of the
    editor that cannot be read is the editor's failure; so is one that cannot be drawn where the
    case's own decks can. A case whose own decks cannot be read is not scored. Raises UnknownName
    where a function of others asks for a model and there is none, any other exception of an editor
    of ours, and ModelFailed where the run as a whole failed.
    """
    results: dict[tuple[str, str], CaseResult] = {}
    run = run or ModelRun()

    def keep(name: str, result: CaseResult) -> None:
        prices = price_of(run.costs.prices, str(model) if names_function(name) else name)
        usage = result.usage
        if result.cost is None and prices is not None and usage != Usage() and not usage.untold:
            result = replace(result, cost=prices.cost(usage))
        results[name, result.case.name] = result
        report(name, result)

    bench = _Bench(
        # All editors of a case in turn, so that original and truth are drawn once.
        samples={f"{case.name}/{name}": (name, case) for case in cases for name in editors},
        editors=editors,
        folders={name: folder / slug(name) for name in editors},
        hidden=[*secrets_of(cases, folder.parent, *run.folders), folder],
        open_decks=lambda: nullcontext(decks),
        judges=judges,
        keep=keep,
        needs_model=True,
        run=run,
        begin=begin,
    )
    if bench.samples:
        _run(bench, cases, model, folder.parent / LOGS)
    return {name: [results[name, case.name] for case in cases] for name in editors}


def _run(bench: _Bench, cases: CaseSet, model: Model | None, logs: Path) -> None:
    """Run the task; raises what ended it."""
    [log] = inspect_eval(
        _task(bench, {"cases_version": cases.version}, fail_on_error=True),
        model=model or "none",
        log_dir=str(logs),
        display="none",
        max_samples=1,
        log_buffer=1,  # whoever watches sees each case
    )
    if bench.failures:
        raise bench.failures[0]
    if log.status == "cancelled":
        raise KeyboardInterrupt
    if log.status != "success":
        raise ModelFailed(str(model), log.error.message if log.error else "no case was run")
