"""Benchmarks of systems that make decks for tasks: outcomes, whole runs, and their results.

A score that could not be had is in no mean, neither as 0 nor by another metric in its place; its
cause is kept.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import get_model
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from pydantic import TypeAdapter

from decklab.core.errors import UnknownName
from decklab.core.files import write_whole
from decklab.core.options import Spending
from decklab.core.output_folder import begin_run_folder, check_run_folder
from decklab.core.results import NotScored, score_json
from decklab.evals.editors.running import asking_in_run
from decklab.evals.inspect_run import (
    EVERY_SAMPLE,
    logged_outcomes,
    one_at_a_time,
    run_task,
    say,
    why_broken_off,
)
from decklab.evals.results.page import CaseCell, CaseRow, CaseTable
from decklab.evals.results.tables import ResultTable
from decklab.evals.results.text import run_lines
from decklab.evals.unippt.tasks import DeckSystem, DeckTask, SystemDeck, writer_system
from decklab.models.asking import Ask
from decklab.models.inspect import open_model
from decklab.models.model_run import ModelRun, begin_run, file_digest
from decklab.pages.files import strict_json
from decklab.pages.wording import clean, counted
from decklab.rendering.renderer import Cache, Renderer


@dataclass(frozen=True, kw_only=True)
class JudgedDeck:
    """One system at one task."""

    system: str = field(kw_only=False)
    task: str = field(kw_only=False)
    scores: Mapping[str, float | NotScored] = field(default_factory=dict)
    """By metric; empty if no deck was judged."""
    reason: str = ""
    """Why no deck was judged; empty if one was."""
    deck: bool = True
    """Whether the system handed in a deck."""
    judge_tokens: int = 0
    page: str = ""
    """The page of its items, beside the report; empty if it has none."""

    @property
    def lost(self) -> str:
        """Why it has no score at all; empty if it has one."""
        return "" if self.scores else self.reason

    @property
    def missed(self) -> tuple[str, ...]:
        """Requested scores that are missing, a line each."""
        return (self.lost,) if self.lost else ()

    def to_json(self) -> dict[str, Any]:
        """As plain JSON; a score that could not be had is null with its reason."""
        scores = {name: score_json(score) for name, score in self.scores.items()}
        return {**asdict(self), "scores": scores}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The outcome from the result of ``to_json``."""
        scores = {
            name: NotScored(entry["reason"]) if entry["score"] is None else entry["score"]
            for name, entry in data["scores"].items()
        }
        return TypeAdapter(cls).validate_python({**data, "scores": scores})


OutcomeT = TypeVar("OutcomeT", bound=JudgedDeck)


def judged_decks(log: EvalLog, kind: type[OutcomeT]) -> Iterator[OutcomeT]:
    """The outcome of every sample of a log, in the order in which they ended.

    A sample that broke off is not judged, and this is not the system's failure.
    """
    for sample, outcome in logged_outcomes(log):
        reason = f"decklab broke off: {why_broken_off(sample, 'it was not scored')}"
        broken = {**sample.metadata, "scores": {}, "reason": reason, "deck": False}
        yield kind.from_json(outcome or broken)


def systems_by_name(systems: Sequence[DeckSystem]) -> dict[str, DeckSystem]:
    """Systems by their names. Raises UnknownName if two have one name."""
    names = [system.name for system in systems]
    if len(set(names)) < len(names):
        raise UnknownName(f"two systems have one name: {', '.join(sorted(names))}")
    return dict(zip(names, systems, strict=True))


@dataclass(frozen=True)
class DeckBench:
    """Shared state of the solver that has systems make decks and of the scorer that judges them."""

    tasks: dict[str, DeckTask]
    systems: dict[str, DeckSystem]
    run: ModelRun
    renderer: Renderer
    pages: Path | None
    """The folder where the page of each judged deck goes, if anywhere."""
    ended: Callable[[], object]
    """Called after each sample."""
    made: dict[str, SystemDeck] = field(default_factory=dict)

    async def clean_up(self, _state: TaskState) -> None:
        """Say that a sample ended."""
        self.ended()

    def task_of(self, state: TaskState) -> DeckTask:
        """The task of a sample."""
        return self.tasks[state.metadata["task"]]

    def make(self, state: TaskState, ask: Ask | None) -> SystemDeck:
        """The deck of the system of a sample."""
        return self.systems[state.metadata["system"]].make(self.task_of(state), ask)

    def inspect_task(self, name: str, scorer: Scorer, facts: dict[str, Any]) -> Task:
        """The task for Inspect: a sample for each system and task."""
        samples = [
            Sample(
                id=f"{system}/{item.name}",
                input=item.task.request or item.task.title,
                metadata={"system": system, "task": item.name, "setting": item.setting},
            )
            for system in self.systems
            for item in self.tasks.values()
        ]
        return Task(
            dataset=samples,
            solver=make_deck_for(self),
            scorer=scorer,
            cleanup=self.clean_up,
            name=name,
            metadata=facts,
            fail_on_error=EVERY_SAMPLE,
        )


