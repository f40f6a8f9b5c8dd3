"""The task ``presentbench`` for Inspect AI, and whole runs of ``decklab bench presentbench``: decks
of systems judged by the checklists of their instances; outcomes, their tables, and the page.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib.resources import as_file, files
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from inspect_ai import Task, task
from inspect_ai.model import Model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from decklab.core.errors import DeckError, RenderError
from decklab.core.files import lasting_folder, write_whole
from decklab.core.options import WRITE_SLIDES, Spending
from decklab.core.results import NotScored, reason_of, scored
from decklab.evals.editors.running import asking_in_run
from decklab.evals.inspect_run import one_at_a_time, sample_score
from decklab.evals.judges.scenario.result import ONLY_A_MODEL
from decklab.evals.ppteval.tasks import file_name
from decklab.evals.presentbench.instances import CLASSES, RESULTS, Instance, load_instances
from decklab.evals.presentbench.judging import (
    SECTIONS,
    ChecklistJudgement,
    judge_checklist,
    verdicts_yaml,
)
from decklab.evals.results.board import leave_results
from decklab.evals.results.charts import interval_chart
from decklab.evals.results.means import Observation
from decklab.evals.results.page import CaseCell, PageSection, ResultPage
from decklab.evals.results.tables import ResultColumn, ResultTable, share_column, system_table
from decklab.evals.unippt.deck_systems import (
    DeckBench,
    DeckRun,
    DeckRunning,
    JudgedDeck,
    systems_by_name,
)
from decklab.evals.unippt.tasks import DeckSystem, DeckTask, SystemDeck, writer_system
from decklab.metrics.statistics import Interval
from decklab.models.asking import Ask
from decklab.models.inspect import open_model
from decklab.models.model_run import ModelRun
from decklab.pages.page import write_page
from decklab.pages.wording import counted
from decklab.rendering.renderer import Renderer

TOTAL: Final = "total"
DECK: Final = "deck"
"""Metrics: the weighted mean of all classes, and whether the system handed in a deck."""
_SCALE: Final = (0.0, 100.0)
_SECTION_TITLES: Final = {"material_independent": "Independent", "material_dependent": "Dependent"}


@dataclass(frozen=True)
class ChecklistOutcome(JudgedDeck):
    """One system at one instance; scores are 0 to 100: the total, sections, classes, and
    ``without`` each class."""

    bounds: Interval | None = field(default=None, kw_only=True)
    """The least and greatest total, if items are open."""

    @property
    def domain(self) -> str:
        """The first folder of the instance."""
        return self.task.partition("/")[0]

    @property
    def total(self) -> float | NotScored:
        """The weighted mean of all classes."""
        return self.scores[TOTAL] if self.scores else NotScored(self.reason)

    @property
    def lost(self) -> str:
        """Why it has no total; empty if it has one."""
        return reason_of(self.total)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON; a score that could not be had is null with its reason."""
        return {**super().to_json(), "domain": self.domain}


def class_metric(kind: tuple[str, str]) -> str:
    """The name of a class as a metric, as the published scores name it."""
    return "_".join(kind)


def judged_outcome(system: str, judgement: ChecklistJudgement, page: str) -> ChecklistOutcome:
    """The outcome of a judged deck."""
    score, instance = judgement.score, judgement.instance
    scores: dict[str, float | NotScored] = {TOTAL: score.total}
    scores |= {section: score.section(section) for section in SECTIONS}
    scores |= {class_metric(kind): score.of_class(kind) for kind in CLASSES}
    scores |= {f"without_{class_metric(kind)}": score.without(kind) for kind in score.classes}
    tokens = judgement.usage.input_tokens + judgement.usage.output_tokens
    bounds = score.bounds if score.open else None
    return ChecklistOutcome(
        system, instance.name, scores=scores, bounds=bounds, judge_tokens=tokens, page=page
    )


