"""One task done and graded, outcomes of tasks, and the numbers of paper 001, table 2 and figure 7.

A leaf whose code raises, runs out of time or lacks pictures has no score, and the score of the
task is open. An editor could abuse this and leave a deck on which no leaf can be scored. So the
same rubric is run on the untouched deck: where a leaf can be scored there and not on the edited
deck, the edited deck is at fault.

Success rate is the share of tasks with the perfect score 1, the score that of the rubric's root
(section 4.2). A task whose score is open counts with the interval that is still possible, and so
do the means: where the ends differ, there is an interval and no number.
"""

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import inf
from pathlib import Path
from statistics import fmean
from typing import Any, Final, Literal, Self

from inspect_ai.log import EvalLog

from decklab.core.errors import (
    DeckError,
    DecklabError,
    EncryptedDeck,
    LimitExceeded,
    MissingPart,
    ModelError,
    RenderError,
    UnknownName,
)
from decklab.core.files import scratch_folder, write_whole
from decklab.core.options import Isolation
from decklab.core.results import SAME, BoundedScore, NotScored, value_or_none
from decklab.evals.editors.isolation import IsolatedEditor
from decklab.evals.editors.protocol import Editor, EditSession
from decklab.evals.editors.running import (
    EnvironmentBroken,
    Submission,
    check_readable,
    run_editor,
    submitted_bytes,
)
from decklab.evals.inspect_run import logged_outcomes, why_broken_off
from decklab.evals.ppteval.tasks import CATEGORIES, EditingTask
from decklab.evals.results.means import UNIT_SCALE, Observation
from decklab.evals.results.tables import ResultColumn, ResultTable, result_table
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.grade import GradeOptions, explained, grade_compared
from decklab.evals.rubrics.graded import Damage, GradedNode, GradedTree, Harm, LeafResult, graded
from decklab.evals.rubrics.page import SlidePair, changed_pictures, write_grading_page
from decklab.evals.rubrics.rubric import Rubric
from decklab.evals.rubrics.running import NEEDS_MODEL, LeafRoom
from decklab.models.asking import Ask
from decklab.rendering.renderer import Renderer
from decklab.sandbox.limits import SandboxUnavailable

Failure = Literal["", "environment", "model"]
DIFFICULTIES = ("Easy", "Medium", "Hard")
NO_DIFFICULTY: Final = "not stated"


@dataclass(frozen=True)
class MeanScore(BoundedScore):
    """A score or a mean, 0 to 1: its lowest and highest possible value, equal where it is known."""

    low: float
    high: float

    @property
    def shown(self) -> str:
        """Two decimals; 0.00 and 1.00 only for exactly 0 and 1.

        >>> MeanScore(1 / 3, 1 / 3).shown, MeanScore(0.2, 1).shown, MeanScore(0.999, 0.999).shown
        ('0.33', '0.20 to 1.00', '0.99')
        """
        low, high = SCORE.shown(self.low), SCORE.shown(self.high)
        return f"{low} to {high}" if self.open else low


@dataclass(frozen=True)
class TaskOutcome:
    """One task done by one editor.

    ``low`` and ``high`` are the lowest and highest possible score, 0 to 1; they differ where the
    score is not known, and ``reason`` says why. ``steps`` is None if nobody counted them.
    """

    task: str
    difficulty: str | None
    categories: tuple[str, ...]
    low: float
    high: float
    reason: str = ""
    steps: int | None = None
    seconds: float = 0.0
    ended: str = ""
    """The limit that ended the editor, or how it failed; empty where it ended by itself."""
    failure: Failure = ""
    """The failure that left no score, if one did: then it says nothing of the editor."""
    looped: bool = False
    """Whether an agent was stopped because it repeated itself."""
    tokens: int = 0
    cost: float | None = None
    """Of an agent's model, in US dollars; None if prices or tokens are not known."""

    @property
    def range(self) -> MeanScore:
        """The score as an interval."""
        return MeanScore(self.low, self.high)

    @property
    def score(self) -> float | NotScored:
        """The score, 0 to 1, or why it is open."""
        if self.high - self.low <= SAME:
            return self.low
        return NotScored(f"between {self.low:.3g} and {self.high:.3g}: {self.reason}")

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; ``score`` is null where it is open."""
        known = {"categories": list(self.categories), "score": value_or_none(self.score)}
        return {**asdict(self), **known}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The outcome that ``to_json`` wrote; raises TypeError for other JSON."""
        fields = {key: value for key, value in data.items() if key != "score"}
        return cls(**{**fields, "categories": tuple(fields["categories"])})