@solver
def make_deck_for(bench: DeckBench) -> Solver:
    """Have the system make its deck, with the model of the run if there is one."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = get_model()
        ask = asking_in_run(bench.run, model)
        made = await one_at_a_time("decklab-making", bench.make, state, ask)
        bench.made[state.uuid] = made
        deck = made.deck
        say(state, model, f"No deck: {deck}" if isinstance(deck, NotScored) else deck.name)
        return state

    return solve


@dataclass(frozen=True)
class DeckRun(Generic[OutcomeT]):
    """The outcomes of a run, and the names of its systems in their order."""

    outcomes: Sequence[OutcomeT]
    systems: Sequence[str]
    spent: str = ""
    """Cost of the run's questions, in a sentence."""
    ended: str = ""
    """Why models were asked no more before all was done; empty if they were not stopped."""

    @property
    def tables(self) -> Sequence[ResultTable]:
        """The tables of the benchmark."""
        raise NotImplementedError

    @property
    def missed(self) -> Sequence[tuple[OutcomeT, str]]:
        """Requested scores that are missing, with their deck."""
        return [(outcome, line) for outcome in self.outcomes for line in outcome.missed]

    @property
    def causes(self) -> list[tuple[str, str]]:
        """Why scores are missing, each with its number of decks, the most frequent first."""
        counts = Counter(cause for _, cause in self.missed)
        return [(counted(number, "deck"), cause) for cause, number in counts.most_common()]

    @property
    def failed(self) -> str:
        """Why nothing is scored at all; empty if something is."""
        lost = [outcome.lost for outcome in self.outcomes]
        return lost[0] if all(lost) and lost else ""

    def lines(self) -> Iterator[str]:
        """The tables as text."""
        return run_lines(self.tables, self.spent)

    def warnings(self) -> Iterator[str]:
        """Why models were asked no more, and a line for each score that is missing."""
        if self.ended:
            yield clean(f"models were asked no more: {self.ended}")
        for row, cause in self.missed:
            yield clean(f"{row.system}, {row.task}: not scored: {cause}")

    def facts(self, **known: Any) -> dict[str, str]:
        """Words and values for the head of the page; ``known`` are further ones."""
        facts = {**known, "Spent": self.spent, "Models were asked no more": self.ended}
        return {word: said for word, said in facts.items() if said}

    def figures(self, units: str, number: int, note: str) -> list[tuple[str, str, str]]:
        """How many systems, tasks under the name ``units``, and judged decks there are."""
        judged = sum(bool(row.scores) for row in self.outcomes)
        return [
            ("Systems", str(len(self.systems)), "by name below"),
            (units, str(number), note),
            ("Decks judged", str(judged), f"of {len(self.outcomes)} that were asked for"),
        ]

    def cases(
        self, head: str, notes: Iterable[tuple[str, str]], cell: Callable[[OutcomeT], CaseCell]
    ) -> CaseTable:
        """A row for each task with a note, a column for each system."""
        outcomes = {(row.system, row.task): row for row in self.outcomes}
        rows = [
            CaseRow(task, [cell(outcomes[system, task]) for system in self.systems], note)
            for task, note in notes
        ]
        return CaseTable(head, self.systems, rows)

    def write_results(self, out: Path, asked: Mapping[str, Any], tables: str) -> None:
        """Write ``results.json``, with the tables under the key ``tables``."""
        results = {
            **asked,
            "systems": list(self.systems),
            "spent": self.spent,
            "ended": self.ended,
            tables: {table.name: table.to_json() for table in self.tables},
            "decks": [outcome.to_json() for outcome in self.outcomes],
        }
        write_whole(out / "results.json", strict_json(results).encode())


RunT = TypeVar("RunT", bound=DeckRun[Any])


@dataclass(frozen=True)
class DeckRunning:
    """How a whole run of a benchmark goes. ``asked`` are its settings by name, among them
    ``model``, ``judge`` and ``slides``; ``write`` has decklab's writer make decks too."""

    out: Path
    asked: Mapping[str, Any]
    write: bool
    spending: Spending | None
    overwrite: bool
    progress: Callable[[int, int], object]
    tell: Callable[[str], None]

    def check(self) -> None:
        """Raise DecklabError or OSError for a folder or a model that cannot be used."""
        spending = self.spending
        check_run_folder(self.out, overwrite=self.overwrite or bool(spending and spending.record))
        for name in filter(None, (self.asked["model"], self.asked["judge"])):
            open_model(name)

    def carry_out(
        self,
        command: str,
        tasks: Sequence[DeckTask],
        given: Sequence[DeckSystem],
        *,
        about: Mapping[str, Any],
        made_by: Callable[..., Task],
        kinds: tuple[type[OutcomeT], type[RunT]],
    ) -> RunT:
        """Have ``given`` systems and the writer do ``tasks``; the run in their order.

        ``about`` are further facts that change questions, ``made_by`` makes the task for Inspect of
        systems, and ``kinds`` are the classes of its outcomes and of the run.
        """
        with Renderer(cache=Cache()).started() as renderer:
            systems, how = tuple(given), {"slides": self.asked["slides"], "renderer": renderer}
            if self.write or not systems:
                systems += (writer_system(self.out / "written", **how),)
            names = [system.name for system in systems]
            sources = {item.name: [file_digest(path) for path in item.sources] for item in tasks}
            asked = {"command": command, **self.asked, "systems": names, "sources": sources}
            run = begin_run(self.spending, {**asked, **about}, tell=self.tell)
            begin_run_folder(self.out, overwrite=self.overwrite or run.resumed)
            total, done = len(tasks) * len(systems), count(1)
            self.progress(0, total)
            task = made_by(
                systems, judge=open_model(judge) if (judge := self.asked["judge"]) else None,
                pages=self.out, renderer=renderer, run=run,
                ended=lambda: self.progress(next(done), total),
            )  # fmt: skip
            log = run_task(task, logs=self.out / "logs", model=self.asked["model"])
        by_pair = {(row.system, row.task): row for row in judged_decks(log, kinds[0])}
        outcomes = [by_pair[name, item.name] for name in names for item in tasks]
        return kinds[1](outcomes, names, run.words, run.costs.ended)
