"""Table 3: means by category, for judges and companions."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from decklab.benchmarks.pptarena.companions import COMPANIONS
from decklab.benchmarks.pptarena.running import CaseResult
from decklab.benchmarks.pptarena.taxonomy import CATEGORIES
from decklab.results import NotScored

COLUMNS = ("IF", "VQ", *COMPANIONS)
ALL = "All cases"


@dataclass(frozen=True)
class Cell:
    """A mean over the cases that were scored, and how many those are."""

    mean: float | NotScored
    scored: int


@dataclass(frozen=True)
class SummaryRow:
    """A category, or all cases."""

    category: str
    cases: int
    cells: dict[str, Cell]
    """By ``COLUMNS``."""


def summary(results: Sequence[CaseResult]) -> list[SummaryRow]:
    """Rows by category in the order of table 3; a case counts in each of its categories and once
    in ``All cases``. Cases that were not scored are in no mean, and counted."""
    groups = {name: [one for one in results if name in one.case.categories] for name in CATEGORIES}
    others = [one for one in results if not set(one.case.categories) & set(CATEGORIES)]
    named = {**groups, "Other": others, ALL: list(results)}
    return [
        SummaryRow(name, len(group), {column: _cell(group, column) for column in COLUMNS})
        for name, group in named.items()
        if group
    ]


def _cell(group: Sequence[CaseResult], column: str) -> Cell:
    values = [one.value(column) for one in group]
    scored = [value for value in values if not isinstance(value, NotScored)]
    if scored:
        return Cell(fmean(scored), len(scored))
    reasons = [value.reason for value in values if isinstance(value, NotScored)]
    return Cell(NotScored(reasons[0] if len(set(reasons)) == 1 else "no case was scored"), 0)