ALL_TASKS: Final = "All tasks"
SEVERAL: Final = "Several of them"
"""The group of the tasks that are about several structures, which figure 7 shows apart."""
SUCCESS: Final = ResultColumn("success", "Success", "Share of tasks with score 1", scale=UNIT_SCALE)
SCORE: Final = ResultColumn("score", "Score", "Mean score, with partial credit", scale=UNIT_SCALE)
STEPS: Final = ResultColumn("steps", "Steps", "Mean steps of a task", scale=(0.0, inf))


def observations(outcomes: Iterable[TaskOutcome], system: str) -> list[Observation]:
    """Success, score and steps of each task, in the groups of its difficulty and structures.

    A score that is open has its bounds, and so has success.
    """
    return [item for outcome in outcomes for item in _observed(outcome, system)]


def _observed(outcome: TaskOutcome, system: str) -> Iterator[Observation]:
    several = [SEVERAL] if len(outcome.categories) > 1 else []
    difficulty = outcome.difficulty or NO_DIFFICULTY
    groups = (ALL_TASKS, difficulty, *map(str.capitalize, outcome.categories), *several)
    done = [float(end >= 1 - SAME) for end in (outcome.low, outcome.high)]
    known = outcome.score if done[0] != done[1] else done[0]
    counted = NotScored("no editor counted its steps") if outcome.steps is None else outcome.steps
    bounds = outcome.low, outcome.high
    yield Observation(system, outcome.task, "success", known, groups, (done[0], done[1]))
    yield Observation(system, outcome.task, "score", outcome.score, groups, bounds)
    yield Observation(system, outcome.task, "steps", counted, groups)


def difficulty_table(outcomes: Sequence[TaskOutcome]) -> ResultTable:
    """Table 2: all tasks, and those of each difficulty.

    >>> done = [TaskOutcome("a", "Easy", ("text",), 1.0, 1.0, steps=4),
    ...         TaskOutcome("b", "Hard", ("text", "charts"), 0.0, 0.5, "no model")]
    >>> [row.name for row in difficulty_table(done).rows]
    ['All tasks', 'Easy', 'Hard']
    """
    stated = {outcome.difficulty or NO_DIFFICULTY for outcome in outcomes}
    known = [name for name in DIFFICULTIES if name in stated]
    names = [ALL_TASKS, *known, *sorted(stated - {*DIFFICULTIES})]
    return _groups("difficulty", "Table 2: by difficulty", "Difficulty", outcomes, names)


def structure_table(outcomes: Sequence[TaskOutcome]) -> ResultTable:
    """Figure 7: tasks by structure, a task in each of its structures, and those of several."""
    named = {category for outcome in outcomes for category in outcome.categories}
    known = [name for name in CATEGORIES if name in named]
    names = [name.capitalize() for name in (*known, *sorted(named - {*CATEGORIES}))]
    if any(len(outcome.categories) > 1 for outcome in outcomes):
        names.append(SEVERAL)
    return _groups("structure", "Figure 7: by structure", "Structure", outcomes, names)


def _groups(
    name: str, title: str, head: str, outcomes: Sequence[TaskOutcome], groups: Sequence[str]
) -> ResultTable:
    rows = observations(outcomes, "")
    members = {group: [row for row in rows if group in row.groups] for group in groups}
    return result_table(
        name, title, members, [SUCCESS, SCORE, STEPS], none="no task was done", head=head,
        units="tasks",
    )  # fmt: skip


