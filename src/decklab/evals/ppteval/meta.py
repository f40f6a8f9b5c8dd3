"""Meta-evaluation: do rubrics score attempts by their known levels of completion?

Paper 001, section 4.1. Attempts are decks in ``attempts/TASK/LEVEL.pptx`` beside the registry's
folder; where a level has several, ``LEVEL-2.pptx`` and so on.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, median

from decklab.core.errors import RenderError
from decklab.core.options import Isolation
from decklab.core.results import NotScored
from decklab.evals.agreement.levels import LEVELS, LabelledAttempt, Stability, stability
from decklab.evals.ppteval.starter import ATTEMPTS
from decklab.evals.ppteval.tasks import DecksMissing, EditingTask, find_registry
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.grade import GradeOptions, grade_compared
from decklab.evals.rubrics.graded import GradedTree
from decklab.evals.rubrics.page import changed_pictures
from decklab.evals.rubrics.running import LeafRoom
from decklab.models.asking import Ask
from decklab.rendering.renderer import Renderer

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
        """The attempt as ``decklab.evals.agreement.levels`` takes it."""
        return LabelledAttempt(self.labelled.task.name, self.labelled.level, self.tree.score)


def find_attempts(tasks: Iterable[EditingTask], folder: str | Path) -> list[LabelledDeck]:
    """All attempts beside the list of tasks in ``folder``, by task, then by level.

    Raises DecksMissing where there is no attempt, UnknownName for a file whose name is no level.
    """
    above = find_registry(folder).resolve().parent.parent / ATTEMPTS
    ranks = {name: rank for rank, name in enumerate(LEVELS)}
    found: list[LabelledDeck] = []
    for task in tasks:
        decks = sorted((above / task.name).glob("*.pptx"))
        levels = [(LEVELS[deck.stem.partition("-")[0]].name, deck) for deck in decks]
        levels.sort(key=lambda pair: (ranks[pair[0]], pair[1].stem))
        found += [LabelledDeck(task, level, deck) for level, deck in levels]
    if not found:
        raise DecksMissing(f"there are no attempts below {above}")
    return found


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
    open. Raises DeckError where a deck
    cannot be read.
    """
    found = []
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
            found.append(graded)
    return found


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
    return stability({
        f"{one.labelled.task.name}/{one.labelled.deck.stem}": (one.tree.score, *one.again)
        for one in judged
    })  # fmt: skip
