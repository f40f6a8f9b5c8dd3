"""Tables of a PDF page: by their rules, or by a caption and the spaces between columns.

A table is certain (native) only if its columns are parted by white stripes or rules that no
word crosses, and where each cell of a column of numbers is a number. A method of our own."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from decklab.core.geometry import Box
from decklab.documents.drafting import likely_header_rows
from decklab.documents.pdf.page import (
    FoundTable,
    PageCaption,
    PageGraphics,
    PdfPage,
    column_around,
    is_prose,
    share_within,
)
from decklab.documents.pdf.table_heads import HeadCell, HeadRow, joined_head
from decklab.documents.pdf.words import LinePiece, PdfWord, logical_order, words_by_line

CAPTION_REACH = 45.0
"""Ours: points between a table and its caption."""
CELL_GAP_EM = 0.55
"""Ours: words nearer than this are one cell."""
_STRIPE = 4.0  # ours: points; the narrowest white stripe between two columns
_SAME_PLACE = 12.0  # ours: points between a line and the middle of the space it stands in
_HEAD_REACH = 1.6
"""Ours: of a line's height, between the first rule and the head above it."""
_OPEN_ROW = 40.0
"""Ours: points by which vertical lines may reach beyond the outer rules of a table."""
_LEAST_ROWS = 3
_MOST_HEAD_ROWS = 3
_YEAR = re.compile(r"^(?:FY\s?)?(?:1[5-9]|20)\d\d[a-z*†]?$")
_BARE_STRIPE_EM = 1.0
"""Ours: the same if neither a caption nor lines say that it is a table: the spaces of justified
text between two rules may lie below each other."""
_CELL_WORDS, _LONG_CELLS = 8, 0.4
"""Ours: words of a cell, and share of the cells with more of which a table is text in columns."""
_LEAST_CUT, _CUT_CELLS = 2, 0.2
"""Ours: cells that end within a word or sentence, and their share, from which on they are lines."""
_CUT_OFF = re.compile(
    r"(?:\S+\s+){2,}(?:\S*,|a|an|and|as|at|by|for|from|in|is|of|on|or|that|the|to|was|were"
    r"|with|der|die|das|den|dem|des|ein|eine|und|oder|mit|von|zu|im|für|auf|le|la|les|des|du|de|et"
    r"|ou|un|une|pour|dans|el|los|las|del|y|en|con|por|para)\Z"
)
_NOTHING = re.compile(r"^(?:[-–—.*]*|n/?a|na|none|nan|-+|\?)$", re.IGNORECASE)
_VALUE = re.compile(
    r"^[<>≤≥~≈±+−–-]?\s?[$€£¥]?\s?(?:\d[\d.,  '’]*|\.\d+)(?:\s?\^\s?[-−]?\d+)?"
    r"(?:[eE][-+−]?\d+)?\s?(?:%|[a-zA-Z°µ²³/]{1,4})?$"
)


_RUNNING, _ONE_COLUMN = "its cells are running text", "its columns could not be told apart"
_NO_TABLE = frozenset([_RUNNING, _ONE_COLUMN])
"""Doubts for which what no rules enclose is no table at all."""


@dataclass
class _Frame:
    """Where a table is: its box and the rules that cross it."""

    box: Box
    across: list[Box]
    down: list[Box]
    short: list[Box] = field(default_factory=list)
    """Horizontal rules inside that are shorter than it, as below a heading over two columns."""


def page_tables(page: PdfPage, captions: Sequence[PageCaption]) -> list[FoundTable]:
    """The tables of a page, top to bottom."""
    named = [caption for caption in captions if caption.caption.subject == "table"]
    found: list[FoundTable] = []
    free = list(named)
    for frame in _frames(page, named):
        caption = _nearest(frame.box, free)
        table = _read(page, frame, caption)
        if table is not None:
            found.append(table)
            free = [item for item in free if item is not caption]
    for caption in free:
        table = _by_spaces(page, caption, [table.box for table in found])
        if table is not None:
            found.append(table)
    return sorted(found, key=lambda table: table.box.top)