@dataclass(frozen=True)
class AgentNumbers:
    """The numbers of agents besides scores, as in table 2 and section 5.1 of paper 001; means are
    over tasks that no failure of environment or model broke off."""

    seconds: float | NotScored
    """Mean time of a task."""
    loops: int
    """Tasks whose agent was stopped for repeating itself."""
    tasks: int
    """Tasks that nothing broke off."""
    environment_failures: int
    model_failures: int
    tokens: int
    cost: float | None
    """Of all tasks, in US dollars; None if it is not known of one that used tokens."""

    @property
    def loop_rate(self) -> float | NotScored:
        """Share of the tasks whose agent repeated itself."""
        return self.loops / self.tasks if self.tasks else NotScored("no task was carried through")

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; what is not known is null."""
        known = {name: value_or_none(getattr(self, name)) for name in ("seconds", "loop_rate")}
        return {**asdict(self), **known}


def agent_numbers(outcomes: Sequence[TaskOutcome]) -> AgentNumbers:
    """The numbers of an agent's tasks.

    >>> done = TaskOutcome("a", None, (), 1.0, 1.0, seconds=20.0)
    >>> stuck = TaskOutcome("b", None, (), 0.0, 0.0, seconds=40.0, looped=True)
    >>> broken = TaskOutcome("c", None, (), 0.0, 1.0, seconds=1.0, failure="environment")
    >>> found = agent_numbers([done, stuck, broken])
    >>> found.seconds, found.loop_rate, found.environment_failures
    (30.0, 0.5, 1)
    """
    lived = [outcome for outcome in outcomes if not outcome.failure]
    asked = [row for row in outcomes if row.tokens]
    costs = [row.cost for row in asked if row.cost is not None]
    return AgentNumbers(
        seconds=fmean(row.seconds for row in lived) if lived else NotScored("nothing was done"),
        loops=sum(row.looped for row in lived),
        tasks=len(lived),
        environment_failures=sum(row.failure == "environment" for row in outcomes),
        model_failures=sum(row.failure == "model" for row in outcomes),
        tokens=sum(row.tokens for row in outcomes),
        cost=sum(costs) if asked and len(costs) == len(asked) else None,
    )


def outcomes_of(log: EvalLog) -> Iterator[TaskOutcome]:
    """The outcome of every task of a log, in the order in which they ended.

    The score of a task that broke off is open, from 0 to 1.
    """
    for sample, outcome in logged_outcomes(log):
        if outcome is not None:
            yield TaskOutcome.from_json(outcome)
            continue
        name, known = str(sample.id), sample.metadata
        about = known.get("difficulty"), tuple(known.get("categories", ()))
        cause = why_broken_off(sample, "it was not graded")
        reason = f"the editor broke off: {cause}"
        yield TaskOutcome(name, *about, low=0.0, high=1.0, reason=reason, ended=cause)


@dataclass(frozen=True)
class Grading:
    """How edits are graded: ``judge`` is the model that leaves ask; with ``pictures`` changed
    slides are drawn. Rubrics run in ``room``; ``secret`` as in ``GradeOptions``."""

    judge: Ask | None = None
    pictures: bool = True
    isolation: Isolation = "bubblewrap"
    room: LeafRoom | None = None
    renderer: Renderer | None = None
    secret: str = ""


def zero_for_broken_leaves(
    tree: GradedTree, rubric: Rubric, original: Path, how: Grading
) -> GradedTree:
    """``tree`` with 0 for leaves that can be scored on ``original`` and not on the edited deck, and
    with the whole score lost where damage can be measured on ``original`` only. Leaves that ask a
    model stay unchanged: models fail without the deck's fault.
    """
    doubtful = {
        leaf.path: leaf.not_scored
        for leaf in tree.root.leaves()
        if leaf.not_scored and leaf.not_scored != NEEDS_MODEL
    }
    unknown = tree.counted and isinstance(tree.damage, NotScored)
    if not doubtful and not unknown:
        return tree
    with scratch_folder("untouched") as folder:
        copy = folder / f"untouched{original.suffix}"
        shutil.copyfile(original, copy)
        with ComparedDecks(original, copy, renderer=how.renderer) as decks:
            options = GradeOptions(isolation=how.isolation, damage="show" if unknown else "off")
            untouched = grade_compared(decks, rubric, options=options, room=how.room)
    scored = {leaf.path for leaf in untouched.root.leaves() if not leaf.not_scored}
    spoilt = doubtful.keys() & scored
    damage = tree.damage
    if isinstance(damage, NotScored) and isinstance(untouched.damage, Damage):
        reason = f"{damage.reason}; the untouched deck can be looked at, so all is lost"
        damage = Damage((Harm(None, reason, 1.0),), loss=1.0, work=0.0)
    if not spoilt and damage is tree.damage:
        return tree
    leaves = {leaf.path: _result(leaf, leaf.path in spoilt) for leaf in tree.root.leaves()}
    again = graded(rubric, leaves, rule=tree.rule, weight=tree.weight, seconds=tree.seconds)
    again = explained(again, None)
    return again if damage is None else again.with_damage(damage, counted=tree.counted)


def _result(leaf: GradedNode, spoilt: bool) -> LeafResult:
    if spoilt:
        reason = f"{leaf.not_scored}; on the untouched deck it can be scored, so this counts as 0"
        return LeafResult(0.0, reason, leaf.seconds, leaf.asked)
    score = leaf.low if leaf.not_scored is None else NotScored(leaf.not_scored)
    return LeafResult(score, leaf.reason, leaf.seconds, leaf.asked)


PICTURES = 6
"""Changed slides whose pictures go into the log, before and after. Ours: few tasks change more."""

_WHOLE = (EncryptedDeck, LimitExceeded)
"""Errors at opening a deck that is not broken."""
_NOT_ITS_FAULT = (ModelError, UnknownName, SandboxUnavailable, EnvironmentBroken)
"""Errors that are not the editor's fault: the edit is not scored."""
BEFORE, EDITED = "before.pptx", "edited.pptx"
"""Names of the decks in a task's folder."""
NO_DECK = "the editor left no deck: nothing is in its place, or a link, a folder or a pipe"


