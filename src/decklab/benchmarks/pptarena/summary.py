"""Table 3: means by category, for judges and companions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from decklab.benchmarks.pptarena.companions import COMPANIONS
from decklab.benchmarks.pptarena.running import CaseResult
from decklab.benchmarks.pptarena.taxonomy import CATEGORIES
from decklab.reports.wording import number
from decklab.results import NotScored

COLUMNS = ("IF", "VQ", *COMPANIONS)
ALL = "All cases"


_NEAR_ONE = ("preservation", "visual")
"""Columns whose values are near 1 even for poor edits, and need three decimals."""


@dataclass(frozen=True)
class MeanCell:
    """A value, or a mean over the cases that were scored, and how many those are."""

    mean: float | NotScored
    scored: int = 1
    digits: int = 2

    @property
    def reason(self) -> str:
        """Why there is none; empty where there is."""
        return self.mean.reason if isinstance(self.mean, NotScored) else ""

    @property
    def shown(self) -> str:
        """The mean with its decimals, an en dash for none; 1 only where nothing is missing.

        >>> none = NotScored("no case")
        >>> MeanCell(0.9996, 3).shown, MeanCell(none, 0).shown, MeanCell(0.9996, digits=3).shown
        ('0.99', '–', '0.999')
        """
        if isinstance(self.mean, NotScored):
            return "–"
        shown = number(self.mean, self.digits)
        short = number(1, self.digits)
        return f"0.{'9' * self.digits}" if shown == short and self.mean < 1 - 1e-9 else shown


@dataclass(frozen=True)
class CategoryRow:
    """A category, or all cases."""

    category: str
    cases: int
    cells: Mapping[str, MeanCell]
    """By ``COLUMNS``."""


def summary(results: Sequence[CaseResult]) -> list[CategoryRow]:
    """Rows by category in the order of table 3; a case counts in each of its categories and once
    in ``All cases``. Cases that were not scored are in no mean, and counted."""
    groups = {name: [one for one in results if name in one.case.categories] for name in CATEGORIES}
    others = [one for one in results if not set(one.case.categories) & set(CATEGORIES)]
    named = {**groups, "Other": others, ALL: list(results)}
    return [
        CategoryRow(name, len(group), {column: _mean(group, column) for column in COLUMNS})
        for name, group in named.items()
        if group
    ]


def cell_of(column: str, value: float | NotScored, scored: int = 1) -> MeanCell:
    """A value of a column with the decimals that it needs."""
    return MeanCell(value, scored, 3 if column in _NEAR_ONE else 2)


def _mean(group: Sequence[CaseResult], column: str) -> MeanCell:
    values = [one.value(column) for one in group]
    scored = [value for value in values if not isinstance(value, NotScored)]
    if scored:
        return cell_of(column, fmean(scored), len(scored))
    reasons = [value.reason for value in values if isinstance(value, NotScored)]
    why = reasons[0] if len(set(reasons)) == 1 else "no case was scored"
    return cell_of(column, NotScored(why), 0)