class PresentRun(DeckRun[ChecklistOutcome]):
    """The outcomes of a run."""

    @cached_property
    def tables(self) -> tuple[ResultTable, ...]:
        """Systems by classes, and by domains."""
        rows = [row for outcome in self.outcomes for row in observations(outcome)]
        columns = [ResultColumn(name, title, digits=1, scale=_SCALE) for name, title in _COLUMNS]
        columns.append(share_column(DECK, "Decks, %"))
        classes = system_table("classes", "By class of items", rows, columns, main=TOTAL,
                               units="instances", lead=_LEAD)  # fmt: skip
        domains = list(dict.fromkeys(outcome.domain for outcome in self.outcomes))
        if len(domains) < 2:
            return (classes,)
        of_domains = [
            ResultColumn(TOTAL, domain, group=domain, digits=1, scale=_SCALE) for domain in domains
        ]
        return classes, system_table("domains", "By domain", rows, of_domains, units="instances")


_COLUMNS: Final = (
    (TOTAL, "Total"),
    *((section, _SECTION_TITLES[section]) for section in SECTIONS),
    *((class_metric(kind), title) for kind, title in CLASSES.items()),
)
_LEAD: Final = (
    "Per cent of the weights: those of items answered yes, over all. Fundamentals and design do "
    "not depend on the material, the other three do."
)


def observations(outcome: ChecklistOutcome) -> Iterator[Observation]:
    """The scores of an outcome, and whether there is a deck."""
    for name, _ in _COLUMNS:
        value = outcome.scores.get(name, NotScored(outcome.reason))
        bounds = outcome.bounds if name == TOTAL else None
        yield Observation(
            outcome.system, outcome.task, name, value, groups=(outcome.domain,), bounds=bounds
        )
    yield Observation(outcome.system, outcome.task, DECK, float(outcome.deck))


def write_present_report(
    folder: Path,
    title: str,
    instances: Sequence[Instance],
    run: PresentRun,
    facts: Mapping[str, str],
) -> Path:
    """Write ``index.html`` and the tables into ``folder``; returns the path of the page."""
    items = sum(len(instance.items) for instance in instances)
    chart = interval_chart(run.tables[0], run.tables[0].columns[0])
    scores = PageSection("Scores", tables=run.tables, charts=[chart] if chart else [])
    notes = [(instance.name, counted(len(instance.items), "item")) for instance in instances]
    cases = run.cases("Instance", notes, _cell)
    page = ResultPage(
        "PresentBench: decks judged by checklists", title,
        [scores, PageSection("By instance", "Totals, in per cent.", cases=cases)], facts,
        run.figures("Instances", len(instances), f"with {counted(items, 'item')}"),
        causes=run.causes, units="instances",
    )  # fmt: skip
    prompts = ["decklab.evals.judges.scenario"]
    return leave_results(folder, page, run.tables, prompts=prompts, shared=["Judge"])


def _cell(outcome: ChecklistOutcome) -> CaseCell:
    value = outcome.total
    if not isinstance(value, NotScored):
        return CaseCell(f"{value:.1f}", value, value / _SCALE[1], page=outcome.page)
    if outcome.bounds is None:
        return CaseCell("not scored" if outcome.deck else "no deck", why=value.reason)
    least, most = outcome.bounds
    words = "open" if ONLY_A_MODEL in value.reason else f"{least:.1f} to {most:.1f}"
    return CaseCell(words, None, least / _SCALE[1], (most - least) / _SCALE[1], outcome.page,
                    value.reason)  # fmt: skip


PAGES: Final = "judged"
"""Folder of the pages and verdicts of decks, beside the report."""
_PACKAGE: Final = "decklab.evals.presentbench"
_ENDINGS: Final = (".pptx", ".pdf", ".html")


