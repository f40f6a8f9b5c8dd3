"""Rubrics judged: do they score attempts by their known levels of completion, and do perfect
attempts that a program damaged still get the score?

Paper 001, section 4.1. Attempts are decks in ``attempts/TASK/LEVEL.pptx`` beside the registry's
folder; where a level has several, ``LEVEL-2.pptx`` and so on. Levels are those of table 1;
stability when the same attempts are judged again is that of table 8.

This belongs to the meta-evaluation. Attempts of known level show whether a rubric measures
completion; damaged attempts show whether it can be deceived.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from statistics import fmean, median, pstdev, pvariance
from typing import Any, Literal

from decklab.core.errors import RenderError, UnknownName
from decklab.core.files import scratch_folder
from decklab.core.options import Isolation
from decklab.core.registry import Registry
from decklab.core.results import SAME, NotScored, scored, scored_mean, value_or_none
from decklab.deck.deck import write_samples
from decklab.evals.perturb.sabotage import SABOTAGES
from decklab.evals.ppteval.tasks import (
    ATTEMPTS,
    DecksMissing,
    EditingTask,
    StarterTask,
    find_registry,
    starter_tasks,
)
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.grade import GradeOptions, grade_compared
from decklab.evals.rubrics.graded import GradedTree
from decklab.evals.rubrics.page import changed_pictures
from decklab.evals.rubrics.rubric import parse_rubric
from decklab.evals.rubrics.running import LeafRoom
from decklab.metrics.statistics import kendall_tau_b, spearman_rho
from decklab.models.asking import Ask
from decklab.rendering.renderer import Renderer
from decklab.sandbox.sandbox import Sandbox, bundle_module


@dataclass(frozen=True)
class CompletionLevel:
    """A level of completion; ``rank`` grows with progress, from 0 to 3."""

    name: str
    title: str
    rank: int
    expected: str
    """The scores expected of such attempts, as an interval."""


LEVELS: Registry[CompletionLevel] = Registry("level of completion")
"""The levels by name, least progress first.

