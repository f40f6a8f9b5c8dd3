"""Tables that go on over several pages of a PDF, joined to one."""

import re
from collections.abc import Sequence

from decklab.documents.pdf.page import FoundTable, PageObjects, PdfPage, share_within
from decklab.documents.pdf.words import LinePiece

_GOES_ON = re.compile(r"\b(?:cont(?:inue[sd]|['’]?d|\.)|fortsetzung|fortgesetzt)", re.IGNORECASE)
_SAME_EDGE = 6.0  # ours: points between the edges of the parts of one table
_LOW, _HIGH = 0.7, 0.3
"""Ours: of the page's height, where a part ends at the least and the next begins at the most."""


def joined_tables(pages: Sequence[PdfPage], objects: Sequence[PageObjects]) -> None:
    """Join tables in place: the last thing of a page, and the first of the next, of one width and
    as many columns, if the second part has no caption of its own or only a repeated one. Below the
    first part a footnote may stand if the second one repeats its head.

    A repeated head is left out. The joined table stands where the part with the caption stood.
    """
    last: tuple[FoundTable, PageObjects] | None = None
    ended = False
    for page, found in zip(pages, objects, strict=True):
        for table in found.tables:
            table.parts = [(page.number, table.box)]
        top = min(found.tables, key=lambda table: table.box.top, default=None)
        lowest = max(found.tables, key=lambda table: table.box.bottom, default=None)
        end = (lowest, found) if lowest is not None else None
        is_last = lowest is not None and _is_last(lowest, page, found)
        follows = last and top and _goes_on(last[0], top, page) and _is_first(top, page, found)
        if last and top and follows and (ended or _repeats_head(last[0], top)):
            joined = _joined(*last, top, found)
            end = joined if lowest is top else end
        last, ended = end, is_last


def _is_first(table: FoundTable, page: PdfPage, found: PageObjects) -> bool:
    """Whether nothing stands above a table but its caption, or that it goes on."""
    top = table.box.top
    above = [piece for piece in found.pieces if piece.box.bottom <= top + 2]
    drawn = [figure for figure in found.figures if figure.box.top < top - 2]
    return (
        all(_belongs_to(piece, table) for piece in above)
        and not drawn
        and top < _HIGH * page.size[1]
    )


def _is_last(table: FoundTable, page: PdfPage, found: PageObjects) -> bool:
    """Whether nothing stands below a table but its caption, or that it goes on."""
    bottom = table.box.bottom
    below = [piece for piece in found.pieces if piece.box.top >= bottom - 2]
    drawn = [figure for figure in found.figures if figure.box.bottom > bottom + 2]
    return (
        all(_belongs_to(piece, table) for piece in below)
        and not drawn
        and bottom > _LOW * page.size[1]
    )


def _belongs_to(piece: LinePiece, table: FoundTable) -> bool:
    """Whether a text is the table's caption, or says that it goes on."""
    named = table.caption is not None and share_within(piece.box, table.caption.box) > 0.5
    return named or _says_so(piece)


def _says_so(piece: LinePiece) -> bool:
    return len(piece.words) <= 8 and bool(_GOES_ON.search(piece.text))


def _goes_on(first: FoundTable, second: FoundTable, page: PdfPage) -> bool:
    """Whether a table at the top of a page may be the rest of one that ended the page before."""
    number, before = first.parts[-1]
    after = second.box
    if number + 1 != page.number or not first.rows or not second.rows:
        return False
    if max(abs(before.left - after.left), abs(before.right - after.right)) > _SAME_EDGE:
        return False
    if len(first.rows[0]) != len(second.rows[0]):
        return False
    if first.caption is None or second.caption is None:
        return True
    same = first.caption.caption.label == second.caption.caption.label
    return same or bool(_GOES_ON.search(second.caption.caption.text))


def _repeats_head(first: FoundTable, second: FoundTable) -> bool:
    return second.caption is None and first.rows[0] == second.rows[0]


def _joined(
    first: FoundTable, there: PageObjects, second: FoundTable, here: PageObjects
) -> tuple[FoundTable, PageObjects]:
    """The two parts as one table, which stays among the objects of one of their pages."""
    kept, home, gone, away = first, there, second, here
    if first.caption is None and second.caption is not None:
        kept, home, gone, away = second, here, first, there
    for table, found in ((first, there), (second, here)):
        named = table is gone and gone.caption is not None
        found.pieces = [
            piece
            for piece in found.pieces
            if not (_belongs_to(piece, table) and (named or _says_so(piece)))
        ]
    head = first.rows[: max(first.header_rows, 1)]
    repeated = second.rows[: len(head)] == head
    kept.rows = first.rows + second.rows[len(head) if repeated else 0 :]
    kept.header_rows = first.header_rows or int(repeated)
    kept.why_not = first.why_not or second.why_not
    kept.parts = [*first.parts, *second.parts]
    away.tables = [table for table in away.tables if table is not gone]
    return kept, home