def result_systems(root: str | Path, instances: Sequence[Instance]) -> tuple[DeckSystem, ...]:
    """The systems of a folder: for each a folder with decks in the published layout,
    ``SYSTEM/CASE/generation_task/results/slides.pdf``, or a .pptx or .html in its place.

    Raises DeckError if there is none.
    """
    folders = [
        path
        for path in sorted(Path(root).glob("*"))
        if path.is_dir() and any(_deck(path, instance.name) for instance in instances)
    ]
    if not folders:
        raise DeckError(root, f"no folder in it has a deck: they are SYSTEM/CASE/{RESULTS}.pdf")
    return tuple(_folder_system(folder) for folder in folders)


def _deck(folder: Path, name: str) -> Path | None:
    paths = (folder / name / f"{RESULTS}{ending}" for ending in _ENDINGS)
    return next((path for path in paths if path.is_file()), None)


def _folder_system(folder: Path) -> DeckSystem:
    def given(task: DeckTask, _ask: Ask | None) -> SystemDeck:
        return SystemDeck(_deck(folder, task.name) or NotScored("the system handed in no deck"))

    return DeckSystem(folder.name, given)


def starter_data() -> Path:
    """The folder of decklab's own instances, in the published layout."""
    with as_file(files(_PACKAGE) / "data") as folder:
        return folder


@dataclass(frozen=True)
class _Bench(DeckBench):
    """With the instances of the tasks."""

    instances: Mapping[str, Instance] = field(kw_only=True)

    def judge(self, state: TaskState, ask: Ask | None) -> ChecklistOutcome:
        """Judge what the system handed in; raises if decklab cannot."""
        system, instance = state.metadata["system"], self.instances[state.metadata["task"]]
        made = self.made.pop(state.uuid)
        named = system, instance.name
        if isinstance(made.deck, NotScored):
            return ChecklistOutcome(*named, reason=made.deck.reason, deck=False)
        how: dict[str, Any] = {"renderer": self.renderer, "secret": self.run.secret}
        try:
            judgement = judge_checklist(instance, made.deck, model=ask, **how)
        except (DeckError, RenderError) as error:
            return ChecklistOutcome(*named, reason=f"the deck cannot be judged: {error}")
        page = "" if self.pages is None else write_checklist_page(self.pages, system, judgement)
        return judged_outcome(system, judgement, page)


def write_checklist_page(folder: Path, system: str, judgement: ChecklistJudgement) -> str:
    """Write the page of a deck, and its verdicts in the published form beside it, below ``folder``;
    returns the path of the page relative to it."""
    page = f"{PAGES}/{file_name(system)}/{file_name(judgement.instance.name)}.html"
    path = folder / page
    path.parent.mkdir(parents=True, exist_ok=True)
    said = {(*answer.item.kind, answer.item.id): answer.evidence for answer in judgement.answers}
    verdicts = verdicts_yaml(judgement.by_class, said)
    write_whole(path.with_suffix(".yaml"), verdicts.encode())
    groups = {
        kind: sorted(own, key=_missed_first)
        for kind, own in groupby(judgement.answers, key=attrgetter("item.kind"))
    }
    write_page(
        path, "checklist.html", "open-for-print.js", package="decklab.evals.unippt", system=system,
        judgement=judgement, groups=groups, titles=CLASSES,
    )  # fmt: skip
    return page


def _missed_first(answer: Any) -> int:
    return 2 if isinstance(answer.answer, NotScored) else int(answer.answer)


@task
def presentbench(
    *,
    data: str | None = None,
    decks: str | None = None,
    judge: str | None = None,
    slides: int = WRITE_SLIDES,
) -> Task:
    """PresentBench (arXiv 2603.07244), or decklab's own instances where ``data`` is not given.

    ``data`` is a folder in the published layout. ``decks`` is a folder of systems with their
    results; without it decklab's writer makes them, with the task's model or without any. ``judge``
    is the model that answers the checklists; without it only what a program counts is answered.
    """
    instances = load_instances(data or starter_data())
    written = lasting_folder("presentbench")  # samples read it
    systems = (
        result_systems(decks, instances) if decks else (writer_system(written, slides=slides),)
    )
    asked, run = open_model(judge) if judge else None, ModelRun(reported=False)
    return presentbench_task(instances, systems, judge=asked, run=run)


