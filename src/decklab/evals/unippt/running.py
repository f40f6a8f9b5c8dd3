"""The task ``unippt`` for Inspect AI: systems make decks, and UniPPTEval judges them; whole runs of
``decklab bench unippt``, and what they leave on disk.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from inspect_ai import Task, task
from inspect_ai.model import Model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from decklab.core.errors import DeckError
from decklab.core.files import lasting_folder, scratch_folder, write_whole
from decklab.core.options import SCENARIO_RUNS, WRITE_SLIDES, Spending
from decklab.core.results import NotScored
from decklab.evals.editors.running import asking_in_run
from decklab.evals.inspect_run import one_at_a_time, sample_score
from decklab.evals.judges.scenario.judging import judge_decks
from decklab.evals.judges.scenario.result import MetricResult, ScenarioJudgement
from decklab.evals.judges.scenario.task import SCENARIO_METRICS, ScenarioItem
from decklab.evals.ppteval.tasks import file_name
from decklab.evals.unippt.deck_systems import DeckBench, DeckRunning, systems_by_name
from decklab.evals.unippt.report import (
    AVERAGE,
    JUDGED,
    SHARED,
    DeckOutcome,
    UnipptRun,
    setting_mean,
    write_unippt_report,
)
from decklab.evals.unippt.tasks import (
    QUALITIES,
    SETTINGS,
    DeckSystem,
    DeckTask,
    folder_systems,
    load_deck_tasks,
    write_starter,
    write_starter_decks,
    writer_system,
)
from decklab.models.asking import Ask
from decklab.models.inspect import open_model
from decklab.models.model_run import ModelRun
from decklab.pages.files import csv_text
from decklab.pages.page import write_page
from decklab.rendering.renderer import Renderer

PAGES: Final = "judged"
"""Folder of the pages of decks, beside the report."""
_PACKAGE: Final = "decklab.evals.unippt"
_SLIDES: Final = "visual_integrity"
_STATES: Final = {1.0: ("full", "yes"), 0.5: ("part", "in part"), 0.0: ("not", "no")}


@dataclass(frozen=True)
class ItemRow:
    """An item as the page shows it."""

    item: ScenarioItem

    weighted: bool

    @property
    def weight(self) -> float | None:
        """How much it counts beside the others; None if it counts as they do."""
        return self.item.weight if self.weighted and self.item.weight != 1 else None

    @property
    def state(self) -> tuple[str, str]:
        """A class for its colour, and the word for its state."""
        if self.item.state is None:
            return "none", "does not apply"
        if isinstance(self.item.state, NotScored):
            return "none", f"not judged: {self.item.state.reason}"
        return _STATES.get(self.item.state, ("part", f"{self.item.state:g}"))


@dataclass(frozen=True)
class MetricSection:
    """A metric with the items of its first run, missed ones first."""

    metric: MetricResult

    @property
    def _items(self) -> Sequence[ScenarioItem]:
        return self.metric.items[0] if self.metric.items else ()

    @property
    def rows(self) -> list[ItemRow]:
        """The items, those that cost points first; of slides only those with a defect."""
        metric = SCENARIO_METRICS.get(self.metric.name)
        shown = [item for item in self._items if metric or item.state != 1.0]
        weighted = metric is not None and metric.weighted
        return [ItemRow(item, weighted) for item in sorted(shown, key=_rank)]

    @property
    def sound(self) -> int:
        """How many slides have no defect; 0 for metrics that are not about slides."""
        sound = sum(item.state == 1.0 for item in self._items)
        return sound if self.metric.name == _SLIDES else 0

    @property
    def empty(self) -> bool:
        """Whether it has neither a score nor items to show."""
        return isinstance(self.metric.score, NotScored) and not self.rows


def _rank(item: ScenarioItem) -> float:
    return 2.0 if item.state is None or isinstance(item.state, NotScored) else item.state


def write_judged_page(
    folder: Path, system: str, task: DeckTask, judgement: ScenarioJudgement
) -> str:
    """Write the page of a deck below ``folder`` and return its path relative to it."""
    page = f"{PAGES}/{file_name(system)}/{file_name(task.name)}.html"
    path = folder / page
    path.parent.mkdir(parents=True, exist_ok=True)
    # The metrics of the setting first, then the shared ones.
    ordered = sorted(judgement.metrics, key=lambda metric: metric.name not in SCENARIO_METRICS)
    shown = {"system": system, "task": task, "sections": list(map(MetricSection, ordered))}
    write_page(
        path, "judged.html", "open-for-print.js", package=_PACKAGE, judgement=judgement, **shown
    )
    return page


@task
def unippt(
    *,
    tasks: str | None = None,
    decks: str | None = None,
    judge: str | None = None,
    runs: int = SCENARIO_RUNS,
    slides: int = WRITE_SLIDES,
) -> Task:
    """UniPPTBench, paper 004, or decklab's starter set where ``tasks`` is not given.

    ``tasks`` is a folder of tasks. ``decks`` is a folder with a folder of decks for each system,
    SYSTEM/TASK.pptx; without it decklab's writer makes them, with the task's model or without any.
    ``judge`` is the model that judges, ``runs`` times; without it programs stand in.
    """
    folder = lasting_folder("unippt")  # samples read it
    listed = load_deck_tasks(tasks or write_starter(folder / "tasks"))
    systems = folder_systems(decks) if decks else (writer_system(folder, slides=slides),)
    asked, run = open_model(judge) if judge else None, ModelRun(reported=False)
    return unippt_task(listed, systems, judge=asked, runs=runs, run=run)


def unippt_task(
    tasks: Sequence[DeckTask],
    systems: Sequence[DeckSystem],
    *,
    judge: Model | None = None,
    runs: int = SCENARIO_RUNS,
    pages: Path | None = None,
    renderer: Renderer | None = None,
    run: ModelRun | None = None,
    ended: Callable[[], object] = lambda: None,
) -> Task:
    """The task ``unippt`` for loaded tasks and systems: a sample for each of both.

    ``pages`` is the folder where the page of each judged deck goes; ``renderer`` draws. ``run``
    counts and keeps what models are asked; ``ended`` is called after each sample. Raises
    UnknownName if two systems have one name.
    """
    named = {item.name: item for item in tasks}, systems_by_name(systems)
    bench = _Bench(*named, run or ModelRun(), renderer or Renderer(), pages, ended)
    facts = {"judge": str(judge) if judge else None, "runs": runs if judge else 1}
    return bench.inspect_task("unippt", scenario_scores(bench, judge, runs), facts)


class _Bench(DeckBench):
    """With the judge of UniPPTEval."""

    def judge(self, state: TaskState, ask: Ask | None, runs: int) -> DeckOutcome:
        """Judge what the system handed in; raises if decklab cannot."""
        task, made = self.task_of(state), self.made.pop(state.uuid)
        base = DeckOutcome(state.metadata["system"], task.name, task.setting, cost=made.cost)
        if isinstance(made.deck, NotScored):
            return replace(base, reason=made.deck.reason, deck=False)
        how: dict[str, Any] = {"runs": runs, "renderer": self.renderer, "secret": self.run.secret}
        try:
            (judgement,) = judge_decks(
                [made.deck], sources=task.sources, task=task.task, model=ask, **how
            )
        except DeckError as error:
            return replace(base, reason=f"the deck cannot be judged: {error}")
        page = ""
        if self.pages is not None:
            page = write_judged_page(self.pages, base.system, task, judgement)
        tokens = judgement.usage.input_tokens + judgement.usage.output_tokens
        return replace(base, scores=dict(judgement.scores), judge_tokens=tokens, page=page)


@metric
def tables_2_and_3() -> Metric:
    """The means of each setting over all systems: shared, average, and over the scored metrics."""

    def tabled(scores: list[SampleScore]) -> Value:
        outcomes = [DeckOutcome.from_json((row.score.metadata or {})["outcome"]) for row in scores]
        tables = {}
        for setting in SETTINGS:
            own = [outcome for outcome in outcomes if outcome.setting == setting]
            for column in (SHARED, AVERAGE, JUDGED):
                mean = setting_mean(own, column).mean
                if not isinstance(mean, NotScored):
                    tables[f"{setting}_{column}"] = mean
        return tables

    return tabled


@scorer(metrics=[tables_2_and_3()])
def scenario_scores(bench: _Bench, judge: Model | None, runs: int) -> Scorer:
    """All metrics of the deck; the average of paper 004 is the value, or of what has a score."""

    async def score(state: TaskState, target: Target) -> Score:
        ask = asking_in_run(bench.run, judge)
        outcome = await one_at_a_time("decklab-judging", bench.judge, state, ask, runs)
        return sample_score(
            outcome.value(AVERAGE if judge else JUDGED),
            bench.run,
            explanation="; ".join(outcome.missed),
            metadata={"outcome": outcome.to_json()},
        )

    return score


SCORES: Final = "scores.csv"
_PLACES: Final = {str(name): index for index, name in enumerate(QUALITIES)}
STARTER_TITLE: Final = "UniPPTBench, starter set"


def bench_unippt(
    out: Path,
    *,
    tasks: Path | None = None,
    decks: Path | None = None,
    write: bool = False,
    names: Sequence[str] = (),
    slides: int = WRITE_SLIDES,
    model: str | None = None,
    judge: str | None = None,
    runs: int = SCENARIO_RUNS,
    spending: Spending | None = None,
    overwrite: bool = False,
    progress: Callable[[int, int], object] = lambda done, total: None,
    tell: Callable[[str], None] = lambda line: None,
) -> UnipptRun:
    """Have systems make decks for tasks, all or those of ``names``, judge them, and leave report,
    pages, log, ``results.json`` and ``scores.csv`` in ``out``.

    ``tasks`` is a folder of tasks, without it the starter set. ``decks`` is a folder with a folder
    of decks for each system; without it the starter set has its own four of known quality.
    ``write`` has decklab's writer make decks too, of ``slides`` slides at most, with ``model`` or
    without one. ``judge`` is the model that judges, ``runs`` times; None has programs stand in.
    ``spending`` bounds and keeps what models are asked. ``progress`` is called with the number of
    decks done and of all, ``tell`` with a line whenever a model is asked again. Raises
    DecklabError or OSError for anything missing or wrong before it begins; later a deck that cannot
    be made or judged is an outcome with its cause.
    """
    title = STARTER_TITLE if tasks is None else f"UniPPTBench, {tasks.resolve().name}"
    asked = {"model": model, "judge": judge, "runs": runs if judge else None, "slides": slides}
    running = DeckRunning(out, asked, write, spending, overwrite, progress, tell)
    running.check()
    with scratch_folder("unippt") as scratch:
        folder = tasks or write_starter(scratch / "tasks", names)
        chosen = load_deck_tasks(folder, names)
        systems = folder_systems(decks) if decks else ()
        if not decks and tasks is None and not write:
            given = folder_systems(write_starter_decks(folder, scratch / "decks", names))
            systems = tuple(sorted(given, key=lambda system: _PLACES[system.name]))
        ended = running.carry_out(
            "bench unippt", chosen, systems,
            about={"tasks": {task.name: task.task.model_dump_json() for task in chosen}},
            made_by=partial(unippt_task, chosen, runs=runs if judge else 1),
            kinds=(DeckOutcome, UnipptRun),
        )  # fmt: skip
    ended.write_results(out, asked, "settings")
    write_whole(out / SCORES, _scores_csv(ended.outcomes).encode())
    facts = ended.facts(
        Judge=judge or "decklab, by program",
        Runs=str(runs) if judge else "",
        **{"Writer's model": model or ""},
    )
    write_unippt_report(out, title, chosen, ended, facts=facts)
    return ended


def _scores_csv(outcomes: Sequence[DeckOutcome]) -> str:
    """All scores as ``decklab agree`` takes them; missing scores are left out."""
    rows = [["topic", "product", "metric", "value"]]
    for outcome in outcomes:
        for name in dict.fromkeys((*outcome.scores, SHARED, AVERAGE, JUDGED)):
            value = outcome.value(name)
            if not isinstance(value, NotScored):
                rows.append([outcome.task, outcome.system, name, f"{value:.6g}"])
    return csv_text(rows)
