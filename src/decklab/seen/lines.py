"""Where the words of a text lie, by estimate: from sizes, margins and the length of the words.

No font is measured. Letters count as 0.4 times as wide as their size, those of East Asian scripts
as wide as their size; a line is 1.15 sizes high. Ours, on the small side of common fonts, so that a
text that fits is not thought to run off the slide; good enough to tell on which side of half its
ink a paragraph is hidden.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import ceil, cos, radians, sin
from typing import Final

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.deck.model.base import Pair
from decklab.deck.model.text import Body, Paragraph

_LETTER: Final = 0.4
_LINE: Final = 1.15
_FITS: Final = 0.6
"""Share of the estimated height from which on a shape that grows with its text is thought to hold
it, as its program measured. Ours."""
_LEAST_SIZE: Final = 0.5
"""Points that a letter counts at the least: a line has to have a height."""


def paragraph_boxes(
    paragraphs: Sequence[Paragraph], body: Body, box: Box, size_pt: Pair
) -> Iterator[Box]:
    """The box around the letters of each paragraph, in px of the frame, one a paragraph.

    ``box`` is the shape's before any rotation, ``size_pt`` the slide's size in points. Texts in
    columns or along another direction count as spread over their whole box.
    """
    across, down = FRAME_WIDTH / size_pt[0], FRAME_HEIGHT / size_pt[1]
    inner = Box(
        box.left + body.inset_left * across,
        box.top + body.inset_top * down,
        box.right - body.inset_right * across,
        box.bottom - body.inset_bottom * down,
    )
    if body.columns > 1 or body.direction != "horz":
        yield from (box for _ in paragraphs)
        return
    room = max(inner.width / across, 1.0)
    blocks = [_block(one, room if body.wraps else None) for one in paragraphs]
    total = sum(before + height for before, height, _ in blocks) * down
    squeeze = 1.0
    if total > inner.height > 0 and (
        body.autofit == "shrink" or (body.autofit == "grow" and inner.height > _FITS * total)
    ):
        squeeze = inner.height / total
    top = _top(inner, total * squeeze, body)
    for paragraph, (before, height, width) in zip(paragraphs, blocks, strict=True):
        top += before * down * squeeze
        left, right = _sides(paragraph, inner, width * across, across, centred=body.anchor_center)
        yield Box(left, top, right, top + height * down * squeeze)
        top += height * down * squeeze


def text_height(paragraphs: Sequence[Paragraph], body: Body, width: float, size_pt: Pair) -> float:
    """The height that a text takes in a cell of some width, insets included, in px of the frame."""
    across, down = FRAME_WIDTH / size_pt[0], FRAME_HEIGHT / size_pt[1]
    room = max(width / across - body.inset_left - body.inset_right, 1.0)
    blocks = [_block(paragraph, room if body.wraps else None) for paragraph in paragraphs]
    height = sum(before + own for before, own, _ in blocks)
    return (height + body.inset_top + body.inset_bottom) * down


def _block(paragraph: Paragraph, room: float | None) -> tuple[float, float, float]:
    """Space before a paragraph, its height and its width, in points; ``room`` is the width that it
    has, None if it does not wrap."""
    size = max((run.font.size for run in paragraph.runs), default=18.0)
    widest, lines = 0.0, 0
    left = 0.0 if room is None else paragraph.margin_left + paragraph.margin_right
    for row in _rows(paragraph):
        width = max(sum(ems(text) * points for text, points in row), 0.0)
        own = 1 if room is None else max(1, ceil(width / max(room - left, size)))
        widest = max(widest, width if own == 1 else (room or width) - left)
        lines += own
    spacing, before = paragraph.line_spacing, paragraph.space_before
    line = spacing.value if spacing.unit == "points" else spacing.value * _LINE * size
    above = before.value if before.unit == "points" else before.value * size
    return max(0.0, above), lines * max(line, _LEAST_SIZE), max(widest, _LEAST_SIZE)


def _rows(paragraph: Paragraph) -> list[list[tuple[str, float]]]:
    """Its texts and their sizes, from one line break to the next."""
    rows: list[list[tuple[str, float]]] = [[]]
    for run in paragraph.runs:
        for place, text in enumerate(run.text.split("\v")):
            if place:
                rows.append([])
            rows[-1].append((text, run.font.size))
    return rows


@lru_cache(maxsize=4096)
def ems(text: str) -> float:
    """The width of a text in sizes of its letters, by estimate.

    >>> ems("ab"), ems("日本")
    (0.8, 2.0)
    """
    if text.isascii():
        return len(text) * _LETTER
    return sum(1.0 if unicodedata.east_asian_width(c) in "WF" else _LETTER for c in text)


def _top(inner: Box, height: float, body: Body) -> float:
    spare = (inner.bottom - inner.top) - height
    if body.autofit == "grow" and spare < 0:
        return inner.top  # programs make such a shape larger, downwards
    match body.anchor:
        case "middle":
            return inner.top + spare / 2
        case "bottom":
            return inner.top + spare
        case _:
            return inner.top


def _sides(
    paragraph: Paragraph, inner: Box, width: float, across: float, *, centred: bool
) -> tuple[float, float]:
    start = inner.left + paragraph.margin_left * across
    end = inner.right - paragraph.margin_right * across
    if paragraph.align in ("center", "distributed") or centred:
        middle = (start + end) / 2
        return middle - width / 2, middle + width / 2
    if (paragraph.align == "right") != paragraph.right_to_left:
        return end - width, end
    return start, start + width


def turned(box: Box, degrees: float, around: Box) -> Box:
    """The upright box around a box that is turned clockwise about the middle of another.

    >>> turned(Box(10, 0, 20, 2), 90, Box(10, 0, 20, 10))
    Box(left=18.0, top=0.0, right=20.0, bottom=10.0)
    """
    if not degrees:
        return box
    x, y = (around.left + around.right) / 2, (around.top + around.bottom) / 2
    turn = radians(degrees)
    corners = [(a - x, b - y) for a in (box.left, box.right) for b in (box.top, box.bottom)]
    # 0.0 is added so that there is no -0.0.
    xs = [round(x + a * cos(turn) - b * sin(turn), 6) + 0.0 for a, b in corners]
    ys = [round(y + a * sin(turn) + b * cos(turn), 6) + 0.0 for a, b in corners]
    return Box(min(xs), min(ys), max(xs), max(ys))