# Frames by rules -------------------------------------------------------------------------------


def _frames(page: PdfPage, captions: Sequence[PageCaption]) -> list[_Frame]:
    """Groups of rules of one width with text between them."""
    groups: list[list[Box]] = []
    for rule in page.graphics.horizontal:
        if rule.width < 40:
            continue
        group = next(
            (group for group in reversed(groups) if _belongs(group, rule, page, captions)), None
        )
        if group is None:
            groups.append([rule])
        else:
            group.append(rule)
    frames = []
    for rules in [part for group in groups for part in _grids(group, page)]:
        box = Box.around(rules)
        if box is None or box.height < 12:
            continue
        box = _with_open_rows(box, page)
        down = _down(page.graphics, box)
        if len(rules) >= 3 or len(down) >= 2 or _nearest(box, captions):
            short = [rule for rule in page.graphics.horizontal if _is_short(rule, box)]
            frames.append(_Frame(box, rules, down, short))
    return frames


def _with_open_rows(box: Box, page: PdfPage) -> Box:
    """A box of rules with the rows above the first and below the last one into which its vertical
    lines reach."""
    beyond = [
        line
        for line in page.graphics.vertical
        if box.left - 4 <= line.left <= box.right + 4
        and line.top <= box.top + 4
        and line.bottom >= box.bottom - 4
        and max(box.top - line.top, line.bottom - box.bottom) < _OPEN_ROW
    ]
    return (
        Box.around([box, *(line._replace(left=box.left, right=box.right) for line in beyond)])
        or box
    )


def _is_short(rule: Box, box: Box) -> bool:
    inside = rule.left >= box.left - 4 and rule.right <= box.right + 4
    return inside and box.top + 4 < rule.top < box.bottom - 4 and rule.width < 0.95 * box.width


def _grids(group: list[Box], page: PdfPage) -> list[list[Box]]:
    """A group of rules parted where the vertical lines of a grid end; the same without a grid."""
    ruled = [
        any(
            _spans(line, Box(a.left - 4, a.bottom, a.right + 4, b.top))
            for line in page.graphics.vertical
        )
        for a, b in pairwise(group)
    ]
    if not any(ruled):
        return [group]
    parts = [[group[0]]]
    for joined, rule in zip(ruled, group[1:], strict=True):
        if joined:
            parts[-1].append(rule)
        else:
            parts.append([rule])
    return [part for part in parts if len(part) > 1]


def _belongs(
    group: Sequence[Box], rule: Box, page: PdfPage, captions: Sequence[PageCaption]
) -> bool:
    last = group[-1]
    if abs(last.left - rule.left) > 6 or abs(last.right - rule.right) > 6:
        return False
    between = Box(rule.left - 4, last.bottom, rule.right + 4, rule.top)
    inside = [piece for piece in page.pieces if share_within(piece.box, between) > 0.5]
    if any(caption.first is piece for caption in captions for piece in inside):
        return False
    if not inside and between.height > 14:
        return False
    wide = [piece for piece in inside if is_prose(piece) and piece.box.width > 0.8 * rule.width]
    ruled = any(_spans(line, between) for line in page.graphics.vertical)
    return ruled or len(wide) < 3


def _spans(line: Box, between: Box) -> bool:
    reach = min(line.bottom, between.bottom) - max(line.top, between.top)
    return between.left <= line.left <= between.right and reach > 0.6 * between.height


def _down(graphics: PageGraphics, box: Box) -> list[Box]:
    """Vertical rules inside a box, one for each place."""
    found: list[Box] = []
    for line in sorted(graphics.vertical, key=lambda line: line.left):
        inside = box.left - 4 <= line.left <= box.right + 4
        if inside and line.top >= box.top - 4 and line.bottom <= box.bottom + 4:
            if found and line.left - found[-1].left < 4:
                found[-1] = found[-1].union(line)
            else:
                found.append(line)
    return [line for line in found if line.height > 0.5 * box.height]


