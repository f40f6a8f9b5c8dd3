"""The tables of paper 002 over some decks: content (1), aesthetics (4, 16), editability (5), cost.

Every mean is over the decks that have the value and says how many of how many these are; systems
whose numbers of decks differ were not measured on the same topics.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from statistics import fmean, median_low
from typing import Any, Final

from decklab.core.results import NotScored, by_key, scored, scored_mean, value_or_none
from decklab.evals.slidesgen.instructions import PURPOSES, RICHNESS, purpose_name
from decklab.evals.slidesgen.rows import LOWER_BETTER, SlidesgenRow
from decklab.metrics.statistics import MeanOf
from decklab.pages.wording import number
from decklab.scoring.reports.leaderboard_page import LeaderboardRow

LOOKS_PARTS: Final = ("usability", "engagement", "harmony", "rhythm")
"""The parts of aesthetics in the order of tables 4 and 16."""
PEI_GATES: Final = (1, 2, 3, 4, 5)
"""T1 to T5 of table 5: a deck passes Tk if it has reached level k (the knockout rule)."""
ALL_DECKS: Final = "all"


class DeckMean(MeanOf):
    """A mean over decks, how many of them have the value, and of how many."""

    def shown(self, digits: int = 2, scale: float = 1.0) -> str:
        """The mean, an en dash if there is none, N/A if there are no decks.

        >>> DeckMean(0.7, 2, 2).shown(1, 100), DeckMean(NotScored("no text"), 0, 2).shown()
        ('70.0', '–')
        >>> DeckMean(NotScored("no decks"), 0, 0).shown()
        'N/A'
        """
        if isinstance(self.mean, NotScored):
            return "–" if self.of else "N/A"
        return number(self.mean * scale, digits) if self.mean else "0"

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {"mean": value_or_none(self.mean), "scored": self.scored, "of": self.of}


def mean_of(rows: Iterable[SlidesgenRow], measure: str) -> DeckMean:
    """The mean of a measure over decks; those that a system does not have do not count."""
    values = (row.value(measure) for row in rows if not row.absent)
    return DeckMean.over(values, "there are no decks")


def systems_of(rows: Iterable[SlidesgenRow]) -> list[str]:
    """The systems in the order in which they come."""
    return list(dict.fromkeys(row.system for row in rows))


def purposes_of(rows: Iterable[SlidesgenRow]) -> list[str]:
    """The purposes of some decks: those of table 1 in its order, then others by name."""
    purposes = {row.purpose for row in rows}
    return [*(name for name in PURPOSES if name in purposes), *sorted(purposes - PURPOSES.keys())]


@dataclass(frozen=True)
class TableRow:
    """A row of a table: its name and its cells by column."""

    name: str
    cells: Mapping[str, DeckMean]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {"name": self.name, **{key: cell.to_json() for key, cell in self.cells.items()}}


@dataclass(frozen=True)
class MeansTable:
    """Rows with the same columns, which have a key and a heading."""

    columns: Mapping[str, str]
    rows: tuple[TableRow, ...]

    def best(self, column: str) -> float | None:
        """The best mean of a column, the least where less is better; None if none is known or
        all are equal."""
        known = {round(mean, 6) for mean in scored(row.cells[column].mean for row in self.rows)}
        if len(known) < 2:
            return None
        return min(known) if column in LOWER_BETTER else max(known)

    def is_best(self, column: str, cell: DeckMean) -> bool:
        """Whether a cell has the best mean of its column."""
        mean = cell.mean
        return not isinstance(mean, NotScored) and round(mean, 6) == self.best(column)

    def to_json(self) -> list[dict[str, Any]]:
        """Plain JSON."""
        return [row.to_json() for row in self.rows]


def _table(
    rows: Sequence[SlidesgenRow],
    columns: Mapping[str, str],
    cell: Callable[[Sequence[SlidesgenRow], str], DeckMean],
) -> MeansTable:
    """A row for each system."""
    by_system = by_key(rows, lambda row: row.system).items()
    made = [TableRow(name, {key: cell(own, key) for key in columns}) for name, own in by_system]
    return MeansTable(columns, tuple(made))


def _by_group(measure: str) -> Callable[[Sequence[SlidesgenRow], str], DeckMean]:
    """The mean of a measure over the decks of a purpose or a richness, or over all."""

    def cell(decks: Sequence[SlidesgenRow], key: str) -> DeckMean:
        kept = [deck for deck in decks if key in (ALL_DECKS, deck.purpose, deck.richness)]
        return mean_of(kept, measure)

    return cell


def content_table(rows: Sequence[SlidesgenRow]) -> MeansTable:
    """Table 1: QuizBank accuracy of each system by purpose and by richness, and over all decks.

    Cells are shares, 0 to 1. The last row is the mean of the systems' cells, as in the paper.
    """
    by_purpose = {group: purpose_name(group) for group in purposes_of(rows)}
    levels = {row.richness for row in rows}
    by_richness: dict[str, str] = {
        group: group.capitalize() for group in reversed(RICHNESS) if group in levels
    }
    columns = {**by_purpose, **by_richness, ALL_DECKS: "All"}
    table = _table(rows, columns, _by_group("content"))
    average = {key: _mean_cell(table, key) for key in columns}
    return MeansTable(columns, (*table.rows, TableRow("Average", average)))


def _mean_cell(table: MeansTable, column: str) -> DeckMean:
    means = [row.cells[column].mean for row in table.rows]
    known = scored(means)
    return DeckMean(scored_mean(known, "no system has the value"), len(known), len(means))


def aesthetics_table(rows: Sequence[SlidesgenRow]) -> MeansTable:
    """Table 4: the parts of aesthetics and their total, the system with the highest first."""
    columns = {name: name.capitalize() for name in (*LOOKS_PARTS, "aesthetics")}
    table = _table(rows, columns, mean_of)
    return MeansTable(columns, tuple(sorted(table.rows, key=_by("aesthetics"))))


def _by(column: str) -> Callable[[TableRow], tuple[float, str]]:
    def key(row: TableRow) -> tuple[float, str]:
        mean = value_or_none(row.cells[column].mean)
        return inf if mean is None else -mean, row.name

    return key


@dataclass(frozen=True)
class EditabilityRow:
    """A row of table 5: what share of a system's decks passes each gate, and its level."""

    system: str
    passed: Mapping[int, float]
    """Share of decks, 0 to 1, by gate; empty if no deck was judged."""
    level: int | NotScored
    """The lower median of the levels of its decks. Ours: the paper judges each system once."""
    scored: int
    of: int

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        gates = {f"T{gate}": share for gate, share in self.passed.items()}
        known = {"level": value_or_none(self.level), "scored": self.scored, "of": self.of}
        return {"name": self.system, **gates, **known}


