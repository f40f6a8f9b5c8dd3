"""Whether a chart's workbook holds the numbers that the chart draws."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isclose

from decklab.core.errors import (
    DeckError,
    LimitExceeded,
    MalformedPart,
    MissingPart,
    UnsupportedFormat,
)
from decklab.deck.model.outline import ChartSeries, OutlineChart, WorkbookState
from decklab.ooxml.package import Package
from decklab.ooxml.workbook import CellRange, CellValue, Workbook, cell_name, parse_reference

CELL_TOLERANCE = 1e-6
"""Largest relative difference between a cell and the value the chart draws: caches are written
with 15 digits, so anything more is another number."""

OLE_MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")
"""The first bytes of files in the old binary formats (.xls)."""


@dataclass(frozen=True)
class WorkbookCheck:
    """The state of a chart's workbook, and where it holds other numbers than the chart draws."""

    state: WorkbookState
    detail: str = ""
    compared: int = 0
    """How many numbers were compared."""
    mismatches: tuple[str, ...] = ()
    """Sentences, such as "B3 holds 8.5, the chart draws 7"."""


def read_workbook(package: Package, chart: OutlineChart) -> WorkbookCheck:
    """Open the workbook of a chart and compare its cells with what the chart draws."""
    if chart.part is None:
        return WorkbookCheck("missing", "the chart itself is missing")
    if chart.workbook is None:
        return (
            WorkbookCheck("linked", chart.workbook_link)
            if chart.workbook_link
            else WorkbookCheck("missing")
        )
    try:
        data = package.read(chart.workbook)
        if data.startswith(OLE_MAGIC):
            return WorkbookCheck("foreign", "a workbook of the old binary format")
        with Workbook.from_bytes(data, chart.workbook, package.limits) as book:
            return _compared(book, chart)
    except UnsupportedFormat as error:
        return WorkbookCheck("foreign", error.detail)
    except DeckError as error:
        return WorkbookCheck("unreadable", error.detail)


def _compared(book: Workbook, chart: OutlineChart) -> WorkbookCheck:
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
    return WorkbookCheck("readable", "; ".join(remarks), compared, tuple(mismatches))


def _name(series: ChartSeries) -> str:
    return f"series “{series.name}”" if series.name else "a series"


def _pairs(book: Workbook, series: ChartSeries) -> Iterator[tuple[str, CellValue, float | None]]:
    """Cell name, cell value and drawn value of each point that can be identified.

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
    text = "nothing" if cell is None else f"{cell:g}" if isinstance(cell, float) else repr(cell)
    return f"{name} holds {text}, the chart draws {'nothing' if drawn is None else f'{drawn:g}'}"