def _nearest(box: Box, captions: Iterable[PageCaption]) -> PageCaption | None:
    def distance(caption: PageCaption) -> float:
        return max(box.top - caption.box.bottom, caption.box.top - box.bottom, 0)

    beside = [item for item in captions if item.box.left < box.right and item.box.right > box.left]
    near = min(beside, key=distance, default=None)
    return near if near is not None and distance(near) <= CAPTION_REACH else None


# Frames by spaces ------------------------------------------------------------------------------


def _by_spaces(page: PdfPage, caption: PageCaption, taken: Sequence[Box]) -> FoundTable | None:
    """The table of a caption without rules: rows of separate pieces below it, else above, in its
    column of the page."""
    column = column_around(page, caption.box, [p.box for p in page.pieces if is_prose(p)])
    pieces = [
        piece
        for piece in page.pieces
        if not any(share_within(piece.box, box) > 0.5 for box in (*taken, caption.box))
        and share_within(piece.box, column) > 0.9
    ]
    below = [piece for piece in pieces if piece.box.top >= caption.box.bottom - 2]
    above = [piece for piece in pieces if piece.box.bottom <= caption.box.top + 2]
    for side, step in ((below, 1), (above, -1)):
        box = _rows_beside(side, caption.box, step)
        table = _read(page, _Frame(box, [], []), caption) if box is not None else None
        if table is not None and table.why_not not in _NO_TABLE:
            return table
    return None


def _rows_beside(pieces: Sequence[LinePiece], caption: Box, step: int) -> Box | None:
    """The box of two rows or more of at least two pieces that follow a caption (``step`` 1), or
    lead to it (-1)."""
    kept: list[Box] = []
    for row in words_by_line(pieces)[::step]:
        box = Box.around(piece.box for piece in row) or caption
        last = kept[-1] if kept else caption
        gap = max(box.top - last.bottom, last.top - box.bottom)
        if gap > CAPTION_REACH / (2 if kept else 1):
            break
        if len(row) < 2 and (is_prose(row[0]) or not kept):
            break
        kept.append(box)
    return Box.around(kept) if len(kept) >= 2 else None


# Cells -----------------------------------------------------------------------------------------


def _read(page: PdfPage, frame: _Frame, caption: PageCaption | None) -> FoundTable | None:
    """The cells inside a frame; None if it holds no table."""
    words = [
        word
        for piece in page.pieces
        for word in piece.words
        if share_within(word.box, frame.box) > 0.5
        and not (caption and share_within(word.box, caption.box) > 0.5)
    ]
    if caption is None and _is_drawing(page, frame):
        return None
    bands, header = _bands(words, frame)
    if len(bands) < 2:
        return None
    walls = [line.left for line in frame.down]
    rows = [_row_spans(band, walls) for band in bands]
    stripe = _STRIPE if caption else _BARE_STRIPE_EM * _usual_size(words)
    separators = _separators(rows[header:] or rows, frame, stripe)
    if not separators and len(rows) > _LEAST_ROWS:
        separators = _separators(rows[2:], frame, stripe)
    if not separators:
        if caption is None or _all_prose(rows):
            return None
        lines = [[" ".join(span.text for span in row)] for row in rows]
        return FoundTable(frame.box, lines, 0, _ONE_COLUMN, caption)
    whole = _separators(rows, frame, stripe)
    separators = whole if len(whole) == len(separators) else separators
    heads, head = _head(page.graphics, frame, bands, separators, header)
    over = [] if header or heads or frame.down else _head_above(page, frame, rows, separators)
    cells, crossing = _cells(rows[heads:], separators)
    if heads:
        cells, header = [head, *cells], 1
    if not frame.down:
        cells = _joined_rows(cells, header)
    if len(cells) < 2 or (caption is None and _all_prose(rows)):
        return None
    if over:
        box = Box.around([frame.box, *(piece.box for piece in over)]) or frame.box
        frame = replace(frame, box=box)
        unnamed = [""] * (len(separators) + 1 - len(over))
        cells, header = [[*unnamed, *(piece.text for piece in over)], *cells], 1
    header = header or likely_header_rows(cells)
    ruled = not frame.down and any(len(words_by_line(band)) > 1 for band in bands)
    mixed = "" if ruled else _mixed(bands[heads:], words, separators)
    why_not = _doubt(cells, header, crossing) or mixed
    if not why_not and not _is_grid(frame) and _is_running_text(cells[header:]):
        why_not = _RUNNING
    if not why_not and _changes(page.graphics, frame, separators):
        why_not = "its columns change from row to row"
    if caption is None and why_not and not frame.down:
        return None
    return FoundTable(frame.box, cells, header, why_not, caption)


