"""The table analyst: given any table, what a slide can show of it, as charts and native tables,
and what each says."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import ceil, inf, isclose
from typing import Final

from decklab.board.blueprint import ChartPlan, TablePlan
from decklab.board.languages import primary_language
from decklab.documents.computed import Computed
from decklab.documents.model import DocumentTable
from decklab.documents.numbers import DecimalMark
from decklab.documents.table_columns import (
    TableColumns,
    has_numbers_for_headings,
    is_blank,
    spaced,
    table_columns,
    table_header,
)
from decklab.writer.table_charts import charts_of, short_text
from decklab.writer.table_claims import Claim, claims_of
from decklab.writer.table_grids import grids
from decklab.writer.table_series import Grid, is_sum_line, shown_words

MOST_COLUMNS: Final = 8
_MOST_ROWS, _MOST_ROW_LINES, _FEW_ROWS, _MOST_WHOLE = 9, 12, 8, 14
"""Rows of one line that a slide holds at a good size, lines of a few rows, and lines up to which a
table stays whole. Ours."""
_LINE_CHARACTERS: Final = 96
_NARROW: Final = 12
"""Characters of the cells of a column that no line break divides. Ours."""
_MOST_LINES: Final = 4
_MOST_CUT: Final = 0.1
"""Characters of a line over all columns, lines of a cell, and share of cells that may be cut: words
that a slide cannot hold are no table. Ours."""
_MOST_CHARTS: Final = 4
_LEAST_SUMMED, _ROUNDED = 3, 1e-6
"""Values before one that is their sum, with fewer of which this is chance, and how nearly. Ours."""
_SMALL: Final = 10
"""Rows, with the headings, of a table that shows at a glance what no chart shows whole. Ours."""
_MOST_PAGED: Final = 45
"""Rows of a table with numbers that are all shown; of longer ones the largest are. Ours."""
_COMMA_LANGUAGES: Final = frozenset([
    "de", "fr", "es", "it", "pt", "nl", "pl", "cs", "sk", "da", "sv", "nb", "no", "fi", "ru", "uk",
    "tr", "el", "hu", "ro", "bg", "hr", "sl", "et", "lv", "lt", "id",
])  # fmt: skip
_HEADING_CHARACTERS, _HEADINGS_CHARACTERS = 40, 200
"""Characters that the heading of a column has at least, and those of all columns. Ours."""
_SHORTENED: Final = {"en": "cells shortened", "de": "Zellen gekürzt", "fr": "cellules abrégées",
                     "es": "celdas abreviadas"}  # fmt: skip


@dataclass(frozen=True)
class TableView:
    """One way to show a table or a part of it: a chart or a native table.

    ``claim`` is a title that says what it shows, empty if nothing is certain or the language has no
    words here. ``computed`` are the numbers of claim and chart that no cell holds. ``shown`` says
    which part it is, such as ``10 of 240 rows: largest by Sales``; empty for all.
    """

    chart: ChartPlan | None
    table: TablePlan | None
    claim: str = ""
    computed: tuple[Computed, ...] = ()
    shown: str = ""
    ranks: bool = False
    """Whether the claim only says which label has most or least."""


def table_views(
    table: DocumentTable, *, source: str, language: str = "en"
) -> tuple[TableView, ...]:
    """The ways to show a table, the best first; none if it was not read for certain or is empty.

    Charts come first, unless a small table has words beside its numbers, or several units that no
    chart has together. Pages of a long table
    follow each other in order. ``source`` is the line that charts name as their source.
    """
    if not table.native or len(table.rows) < 2 or len({len(row) for row in table.rows}) > 1:
        return ()
    if has_numbers_for_headings(table) or _has_lost_head(table):
        return ()
    hint: DecimalMark = "," if primary_language(language) in _COMMA_LANGUAGES else "."
    columns = table_columns(table, hint)
    read = list(grids(columns, table, language)) if columns else []
    charts = list(_chart_views(read, table, source, language))
    said = _claims(read[0], table, language) if read and not read[0].computed else iter(())
    claim = next(said, Claim(""))
    pages = list(_pages(table, columns, language))
    if pages:
        pages[0] = replace(pages[0], claim=claim.text, computed=claim.computed)
    whole = len(pages) == 1 and len(table.rows) <= _MOST_PAGED
    in_parts = bool(charts) and all(view.shown for view in charts) and len(table.rows) <= _SMALL
    worded = columns is not None and _has_words(columns)
    table_first = (bool(pages) and worded and len(table.rows) <= _SMALL) or (whole and in_parts)
    return tuple([*pages, *charts] if table_first else [*charts, *pages])


def chart_of(table: DocumentTable, source: str) -> ChartPlan | None:
    """The chart that shows all rows and columns of a table; None if none can."""
    return next(
        (
            view.chart
            for view in table_views(table, source=source)
            if view.chart is not None and not view.shown
        ),
        None,
    )


def _has_lost_head(table: DocumentTable) -> bool:
    """Whether at least half of the headings in a PDF are empty, the first one alone aside: what
    stands over the columns was not found."""
    if not table.document.lower().endswith(".pdf"):
        return False
    header = table_header(table)
    empty = [at for at, cell in enumerate(header) if is_blank(cell)]
    return not header or (empty != [0] and 2 * len(empty) >= len(header))


def _has_words(columns: TableColumns) -> bool:
    """Whether a chart would lose words: a column beside the labels says more than a number."""
    others = [column for column in columns.columns if not column.is_numeric]
    return len([column for column in others if column.kind != "identifier"]) > 1


def _claims(grid: Grid, table: DocumentTable, language: str) -> Iterator[Claim]:
    return claims_of(grid, table.document, table.number, language)


def _chart_views(
    read: Sequence[Grid], table: DocumentTable, source: str, language: str
) -> Iterator[TableView]:
    """The charts of all grids, no two alike, each with a claim that no other has.

    Other forms of a chart before come last.
    """
    drawn: dict[tuple[object, ...], tuple[Grid, ChartPlan, Grid]] = {}
    again: dict[tuple[object, ...], tuple[Grid, ChartPlan, Grid]] = {}
    for grid in (grid for grid in read if not _sums_up(grid)):
        shown: set[str] = set()
        for chart, part in charts_of(grid, source, " ".join(table.caption.split())):
            key = (chart.categories, tuple((item.name, item.values) for item in chart.series))
            has = {series.name for series in part.series}
            if key not in drawn and key not in again:
                (again if has <= shown else drawn)[key] = (grid, chart, part)
            shown |= has
    said: set[str] = set()
    for grid, chart, part in [*drawn.values(), *again.values()][:_MOST_CHARTS]:
        whole = len(part.series) == len(grid.series)
        told = replace(part, said=_drawn(grid.said, chart) if whole else None)
        claim = next(
            (one for one in _claims(told, table, language) if one.text not in said), Claim("")
        )
        said.add(claim.text)
        listed = ", ".join(series.name for series in part.series)
        shown_part = grid.shown if whole else ": ".join(filter(None, [grid.shown, listed]))
        used = tuple(dict.fromkeys((*grid.computed, *claim.computed)))
        accented = _accented(chart, claim.text)
        yield TableView(accented, None, claim.text, used, shown_part, claim.ranks)


def _accented(chart: ChartPlan, claim: str) -> ChartPlan:
    """A chart in which stands out what its title names: one of several series, or a category."""
    said = claim.casefold()
    if len(chart.series) > 1 and chart.accent is not None:
        named = [at for at, one in enumerate(chart.series) if one.name.casefold() in said]
        return chart.model_copy(update={"accent": named[0]}) if len(named) == 1 else chart
    told = [at for at, name in enumerate(chart.categories) if name.casefold() in said]
    one = chart.accent_category is not None and len(told) == 1
    return chart.model_copy(update={"accent_category": told[0]}) if one else chart


def _sums_up(grid: Grid) -> bool:
    """Whether one of few values is the sum of all before it, as in an account with a forecast,
    or several rows sum up others, which bars on one axis would show as if they were of one kind."""
    if not grid.times and sum(map(is_sum_line, grid.labels)) > 1:
        return True
    values = grid.series[0].values
    if len(grid.series) > 1 or grid.times or len(values) > _SMALL:
        return False
    known = [value or 0.0 for value in values]
    sums = accumulate(known)
    return any(
        at >= _LEAST_SUMMED and value and isclose(value, before, rel_tol=_ROUNDED)
        for at, (before, value) in enumerate(zip(sums, known[1:], strict=False), start=1)
    )


def _drawn(said: Grid | None, chart: ChartPlan) -> Grid | None:
    """What can be said of a chart, without totals that it does not show."""
    if said is None or said.ranged or chart.kind in ("stacked", "area"):
        return said
    names = {*chart.categories, *(series.name for series in chart.series)}
    shown = tuple(
        series for series in said.series if series.name in names or not is_sum_line(series.name)
    )
    return replace(said, series=shown)


def _pages(
    table: DocumentTable, columns: TableColumns | None, language: str
) -> Iterator[TableView]:
    """A table as native ones: its rows in order over as many pages as they need.

    Of a table with very many rows and numbers only those with the largest are shown.
    """
    header = table_header(table) or ("",) * len(table.rows[0])
    from_row = table.header_rows if table.header_rows else int(bool(table_header(table)))
    rows = [tuple(" ".join(cell.split()) for cell in row) for row in table.rows[from_row:]]
    shown = ""
    if columns is not None and len(rows) > _MOST_PAGED:
        rows, shown = _largest(rows, columns, language)
    for group in _column_groups(len(header)):
        room = max(_HEADING_CHARACTERS, _HEADINGS_CHARACTERS // len(group))
        names = tuple(short_text(spaced(header[at]), room) for at in group)
        even = _MOST_LINES * _LINE_CHARACTERS // max(2, len(group))
        cells = [tuple(row[at] for at in group) for row in rows]
        most = [max(even, int(_MOST_LINES * width)) for width in _widths(cells)]
        cut = [tuple(map(short_text, row, most)) for row in cells]
        changed = sum(
            short != cell
            for after, before in zip(cut, cells, strict=True)
            for short, cell in zip(after, before, strict=True)
        )
        if not cut or changed > _MOST_CUT * len(cut) * len(group):
            return
        pages = _paged(cut)
        whole = len(group) == len(header)
        parts = ", ".join(name for name in names[1:]) if not whole else ""
        clipped = _SHORTENED.get(primary_language(language), "…") if changed else ""
        for number, page in enumerate(pages, start=1):
            place = f"{number}/{len(pages)}" if len(pages) > 1 else ""
            plan = TablePlan(header=names, rows=tuple(page))
            told = ", ".join(filter(None, [shown, parts, clipped, place]))
            yield TableView(None, plan, shown=told)


def _column_groups(count: int) -> Iterator[list[int]]:
    """The columns of each table: at most eight, the first, which names the rows, in each."""
    if count <= MOST_COLUMNS:
        yield list(range(count))
        return
    pages = ceil((count - 1) / (MOST_COLUMNS - 1))
    size = ceil((count - 1) / pages)
    for first in range(1, count, size):
        yield [0, *range(first, min(first + size, count))]


def _widths(rows: Sequence[tuple[str, ...]]) -> list[float]:
    """Characters of a line in each column: a narrow one has those of its longest cell, the others
    share the rest by theirs."""
    longest = [max(4, *map(len, column)) for column in zip(*rows, strict=True)]
    narrow = sum(length for length in longest if length <= _NARROW)
    wide = sum(longest) - narrow
    room = max(_LINE_CHARACTERS - narrow, _NARROW)
    return [length if length <= _NARROW else room * length / wide for length in longest]


def _paged(rows: Sequence[tuple[str, ...]]) -> list[list[tuple[str, ...]]]:
    """Rows in pages of about equal length that a slide holds, long cells counted by their lines."""
    widths = _widths(rows)
    heights = [
        max(1, *(ceil(len(cell) / width) for cell, width in zip(row, widths, strict=True)))
        for row in rows
    ]
    room = max(_MOST_ROWS if len(rows) > _FEW_ROWS else _MOST_ROW_LINES, *heights)
    room = max(room, _MOST_WHOLE) if sum(heights) <= _MOST_WHOLE else room
    pages = ceil(sum(heights) / room)
    ways = (_filled(rows, heights, most) for most in range(ceil(sum(heights) / pages), room))
    return next((way for way in ways if len(way) <= pages), None) or _filled(rows, heights, room)


def _filled(
    rows: Sequence[tuple[str, ...]], heights: Sequence[int], most: int
) -> list[list[tuple[str, ...]]]:
    """Rows in pages of at most so many lines."""
    pages: list[list[tuple[str, ...]]] = []
    used = inf
    for row, height in zip(rows, heights, strict=True):
        if used + height > most:
            pages.append([])
            used = 0
        pages[-1].append(row)
        used += height
    return pages


def _largest(
    rows: list[tuple[str, ...]], columns: TableColumns, language: str
) -> tuple[list[tuple[str, ...]], str]:
    """The rows with the largest numbers of the first column that has any, and words for it; all
    rows if none has."""
    totals = set(columns.totals)
    body = [row for row in rows if row not in totals]
    numeric = [column for column in columns.columns if column.is_numeric and column.kind != "mixed"]
    column = next((one for one in numeric if one.is_additive), next(iter(numeric), None))
    if column is None or len(body) != columns.rows:
        return rows, ""
    order = sorted(
        (at for at, value in enumerate(column.values) if value is not None),
        key=lambda at: (-(column.values[at] or 0.0), at),
    )[:_MOST_ROWS]
    words = shown_words(language)[0]
    return [body[at] for at in order], words.format(
        part=len(order), all=len(body), name=column.name
    )
