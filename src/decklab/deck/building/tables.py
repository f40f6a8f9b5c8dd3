"""Tables as DrawingML, every cell with its fill, borders and text stated."""

from collections.abc import Sequence
from xml.sax.saxutils import escape

from decklab.deck.building.frames import Paper
from decklab.deck.building.paints import Embed, line_xml, paint_xml, solid_xml
from decklab.deck.building.texts import Link, anchor_names, body_xml, plain_paragraphs
from decklab.deck.model.shapes import Cell, Table
from decklab.deck.model.text import RunFont
from decklab.ooxml.units import EMU_PER_POINT

_FLAGS = {
    "firstRow": "first_row", "firstCol": "first_column", "lastRow": "last_row",
    "lastCol": "last_column", "bandRow": "row_bands", "bandCol": "column_bands",
}  # fmt: skip
_PLAIN_FONT = RunFont(name="", size=14.0, style=(), color="#000000")
"""Of tables that come as bare text. Ours: PowerPoint's 18 pt fills small tables at once."""


def table_xml(table: Table, paper: Paper, embed: Embed, link: Link) -> str:
    """The ``a:tbl`` of a table; one without cells in full has those of its texts."""
    rows = table.rows or tuple(tuple(_plain(text) for text in row) for row in table.cells)
    columns = max((len(row) for row in rows), default=0)
    widths = table.columns or (table.w / max(columns, 1),) * columns
    heights = table.heights or (table.h / max(len(rows), 1),) * len(rows)
    grid = "".join(f'<a:gridCol w="{paper.across(width)}"/>' for width in widths)
    merged = _merged(rows)
    lines = "".join(
        f'<a:tr h="{paper.down(height)}">'
        + "".join(
            _cell(cell, merged.get((number, column), ""), embed, link)
            for column, cell in enumerate(row)
        )
        + "</a:tr>"
        for number, (row, height) in enumerate(zip(rows, heights, strict=False))
    )
    flags = " ".join(f'{name}="1"' for name, key in _FLAGS.items() if getattr(table, key))
    style = ""
    if table.style_id is not None:
        style = f"<a:tableStyleId>{escape(table.style_id)}</a:tableStyleId>"
    return f"<a:tbl><a:tblPr {flags}>{style}</a:tblPr><a:tblGrid>{grid}</a:tblGrid>{lines}</a:tbl>"


def _plain(text: str) -> Cell:
    return Cell(text=text, paragraphs=plain_paragraphs(text, _PLAIN_FONT, "left"))


def _merged(rows: Sequence[Sequence[Cell]]) -> dict[tuple[int, int], str]:
    """Row and column of each covered cell to how it says so."""
    found: dict[tuple[int, int], str] = {}
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            for down in range(cell.row_span):
                for across in range(cell.column_span):
                    marks = (' hMerge="1"' if across else "") + (' vMerge="1"' if down else "")
                    if marks and not cell.covered:
                        found.setdefault((row + down, column + across), marks)
    return found


def _cell(cell: Cell, merged: str, embed: Embed, link: Link) -> str:
    spans = merged
    if cell.row_span > 1:
        spans += f' rowSpan="{cell.row_span}"'
    if cell.column_span > 1:
        spans += f' gridSpan="{cell.column_span}"'
    text = body_xml(cell.paragraphs, cell.body, embed, link, tag="a:txBody")
    return f"<a:tc{spans}>{text}{_properties(cell, embed)}</a:tc>"


def _properties(cell: Cell, embed: Embed) -> str:
    body = cell.body
    insets = " ".join(
        f'{name}="{round(value * EMU_PER_POINT)}"'
        for name, value in (
            ("marL", body.inset_left), ("marR", body.inset_right),
            ("marT", body.inset_top), ("marB", body.inset_bottom),
        )
    )  # fmt: skip
    borders = "".join(
        line_xml(border.stroke, border.strokeWidth, border.pen, embed, tag)
        for tag, border in (
            ("a:lnL", cell.left), ("a:lnR", cell.right), ("a:lnT", cell.top),
            ("a:lnB", cell.bottom),
        )
    )  # fmt: skip
    paint = paint_xml(cell.paint, embed)
    if cell.paint.kind == "none" and cell.fill is not None:
        paint = solid_xml(cell.fill)
    return (
        f'<a:tcPr {insets} vert="{body.direction}" anchor="{anchor_names[body.anchor]}" '
        f'anchorCtr="{int(body.anchor_center)}">{borders}{paint}</a:tcPr>'
    )