def editability_table(rows: Sequence[SlidesgenRow]) -> list[EditabilityRow]:
    """Table 5, the most editable system first."""
    by_system = by_key(rows, lambda row: row.system)
    kept = [_editability(name, own) for name, own in by_system.items()]
    return sorted(kept, key=lambda row: (-_rank(row), row.system))


def _rank(row: EditabilityRow) -> float:
    return -1.0 if isinstance(row.level, NotScored) else row.level + sum(row.passed.values()) / 10


def _editability(system: str, rows: Sequence[SlidesgenRow]) -> EditabilityRow:
    levels = scored(row.value("level") for row in rows)
    of = sum(not row.absent for row in rows)
    if not levels:
        return EditabilityRow(system, {}, NotScored("no deck was judged"), 0, of)
    passed = {gate: fmean(level >= gate for level in levels) for gate in PEI_GATES}
    return EditabilityRow(system, passed, int(median_low(levels)), len(levels), of)


@dataclass(frozen=True)
class PurposeTable:
    """Table 16: the parts of aesthetics over all systems' decks, by purpose."""

    table: MeansTable
    counts: Mapping[str, int]
    """Decks of each purpose that were scored, by the name of its row."""


def purpose_table(rows: Sequence[SlidesgenRow]) -> PurposeTable:
    """Table 16."""
    columns = {name: name.capitalize() for name in LOOKS_PARTS}
    made = []
    for purpose in purposes_of(rows):
        decks = [row for row in rows if row.purpose == purpose]
        cells = {name: mean_of(decks, name) for name in columns}
        made.append(TableRow(purpose_name(purpose), cells))
    counts = {row.name: max(cell.scored for cell in row.cells.values()) for row in made}
    return PurposeTable(MeansTable(columns, tuple(made)), counts)


def matrix_by_purpose(rows: Sequence[SlidesgenRow], measure: str) -> MeansTable:
    """A measure of each system by purpose, and over all."""
    columns = {purpose: purpose_name(purpose) for purpose in purposes_of(rows)} | {ALL_DECKS: "All"}
    return _table(rows, columns, _by_group(measure))


SUMMARY_COLUMNS: Final[Mapping[str, str]] = {
    "content": "Content, %",
    "aesthetics": "Aesthetics",
    "quality": "Quality",
    "level": "Level",
    "seconds": "s a deck",
    "tokens": "Tokens a deck",
    "dollars": "$ a deck",
}
"""The columns of the summary and their headings."""


def summary_table(rows: Sequence[SlidesgenRow]) -> MeansTable:
    """Each system in one row, the highest quality first."""
    table = _table(rows, SUMMARY_COLUMNS, mean_of)
    return MeansTable(SUMMARY_COLUMNS, tuple(sorted(table.rows, key=_by("quality"))))


def in_order(rows: Sequence[SlidesgenRow]) -> list[SlidesgenRow]:
    """The rows by system, in the order of the summary; within a system as they come."""
    order = [row.name for row in summary_table(rows).rows]
    return sorted(rows, key=lambda row: order.index(row.system))


def system_places(
    rows: Sequence[SlidesgenRow], *, pages: Mapping[str, str], purpose: str | None = None
) -> list[LeaderboardRow]:
    """Each system's place in the matrix of looks and editability (figure 4): its mean aesthetics
    and its level, over all decks or those of one purpose; systems without either are left out."""
    kept = [row for row in rows if purpose in (None, row.purpose)]
    places = []
    for entry in editability_table(kept):
        looks = mean_of([row for row in kept if row.system == entry.system], "aesthetics").mean
        if isinstance(looks, NotScored) or isinstance(entry.level, NotScored):
            continue
        values = {"aesthetics.total": looks, "editability.level": float(entry.level)}
        name = entry.system.replace("/", "\u2215")  # a row is called by the last part of a path
        page = pages.get(entry.system)
        places.append(LeaderboardRow(name, "scored", values=values, page=page))
    return places