def _head(
    graphics: PageGraphics,
    frame: _Frame,
    bands: Sequence[Sequence[PdfWord]],
    separators: Sequence[float],
    header: int,
) -> tuple[int, list[str]]:
    """How many rows the head of a table has, and their texts joined; 0 unless it has two or three
    of which the upper group columns."""
    count = header or (2 if len(bands) > _LEAST_ROWS else 0)
    if not 1 < count <= _MOST_HEAD_ROWS or len(bands) <= count:
        return 0, []
    rows = [_row_spans(band, [line.left for line in frame.down]) for band in bands]
    edges = _column_ends(rows[count:], separators)
    upper = [span for row in rows[: count - 1] for span in row]
    lower = [span.text for span in rows[count - 1]]
    values = [text for text in lower if _VALUE.match(text) and not _YEAR.match(text)]
    grouped = any(span.left + 1 < at < span.right - 1 for span in upper for at in separators)
    grouped = grouped or any(_is_group(rule, bands) for rule in frame.short)
    if None in edges or values or not grouped or len(rows[0]) >= len(edges):
        return 0, []
    lines = []
    for band, row in zip(bands[:count], rows[:count], strict=True):
        box = Box.around(word.box for word in band) or frame.box
        spans = tuple(sorted(row, key=lambda span: span.left))
        lines.append(HeadRow(spans, box.top, box.bottom))
    ends = [edge for edge in edges if edge is not None]
    joined = joined_head(lines, ends, graphics.horizontal, graphics.vertical)
    return (0, []) if joined is None else (count, joined)


def _head_above(
    page: PdfPage, frame: _Frame, rows: Sequence[Sequence[HeadCell]], separators: Sequence[float]
) -> list[LinePiece]:
    """The pieces right above the first rule of a table that head its columns, one for each."""
    near = [
        piece
        for piece in page.pieces
        if frame.box.top - _HEAD_REACH * piece.box.height < piece.level < frame.box.top
        and frame.box.left - 4 <= piece.box.left
        and piece.box.right <= frame.box.right + 4
    ]
    near.sort(key=lambda piece: piece.box.left)
    ends = _column_ends(rows, separators)
    over = [
        [
            n
            for n, end in enumerate(ends)
            if end and piece.box.left < end[1] and piece.box.right > end[0]
        ]
        for piece in near
    ]
    first = len(ends) - len(near)  # the column of names may have no heading
    named = over == [[number] for number in range(first, len(ends))]
    values = any(_VALUE.match(piece.text) and not _YEAR.match(piece.text) for piece in near)
    return near if near and first in {0, 1} and named and not values else []


def _is_group(rule: Box, bands: Sequence[Sequence[PdfWord]]) -> bool:
    """Whether a rule stands between the first two rows."""
    above = min(word.box.bottom for word in bands[0])
    return above - 3 <= rule.top <= max(word.box.top for word in bands[1]) + 3


