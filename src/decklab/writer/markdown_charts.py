"""Charts of tables and CSV blocks in Markdown."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import cast, get_args

from pydantic import ValidationError

from decklab.board.blueprint import ChartKind, ChartPlan, SeriesPlan, first_fault
from decklab.documents.model import DocumentTable
from decklab.documents.table_columns import TableColumn, labelled_numbers
from decklab.writer.table_views import chart_of

_Series = list[tuple[str, tuple[float | None, ...]]]


def csv_rows(text: str) -> list[tuple[str, ...]]:
    """The rows of comma- or semicolon-separated text, without empty ones; cells are stripped.

    >>> csv_rows("Quarter;Ships\\nQ1; 210\\n")
    [('Quarter', 'Ships'), ('Q1', '210')]
    """
    first = text.strip().partition("\n")[0]
    mark = ";" if first.count(";") > first.count(",") else ","
    rows = csv.reader(io.StringIO(text.strip()), delimiter=mark, skipinitialspace=True)
    return [tuple(cell.strip() for cell in row) for row in rows if any(row)]


def chart_of_rows(
    rows: Sequence[tuple[str, ...]], values: Mapping[str, str], name: str
) -> ChartPlan | str:
    """A chart of rows below one row of headings, the first column its categories; else why not.

    ``values`` are the directives of the slide: ``chart`` (its kind; empty for what fits),
    ``unit``, ``units`` (of each series, with commas between), ``chart-source`` or ``source``,
    ``accent`` (a series) and ``highlight`` (a category). ``name`` is the source where none is
    named. Series whose headings end in different units in brackets have these units, and are a
    combination if no kind is named and there are two.
    """
    if len(rows) < 2 or len(rows[0]) < 2 or len({len(row) for row in rows}) > 1:
        return "it needs a row of headings, and rows of as many cells"
    kind = values.get("chart", "")
    if kind and kind not in get_args(ChartKind):
        return f"there is no kind {kind!r}; there are {', '.join(get_args(ChartKind))}"
    source = values.get("chart-source") or values.get("source") or name
    table = DocumentTable(name, 1, tuple(rows), header_rows=1)
    plain, numbers = _plain_series(rows), labelled_numbers(table)
    if not plain and numbers is None:
        return "a cell is no number, or the first column does not label the rows"
    columns = numbers[1] if numbers else ()
    series = plain or [(column.heading, column.values) for column in columns]
    unit = values.get("unit") or ("" if plain else _common(columns))
    units = _stated_units(values.get("units", ""), len(series))
    if units is None:
        return f"it needs a unit for each of its {len(series)} series"
    differ = len({column.unit for column in columns}) > 1
    if differ and not unit and not any(units):
        units = [column.unit for column in columns]
        series = [(column.name, column.values) for column in columns]
    drawn = chart_of(table, source)
    fitting: ChartKind = drawn.kind if drawn else "column"
    if len(set(units)) == 2 and all(units):
        fitting = "combination"
    categories = tuple(row[0] for row in rows[1:])
    try:
        return ChartPlan(
            kind=cast(ChartKind, kind or fitting),
            categories=categories,
            series=tuple(
                SeriesPlan(name=title, values=cells, unit=own or None)
                for (title, cells), own in zip(series, units, strict=True)
            ),
            unit=unit or None,
            source=source,
            accent=_place([title for title, _ in series], values.get("accent", "")) or 0,
            accent_category=_place(categories, values.get("highlight", "")),
        )
    except ValidationError as error:
        return first_fault(error)


def _common(columns: Sequence[TableColumn]) -> str:
    """The unit of all columns; empty if they differ or have none."""
    units = {column.unit for column in columns}
    return units.pop() if len(units) == 1 else ""


def _stated_units(text: str, count: int) -> list[str] | None:
    """The units of so many series from a line of CSV; None for another number of them."""
    if not text:
        return [""] * count
    (units,) = csv.reader(io.StringIO(text), skipinitialspace=True)
    return [unit.strip() for unit in units] if len(units) == count else None


def _plain_series(rows: Sequence[tuple[str, ...]]) -> _Series:
    """The columns of rows whose cells are plain numbers such as ``-1.5`` or empty; else none."""
    try:
        cells = [[float(cell) if cell else None for cell in row[1:]] for row in rows[1:]]
    except ValueError:
        return []
    return [(name, tuple(row[at] for row in cells)) for at, name in enumerate(rows[0][1:])]


def _place(names: Sequence[str], wanted: str) -> int | None:
    return list(names).index(wanted) if wanted in names else None
