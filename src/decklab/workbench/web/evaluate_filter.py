"""Which cases are shown, in which order; leaderboards over runs; and two runs case by case."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal
from urllib.parse import urlencode

from decklab.core.results import SAME, NotScored
from decklab.workbench.web.evaluate_model import Column, FoundRun, RunCase, RunMean

State = Literal["", "scored", "unscored"]
WORST, BEST, NAME = "worst", "best", "name"
ORDERS: Final[Mapping[str, str]] = {
    "": "as in the run", WORST: "worst first", BEST: "best first", NAME: "by name",
}  # fmt: skip
"""Orders of cases, and their words."""


@dataclass(frozen=True)
class CaseFilter:
    """What a person asked for; empty fields leave everything in."""

    system: str = ""
    label: str = ""
    difficulty: str = ""
    column: str = ""
    """Whose values ``low``, ``high``, ``state`` and ``order`` are about; the main one if empty."""
    low: float | None = None
    high: float | None = None
    state: str = ""
    q: str = ""
    """Words of the name, the instruction or the reason."""
    order: str = ""

    def choose(self, run: FoundRun) -> list[RunCase]:
        """The cases of a run that fit, in the order that was asked for."""
        column = run.column(self.column)
        found = [case for case in run.cases if self._fits(case, column.name)]
        if self.order == NAME:
            return sorted(found, key=lambda case: (case.name.casefold(), case.system))
        if self.order in (WORST, BEST):
            down = (self.order == BEST) != column.less_is_better
            return sorted(found, key=lambda case: _rank(case.value(column.name), down=down))
        return found

    def _fits(self, case: RunCase, column: str) -> bool:
        value = case.value(column)
        scored = not isinstance(value, NotScored)
        return (
            (not self.system or case.system == self.system)
            and (not self.label or self.label in case.labels)
            and (not self.difficulty or case.difficulty == self.difficulty)
            and (not self.state or scored == (self.state == "scored"))
            and self._within(value)
            and all(word in _words(case) for word in self.q.casefold().split())
        )

    def _within(self, value: float | NotScored) -> bool:
        if self.low is None and self.high is None:
            return True
        if isinstance(value, NotScored):
            return False
        above = self.low is None or value >= self.low - SAME
        return above and (self.high is None or value <= self.high + SAME)

    @property
    def query(self) -> str:
        """The filter as the end of an address, with its question mark; empty without one."""
        asked = {name: value for name, value in vars(self).items() if value not in ("", None)}
        return f"?{urlencode(asked)}" if asked else ""

    @property
    def narrow(self) -> bool:
        """Whether some cases may be left out."""
        return replace(self, order="", column="") != CaseFilter()


def _words(case: RunCase) -> str:
    told = (str(case.told.get(key) or "") for key in ("instruction", "reason", "title", "note"))
    return " ".join((case.name, case.system, *case.labels, *told)).casefold()


def _rank(value: float | NotScored, *, down: bool) -> tuple[bool, float]:
    """What is not scored comes last."""
    if isinstance(value, NotScored):
        return True, 0.0
    return False, -value if down else value


@dataclass(frozen=True)
class BoardPlace:
    """A system of a run on a leaderboard."""

    run: FoundRun
    system: str
    cells: Mapping[str, RunMean]


def leaderboard(
    runs: Iterable[FoundRun], kind: str, *, sort: str = "", q: str = ""
) -> tuple[list[Column], list[BoardPlace]]:
    """The systems of all runs of a kind by one column, the best first, and all columns.

    ``q`` are words of the system or the run. Means over different cases do not compare; the number
    of cases stands beside them.
    """
    own = [run for run in runs if run.kind == kind]
    columns: dict[str, Column] = {}
    for run in own:
        columns |= {one.name: one for one in run.columns if one.name not in columns}
    places = [
        BoardPlace(run, system, cells)
        for run in own
        for system, cells in run.ranked.items()
        if all(word in f"{system} {run.title}".casefold() for word in q.casefold().split())
    ]
    by = columns.get(sort) or (own[0].column() if own else None)
    if by is not None:
        places.sort(key=lambda one: _place_rank(one, by))
    return list(columns.values()), places


def _place_rank(place: BoardPlace, column: Column) -> tuple[bool, float]:
    cell = place.cells.get(column.name)
    value = cell.value if cell else NotScored("no such column")
    return _rank(value, down=not column.less_is_better)


@dataclass(frozen=True)
class PairedCase:
    """A case in two runs; None where a run does not have it."""

    name: str
    before: RunCase | None
    after: RunCase | None
    change: float | NotScored
    """How much better it got, in the column's unit."""

    @property
    def verdict(self) -> Literal["better", "worse", "same", "open"]:
        """What became of it; ``open`` where it is not scored in both."""
        if isinstance(self.change, NotScored):
            return "open"
        if abs(self.change) <= SAME:
            return "same"
        return "better" if self.change > 0 else "worse"


def paired(before: Sequence[RunCase], after: Sequence[RunCase], column: Column) -> list[PairedCase]:
    """Cases of the same name in two runs: what got worse most first, then better, then the rest."""
    old = {case.name: case for case in before}
    new = {case.name: case for case in after}
    pairs = [
        PairedCase(
            name, old.get(name), new.get(name), _change(old.get(name), new.get(name), column)
        )
        for name in dict.fromkeys((*old, *new))
    ]
    ranks = {"worse": 0, "better": 1, "open": 2, "same": 3}
    return sorted(pairs, key=lambda one: (ranks[one.verdict], -_size(one.change)))


def _size(change: float | NotScored) -> float:
    return 0.0 if isinstance(change, NotScored) else abs(change)


def _change(before: RunCase | None, after: RunCase | None, column: Column) -> float | NotScored:
    if before is None or after is None:
        return NotScored("only one of them has the case")
    was, now = before.value(column.name), after.value(column.name)
    if isinstance(was, NotScored):
        return was
    if isinstance(now, NotScored):
        return now
    return was - now if column.less_is_better else now - was