>>> [level.title for level in map(LEVELS.__getitem__, LEVELS)]
['No progress', 'Some progress', 'Significant progress', 'Perfect completion']
"""

for _level in (
    CompletionLevel("none", "No progress", 0, "0"),
    CompletionLevel("some", "Some progress", 1, "(0, 0.5)"),
    CompletionLevel("significant", "Significant progress", 2, "[0.5, 1)"),
    CompletionLevel("perfect", "Perfect completion", 3, "1"),
):
    LEVELS.register(_level.name, _level)


def level_of(score: float) -> CompletionLevel:
    """The level whose expected scores hold ``score`` (0 to 1); ValueError outside that range.

    >>> [level_of(score).name for score in (0, 0.2, 0.5, 1)]
    ['none', 'some', 'significant', 'perfect']
    """
    if not 0 <= score <= 1:
        raise ValueError(f"a score lies between 0 and 1, not at {score}")
    if score <= SAME:
        return LEVELS["none"]
    if score >= 1 - SAME:
        return LEVELS["perfect"]
    return LEVELS["some" if score < 0.5 - SAME else "significant"]


@dataclass(frozen=True)
class LabelledAttempt:
    """One attempt at a task: its true level, by construction or label, and its score.

    ``level`` is a name of ``LEVELS``; ``score`` 0 to 1, or why there is none.
    """

    task: str
    level: str
    score: float | NotScored


@dataclass(frozen=True)
class LevelRow:
    """Attempts of one level: how many have a score of that level (``right``), how many no score."""

    level: CompletionLevel
    attempts: int
    right: int
    not_scored: int
    mean: float | None
    """Mean of the scores there are."""

    @property
    def accuracy(self) -> float | NotScored:
        """Share of the scored attempts with the expected score, 0 to 1."""
        scored = self.attempts - self.not_scored
        return self.right / scored if scored else NotScored("no attempt of this level was scored")


@dataclass(frozen=True)
class LevelAgreement:
    """Tables 1 and 3 of paper 001: one row a level, and the correlations over all attempts."""

    levels: tuple[LevelRow, ...]
    tau_b: float | NotScored
    rho: float | NotScored
    wrong: tuple[LabelledAttempt, ...]
    """Scored attempts whose score belongs to another level."""
    not_scored: tuple[LabelledAttempt, ...]
    """Attempts without a score; they count in no accuracy and no correlation, never as 0."""

    @property
    def accuracy(self) -> float | NotScored:
        """Share of all scored attempts with the expected score, 0 to 1."""
        scored = sum(row.attempts - row.not_scored for row in self.levels)
        right = sum(row.right for row in self.levels)
        return right / scored if scored else NotScored("no attempt was scored")


def agreement(attempts: Iterable[LabelledAttempt]) -> LevelAgreement:
    """How the scores of labelled attempts agree with their levels.

    Correlations are between scores and the ranks of levels, over all scored attempts of all tasks,
    as paper 001 has them (section 4.1). Raises UnknownName for an unknown level.

    >>> found = agreement([LabelledAttempt("a", "none", 0.0), LabelledAttempt("a", "some", 0.6),
    ...                    LabelledAttempt("a", "perfect", 1.0)])
    >>> [row.accuracy for row in found.levels if row.attempts], found.tau_b
    ([1.0, 0.0, 1.0], 1.0)
    """
    rated = [(LEVELS[attempt.level], attempt) for attempt in attempts]
    known = [
        (level, attempt, attempt.score)
        for level, attempt in rated
        if not isinstance(attempt.score, NotScored)
    ]
    ranks = [float(level.rank) for level, _, _ in known]
    scores = [score for _, _, score in known]
    return LevelAgreement(
        levels=tuple(
            _row(LEVELS[name], [a for level, a in rated if level.name == name]) for name in LEVELS
        ),
        tau_b=kendall_tau_b(ranks, scores),
        rho=spearman_rho(ranks, scores),
        wrong=tuple(a for level, a, score in known if level_of(score) != level),
        not_scored=tuple(a for _, a in rated if isinstance(a.score, NotScored)),
    )


def _row(level: CompletionLevel, attempts: list[LabelledAttempt]) -> LevelRow:
    scores = scored(attempt.score for attempt in attempts)
    return LevelRow(
        level=level,
        attempts=len(attempts),
        right=sum(level_of(score) == level for score in scores),
        not_scored=len(attempts) - len(scores),
        mean=sum(scores) / len(scores) if scores else None,
    )


@dataclass(frozen=True)
class Stability:
    """Spread of repeated scores over tasks; lower is steadier.

    ``mean_variance`` and ``median_variance`` are over the variances of the tasks, ``mean_cv`` over
    their coefficients of variation (standard deviation over mean), which is undefined for a task
    whose scores are all 0: ``without_cv`` counts these tasks.
    """

    tasks: int
    mean_variance: float
    median_variance: float
    mean_cv: float | NotScored
    without_cv: int
    left_out: tuple[str, ...]
    """Tasks with fewer than two scores."""


def stability(runs: Mapping[str, Sequence[float | NotScored]]) -> Stability | NotScored:
    """The spread of the scores (0 to 1) that each task got in repeated judging.

    The paper does not say which variance it takes; this is that of the runs themselves (divided
    by their number). Runs that were not scored are left out, and tasks with fewer than two scores
    named. NotScored if no task has two.

    >>> found = stability({"a": [0.4, 0.6], "b": [1.0, 1.0]})
    >>> round(found.mean_variance, 4), round(found.mean_cv, 4)
    (0.005, 0.1)
    """
    repeated = {task: own for task, scores in runs.items() if len(own := scored(scores)) >= 2}
    if not repeated:
        return NotScored("no task was scored twice")
    variances = [pvariance(scores) for scores in repeated.values()]
    cvs = [pstdev(scores) / fmean(scores) for scores in repeated.values() if fmean(scores) > 0]
    return Stability(
        tasks=len(repeated),
        mean_variance=fmean(variances),
        median_variance=median(variances),
        mean_cv=scored_mean(cvs, "all scores are 0"),
        without_cv=len(repeated) - len(cvs),
        left_out=tuple(task for task in runs if task not in repeated),
    )


def agreement_json(agreement: LevelAgreement) -> dict[str, Any]:
    """Tables 1 and 3 as plain JSON; undefined values are null."""
    return {
        "levels": [
            {"level": row.level.name, "expected": row.level.expected, "attempts": row.attempts,
             "right": row.right, "not_scored": row.not_scored, "mean": row.mean,
             "accuracy": value_or_none(row.accuracy)}
            for row in agreement.levels
        ],
        "accuracy": value_or_none(agreement.accuracy),
        "tau_b": value_or_none(agreement.tau_b),
        "rho": value_or_none(agreement.rho),
        "wrong": [[item.task, item.level, value_or_none(item.score)] for item in agreement.wrong],
        "not_scored": [[item.task, item.level] for item in agreement.not_scored],
    }  # fmt: skip


def stability_json(stability: Stability | NotScored) -> dict[str, Any] | None:
    """Table 8 as plain JSON; null if there is none."""
    if isinstance(stability, NotScored):
        return None
    return {
        "attempts": stability.tasks,
        "mean_variance": stability.mean_variance,
        "median_variance": stability.median_variance,
        "mean_cv": value_or_none(stability.mean_cv),
        "without_cv": stability.without_cv,
        "left_out": list(stability.left_out),
    }


_PROGRAM = """
from pptx import Presentation
from decklab.evals.perturb.sabotage import EditedDeck, sabotage, slides_before