def _column_ends(
    rows: Sequence[Sequence[HeadCell]], separators: Sequence[float]
) -> list[tuple[float, float] | None]:
    """Where the cells of each column begin and end; None for a column without cells."""
    held: list[list[HeadCell]] = [[] for _ in range(len(separators) + 1)]
    for span in (span for row in rows for span in row):
        held[sum(1 for at in separators if at < (span.left + span.right) / 2)].append(span)
    return [
        (min(span.left for span in spans), max(span.right for span in spans)) if spans else None
        for spans in held
    ]


def _is_drawing(page: PdfPage, frame: _Frame) -> bool:
    """Whether other things than rules are drawn inside, as in the panels of a plot."""
    drawn = [
        box
        for box, _ in page.graphics.shapes
        if share_within(box, frame.box) > 0.5 and max(box.width, box.height) < 0.8 * frame.box.width
    ]
    return len(drawn) > 3


def _changes(graphics: PageGraphics, frame: _Frame, separators: Sequence[float]) -> bool:
    """Whether lines that do not go all the way down part some rows where no columns meet."""
    box = frame.box
    return any(
        box.left + 6 < line.left < box.right - 6
        and line.top > box.top - 4
        and line.bottom < box.bottom + 4
        and not any(abs(line.left - place) < _SAME_PLACE for place in separators)
        for line in graphics.vertical
    )


def _mixed(
    bands: Sequence[Sequence[PdfWord]], words: Sequence[PdfWord], separators: Sequence[float]
) -> str:
    """Why cells may hold more than one value, or other ones than are read; empty if they do not."""
    if any(word.style.math and any(map(str.isalpha, word.text)) for word in words):
        return "formulas stand in it"
    for band in bands:
        columns: dict[int, list[str]] = {}
        for level in words_by_line(band):
            firsts = {_column_of(word, separators): word.text for word in reversed(level)}
            for column, first in firsts.items():
                columns.setdefault(column, []).append(first)
        several = [firsts for firsts in columns.values() if len(firsts) > 1]
        counted = any(all(first[0].isdigit() for first in firsts) for firsts in several)
        if len(several) > 1 and (counted or 2 * len(several) > len(columns)):
            return "a row of it may be several"
    return ""


def _column_of(word: PdfWord, separators: Sequence[float]) -> int:
    middle = (word.box.left + word.box.right) / 2
    return sum(1 for place in separators if place < middle)


def _all_prose(rows: Sequence[Sequence[HeadCell]]) -> bool:
    whole = sum(1 for row in rows if len(row) == 1 and len(row[0].text.split()) > 7)
    return whole > 0.5 * len(rows)


def _inner_rules(frame: _Frame) -> list[Box]:
    """The rules between the rows of a frame."""
    return [rule for rule in frame.across if frame.box.top + 4 < rule.top < frame.box.bottom - 4]


def _is_grid(frame: _Frame) -> bool:
    """Whether rules go down and across, so that each cell has its own."""
    return len(frame.down) >= 2 and bool(_inner_rules(frame))


def _is_running_text(body: Sequence[Sequence[str]]) -> bool:
    """Whether cells are columns of text, such as references: many are long, or sentences go on in
    the row below."""
    filled = [cell for row in body for cell in row if cell]
    long = sum(len(cell.split()) > _CELL_WORDS for cell in filled)
    pairs = [
        (above, below)
        for column in zip(*body, strict=True)
        for above, below in pairwise(filter(None, column))
    ]
    going_on = sum(_runs_on(above, below) for above, below in pairs)
    return long >= _LONG_CELLS * max(1, len(filled)) or (
        going_on >= _LEAST_CUT and going_on >= _CUT_CELLS * len(pairs)
    )


def _runs_on(above: str, below: str) -> bool:
    """Whether a cell ends within a word or sentence that the cell below it goes on with."""
    if above.endswith("-"):
        return above[-3:-1].isalpha() and below[0].islower()
    return bool(_CUT_OFF.search(above)) and below[0].isalpha()


