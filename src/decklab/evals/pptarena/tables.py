"""Numbers over cases: difficulty (table C), means by category (table 3), ranks of truths.

The difficulty of a case follows the four signals of paper 003, D.2.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from decklab.core.results import NotScored, first_cause, reason_of, scored, scored_mean
from decklab.diffing.snapshots import DeckEdit
from decklab.evals.pptarena.cases import CATEGORIES, Case
from decklab.evals.pptarena.reference_scores import COMPANIONS
from decklab.evals.pptarena.running import CaseResult
from decklab.metrics.edits import atomic_changes
from decklab.pages.wording import number

_SEEING = frozenset({"picture", "chart", "diagram", "media"})
_SAYING = frozenset({"text", "table", "notes", "alt text"})
_DECKWIDE = re.compile(
    r"\b(all|every|each|throughout|whole|deck|wherever|consistent|same)\b|"
    r"\bslides? (of|with|\d+(\s*(,|and|to|-)\s*(slides? )?\d+)+)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Difficulty:
    """The signals of one case. The paper labels them by hand; here they are computed, so their
    shares over a set may differ from table C."""

    operations: int
    """Atomic changes from original to truth."""
    slides: int
    """Slides that these change, among them all slides of a changed theme, master or layout."""
    cross_slide: bool
    """Whether two or more slides change and the request is about several or the whole deck."""
    text_visual: bool
    """Whether words and something visual change together, or a picture's words."""
    high_diff: bool
    """Cross-slide or text-visual (D.2; the legend of table C also has long programs in it)."""


def difficulty(case: Case, edit: DeckEdit) -> Difficulty:
    """The signals of a case with the edit that leads from its original to its truth."""
    atoms = atomic_changes(edit)
    slides: set[int | str] = set()
    for atom in atoms:
        slide = atom.place[0]
        if isinstance(slide, int):
            slides.add(slide)
        elif isinstance(slide, str):
            slides.add(f"new {atom.change.slide}")
        else:
            slides |= _followers(edit, atom.change.kind, atom.place[1])
    kinds = {atom.change.kind for atom in atoms}
    cross = len(slides) > 1 and bool(_DECKWIDE.search(f"{case.prompt} {case.style_target}"))
    mixed = bool(kinds & _SEEING) and bool(kinds & _SAYING)
    return Difficulty(len(atoms), len(slides), cross, mixed, cross or mixed)


def _followers(edit: DeckEdit, kind: str, sheet: object) -> set[int | str]:
    if kind not in ("theme", "master", "layout"):
        return set()
    return {slide["number"] for slide in edit.before["slides"] if slide.get(kind) == sheet}


@dataclass(frozen=True)
class DifficultyRow:
    """A row of table C."""

    category: str
    cases: int
    operations: float
    slides: float
    cross_slide: float
    high_diff: float

    @property
    def shown(self) -> tuple[str, ...]:
        """The numbers as a page shows them."""
        means = (f"{self.operations:.1f}", f"{self.slides:.1f}")
        return (str(self.cases), *means, f"{self.cross_slide:.0%}", f"{self.high_diff:.0%}")


_SIGNALS = ("operations", "slides", "cross_slide", "high_diff")


def difficulty_table(rows: Iterable[tuple[Case, Difficulty]]) -> list[DifficultyRow]:
    """Table C: means and shares by category, a case in each of its own, and over all labels."""
    listed = list(rows)
    groups = {name: [row for case, row in listed if name in case.categories] for name in CATEGORIES}
    groups["All labels"] = [row for group in groups.values() for row in group]
    return [
        DifficultyRow(
            name, len(group), *(fmean(getattr(row, signal) for row in group) for signal in _SIGNALS)
        )
        for name, group in groups.items()
        if group
    ]


@dataclass(frozen=True)
class RankCheck:
    """Pairs of a truth and a flawed attempt at the same case."""

    pairs: int
    """Pairs of which both decks were scored."""
    right: int
    """Pairs with the truth strictly above."""
    wrong: tuple[tuple[str, str], ...]
    """Case and kind of attempt of the other pairs."""
    not_scored: int

    @property
    def share(self) -> float | NotScored:
        """Share of the pairs in the right order, 0 to 1."""
        return self.right / self.pairs if self.pairs else NotScored("no pair was scored")


def ordering(
    truths: Mapping[str, float | NotScored], attempts: Iterable[tuple[str, str, float | NotScored]]
) -> RankCheck:
    """Compare the score of each attempt (case, kind, score) with that of the case's truth.

    >>> ordering({"a": 1.0}, [("a", "partial", 0.5), ("a", "collateral", 1.0)]).share
    0.5
    """
    pairs = right = not_scored = 0
    wrong = []
    for case, kind, score in attempts:
        best = truths[case]
        if isinstance(best, NotScored) or isinstance(score, NotScored):
            not_scored += 1
            continue
        pairs += 1
        if best > score:
            right += 1
        else:
            wrong.append((case, kind))
    return RankCheck(pairs, right, tuple(wrong), not_scored)


COLUMNS = ("IF", "VQ", *COMPANIONS)
ALL = "All cases"


_NEAR_ONE = ("preservation", "visual")
"""Columns whose values are near 1 even for poor edits, and need three decimals."""


@dataclass(frozen=True)
class MeanCell:
    """A value, or a mean over the scored cases, and the number of these."""

    mean: float | NotScored
    scored: int = 1
    digits: int = 2

    @property
    def reason(self) -> str:
        """Why there is no value; empty if there is one."""
        return reason_of(self.mean)

    @property
    def shown(self) -> str:
        """The mean with its decimals, an en dash for none; 1 only for exactly 1.

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
    """Means by column, see ``COLUMNS``."""


def summary(results: Sequence[CaseResult]) -> list[CategoryRow]:
    """Rows by category in the order of table 3; a case counts in each of its categories and once
    in ``All cases``. A case without a score counts as a case and is in no mean."""
    groups = {name: [row for row in results if name in row.case.categories] for name in CATEGORIES}
    others = [result for result in results if not set(result.case.categories) & set(CATEGORIES)]
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
    values = [result.value(column) for result in group]
    known = scored(values)
    same = first_cause(values) if len(set(map(reason_of, values))) == 1 else None
    mean = scored_mean(known, "no case was scored")
    return cell_of(column, mean if known else same or mean, len(known))
