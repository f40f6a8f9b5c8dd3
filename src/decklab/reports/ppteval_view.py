"""What the page of a PPT-Eval run shows, as plain records: paper 001, table 2 and figure 7."""

from dataclasses import dataclass

from decklab.reports.wording import number
from decklab.results import SAME, BoundedScore


@dataclass(frozen=True)
class ScoreRange(BoundedScore):
    """A score or a mean, 0 to 1: the least and the greatest still possible, equal where known."""

    low: float
    high: float

    @property
    def shown(self) -> str:
        """Two decimals; 0 and 1 only for what is exactly that.

        >>> ScoreRange(1 / 3, 1 / 3).shown, ScoreRange(0.2, 1).shown, ScoreRange(0.999, 0.999).shown
        ('0.33', '0.20 to 1.00', '0.99')
        """
        low, high = _two_decimals(self.low), _two_decimals(self.high)
        return f"{low} to {high}" if self.open else low


def _two_decimals(score: float) -> str:
    shown = number(score)
    if shown == "1.00" and score < 1 - SAME:
        return "0.99"
    return "0.01" if shown == "0.00" and score > SAME else shown


@dataclass(frozen=True)
class StandingRow:
    """A group of tasks: all, those of one difficulty, or those about one structure."""

    name: str
    tasks: int
    open: int
    """Tasks among them whose score is not known."""
    success: ScoreRange
    """Share of tasks with the perfect score."""
    score: ScoreRange
    """Mean score."""
    steps: float | None = None
    """Mean over the tasks whose editor counts them; None where none does."""

    @property
    def done(self) -> str:
        """How many tasks were done perfectly, of how many.

        >>> whole, part = ScoreRange(0.5, 0.5), ScoreRange(0.25, 0.5)
        >>> StandingRow("all", 4, 0, whole, whole).done, StandingRow("all", 4, 1, part, part).done
        ('2 of 4', '1 to 2 of 4')
        """
        low, high = (round(share * self.tasks) for share in (self.success.low, self.success.high))
        return f"{low} of {self.tasks}" if low == high else f"{low} to {high} of {self.tasks}"

    @property
    def bar(self) -> tuple[float, float, float]:
        """Shares of a bar, 0 to 1: earned by perfect tasks, by partial credit, still possible."""
        return (
            self.success.low,
            max(0.0, self.score.low - self.success.low),
            self.score.high - self.score.low,
        )


@dataclass(frozen=True)
class TaskRow:
    """One task and what an editor made of it."""

    name: str
    goal: str
    difficulty: str
    categories: tuple[str, ...]
    score: ScoreRange
    reason: str = ""
    """Why the score is not known, or why there is no page of its own."""
    ending: str = ""
    """What ended the editor; empty where it ended by itself."""
    steps: int | None = None
    """None where nobody counted."""
    seconds: float = 0.0
    page: str = ""
    """Path of the page with its tree, relative to the summary; empty where none was graded."""

    @property
    def rank(self) -> str:
        """What tables sort difficulties by."""
        known = {"Easy": "1", "Medium": "2", "Hard": "3"}
        return known.get(self.difficulty, f"4 {self.difficulty}")


@dataclass(frozen=True)
class EditingRun:
    """One editor that was put to a set of tasks."""

    title: str
    facts: tuple[tuple[str, str], ...]
    """What was run and how, as pairs of a word and its value."""
    overall: StandingRow
    difficulties: tuple[StandingRow, ...]
    structures: tuple[StandingRow, ...]
    """A task counts in each of its own; those of several may have a last row of their own."""
    tasks: tuple[TaskRow, ...]

    @property
    def unscored(self) -> tuple[tuple[str, int], ...]:
        """Reasons why scores are not known, each with how many tasks it keeps open."""
        found: dict[str, int] = {}
        for task in self.tasks:
            if task.score.open:
                found[task.reason] = found.get(task.reason, 0) + 1
        return tuple(sorted(found.items(), key=lambda pair: -pair[1]))