def _bands(words: Sequence[PdfWord], frame: _Frame) -> tuple[list[list[PdfWord]], int]:
    """The words by rows, top to bottom, and how many rows stand above the first inner rule.

    Where rules and lines make a grid, or a rule parts each row from the next, what stands between
    rules are the rows; else each level of text is one.
    """
    levels = words_by_line(words)
    inner = _inner_rules(frame)
    if _is_grid(frame):
        above = [rule.top for rule in frame.short if rule.top < inner[0].top - 4]
        bands = _between_rules(words, frame, above[:1])
        bands[:1] = _head_and_row(bands[0], frame)
        if len(bands) > 3 or max((len(words_by_line(band)) for band in bands), default=0) < 3:
            return bands, 0
    elif inner:
        bands = _between_rules(words, frame)
        ruled = len(bands) >= _LEAST_ROWS or len(levels) - len(bands) < len(words_by_line(bands[0]))
        if len(bands) < len(levels) and ruled and not any(map(_has_rows, bands)):
            return bands, 1
    header = sum(1 for level in levels if inner and level[0].box.bottom <= inner[0].bottom + 2)
    values = [word.text for word in levels[0] if _VALUE.match(word.text)] if levels else []
    if len(inner) >= len(levels) - 1 and any(not _YEAR.match(text) for text in values):
        header = 0  # a rule below each row, the first of values
    return levels, header if header < len(levels) and len(inner) <= 3 else min(header, 1)


def _between_rules(
    words: Sequence[PdfWord], frame: _Frame, above: Sequence[float] = ()
) -> list[list[PdfWord]]:
    """The words between each two rules of a frame; ``above`` are levels of short rules."""
    rules = [*above, *(rule.top for rule in _inner_rules(frame))]
    held = (
        [word for word in words if top <= (word.box.top + word.box.bottom) / 2 < bottom]
        for top, bottom in pairwise([frame.box.top, *rules, frame.box.bottom])
    )
    return list(filter(None, held))


def _head_and_row(band: list[PdfWord], frame: _Frame) -> list[list[PdfWord]]:
    """A head and a row that no rule parts: the first and last line have all cells, the last one
    values behind the first; else the band as it is."""
    *above, row = words_by_line(band)
    ends = [_row_spans(line, [wall.left for wall in frame.down]) for line in (*above[:1], row)]
    whole = len(ends) == 2 < len(ends[0]) == len(ends[1]) == len(frame.down) - 1
    if not whole or not all(_VALUE.match(span.text) for span in ends[1][1:]):
        return [band]
    return [[word for line in above for word in line], row]


def _has_rows(band: Sequence[PdfWord]) -> bool:
    """Whether lines between two rules are rows, and not lines of the cells of one: a lower one has
    a number, or as many cells as the first."""
    first, *others = map(_row_spans, words_by_line(band))
    return any(
        len(row) >= max(2, len(first)) or any(_VALUE.match(span.text) for span in row)
        for row in others
    )


def _row_spans(words: Sequence[PdfWord], walls: Sequence[float] = ()) -> list[HeadCell]:
    """A row's words as spans, which end at vertical rules; in rows of several lines the lines of
    one place are one span."""
    spans: list[HeadCell] = []
    for level in words_by_line(words):
        previous: PdfWord | None = None
        line: list[HeadCell] = []
        for word in level:
            gap = word.box.left - previous.box.right if previous else 0
            parted = previous is not None and any(
                previous.box.right - 1 <= wall <= word.box.left + 1 for wall in walls
            )
            if previous and not parted and gap < CELL_GAP_EM * max(word.style.size, 5):
                glue = "" if gap < 0.1 * max(word.style.size, 5) else " "
                line[-1].text += glue + word.text
                line[-1].right = max(line[-1].right, word.box.right)
            else:
                line.append(HeadCell(word.text, word.box.left, word.box.right))
            previous = word
        spans += line
    for span in spans:
        span.text = logical_order(span.text)
    return spans