deck = Presentation(path)
_before = slides_before(deck)
{edits}
fits = sabotage(_name, EditedDeck(deck, _before, may_change))
if fits:
    deck.save("edited.pptx")
"""


@dataclass(frozen=True)
class SabotageResult:
    """One sabotage of one task's perfect attempt."""

    task: str
    name: str
    kind: Literal["unseen", "harmful"]
    score: float | NotScored | None
    """Score of the damaged attempt; None if the sabotage does not fit the task."""
    hides: bool
    """Whether nothing that the task asks for can be seen, so that the score should be 0."""


def grade_sabotages(
    tasks: Iterable[StarterTask],
    names: Sequence[str] = (),
    *,
    renderer: Renderer,
    isolation: Isolation = "bubblewrap",
    done: Callable[[SabotageResult], object] = lambda spoilt: None,
) -> list[SabotageResult]:
    """Make and grade each sabotage (``names``, else all) of each task's perfect attempt.

    ``done`` is called with each result. Raises RunFailed where a program fails.
    """
    results: list[SabotageResult] = []
    known: dict[Path, ComparedDecks] = {}
    with scratch_folder("spoilt") as scratch, LeafRoom(isolation) as room:
        folder = scratch
        decks = {path.name: path for path in write_samples(folder / "decks")}
        with sabotage_sandbox(decks, isolation=isolation) as sandbox:
            for task in tasks:
                original = decks[f"{task.deck}.pptx"]
                rubric = parse_rubric(dict(task.rubric))
                may_change = task.rubric["metadata"]["may_change"]
                for name in names or SABOTAGES:
                    deck = sabotaged(
                        sandbox, original.name, name, may_change, task.attempts["perfect"]
                    )
                    score: float | NotScored | None = None
                    if deck is not None:
                        path = folder / "spoilt.pptx"
                        path.write_bytes(deck)
                        with ComparedDecks(
                            original, path, like=known.get(original), renderer=renderer
                        ) as pair:
                            known[original] = pair
                            score = grade_compared(pair, rubric, room=room).score
                    hides = SABOTAGES[name] == "unseen" and _hides(name, task)
                    result = SabotageResult(task.name, name, SABOTAGES[name], score, hides)
                    done(result)
                    results.append(result)
    return results


def sabotage_sandbox(decks: Mapping[str, Path], *, isolation: Isolation = "bubblewrap") -> Sandbox:
    """A sandbox for `sabotaged`, with the files of ``decks`` by name."""
    prelude, data = bundle_module("decklab.evals.perturb.sabotage")
    return Sandbox(files=decks, prelude=prelude, data=data, isolation=isolation)


def sabotaged(
    sandbox: Sandbox, deck: str, name: str, may_change: Sequence[Mapping[str, Any]], edits: str = ""
) -> bytes | None:
    """``deck`` after the program ``edits`` and the sabotage ``name``; None if it does not fit.

    ``may_change`` is that of the rubric. Raises RunFailed where the program fails.
    """
    variables: dict[str, Any] = {"path": sandbox.path(deck), "_name": name}
    variables["may_change"] = list(may_change)
    outcome = sandbox.run(_PROGRAM.format(edits=edits.strip()), globals=variables, result="fits")
    return sandbox.collect("edited.pptx")["edited.pptx"] if outcome.value else None


_WHOLE = frozenset(("all_slides_hidden", "slides_fly_by", "left_out_of_the_show"))
"""Sabotages that hide whole slides, and so any work on them."""

_OF_CHARTS = frozenset(("white_and_tiny", "transparent_text", "unpainted_series"))
"""Sabotages that leave a part of a chart visible: its lines, or its words."""


