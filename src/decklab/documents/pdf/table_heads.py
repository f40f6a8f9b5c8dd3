"""Heads of tables in several rows joined to one: "2024" over "Sales" and "Costs" is "2024 / Sales"
and "2024 / Costs".

Which columns a heading stands over is told by the rule below it, by the vertical rules beside it,
or, without both, where it stands in the middle of one run of columns only. A method of our own.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from decklab.core.geometry import Box
from decklab.documents.pdf.page import FoundTable, PageObjects, PdfPage, share_within
from decklab.documents.pdf.words import LinePiece

_CENTRED = 0.18
"""Ours: of the width of the columns below, how far a heading may stand from their middle."""
_MOST_COLUMNS = 14
"""Ours: columns of a table whose head is joined without rules."""
_MOST_HEADINGS = 6
_LEVEL = 4.0  # ours: points between a rule and the row above or below it


@dataclass
class HeadCell:
    """Words of one row that stand close, and where: a cell, or a heading over several columns."""

    text: str
    left: float
    right: float

    @property
    def middle(self) -> float:
        """Between its two ends."""
        return (self.left + self.right) / 2


@dataclass(frozen=True)
class HeadRow:
    """A row of a head from left to right, with its upper and lower edge."""

    cells: tuple[HeadCell, ...]
    top: float
    bottom: float


def joined_head(
    rows: Sequence[HeadRow],
    columns: Sequence[tuple[float, float]],
    across: Sequence[Box],
    down: Sequence[Box],
) -> list[str] | None:
    """One heading for each column of a table; None if it is not certain.

    ``columns`` are the left and right ends of the columns' cells below the head; ``across`` and
    ``down`` the rules in the table and near it.
    """
    parts: list[list[str]] = [[] for _ in columns]
    for row, below in pairwise([*rows, None]):
        if row is None:
            break
        spans = (
            _single(row, columns) if below is None else _spans(row, below, columns, across, down)
        )
        if spans is None:
            return None
        for cell, (first, last) in zip(row.cells, spans, strict=True):
            for column in range(first, last + 1):
                parts[column].append(cell.text)
    return [" / ".join(dict.fromkeys(texts)) for texts in parts]


def _single(row: HeadRow, columns: Sequence[tuple[float, float]]) -> list[tuple[int, int]] | None:
    """For each cell the one column in which it stands; None if one has none, or two have one."""
    found = []
    for cell in row.cells:
        over = [
            number
            for number, (left, right) in enumerate(columns)
            if cell.left < right and cell.right > left
        ]
        if len(over) != 1:
            return None
        found.append((over[0], over[0]))
    return found if len(set(found)) == len(found) else None


def _spans(
    row: HeadRow,
    below: HeadRow,
    columns: Sequence[tuple[float, float]],
    across: Sequence[Box],
    down: Sequence[Box],
) -> list[tuple[int, int]] | None:
    """For each cell of an upper row the first and last column that it stands over."""
    rules = [
        rule
        for rule in across
        if row.bottom - _LEVEL <= rule.top <= below.top + _LEVEL and len(_under(rule, columns)) > 1
    ]
    whole = columns[-1][1] - columns[0][0]
    rules = [rule for rule in rules if rule.width < 0.9 * whole]
    sides = [
        line.left for line in down if line.top <= row.top + _LEVEL and line.bottom > row.bottom
    ]
    found: list[tuple[int, int] | None] = []
    for cell in row.cells:
        rule = next(
            (rule for rule in rules if rule.left - 2 <= cell.middle <= rule.right + 2), None
        )
        if rule is not None:
            under = _under(rule, columns)
        elif len(sides) >= 2:
            under = _between(sides, cell, columns)
        else:
            under = []
        found.append((under[0], under[-1]) if under else None)
    known = [span for span in found if span is not None]
    if not known:
        return _only_partition(row, columns)
    singles = _single(HeadRow(tuple(cell for cell, span in zip(row.cells, found, strict=True)
                                    if span is None), row.top, row.bottom), columns)  # fmt: skip
    if singles is None:
        return None
    rest = iter(singles)
    spans = [span if span is not None else next(rest) for span in found]
    covered = [column for first, last in spans for column in range(first, last + 1)]
    return spans if len(set(covered)) == len(covered) else None


def _under(rule: Box, columns: Sequence[tuple[float, float]]) -> list[int]:
    """The columns whose middle is below a rule."""
    return [
        number
        for number, (left, right) in enumerate(columns)
        if rule.left - 3 <= (left + right) / 2 <= rule.right + 3
    ]


def _between(
    sides: Sequence[float], cell: HeadCell, columns: Sequence[tuple[float, float]]
) -> list[int]:
    """The columns between the vertical rules beside a cell."""
    low = max((side for side in sides if side <= cell.middle), default=float("-inf"))
    high = min((side for side in sides if side > cell.middle), default=float("inf"))
    return [
        number for number, (left, right) in enumerate(columns) if low <= (left + right) / 2 <= high
    ]


def _only_partition(
    row: HeadRow, columns: Sequence[tuple[float, float]]
) -> list[tuple[int, int]] | None:
    """The one way to part the columns so that each cell stands in the middle of its run; the first
    column may stand alone. None if there is none or several, or if no cell is over two columns."""
    count = len(columns)
    if not 1 <= len(row.cells) <= _MOST_HEADINGS or count > _MOST_COLUMNS:
        return None
    if not any(_crosses(cell, columns) for cell in row.cells):
        return None
    fitting = [
        runs
        for first in (0, 1)
        for runs in _partitions(first, count, len(row.cells))
        if all(_is_centred(cell, run, columns) for cell, run in zip(row.cells, runs, strict=True))
    ]
    return fitting[0] if len(fitting) == 1 else None


def _crosses(cell: HeadCell, columns: Sequence[tuple[float, float]]) -> bool:
    return any(
        cell.left < (right + left) / 2 < cell.right for (_, right), (left, _) in pairwise(columns)
    )


def _partitions(first: int, count: int, parts: int) -> Iterator[list[tuple[int, int]]]:
    """The columns from ``first`` on parted into runs, in every way."""
    for cuts in combinations(range(first + 1, count), parts - 1):
        edges = [first, *cuts, count]
        yield [(low, high - 1) for low, high in pairwise(edges)]


def _is_centred(
    cell: HeadCell, run: tuple[int, int], columns: Sequence[tuple[float, float]]
) -> bool:
    left, right = columns[run[0]][0], columns[run[1]][1]
    return abs(cell.middle - (left + right) / 2) <= _CENTRED * (right - left)


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
        heads = _repeated_head(last[0], top, found) if last and top else []
        rest = _below_head(heads, top, found) if heads and top else []
        follows = last and top and _goes_on(last[0], top, page)
        if (
            last and top and follows and _is_first(top, page, found, besides=[*heads, *rest])
            and (ended or heads or _repeats_head(last[0], top))
        ):  # fmt: skip
            found.pieces = [piece for piece in found.pieces if piece not in (*heads, *rest)]
            _take_row(last[0], top, heads, rest)
            joined = _joined(*last, top, found)
            end = joined if lowest is top else end
        last, ended = end, is_last


def _repeated_head(first: FoundTable, second: FoundTable, found: PageObjects) -> list[LinePiece]:
    """The texts above a table that are all cells of the head of the part before it, which is
    repeated there and was not read as a row; none if it is not."""
    cells = [" ".join(cell.split()) for row in first.rows[: first.header_rows] for cell in row]
    near = [piece for piece in found.pieces if piece.box.bottom <= second.box.top + 2]
    heads = [piece for piece in near if any(piece.text.strip() in cell for cell in cells)]
    said = " ".join(piece.text for piece in heads)
    return heads if cells and all(word in said for cell in cells for word in cell.split()) else []


def _below_head(
    heads: Sequence[LinePiece], table: FoundTable, found: PageObjects
) -> list[LinePiece]:
    """The texts between the repeated head of a table and its first row that was read."""
    top = min(piece.box.top for piece in heads)
    return [
        piece for piece in found.pieces
        if top <= piece.box.top and piece.box.bottom <= table.box.top + 2 and piece not in heads
    ]  # fmt: skip


def _take_row(
    first: FoundTable, second: FoundTable, heads: Sequence[LinePiece], rest: Sequence[LinePiece]
) -> None:
    """Add to the parts of a table the row of several lines below a repeated head: without a first
    cell it is the end of the last row of the part before."""
    if not rest:
        return
    columns = len(first.rows[0])
    edges = sorted((piece.box.left, piece.box.right) for piece in heads)
    if len(edges) != columns:
        first.why_not = first.why_not or "a row could not be read"
        return
    cells = [list[str]() for _ in range(columns)]
    for piece in sorted(rest, key=lambda piece: (piece.box.top, piece.box.left)):
        box = piece.box
        gaps = [max(left - box.right, box.left - right, 0.0) for left, right in edges]
        near = min(range(columns), key=lambda at: (gaps[at], abs(box.left - edges[at][0])))
        cells[near].append(piece.text.strip())
    row = [" ".join(texts) for texts in cells]
    if row[0]:
        second.rows.insert(0, row)
        return
    before = first.rows[-1]
    first.rows[-1] = [f"{cell} {more}".strip() for cell, more in zip(before, row, strict=True)]


def _is_first(
    table: FoundTable, page: PdfPage, found: PageObjects, *, besides: Sequence[LinePiece]
) -> bool:
    """Whether nothing stands above a table but its caption, that it goes on, and its head
    (``besides``)."""
    top = table.box.top
    above = [piece for piece in found.pieces if piece.box.bottom <= top + 2]
    drawn = [figure for figure in found.figures if figure.box.top < top - 2]
    return (
        all(_belongs_to(piece, table) or piece in besides for piece in above)
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