@dataclass(frozen=True)
class Graded:
    """An outcome with the graded tree and the pictures that explain it."""

    outcome: TaskOutcome
    tree: Mapping[str, Any] | None = None
    """The graded rubric as JSON; None if the rubric was not run."""
    pictures: tuple[SlidePair, ...] = ()
    """Changed slides before and after, the first few."""
    no_pictures: str = ""
    """Why there are no pictures, in one line."""


def edit_task(
    editor: Editor | IsolatedEditor, task: EditingTask, folder: Path, session: EditSession
) -> Submission:
    """Have ``editor`` do ``task`` in ``folder``, see ``run_editor``.

    The original deck, for grading, is written beside the edited deck when the editor is done.
    """
    before, original = folder / BEFORE, task.deck.read_bytes()
    before.unlink(missing_ok=True)
    try:
        done = run_editor(editor, task, folder / EDITED, session)
    finally:
        write_whole(before, original)
    return replace(done, original=before)


def grade_edit(
    task: EditingTask,
    edit: Submission,
    how: Grading,
    *,
    page: Path | None = None,
    steps_page: str = "",
) -> Graded:
    """Grade what an editor left with the task's rubric.

    ``page`` is the path of the page that shows the graded tree, in a folder beside the run's index;
    it is written where the rubric was run, and leads to ``steps_page``, a path relative to it.

    A deck that cannot be opened scores 0, whether it is broken, encrypted, too large or a link. A
    leaf that cannot be scored because of the edited deck scores 0, see `zero_for_broken_leaves`.
    An edit that broke off without the editor's fault, such as for lack of a model, is not scored.
    Raises DeckError where the original cannot be read.
    """
    if isinstance(edit.error, _NOT_ITS_FAULT):
        return Graded(_outcome(task, edit, 0.0, 1.0, str(edit.error)))
    try:
        submitted_bytes(edit.deck)
    except MissingPart:
        return Graded(_outcome(task, edit, 0.0, 0.0, NO_DECK))
    except DeckError as error:
        return Graded(_outcome(task, edit, 0.0, 0.0, f"the edited deck: {error.detail}"))
    try:
        check_readable(edit.deck, edit.original)
        decks = ComparedDecks(edit.original, edit.deck, renderer=how.renderer)
    except DeckError as error:
        if error.path == str(edit.original):
            raise
        problem = "cannot be opened" if isinstance(error, _WHOLE) else "is broken"
        return Graded(_outcome(task, edit, 0.0, 0.0, f"the edited deck {problem}: {error.detail}"))
    with decks:
        options = GradeOptions(isolation=how.isolation, secret=how.secret)
        tree = grade_compared(decks, task.rubric, ask=how.judge, options=options, room=how.room)
        tree = zero_for_broken_leaves(tree, task.rubric, edit.original, how)
        if page is not None:
            about = {"task": task.goal, "summary": "../index.html", "steps": steps_page}
            write_grading_page(page, tree, decks, pictures=how.pictures, **about)
        graded = Graded(
            _outcome(task, edit, tree.root.low, tree.root.high, _reason(tree)), tree.to_json()
        )
        if not how.pictures:
            return replace(graded, no_pictures="none were asked for")
        try:
            return replace(graded, pictures=tuple(changed_pictures(decks, PICTURES)))
        except RenderError as error:
            return replace(graded, no_pictures=str(error))


def _reason(tree: GradedTree) -> str:
    """The reason of the score, or why there is none."""
    if not isinstance(tree.score, NotScored):
        return tree.root.reason
    missing = {leaf.not_scored for leaf in tree.root.leaves() if leaf.not_scored}
    if tree.counted and isinstance(tree.damage, NotScored):
        missing.add(tree.damage.reason)
    return "; ".join(sorted(missing))


def _outcome(
    task: EditingTask, edit: Submission, low: float, high: float, reason: str
) -> TaskOutcome:
    return TaskOutcome(
        task=task.name,
        difficulty=task.difficulty,
        categories=task.categories,
        low=low,
        high=high,
        reason=reason,
        steps=len(edit.session.steps),
        seconds=edit.seconds,
        ended=edit.ended or _ending(edit.error),
        failure=_failure(edit.error),
        looped=edit.looped,
        tokens=edit.session.usage.input_tokens + edit.session.usage.output_tokens,
        cost=edit.session.cost,
    )


def _failure(error: DecklabError | None) -> Failure:
    """Whose failure ended an edit that is not scored."""
    if isinstance(error, EnvironmentBroken | SandboxUnavailable):
        return "environment"
    return "model" if isinstance(error, ModelError | UnknownName) else ""


def _ending(error: DecklabError | None) -> str:
    if error is None:
        return ""
    return str(error) if isinstance(error, _NOT_ITS_FAULT) else f"the editor failed: {error}"
