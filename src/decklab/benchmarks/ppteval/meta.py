"""Meta-evaluation: do rubrics tell apart attempts whose level of completion is known?

Paper 001, section 4.1. Attempts are decks in ``attempts/TASK/LEVEL.pptx`` beside the registry's
folder; where a level has several, ``LEVEL-2.pptx`` and so on.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from decklab.benchmarks.ppteval.errors import DecksMissing
from decklab.benchmarks.ppteval.starter.writing import ATTEMPTS
from decklab.benchmarks.ppteval.tasks import EditingTask, find_registry
from decklab.deck.snapshot import Snapshot
from decklab.metrics.agreement import LEVELS, Agreement, Attempt
from decklab.models.asking import Ask
from decklab.results import NotScored
from decklab.rubrics.graded import GradedTree
from decklab.rubrics.running import LeafRoom
from decklab.sandbox import Isolation
from decklab.scoring.deck_pair import ComparedDecks
from decklab.scoring.grading import grade_compared

__all__ = ["PHASES", "GradedAttempt", "agreement_json", "find_attempts", "grade_attempts", "times"]

PHASES = ("snapshot", "diff", "pictures", "model", "sandbox", "total")


@dataclass(frozen=True)
class LabelledDeck:
    """An attempt at a task, with the level it was made or labelled to be at."""

    task: EditingTask
    level: str
    deck: Path


@dataclass(frozen=True)
class GradedAttempt:
    """The same with what its rubric says."""

    labelled: LabelledDeck
    tree: GradedTree

    @property
    def attempt(self) -> Attempt:
        """For ``decklab.metrics.agreement``."""
        return Attempt(self.labelled.task.name, self.labelled.level, self.tree.score)


def find_attempts(tasks: Iterable[EditingTask], folder: str | Path) -> list[LabelledDeck]:
    """All attempts beside the list of tasks in ``folder``, by task, then by level.

    Raises DecksMissing where there is none, UnknownName for a file that is named for no level.
    """
    above = find_registry(folder).resolve().parent.parent / ATTEMPTS
    ranks = {name: rank for rank, name in enumerate(LEVELS)}
    found: list[LabelledDeck] = []
    for task in tasks:
        decks = sorted((above / task.name).glob("*.pptx"))
        levels = [(LEVELS[deck.stem.partition("-")[0]].name, deck) for deck in decks]
        levels.sort(key=lambda pair: (ranks[pair[0]], pair[1].name))
        found += [LabelledDeck(task, level, deck) for level, deck in levels]
    if not found:
        raise DecksMissing(f"there are no attempts below {above}")
    return found


def grade_attempts(
    attempts: Sequence[LabelledDeck],
    *,
    ask: Ask | None = None,
    isolation: Isolation = "bubblewrap",
    shown: Callable[[GradedAttempt, ComparedDecks], object] = lambda graded, decks: None,
) -> list[GradedAttempt]:
    """Grade every attempt with its task's rubric.

    ``shown`` is told of each while its decks are open. Raises DeckError where one cannot be read.
    """
    found = []
    known: dict[Path, Snapshot] = {}
    with LeafRoom(isolation) as room:
        for labelled in attempts:
            original = labelled.task.deck
            with ComparedDecks(original, labelled.deck, known=known.get(original)) as decks:
                known[original] = decks.snapshots["original"]
                tree = grade_compared(decks, labelled.task.rubric, ask=ask, room=room)
                graded = GradedAttempt(labelled, tree)
                shown(graded, decks)
            found.append(graded)
    return found


def times(graded: Sequence[GradedAttempt]) -> dict[str, float]:
    """Mean seconds a tree by phase; empty without trees."""
    if not graded:
        return {}
    return {phase: fmean(one.tree.seconds.get(phase, 0.0) for one in graded) for phase in PHASES}


def agreement_json(found: Agreement) -> dict[str, Any]:
    """Tables 1 and 3 as plain JSON; what is undefined is null."""
    return {
        "levels": [
            {"level": row.level.name, "expected": row.level.expected, "attempts": row.attempts,
             "right": row.right, "not_scored": row.not_scored, "mean": row.mean,
             "accuracy": _known(row.accuracy)}
            for row in found.levels
        ],
        "accuracy": _known(found.accuracy),
        "tau_b": _known(found.tau_b),
        "rho": _known(found.rho),
        "wrong": [[one.task, one.level, _known(one.score)] for one in found.wrong],
        "not_scored": [[one.task, one.level] for one in found.not_scored],
    }  # fmt: skip


def _known(value: float | NotScored) -> float | None:
    return None if isinstance(value, NotScored) else value
