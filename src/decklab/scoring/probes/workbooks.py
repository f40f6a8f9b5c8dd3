"""Charts against their workbooks: does it open, and do its cells say what the chart draws?"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isclose

from decklab.deck.model.outline import Chart, ChartSeries
from decklab.errors import DeckError, LimitExceeded, MalformedPart, MissingPart, UnsupportedFormat
from decklab.metrics.editability.facts import Workbook as WorkbookState
from decklab.ooxml.package import Package
from decklab.ooxml.workbook import CellRange, CellValue, Workbook, cell_name, parse_reference

CELL_TOLERANCE = 1e-6
"""Largest relative difference between a cell and the value the chart draws: caches are written
with 15 digits, so anything more is another number."""


OLE_MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")
"""How files of the old binary formats (.xls) begin."""

SHRINK = 0.4
"""What the largest number is multiplied with: a bar of 40 % and a slice of another size are seen,
and the number stays on any axis."""


@dataclass(frozen=True)
class Change:
    """One number changed in workbook and chart alike."""

    series: int
    """Index of the series, in the order of the chart's XML."""
    point: int
    """Index of the point in its series."""
    value: float
    workbook: bytes
    """The workbook with the number changed."""


@dataclass(frozen=True)
class Reading:
    """The state of a chart's workbook, and a change to try where there is one."""

    state: WorkbookState
    detail: str = ""
    compared: int = 0
    mismatches: tuple[str, ...] = ()
    change: Change | None = None


def read_workbook(package: Package, chart: Chart) -> Reading:
    """Open the workbook of a chart, compare its cells, and prepare a change."""
    if chart.part is None:
        return Reading("missing", "the chart itself is missing")
    if chart.workbook is None:
        return Reading("linked", chart.workbook_link) if chart.workbook_link else Reading("missing")
    try:
        data = package.read(chart.workbook)
        if data.startswith(OLE_MAGIC):
            return Reading("foreign", "a workbook of the old binary format")
        with Workbook.from_bytes(data, chart.workbook, package.limits) as book:
            return _compared(book, chart)
    except UnsupportedFormat as error:
        return Reading("foreign", error.detail)
    except DeckError as error:
        return Reading("unreadable", error.detail)


def _compared(book: Workbook, chart: Chart) -> Reading:
    compared, mismatches, remarks = 0, list[str](), list[str]()
    for series in chart.series:
        try:
            pairs = list(_pairs(book, series))
        except MissingPart as error:
            mismatches.append(error.detail)
        except (MalformedPart, LimitExceeded) as error:
            remarks.append(error.detail)
        else:
            compared += len(pairs)
            mismatches += [_words(*pair) for pair in pairs if not _agree(pair[1], pair[2])]
            if series.values_ref is None and series.values:
                mismatches.append(f"{_name(series)} is typed into the chart and has no cells")
    change = None if mismatches else _change(book, chart)
    return Reading("readable", "; ".join(remarks), compared, tuple(mismatches), change)


def _name(series: ChartSeries) -> str:
    return f"series “{series.name}”" if series.name else "a series"


def _pairs(book: Workbook, series: ChartSeries) -> Iterator[tuple[str, CellValue, float | None]]:
    """Cell name, cell value and drawn value of each point that can be told apart.

    A chart leaves out hidden rows, so with fewer values than filled cells nothing is compared.
    """
    if series.values_ref is None:
        return
    cells = book.values(series.values_ref)
    if len(series.values) < len(cells) and any(
        cell is not None for cell in cells[len(series.values) :]
    ):
        return
    names = _cell_names(series.values_ref)
    for index, drawn in enumerate(series.values):
        if index < len(cells):
            yield names[index], cells[index], drawn
        elif drawn is not None:
            yield "no cell", None, drawn


def _cell_names(reference: str) -> list[str]:
    areas: tuple[CellRange, ...] = parse_reference(reference) or ()
    return [cell_name(*position) for area in areas for position in area.cells()]


def _agree(cell: CellValue, drawn: float | None) -> bool:
    if cell is None or isinstance(cell, str):
        return drawn is None or drawn == 0  # blanks and texts are drawn as gaps or as zero
    if drawn is None:
        return False
    return isclose(float(cell), drawn, rel_tol=CELL_TOLERANCE, abs_tol=CELL_TOLERANCE**2)


def _words(name: str, cell: CellValue, drawn: float | None) -> str:
    held = "nothing" if cell is None else f"{cell:g}" if isinstance(cell, float) else repr(cell)
    return f"{name} holds {held}, the chart draws {'nothing' if drawn is None else f'{drawn:g}'}"


def _change(book: Workbook, chart: Chart) -> Change | None:
    """Shrink the largest number of the longest series that stands in a cell of its own."""
    order = sorted(range(len(chart.series)), key=lambda index: -len(chart.series[index].values))
    for index in order:
        series = chart.series[index]
        areas = parse_reference(series.values_ref or "")
        drawn = [(abs(value), point) for point, value in enumerate(series.values)
                 if value is not None]  # fmt: skip
        if not areas or not drawn:
            continue
        _, point = max(drawn, key=lambda pair: (pair[0], -pair[1]))
        cells = [(area.sheet, position) for area in areas for position in area.cells()]
        if point < len(cells):
            sheet, position = cells[point]
            old = series.values[point] or 0.0
            new = SHRINK * old if old else 1.0
            name = sheet or book.sheets[0]
            return Change(index, point, new, book.with_number(name, cell_name(*position), new))
    return None
