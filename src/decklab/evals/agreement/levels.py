"""Scores of attempts whose level of completion is known: accuracy, rank correlation, stability.

Paper 001: levels from table 1, stability when the same attempts are judged again from table 8.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median, pstdev, pvariance
from typing import Any, Final

from decklab.core.registry import Registry
from decklab.core.results import NotScored
from decklab.metrics.statistics import kendall_tau_b, spearman_rho

SAME: Final = 1e-9
"""Scores nearer than this to 0 or 1 are 0 or 1: they are sums of a few floats."""


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
    scored = [
        (level, attempt, attempt.score)
        for level, attempt in rated
        if not isinstance(attempt.score, NotScored)
    ]
    ranks = [float(level.rank) for level, _, _ in scored]
    scores = [score for _, _, score in scored]
    return LevelAgreement(
        levels=tuple(
            _row(LEVELS[name], [a for level, a in rated if level.name == name]) for name in LEVELS
        ),
        tau_b=kendall_tau_b(ranks, scores),
        rho=spearman_rho(ranks, scores),
        wrong=tuple(a for level, a, score in scored if level_of(score) != level),
        not_scored=tuple(a for _, a in rated if isinstance(a.score, NotScored)),
    )


def _row(level: CompletionLevel, attempts: list[LabelledAttempt]) -> LevelRow:
    scores = [a.score for a in attempts if not isinstance(a.score, NotScored)]
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
    scored = {
        task: [score for score in scores if not isinstance(score, NotScored)]
        for task, scores in runs.items()
    }
    repeated = {task: scores for task, scores in scored.items() if len(scores) >= 2}
    if not repeated:
        return NotScored("no task was scored twice")
    variances = [pvariance(scores) for scores in repeated.values()]
    cvs = [pstdev(scores) / fmean(scores) for scores in repeated.values() if fmean(scores) > 0]
    return Stability(
        tasks=len(repeated),
        mean_variance=fmean(variances),
        median_variance=median(variances),
        mean_cv=fmean(cvs) if cvs else NotScored("all scores are 0"),
        without_cv=len(repeated) - len(cvs),
        left_out=tuple(task for task in runs if task not in repeated),
    )


def agreement_json(agreement: LevelAgreement) -> dict[str, Any]:
    """Tables 1 and 3 as plain JSON; undefined values are null."""
    return {
        "levels": [
            {"level": row.level.name, "expected": row.level.expected, "attempts": row.attempts,
             "right": row.right, "not_scored": row.not_scored, "mean": row.mean,
             "accuracy": _known(row.accuracy)}
            for row in agreement.levels
        ],
        "accuracy": _known(agreement.accuracy),
        "tau_b": _known(agreement.tau_b),
        "rho": _known(agreement.rho),
        "wrong": [[item.task, item.level, _known(item.score)] for item in agreement.wrong],
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
        "mean_cv": _known(stability.mean_cv),
        "without_cv": stability.without_cv,
        "left_out": list(stability.left_out),
    }


def _known(value: float | NotScored) -> float | None:
    return None if isinstance(value, NotScored) else value
