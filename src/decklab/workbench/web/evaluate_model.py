"""Runs as the pages show them: systems on cases, with scores and missing ones."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np

from decklab.core.results import NotScored
from decklab.metrics.statistics import percentile_interval, resampled_sums

KINDS_OF_RUNS: Final[Mapping[str, str]] = {
    "pptarena": "PPTArena", "ppteval": "PPT-Eval", "slidesgen": "SlidesGen-Bench",
    "unippt": "UniPPTBench", "score": "Scores", "judge": "Judged decks", "quiz": "Quizzes",
    "grade": "Graded edits", "prefer": "Preferences", "log": "Logs", "trajectory": "Trajectories",
}  # fmt: skip
"""The kinds of results by their short names, in the order of the pages."""
_ENOUGH: Final = 5
"""Least scored cases for an interval by resampling; fewer say too little. Ours."""


@dataclass(frozen=True)
class Column:
    """A measure of cases."""

    name: str
    best: float | None = None
    """The best possible value; None if it has no bound."""
    less_is_better: bool = False


@dataclass(frozen=True)
class RunCase:
    """One system on one case."""

    name: str
    system: str
    values: Mapping[str, float | NotScored]
    """By the names of columns."""
    labels: tuple[str, ...] = ()
    """Types of edits, categories, purposes or settings."""
    difficulty: str = ""
    told: Mapping[str, Any] = field(default_factory=dict)
    """The record of the case as it stands in the file."""

    @cached_property
    def id(self) -> str:
        """32 hexadecimal digits, the same whenever the run is read."""
        return id_of(self.system, self.name)

    def value(self, column: str) -> float | NotScored:
        """One of ``values``."""
        return self.values.get(column, NotScored("it was not measured"))


@dataclass(frozen=True)
class RunMean:
    """The mean of a column over the cases of a system."""

    value: float | NotScored
    low: float | None
    """Ends of the 95% interval; None if too few cases are scored for one."""
    high: float | None
    scored: int
    of: int

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; null for unknown values."""
        missing = isinstance(self.value, NotScored)
        return {
            "mean": None if missing else self.value, "low": self.low, "high": self.high,
            "scored": self.scored, "of": self.of,
            "reason": self.value.reason if isinstance(self.value, NotScored) else None,
        }  # fmt: skip


@dataclass(frozen=True)
class ReadRun:
    """Content of a file about a run."""

    kind: str
    """Among ``KINDS_OF_RUNS``."""
    columns: tuple[Column, ...]
    main: str
    """The column by which cases are sorted and systems ranked first."""
    cases: tuple[RunCase, ...]
    by: str = ""
    """Model, judge or agent, if the file names one."""
    notes: tuple[str, ...] = ()
    """Remarks for a reader, a line each."""
    left_out: int = 0
    """Cases that were expected and could not be run by any system."""
    apart: frozenset[str] = frozenset()
    """Systems that are not ranked: attempts that are flawed on purpose."""


@dataclass(frozen=True, kw_only=True)
class FoundRun(ReadRun):
    """The results of one command, and the file that they were read from."""

    id: str
    title: str
    """Where it lies, below the folder that was named at the start."""
    file: Path
    made: float
    """Seconds since 1970 at which the file was written."""

    @property
    def folder(self) -> Path:
        """The folder of the file."""
        return self.file.parent

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """Their names in the order of the file."""
        return tuple(dict.fromkeys(case.system for case in self.cases))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """All labels of cases."""
        return tuple(sorted({label for case in self.cases for label in case.labels}))

    @cached_property
    def difficulties(self) -> tuple[str, ...]:
        """All difficulties of cases, in the order of the file."""
        return tuple(dict.fromkeys(case.difficulty for case in self.cases if case.difficulty))

    @cached_property
    def by_id(self) -> Mapping[str, RunCase]:
        """The cases by their ids."""
        return {case.id: case for case in self.cases}

    @cached_property
    def means(self) -> Mapping[str, Mapping[str, RunMean]]:
        """By system and column."""
        return {
            system: means_of([case for case in self.cases if case.system == system], self.columns)
            for system in self.systems
        }

    @property
    def ranked(self) -> Mapping[str, Mapping[str, RunMean]]:
        """The means of the systems that are ranked."""
        return {name: cells for name, cells in self.means.items() if name not in self.apart}

    @cached_property
    def unscored(self) -> int:
        """Cases of ranked systems without a value in the main column."""
        return sum(cells[self.main].of - cells[self.main].scored for cells in self.ranked.values())

    def column(self, name: str = "") -> Column:
        """A column by its name; the main one for other names."""
        known = {one.name: one for one in self.columns}
        return known.get(name) or known[self.main]


def id_of(*parts: str) -> str:
    """32 hexadecimal digits for some words.

    >>> len(id_of("a", "b")), id_of("a", "b") == id_of("ab")
    (32, False)
    """
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def means_of(cases: Sequence[RunCase], columns: Iterable[Column]) -> dict[str, RunMean]:
    """The mean of each column with its 95% interval, from resampled cases; unscored cases are left
    out of the mean, and counted.

    >>> cases = [RunCase(str(n), "s", {"IF": float(n % 2)}) for n in range(6)]
    >>> found = means_of(cases, [Column("IF")])["IF"]
    >>> found.value, found.scored, found.low < 0.5 < found.high
    (0.5, 6, True)
    """
    return {one.name: _mean(cases, one.name) for one in columns}


def _mean(cases: Sequence[RunCase], column: str) -> RunMean:
    values = [case.value(column) for case in cases]
    known = [value for value in values if not isinstance(value, NotScored)]
    if not known:
        reasons = {value.reason for value in values if isinstance(value, NotScored)}
        why = reasons.pop() if len(reasons) == 1 else "no case was scored"
        return RunMean(NotScored(why), None, None, 0, len(values))
    numbers = np.asarray(known, np.float64)
    low, high = None, None
    if len(known) >= _ENOUGH:
        draws = resampled_sums(numbers) / len(known)
        interval = percentile_interval(draws, len(known))
        if not isinstance(interval, NotScored):
            low, high = interval
    return RunMean(float(numbers.mean()), low, high, len(known), len(values))
