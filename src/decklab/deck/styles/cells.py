"""Tables with their cells."""

from typing import Any

from decklab.deck.model.shapes import Cell
from decklab.deck.sheets import Sheet
from decklab.deck.styles.paints import border_of, color_of, paint_of
from decklab.deck.styles.tables import StyledCell, StyledTable
from decklab.deck.styles.texts import body_of, paragraphs_of
from decklab.ooxml.units import parse_emu
from decklab.ooxml.xml import Element, qn


def table_fields(element: Element, table: StyledTable, sheet: Sheet) -> dict[str, Any]:
    """The fields of a table, an ``a:tbl``, by the names of the model's."""
    rows = element.findall(qn("a:tr"))
    cells = tuple(
        tuple(
            _cell(cell, item, sheet)
            for cell, item in zip(styled, row.iterfind(qn("a:tc")), strict=True)
        )
        for styled, row in zip(table.rows, rows, strict=True)
    )
    columns = element.iterfind(f"{qn('a:tblGrid')}/{qn('a:gridCol')}")
    return {
        "cells": tuple(tuple("" if c.covered else c.text for c in row) for row in cells),
        "columns": tuple(sheet.reading.across(parse_emu(item.get("w")) or 0) for item in columns),
        "heights": tuple(sheet.reading.down(parse_emu(item.get("h")) or 0) for item in rows),
        "rows": cells,
        "style_id": table.style_id,
        "first_row": table.flags.first_row,
        "last_row": table.flags.last_row,
        "first_column": table.flags.first_column,
        "last_column": table.flags.last_column,
        "row_bands": table.flags.row_bands,
        "column_bands": table.flags.column_bands,
    }


def _cell(styled: StyledCell, element: Element, sheet: Sheet) -> Cell:
    fill = styled.fill
    borders = {
        side: border_of(getattr(styled, side), sheet.reading)
        for side in ("left", "top", "right", "bottom")
    }
    return Cell(
        text=styled.text.text,
        paragraphs=paragraphs_of(styled.text, element.find(qn("a:txBody")), sheet),
        body=body_of(styled.text.body),
        fill=color_of(fill.value),
        paint=paint_of(fill.value, sheet.reading),
        row_span=styled.row_span,
        column_span=styled.column_span,
        covered=styled.covered,
        sources={} if fill.source == "default" else {"fill": fill.source},
        **borders,
    )
