"""What came of tasks, and the numbers of paper 001, table 2 and figure 7.

Success rate is the share of tasks with the perfect score 1, the score that of the rubric's root
(section 4.2). A task whose score is open counts with the interval that is still possible, and so
do the means: where the ends differ, there is an interval and no number.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any, Self

from decklab.benchmarks.ppteval.categories import CATEGORIES
from decklab.results import NotScored

DIFFICULTIES = ("Easy", "Medium", "Hard")
SAME = 1e-9
"""Scores nearer than this are the same."""


@dataclass(frozen=True)
class TaskOutcome:
    """One task done by one editor.

    ``low`` and ``high`` are the least and greatest score still possible, 0 to 1; they differ where
    the score could not be had, and ``reason`` then says why. ``steps`` is None where nobody
    counted.
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

    @property
    def score(self) -> float | NotScored:
        """The score, 0 to 1, or why it is open."""
        if self.high - self.low <= SAME:
            return self.low
        return NotScored(f"between {self.low:.3g} and {self.high:.3g}: {self.reason}")

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; ``score`` is null where it is open."""
        score = self.score
        return {**asdict(self), "categories": list(self.categories),
                "score": None if isinstance(score, NotScored) else score}  # fmt: skip

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The other way; raises TypeError for what is none."""
        fields = {key: value for key, value in data.items() if key != "score"}
        return cls(**{**fields, "categories": tuple(fields["categories"])})


@dataclass(frozen=True)
class Average:
    """A mean whose parts may be open: the least and the greatest that it can be."""

    low: float
    high: float

    @property
    def value(self) -> float | NotScored:
        """The mean, or that it is open."""
        if self.high - self.low <= SAME:
            return self.low
        return NotScored(f"between {self.low:.3g} and {self.high:.3g}")


@dataclass(frozen=True)
class SummaryRow:
    """A cell of table 2: ``success`` and ``score`` 0 to 1, ``steps`` over tasks that tell them."""

    tasks: int
    open: int
    """Tasks among them whose score is open."""
    success: Average
    score: Average
    steps: float | NotScored


@dataclass(frozen=True)
class Summary:
    """Table 2 and figure 7 of one editor; groups without tasks are left out."""

    overall: SummaryRow
    by_difficulty: Mapping[str, SummaryRow]
    by_category: Mapping[str, SummaryRow]
    """A task counts in each of its categories."""
    multi_category: SummaryRow | None
    """Tasks of several categories, which figure 7 shows as one of their own."""

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; what is open is null beside its interval."""
        return {
            "overall": _row_json(self.overall),
            "by_difficulty": {k: _row_json(row) for k, row in self.by_difficulty.items()},
            "by_category": {k: _row_json(row) for k, row in self.by_category.items()},
            "multi_category": _row_json(self.multi_category) if self.multi_category else None,
        }


def summarize(outcomes: Iterable[TaskOutcome]) -> Summary | NotScored:
    """The numbers of one editor's tasks; NotScored where there are none.

    >>> done = [TaskOutcome("a", "Easy", ("text",), 1.0, 1.0, steps=4),
    ...         TaskOutcome("b", "Hard", ("text", "charts"), 0.0, 0.5, "no model")]
    >>> found = summarize(done)
    >>> found.overall.success, found.overall.steps, found.by_category["charts"].score.low
    (Average(low=0.5, high=0.5), 4.0, 0.0)
    """
    found = list(outcomes)
    if not found:
        return NotScored("no task was done")
    difficulties = [*DIFFICULTIES, *sorted({o.difficulty or "" for o in found} - {*DIFFICULTIES})]
    several = [o for o in found if len(o.categories) > 1]
    named = {category for o in found for category in o.categories}
    categories = [*CATEGORIES, *sorted(named - set(CATEGORIES))]
    return Summary(
        overall=_row(found),
        by_difficulty=_groups({
            name or "not stated": [o for o in found if (o.difficulty or "") == name]
            for name in difficulties
        }),
        by_category=_groups({
            name: [o for o in found if name in o.categories] for name in categories
        }),
        multi_category=_row(several) if several else None,
    )  # fmt: skip


def _groups(groups: Mapping[str, Sequence[TaskOutcome]]) -> dict[str, SummaryRow]:
    return {name: _row(members) for name, members in groups.items() if members}


def _row(outcomes: Sequence[TaskOutcome]) -> SummaryRow:
    steps = [o.steps for o in outcomes if o.steps is not None]
    return SummaryRow(
        tasks=len(outcomes),
        open=sum(isinstance(o.score, NotScored) for o in outcomes),
        success=Average(
            fmean(o.low >= 1 - SAME for o in outcomes), fmean(o.high >= 1 - SAME for o in outcomes)
        ),
        score=Average(fmean(o.low for o in outcomes), fmean(o.high for o in outcomes)),
        steps=fmean(steps) if steps else NotScored("no editor counted its steps"),
    )


def _row_json(row: SummaryRow) -> dict[str, Any]:
    return {
        "tasks": row.tasks,
        "open": row.open,
        "success": _average_json(row.success),
        "score": _average_json(row.score),
        "steps": None if isinstance(row.steps, NotScored) else row.steps,
    }


def _average_json(average: Average) -> dict[str, float | None]:
    value = average.value
    known = None if isinstance(value, NotScored) else value
    return {"value": known, "low": average.low, "high": average.high}
