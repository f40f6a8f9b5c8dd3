"""Scores of attempts whose level of completion is known: accuracy and rank correlation."""

from collections.abc import Iterable
from dataclasses import dataclass

from decklab.metrics.agreement.levels import LEVELS, Level, level_of
from decklab.metrics.agreement.ranks import kendall_tau_b, spearman_rho
from decklab.results import NotScored


@dataclass(frozen=True)
class Attempt:
    """One attempt at a task: the level it was made or labelled to be at, and the score it got.

    ``level`` is a name of ``LEVELS``; ``score`` 0 to 1, or why there is none.
    """

    task: str
    level: str
    score: float | NotScored


@dataclass(frozen=True)
class LevelRow:
    """Attempts of one level: how many got a score of that level (``right``), how many none."""

    level: Level
    attempts: int
    right: int
    not_scored: int
    mean: float | None
    """Mean of the scores there are."""

    @property
    def accuracy(self) -> float | NotScored:
        """Share of the scored attempts whose score is the expected one, 0 to 1."""
        scored = self.attempts - self.not_scored
        return self.right / scored if scored else NotScored("no attempt of this level was scored")


@dataclass(frozen=True)
class Agreement:
    """Tables 1 and 3 of paper 001: one row a level, and the correlations over all attempts."""

    levels: tuple[LevelRow, ...]
    tau_b: float | NotScored
    rho: float | NotScored
    wrong: tuple[Attempt, ...]
    """Scored attempts whose score belongs to another level."""
    not_scored: tuple[Attempt, ...]
    """Attempts without a score; in no accuracy and no correlation, and never taken for 0."""

    @property
    def accuracy(self) -> float | NotScored:
        """Share of all scored attempts with the expected score, 0 to 1."""
        scored = sum(row.attempts - row.not_scored for row in self.levels)
        right = sum(row.right for row in self.levels)
        return right / scored if scored else NotScored("no attempt was scored")


def agreement(attempts: Iterable[Attempt]) -> Agreement:
    """How the scores of labelled attempts agree with their levels.

    Correlations are between scores and the ranks of levels, over all scored attempts of all
    tasks, as paper 001 has them (section 4.1). Raises UnknownName for a level that is none.

    >>> found = agreement([Attempt("a", "none", 0.0), Attempt("a", "some", 0.6),
    ...                    Attempt("a", "perfect", 1.0)])
    >>> [row.accuracy for row in found.levels if row.attempts], found.tau_b
    ([1.0, 0.0, 1.0], 1.0)
    """
    rated = [(LEVELS[attempt.level], attempt) for attempt in attempts]
    scored = [
        (level, attempt, attempt.score)
        for level, attempt in rated
        if not isinstance(attempt.score, NotScored)
    ]
    ranks = [float(level.rank) for level, _, _ in scored]
    scores = [score for _, _, score in scored]
    return Agreement(
        levels=tuple(_row(LEVELS[name], [a for level, a in rated if level.name == name])
                     for name in LEVELS),
        tau_b=kendall_tau_b(ranks, scores),
        rho=spearman_rho(ranks, scores),
        wrong=tuple(a for level, a, score in scored if level_of(score) != level),
        not_scored=tuple(a for _, a in rated if isinstance(a.score, NotScored)),
    )  # fmt: skip


def _row(level: Level, attempts: list[Attempt]) -> LevelRow:
    scores = [a.score for a in attempts if not isinstance(a.score, NotScored)]
    return LevelRow(
        level=level,
        attempts=len(attempts),
        right=sum(level_of(score) == level for score in scores),
        not_scored=len(attempts) - len(scores),
        mean=sum(scores) / len(scores) if scores else None,
    )