def _hides(name: str, task: StarterTask) -> bool:
    """Whether a sabotage of kind ``unseen`` hides everything that the task asks for."""
    if name in _WHOLE:
        return True
    if name in _OF_CHARTS and "charts" in task.categories:
        return False
    entries = task.rubric["metadata"]["may_change"]
    kinds = ("added", "shapes", "words", "new")
    may = [item for entry in entries for item in entry.get("may", ())]
    if any(item.startswith(("removed:", "slide:background", "notes:")) for item in may):
        return False
    return any(kind in line for line in entries for kind in kinds)


def sabotage_faults(results: Iterable[SabotageResult]) -> list[SabotageResult]:
    """The results with too high a score, or with none. A score is too high where it is that of the
    perfect attempt, or above 0 where nothing that the task asks for can be seen."""
    return [
        row
        for row in results
        if row.score is not None
        and (isinstance(row.score, NotScored) or row.score > (SAME if row.hides else 1 - SAME))
    ]


def sabotage_json(results: Iterable[SabotageResult]) -> list[dict[str, Any]]:
    """As plain JSON; the score is null where it is open or the sabotage does not fit."""
    return [
        {
            "task": row.task, "sabotage": row.name, "kind": row.kind, "hides": row.hides,
            "fits": row.score is not None,
            "score": row.score if isinstance(row.score, float) else None,
        }
        for row in results
    ]  # fmt: skip


@dataclass(frozen=True)
class SabotageRun:
    """The results of all sabotages."""

    results: Sequence[SabotageResult]

    @property
    def faults(self) -> list[SabotageResult]:
        """See `sabotage_faults`."""
        return sabotage_faults(self.results)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {"attempts": sabotage_json(self.results), "faults": sabotage_json(self.faults)}

    def lines(self) -> Iterator[str]:
        """A table of scores: rows are sabotages, columns tasks by number; ``!`` marks faults."""
        wrong = {(fault.name, fault.task) for fault in self.faults}
        cells = {
            (row.name, row.task): _shown(row.score) + "!" * ((row.name, row.task) in wrong)
            for row in self.results
        }
        tasks = list(dict.fromkeys(row.task for row in self.results))
        yield from (f"{number:>3} {task}" for number, task in enumerate(tasks, 1))
        yield f"\n{'':<28}" + "".join(f"{number:>6}" for number in range(1, len(tasks) + 1))
        for name in dict.fromkeys(result.name for result in self.results):
            yield f"{name:<28}" + "".join(f"{cells[name, task]:>6}" for task in tasks)
        fitting = sum(row.score is not None for row in self.results)
        yield f"\n{fitting} attempts; {len(self.faults)} score what they should not"


def _shown(score: float | NotScored | None) -> str:
    if score is None:
        return "-"
    return "open" if isinstance(score, NotScored) else f"{score:.2f}"