def presentbench_task(
    instances: Sequence[Instance],
    systems: Sequence[DeckSystem],
    *,
    judge: Model | None = None,
    pages: Path | None = None,
    renderer: Renderer | None = None,
    run: ModelRun | None = None,
    ended: Callable[[], object] = lambda: None,
) -> Task:
    """The task ``presentbench`` for loaded instances and systems: a sample for each of both.

    ``pages``, ``renderer``, ``run`` and ``ended`` are as in ``unippt_task``. Raises UnknownName if
    two systems have one name.
    """
    bench = _Bench(
        {instance.name: instance.task for instance in instances}, systems_by_name(systems),
        run or ModelRun(), renderer or Renderer(), pages, ended,
        instances={instance.name: instance for instance in instances},
    )  # fmt: skip
    facts = {"judge": str(judge) if judge else None}
    return bench.inspect_task("presentbench", checklist_scores(bench, judge), facts)


@metric
def system_totals() -> Metric:
    """The mean total of each system over the instances whose total is known."""

    def tabled(scores: list[SampleScore]) -> Value:
        outcomes = [ChecklistOutcome.from_json((row.score.metadata or {})["outcome"])
                    for row in scores]  # fmt: skip
        totals: dict[str, list[float | NotScored]] = {}
        for outcome in outcomes:
            totals.setdefault(outcome.system, []).append(outcome.total)
        known = {system: scored(values) for system, values in totals.items()}
        return {system: sum(values) / len(values) for system, values in known.items() if values}

    return tabled


@scorer(metrics=[system_totals()])
def checklist_scores(bench: _Bench, judge: Model | None) -> Scorer:
    """The total of the checklist, 0 to 100; not scored while items are open."""

    async def score(state: TaskState, target: Target) -> Score:
        ask = asking_in_run(bench.run, judge)
        outcome = await one_at_a_time("decklab-judging", bench.judge, state, ask)
        return sample_score(outcome.total, bench.run, metadata={"outcome": outcome.to_json()})

    return score


def bench_presentbench(
    out: Path,
    *,
    data: Path | None = None,
    decks: Path | None = None,
    write: bool = False,
    names: Sequence[str] = (),
    slides: int = WRITE_SLIDES,
    model: str | None = None,
    judge: str | None = None,
    spending: Spending | None = None,
    overwrite: bool = False,
    progress: Callable[[int, int], object] = lambda done, total: None,
    tell: Callable[[str], None] = lambda line: None,
) -> PresentRun:
    """Judge decks of systems by the checklists of instances, all or those of ``names``, and leave
    report, pages, verdicts, log and ``results.json`` in ``out``.

    ``data`` is a folder in the published layout, without it decklab's own instances. ``decks`` is a
    folder of systems with their results; ``write``, or no ``decks``, has decklab's writer make
    decks, of ``slides`` slides at most, with ``model`` or without one. ``judge`` is the model that
    answers; without it only what a program counts is answered, and totals have bounds. Raises
    DecklabError or OSError for anything missing or wrong before it begins; later a deck that cannot
    be made or judged is an outcome with its cause.
    """
    title = (
        "PresentBench, decklab's own instances" if data is None else f"PresentBench, {data.name}"
    )
    asked = {"model": model, "judge": judge, "slides": slides}
    running = DeckRunning(out, asked, write, spending, overwrite, progress, tell)
    running.check()
    instances = load_instances(data or starter_data(), names)
    ended = running.carry_out(
        "bench presentbench", [instance.task for instance in instances],
        result_systems(decks, instances) if decks else (),
        about={"items": {row.name: [item.question for item in row.items] for row in instances}},
        made_by=partial(presentbench_task, instances), kinds=(ChecklistOutcome, PresentRun),
    )  # fmt: skip
    ended.write_results(out, asked, "tables")
    facts = ended.facts(
        Judge=judge or "none: only slides are counted", **{"Writer's model": model or ""}
    )
    write_present_report(out, title, instances, ended, facts)
    return ended
