"""Tables of results: rows by columns, each cell a mean with its interval.

A table of systems says what may be said of their order and no more: each has the places that paired
tests leave it, rows without an order between them stand by name, and a cell is marked only where it
is behind no other and ahead of some.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from decklab.core.results import SAME, NotScored
from decklab.evals.results.comparing import SystemDifference, compared, least_units, places
from decklab.evals.results.means import UNIT_SCALE, MeanOf, Observation, by_system, mean_of
from decklab.metrics.statistics import Interval
from decklab.pages.wording import counted, number

PLACES: Final = (
    "Systems are compared pair by pair over the {units} that both have, by a paired randomisation "
    "test, corrected for the number of pairs (Holm). Place is what these tests leave open; bold is "
    "what none is ahead of and what is ahead of some."
)


@dataclass(frozen=True)
class ResultColumn:
    """A column: one metric, over all units or over those of a group."""

    metric: str
    heading: str
    note: str = ""
    """Its meaning, in a line."""
    group: str = ""
    digits: int = 2
    factor: float = 1.0
    """Means are shown times this, such as 100 for per cent."""
    scale: Interval | None = None
    """The least and the greatest value of the metric, where it has such."""
    lower_better: bool = False

    @property
    def key(self) -> str:
        """A name that no other column of the table has."""
        return self.group or self.metric

    def holds(self, row: Observation) -> bool:
        """Whether an observation counts in this column."""
        return row.metric == self.metric and (not self.group or self.group in row.groups)

    def shown(self, value: float) -> str:
        """A value with its decimals; the greatest of a scale only for exactly that.

        >>> share = ResultColumn("success", "Success", scale=(0.0, 1.0))
        >>> share.shown(0.9996), share.shown(0.0004), share.shown(1.0)
        ('0.99', '0.01', '1.00')
        """
        step = 10.0**-self.digits / self.factor
        for end, near in ((end, end - step * sign) for end, sign in self._ends()):
            exact = abs(value - end) <= SAME
            if not exact and number(value * self.factor, self.digits) == self._plain(end):
                return self._plain(near)
        return self._plain(value)

    def _ends(self) -> Iterator[tuple[float, int]]:
        if self.scale is not None:
            yield from zip(self.scale, (-1, 1), strict=True)

    def _plain(self, value: float) -> str:
        return number(value * self.factor, self.digits)

    def single(self, value: float | NotScored) -> str:
        """One value, an en dash for none."""
        return "–" if isinstance(value, NotScored) else self.shown(value)

    def words(self, cell: MeanOf) -> str:
        """The mean, the range it is in, an en dash for none, N/A where nothing was due."""
        if not isinstance(cell.mean, NotScored):
            return self.shown(cell.mean)
        if cell.possible is not None:
            return " to ".join(self.shown(end) for end in cell.possible)
        return "–" if cell.of else "N/A"

    def ends(self, cell: MeanOf) -> str:
        """The interval; empty if there is none."""
        if isinstance(cell.interval, NotScored):
            return ""
        return " to ".join(self._plain(end) for end in cell.interval)

    @staticmethod
    def counted(cell: MeanOf) -> str:
        """How many values a mean is of, if some are missing, such as ``3 of 5``; else empty."""
        return "" if cell.whole or cell.reason else f"{cell.scored} of {cell.of}"


def share_column(metric: str, heading: str, note: str = "", **more: Any) -> ResultColumn:
    """A column of shares, 0 to 1, shown in per cent."""
    return ResultColumn(metric, heading, note, digits=1, factor=100.0, scale=UNIT_SCALE, **more)


@dataclass(frozen=True)
class ResultRow:
    """A row and its cells by the keys of the columns."""

    name: str
    cells: Mapping[str, MeanOf]
    page: str = ""
    """Path of its own page, relative to the report."""
    place: str = ""
    """The places that are left to it by tests, such as ``1`` or ``2–3``; empty for no test."""


@dataclass(frozen=True)
class ResultTable:
    """A table. ``name`` is its file's, ``head`` the heading of the rows' names."""

    name: str
    title: str
    columns: tuple[ResultColumn, ...]
    rows: tuple[ResultRow, ...]
    head: str = "System"
    units: str = "decks"
    lead: str = ""
    """A sentence or two on what it shows."""
    leading: frozenset[tuple[str, str]] = frozenset()
    """Row and column of the marked cells."""
    differences: tuple[SystemDifference, ...] = ()
    observations: tuple[Observation, ...] = ()
    """The values of a table of systems, of which it can be made again."""
    main: str = ""
    """The key of the column by which systems have places."""

    @property
    def caption(self) -> str:
        """The title, with the number of units where it is known."""
        units = {row.unit for row in self.observations}
        noun = self.units.removesuffix("s")
        return f"{self.title}, {counted(len(units), noun)}" if units else self.title

    @property
    def placed(self) -> bool:
        """Whether rows have places."""
        return any(row.place for row in self.rows)

    @property
    def too_few(self) -> str:
        """Why no test could tell some systems apart, however they differ; empty if all could be.

        Pairs that share nothing are left out: they are not compared at all.
        """
        systems = len({pair.first for pair in self.differences}) + 1
        needed = least_units(systems * (systems - 1) // 2)
        units = [pair.units for pair in self.differences if pair.units]
        least, noun = min(units, default=needed), self.units.removesuffix("s")
        if least >= needed:
            return ""
        who = "not all" if max(units) >= needed else "no"
        return (
            f"It takes {counted(needed, noun)} to tell {systems} systems apart; "
            f"{who} pairs share so many."
        )

    def to_json(self) -> list[dict[str, Any]]:
        """Plain JSON, a row after the other, each cell by its column."""
        return [
            {"name": row.name, **{key: cell.to_json() for key, cell in row.cells.items()}}
            for row in self.rows
        ]


def result_table(
    name: str,
    title: str,
    rows: Mapping[str, Iterable[Observation]],
    columns: Sequence[ResultColumn],
    *,
    none: str = "there are no decks",
    pages: Mapping[str, str] | None = None,
    **about: Any,
) -> ResultTable:
    """A table of means: ``rows`` are the observations of each row, ``columns`` what is shown of
    them. ``pages`` are paths by the names of rows; ``about`` are further fields of the table."""
    kept = {row: list(observations) for row, observations in rows.items()}
    made = [
        ResultRow(
            row,
            {column.key: mean_of(filter(column.holds, observations), none, scale=column.scale)
             for column in columns},
            (pages or {}).get(row, ""),
        )
        for row, observations in kept.items()
    ]  # fmt: skip
    return ResultTable(name, title, tuple(columns), tuple(made), **about)


def system_table(
    name: str,
    title: str,
    observations: Iterable[Observation],
    columns: Sequence[ResultColumn],
    *,
    main: str = "",
    **about: Any,
) -> ResultTable:
    """A table of systems, compared in each column.

    ``main`` is the key of the column by which systems have places; without it they stand as they
    come.
    """
    listed = tuple(observations)
    rows = by_system(listed)
    about |= {"observations": listed, "main": main}
    table = result_table(name, title, rows, columns, **about)
    differences: list[SystemDifference] = []
    leading: set[tuple[str, str]] = set()
    for column in columns:
        pairs = compared(row for own in rows.values() for row in own if column.holds(row))
        scored = [row.name for row in table.rows if not row.cells[column.key].reason]
        span = places(scored, pairs, lower_better=column.lower_better)
        leading |= {(row, column.key) for row, (best, worst) in span.items()
                    if best == 1 and worst < len(span)}  # fmt: skip
        if column.key == main and len(span) > 1:
            table = _placed(table, span)
        differences += pairs
    return replace(table, leading=frozenset(leading), differences=tuple(differences))


def apart(table: ResultTable) -> frozenset[tuple[str, str]]:
    """The cells whose whole interval is better than that of every other row, by column: for means
    whose values by unit are not at hand, so that no test can be made."""
    leading = set()
    for column in table.columns:
        ends = {row.name: row.cells[column.key].interval for row in table.rows
                if not row.cells[column.key].reason}  # fmt: skip
        for name, own in ends.items():
            others = [end for other, end in ends.items() if other != name]
            if others and all(_before(own, other, column) for other in others):
                leading.add((name, column.key))
    return frozenset(leading)


def _before(own: Interval | NotScored, other: Interval | NotScored, column: ResultColumn) -> bool:
    if isinstance(own, NotScored) or isinstance(other, NotScored):
        return False
    return own[1] < other[0] if column.lower_better else own[0] > other[1]


def _placed(table: ResultTable, span: Mapping[str, tuple[int, int]]) -> ResultTable:
    """The table with the places of its rows, in their order; those without one come last."""
    last = len(table.rows) + 1, 0
    ordered = sorted(table.rows, key=lambda row: (span.get(row.name, last)[0], row.name))
    return replace(
        table, rows=tuple(replace(row, place=_words(span.get(row.name))) for row in ordered)
    )


def _words(ends: tuple[int, int] | None) -> str:
    """Places in words.

    >>> _words((1, 1)), _words((2, 3)), _words(None)
    ('1', '2–3', '–')
    """
    if ends is None:
        return "–"
    return str(ends[0]) if ends[0] == ends[1] else f"{ends[0]}–{ends[1]}"