def bench_sabotage(
    names: Sequence[str] = (),
    ways: Sequence[str] = (),
    *,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> SabotageRun:
    """Grade the perfect attempts at starter tasks, all or those of ``names``, after each sabotage,
    all or ``ways``. ``progress`` is called with the number of attempts done, and of all.

    Raises UnknownName for an unknown task or sabotage, RendererMissing without LibreOffice.
    """
    chosen = [task for task in starter_tasks() if not names or task.name in names]
    unknown = {*names} - {task.name for task in chosen} | {*ways} - SABOTAGES.keys()
    if unknown:
        raise UnknownName(f"no task or sabotage named {', '.join(sorted(unknown))}")
    total, done = len(chosen) * len(ways or SABOTAGES), count(1)
    with Renderer().started(own_cache=True) as renderer:
        renderer.check()
        progress(0, total)

        def advance(_: SabotageResult) -> None:
            progress(next(done), total)

        return SabotageRun(grade_sabotages(chosen, ways, renderer=renderer, done=advance))


PHASES = ("snapshot", "diff", "pictures", "model", "sandbox", "total")
PICTURES = 12
"""Most changed slides of an attempt that are drawn: its page shows as many. Ours."""


@dataclass(frozen=True)
class LabelledDeck:
    """An attempt at a task, with its known level of completion."""

    task: EditingTask
    level: str
    deck: Path


@dataclass(frozen=True)
class GradedAttempt:
    """An attempt with its graded rubric."""

    labelled: LabelledDeck
    tree: GradedTree
    again: tuple[float | NotScored, ...] = ()
    """Scores of the same deck when it was graded again."""
    no_pictures: str = ""
    """Why its changed slides could not be drawn; empty where they were, or need not be."""

    @property
    def asked_model(self) -> bool:
        """Whether a leaf of its tree asked a model, so that scores may differ from run to run."""
        return any(leaf.asked for leaf in self.tree.root.leaves())

    @property
    def attempt(self) -> LabelledAttempt:
        """The attempt as ``decklab.evals.ppteval.meta`` takes it."""
        return LabelledAttempt(self.labelled.task.name, self.labelled.level, self.tree.score)


def find_attempts(tasks: Iterable[EditingTask], folder: str | Path) -> list[LabelledDeck]:
    """All attempts beside the list of tasks in ``folder``, by task, then by level.

    Raises DecksMissing if there is no attempt, UnknownName for a file whose name is no level.
    """
    above = find_registry(folder).resolve().parent.parent / ATTEMPTS
    ranks = {name: rank for rank, name in enumerate(LEVELS)}
    attempts: list[LabelledDeck] = []
    for task in tasks:
        decks = sorted((above / task.name).glob("*.pptx"))
        levels = [(LEVELS[deck.stem.partition("-")[0]].name, deck) for deck in decks]
        levels.sort(key=lambda pair: (ranks[pair[0]], pair[1].stem))
        attempts += [LabelledDeck(task, level, deck) for level, deck in levels]
    if not attempts:
        raise DecksMissing(f"there are no attempts below {above}")
    return attempts


def grade_attempts(
    attempts: Sequence[LabelledDeck],
    *,
    ask: Ask | None = None,
    repeats: int = 1,
    pictures: bool = False,
    renderer: Renderer | None = None,
    isolation: Isolation = "bubblewrap",
    secret: str = "",
    shown: Callable[[GradedAttempt, ComparedDecks], object] = lambda graded, decks: None,
) -> list[GradedAttempt]:
    """Grade every attempt with its task's rubric, ``repeats`` times; leaves ask the model ``ask``.

    With ``pictures`` changed slides are drawn with ``renderer`` as well, and their time is counted.
    ``secret`` is as in ``GradeOptions``; ``shown`` is called with each attempt while its decks are
    open. Raises DeckError where a deck cannot be read.
    """
    rows = []
    known: dict[Path, ComparedDecks] = {}
    options = GradeOptions(secret=secret)
    with LeafRoom(isolation) as room:
        for labelled in attempts:
            original, rubric = labelled.task.deck, labelled.task.rubric
            with ComparedDecks(
                original, labelled.deck, like=known.get(original), renderer=renderer
            ) as decks:
                known[original] = decks
                tree = grade_compared(decks, rubric, ask=ask, options=options, room=room)
                tree, lacking = _with_pictures(tree, decks) if pictures else (tree, "")
                again = tuple(
                    grade_compared(decks, rubric, ask=ask, options=options, room=room).score
                    for _ in range(repeats - 1)
                )
                graded = GradedAttempt(labelled, tree, again, lacking)
                shown(graded, decks)
            rows.append(graded)
    return rows


def _with_pictures(tree: GradedTree, decks: ComparedDecks) -> tuple[GradedTree, str]:
    """The tree with the seconds of drawing its changed slides, and why that failed, else empty."""
    started, cause = time.perf_counter(), ""
    try:
        changed_pictures(decks, PICTURES)
    except RenderError as error:
        cause = str(error)
    spent = time.perf_counter() - started
    clock = dict(tree.seconds)
    for phase in ("pictures", "total"):
        clock[phase] = clock.get(phase, 0.0) + spent
    return replace(tree, seconds=clock), cause


@dataclass(frozen=True)
class Phase:
    """Seconds a tree spent in one phase."""

    name: str
    mean: float
    median: float
    most: float


def phases(graded: Sequence[GradedAttempt]) -> list[Phase]:
    """Seconds of grading by phase, ``total`` last; empty without trees."""
    spent = {name: [attempt.tree.seconds.get(name, 0.0) for attempt in graded] for name in PHASES}
    return [
        Phase(name, fmean(all_), median(all_), max(all_)) for name, all_ in spent.items() if all_
    ]


def times(graded: Sequence[GradedAttempt]) -> dict[str, float]:
    """Mean seconds a tree by phase; empty without trees."""
    return {phase.name: phase.mean for phase in phases(graded)}


def repeated(graded: Sequence[GradedAttempt]) -> Stability | NotScored:
    """How much scores vary when attempts are judged again: paper 001, table 8.

    As in the paper, over the attempts whose rubric asked a model; over all attempts where no rubric
    did, whose scores should not vary at all.
    """
    judged = [attempt for attempt in graded if attempt.asked_model] or graded
    named = ((f"{item.labelled.task.name}/{item.labelled.deck.stem}", item) for item in judged)
    return stability({name: (item.tree.score, *item.again) for name, item in named})
