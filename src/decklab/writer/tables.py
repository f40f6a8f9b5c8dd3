"""A table of a source as a native chart or table, with exactly its numbers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from decklab.board.blueprint import ChartKind, ChartPlan, SeriesPlan, TablePlan
from decklab.documents.model import DocumentTable
from decklab.documents.numbers import DecimalMark, StatedNumber, decimal_mark, parse_numbers

MOST_ROWS = 9
"""Of a table on one slide at a readable size; more go on over further slides. Ours."""
MOST_COLUMNS = 7
_MOST_BARS = 14
_MOST_SERIES = 4
_LONGEST_LABEL = 32
_LONGEST_CELL = 60
_YEAR = re.compile(r"(?:1[5-9]|20|21)\d\d")
_BLANK = frozenset({"", "-", "–", "—", "n/a", "na", "."})


@dataclass(frozen=True)
class NumericColumn:
    """A column of a table whose cells are numbers; None for empty cells."""

    name: str
    values: tuple[float | None, ...]
    texts: tuple[str, ...]
    """As the cells are written."""
    unit: str


@dataclass(frozen=True)
class TableNumbers:
    """A table as labels of rows and columns of numbers; ``times`` says the labels are years."""

    labels: tuple[str, ...]
    columns: tuple[NumericColumn, ...]
    times: bool


def table_numbers(table: DocumentTable) -> TableNumbers | None:
    """The numbers of a table whose first column labels its rows; None where it has no such form.

    The labels have to differ, and every other column has to be numbers or empty cells throughout.
    """
    if not table.native or table.header_rows != 1 or len(table.rows) < 3:
        return None
    header, rows = table.rows[0], table.rows[1:]
    labels = tuple(row[0].strip() for row in rows)
    if len(set(labels)) < len(labels) or "" in labels or max(map(len, labels)) > _LONGEST_LABEL:
        return None
    decimal = decimal_mark("\n".join(cell for row in rows for cell in row))
    columns = [
        _column(header[at], [row[at] for row in rows], decimal) for at in range(1, len(header))
    ]
    if not columns or any(column is None for column in columns):
        return None
    times = all(_YEAR.fullmatch(label) for label in labels)
    return TableNumbers(labels, tuple(column for column in columns if column), times)


def _column(name: str, cells: Sequence[str], decimal: DecimalMark) -> NumericColumn | None:
    """A column whose cells are one number each; None where one is not, or where none has any."""
    read = [None if _blank(cell) else _quantity(cell, decimal) for cell in cells]
    if not name.strip() or not any(read):
        return None
    if any(item is None and not _blank(cell) for item, cell in zip(read, cells, strict=True)):
        return None
    units = {item.unit for item in read if item}
    if len(units) > 1:
        return None
    values = tuple(item.values[0] if item else None for item in read)
    return NumericColumn(name.strip(), values, tuple(cells), _unit(name, units.pop()))


def _blank(cell: str) -> bool:
    return cell.strip().casefold() in _BLANK


def _quantity(cell: str, decimal: DecimalMark) -> StatedNumber | None:
    """The number that a cell consists of; None where it holds other words, or several numbers."""
    text = cell.strip()
    found = parse_numbers(text, decimal=decimal)
    if len(found) != 1 or len(found[0].values) != 1:
        return None
    rest = text[: found[0].start] + text[found[0].end :]
    return found[0] if not rest.strip(" +*") else None


def _unit(name: str, unit: str) -> str:
    """The unit of the cells, else what the heading has in brackets."""
    bracket = re.search(r"[(\[]([^()\[\]]{1,20})[)\]]\s*\Z", name)
    return unit or (bracket[1].strip() if bracket else "")


def chart_of(table: DocumentTable, source: str) -> ChartPlan | None:
    """A table as a chart; None where a chart would not show its numbers well.

    One unit for all series, at most four of them, three to fourteen rows. Years make lines, long
    or many labels bars, else columns. Of one series the largest value stands out, of years the
    last.
    """
    numbers = table_numbers(table)
    if numbers is None or not 3 <= len(numbers.labels) <= _MOST_BARS:
        return None
    columns = numbers.columns
    if len(columns) > _MOST_SERIES or len({column.unit for column in columns}) > 1:
        return None
    if len(columns) > 1 and (not _alike(columns) or len(numbers.labels) * len(columns) > 24):
        return None
    largest = None
    if len(columns) == 1 and not numbers.times:
        known = [(value, at) for at, value in enumerate(columns[0].values) if value is not None]
        largest = max(known)[1]
    return ChartPlan(
        kind=_kind(numbers),
        categories=numbers.labels,
        series=tuple(SeriesPlan(name=_bare(column), values=column.values) for column in columns),
        unit=columns[0].unit or (_bare(columns[0]) if len(columns) == 1 else _what(table)),
        source=source,
        accent=len(columns) - 1,
        accent_category=largest,
    )


def _what(table: DocumentTable) -> str | None:
    """What several series without a unit show: the caption where it is short, else nothing."""
    caption = " ".join(table.caption.split())
    return caption if 0 < len(caption) <= _LONGEST_CELL else None


def _kind(numbers: TableNumbers) -> ChartKind:
    if numbers.times and len(numbers.labels) > 3:
        return "line"
    long = max(map(len, numbers.labels)) > 10 or len(numbers.labels) > 6
    return "bar" if long and len(numbers.columns) == 1 else "column"


def _bare(column: NumericColumn) -> str:
    """The heading of a column without the unit in brackets."""
    return re.sub(r"\s*[(\[][^()\[\]]{1,20}[)\]]\s*\Z", "", column.name) or column.name


def _alike(columns: Sequence[NumericColumn]) -> bool:
    """Whether columns can share an axis: their largest values differ by less than 20 times."""
    largest = [
        max(abs(value) for value in column.values if value is not None) for column in columns
    ]
    return min(largest) > 0 and max(largest) / min(largest) < 20


def table_plan(table: DocumentTable) -> TablePlan | None:
    """A table as a native one; None where it is not read for certain, or too large for slides."""
    if not table.native or table.header_rows != 1 or len(table.rows) < 2:
        return None
    header, rows = table.rows[0], table.rows[1:]
    cells = [cell for row in table.rows for cell in row]
    if not 2 <= len(header) <= MOST_COLUMNS or len(rows) > 2 * MOST_ROWS:
        return None
    if any(not name.strip() for name in header[1:]) or max(map(len, cells)) > _LONGEST_CELL:
        return None
    names = (header[0].strip() or "–", *header[1:])
    return TablePlan(header=_plain(names), rows=tuple(_plain(row) for row in rows))


def fits_slides(table: DocumentTable) -> bool:
    """Whether a chart or a native table can show all of a table."""
    return chart_of(table, "-") is not None or table_plan(table) is not None


def excerpt_of(table: DocumentTable) -> TablePlan | None:
    """The first rows and columns of a table that is too large for slides; None where it is not."""
    whole = table.native and table.header_rows == 1 and len(table.rows) > 1
    if not whole or table_plan(table) is not None:
        return None
    rows = [tuple(row[:MOST_COLUMNS]) for row in table.rows[: MOST_ROWS + 1]]
    return table_plan(replace(table, rows=tuple(rows)))


def _plain(cells: Sequence[str]) -> tuple[str, ...]:
    return tuple(" ".join(cell.split()) for cell in cells)


def claim_of(table: DocumentTable) -> str | None:
    """What a chart says, in English, with its numbers as the table writes them.

    Of years how the first and last values compare, of several series for the one that changed most
    in proportion; else which row has the largest value, in the last series where there are
    several. None for what is no chart.
    """
    numbers = table_numbers(table)
    if numbers is None:
        return None
    rows = _series_over_years(numbers)
    if rows:
        return _change(max(rows, key=_share_of_change))
    if len(numbers.columns) != 1 and chart_of(table, "-") is None:
        return None
    column, labels = numbers.columns[-1], numbers.labels
    known = [at for at, value in enumerate(column.values) if value is not None]
    name = _bare(column)
    top = max(known, key=lambda at: column.values[at] or 0.0)
    label = labels[top]
    if not any(map(str.isalpha, label)):  # "Gate 4", where the cell says 4
        label = f"{table.rows[0][0].strip()} {label}".strip()
    return f"{name}: {label} leads with {column.texts[top]}"


@dataclass(frozen=True)
class _OverYears:
    """A series from its first to its last year; values, and as the table writes them."""

    name: str
    years: tuple[str, str]
    values: tuple[float, float]
    texts: tuple[str, str]


def _series_over_years(numbers: TableNumbers) -> list[_OverYears]:
    """The series of a table whose rows or columns are years; none where neither are."""
    columns = numbers.columns
    if numbers.times:
        return [
            _OverYears(
                _bare(column),
                (numbers.labels[known[0]], numbers.labels[known[-1]]),
                (column.values[known[0]] or 0.0, column.values[known[-1]] or 0.0),
                (column.texts[known[0]], column.texts[known[-1]]),
            )
            for column in columns
            if (known := [at for at, value in enumerate(column.values) if value is not None])
        ]
    if len(columns) < 2 or not all(_YEAR.fullmatch(column.name) for column in columns):
        return []
    first, last = columns[0], columns[-1]
    return [
        _OverYears(
            label, (first.name, last.name), (before, after), (first.texts[at], last.texts[at])
        )
        for at, label in enumerate(numbers.labels)
        if (before := first.values[at]) is not None and (after := last.values[at]) is not None
    ]


def _share_of_change(series: _OverYears) -> float:
    before, after = series.values
    return abs(after - before) / abs(before) if before else 0.0


def _change(series: _OverYears) -> str:
    (start, end), (before, after) = series.years, series.values
    if before == after:
        return f"{series.name}: {series.texts[1]} in {start} as in {end}"
    word = "up" if after > before else "down"
    return f"{series.name}: {series.texts[1]} in {end}, {word} from {series.texts[0]} in {start}"