def _usual_size(words: Sequence[PdfWord]) -> float:
    sizes = sorted(word.style.size for word in words)
    return sizes[len(sizes) // 2] if sizes else 0.0


def _separators(rows: Sequence[Sequence[HeadCell]], frame: _Frame, stripe: float) -> list[float]:
    """Where columns end: at vertical rules, and where none closes the sides also in white stripes
    down all rows of that width."""
    inner = [
        line.left for line in frame.down if frame.box.left + 6 < line.left < frame.box.right - 6
    ]
    if len(frame.down) > len(inner):
        return inner
    spans = sorted((span.left, span.right) for row in rows for span in row)
    found, reached = list(inner), spans[0][1] if spans else 0.0
    for left, right in spans[1:]:
        walled = any(reached - 1 <= wall <= left + 1 for wall in inner)
        if left - reached >= stripe and not walled:
            found.append((reached + left) / 2)
        reached = max(reached, right)
    return sorted(found)


def _cells(
    rows: Sequence[Sequence[HeadCell]], separators: Sequence[float]
) -> tuple[list[list[str]], str]:
    """The texts by row and column, and the first that crosses from one column to another."""
    crossing = ""
    table = []
    for row in rows:
        cells = [""] * (len(separators) + 1)
        for span in row:
            column = sum(1 for place in separators if place < span.middle)
            if any(span.left + 1 < place < span.right - 1 for place in separators):
                crossing = crossing or span.text
            cells[column] = _grown(cells[column], span.text)
        table.append(cells)
    return table, crossing


def _grown(cell: str, text: str) -> str:
    if cell.endswith("-") and len(cell) > 1 and text[:1].islower():
        return cell[:-1] + text
    return f"{cell} {text}".strip()


def _joined_rows(cells: list[list[str]], header: int) -> list[list[str]]:
    """Rows whose first cell is empty and that hold words only go on the row above them."""
    found: list[list[str]] = []
    for number, row in enumerate(cells):
        filled = [cell for cell in row if cell]
        goes_on = not row[0] and not any(char.isdigit() for cell in filled for char in cell)
        if found and goes_on and number > header and len(filled) < len(row):
            last = found[-1]
            found[-1] = [_grown(a, b) if b else a for a, b in zip(last, row, strict=True)]
        else:
            found.append(list(row))
    return found


def _doubt(cells: Sequence[Sequence[str]], header: int, crossing: str) -> str:
    """Why a table is not certain; empty if it is."""
    body = cells[header:]
    if crossing:
        return f"{crossing[:40]!r} stands over more than one column"
    if not body:
        return "it has no rows below its head"
    if sum(1 for row in body for cell in row if not cell) > 0.4 * len(body) * len(body[0]):
        return "most of its cells are empty"
    if torn := next((cell for row in body for cell in row if cell[:1] in tuple(")]}")), ""):
        return f"{torn[:40]!r} is a part of a cell"
    between = [row for row in body if not row[0] and sum(map(bool, row)) == 1 < len(row) - 1]
    if between and len(body) > 1:
        return f"{''.join(between[0])[:40]!r} stands between two rows"
    for column in range(len(body[0])):
        joined = [row[column] for row in body if _is_several(row[column])]
        if 2 * len(joined) > len(body):
            return f"{joined[0][:40]!r} is several values in one cell"
        filled = [row[column] for row in body if not _NOTHING.match(row[column])]
        values = [cell for cell in filled if _VALUE.match(cell)]
        names_rows = column == 0  # a mark or a word beside a number is no doubt there
        if not names_rows and filled and len(filled) > len(values) >= 0.6 * len(filled):
            odd = next(cell for cell in filled if not _VALUE.match(cell))
            return f"{odd[:40]!r} in a column of numbers is none"
    return ""


def _is_several(cell: str) -> bool:
    """Whether a cell is three values or more side by side."""
    parts = cell.split()
    return len(parts) > 2 and not _VALUE.match(cell) and all(map(_VALUE.match, parts))
