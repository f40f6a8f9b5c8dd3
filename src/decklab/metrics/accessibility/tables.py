"""Tables that cannot be followed by ear."""

from collections.abc import Iterator, Sequence

from decklab.deck.model.shapes import Table, box_of
from decklab.deck.model.slide import SlideElements
from decklab.metrics.accessibility.thresholds import TABLE_COLUMNS, TABLE_ROWS
from decklab.metrics.findings import Occurrence
from decklab.metrics.integrity.page import shown
from decklab.metrics.integrity.places import label
from decklab.results import Finding


def tables(slide: SlideElements) -> Iterator[Occurrence]:
    """Tables that mark neither a header row nor a header column, and tables with merged cells.

    Each is told once for the slide. A table whose first row and first column are mostly empty only
    places things, and has no header to mark.
    """
    bare = [table for table in shown(slide.tables) if _lacks_header(table)]
    if bare:
        yield Occurrence(_no_header(bare, slide), "no header")
    merged = [table for table in shown(slide.tables) if _merged_cells(table)]
    if merged:
        yield Occurrence(_merged(merged, slide), "merged")


def _lacks_header(table: Table) -> bool:
    large = len(table.rows) >= TABLE_ROWS and len(table.columns) >= TABLE_COLUMNS
    edges = [table.cells[0], [row[0] for row in table.cells if row]] if table.cells else []
    headed = any(2 * sum(bool(text.strip()) for text in edge) >= len(edge) for edge in edges)
    return large and headed and not table.first_row and not table.first_column


def _merged_cells(table: Table) -> int:
    return sum(cell.row_span > 1 or cell.column_span > 1 for row in table.rows for cell in row)


def _names(tables: Sequence[Table]) -> str:
    return ", ".join(table.name for table in tables)


def _no_header(tables: Sequence[Table], slide: SlideElements) -> Finding:
    many = len(tables) > 1
    return Finding(
        rule="accessibility.missing-table-headers",
        severity="warning",
        message=f"{_names(tables)} {'mark' if many else 'marks'} no row or column as header.",
        slide=slide.number,
        shape=label(tables[0]),
        box=box_of(tables[0]),
        measured=float(len(tables)),
        threshold=0.0,
        fix="Check Header Row in the table's design options, and let the first row say what the"
        " columns hold.",
    )


def _merged(tables: Sequence[Table], slide: SlideElements) -> Finding:
    cells = sum(map(_merged_cells, tables))
    return Finding(
        rule="accessibility.merged-table-cells",
        severity="info",
        message=f"{_names(tables)}: {cells} merged cell{'s' if cells > 1 else ''}, where screen"
        " readers lose count of rows and columns.",
        slide=slide.number,
        shape=label(tables[0]),
        box=box_of(tables[0]),
        measured=float(cells),
        threshold=0.0,
        fix="Split the cells, or repeat the value in each.",
    )
