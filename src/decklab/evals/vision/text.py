"""Lines and blocks of text in a picture: their words, size, weight and colour."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from statistics import median
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.core.results import NotScored
from decklab.metrics.contrast import region_contrast
from decklab.rendering.pictures import picture_spans

Picture = NDArray[np.uint8]
Color = tuple[int, int, int]

# Ours: heights above and below the line in ems, as of Carlito and Liberation Sans.
_ASCENDER, _X_HEIGHT, _DESCENDER = 0.72, 0.52, 0.21
_DESCENDING = frozenset("gjpqyQ,;()[]{}|_$@ç")
_SMALL = frozenset("acegmnopqrsuvwxyz.,;:-_~+=<>·•")
_BOLD_STEM = 0.125
"""Ours: width of a stem, in ems, from which text counts as bold. Regular faces have 0.08 to 0.1,
bold ones 0.14 to 0.2."""
_ENLARGED = 4
_LEAST_STEM_SIZE = 9.0
"""Ours: pt below which stems have too few pixels for a measurement."""


@dataclass(frozen=True)
class TextLine:
    """A line of text found in a picture."""

    text: str
    box: Box
    """Tight around the ink, in the 960x540 frame."""
    size: float
    """Pt on a slide 540 pt high."""
    bold: bool
    color: Color
    ground: Color


def read_lines(image: Picture) -> list[TextLine]:
    """The lines of text in a picture of a slide (height x width x 3, RGB), top to bottom.

    Needs RapidOCR. The size follows from the height of the ink and its letters, bold from the width
    of stems, colours from the contrast metric's figure and ground.
    """
    x, y = image.shape[1] / FRAME_WIDTH, image.shape[0] / FRAME_HEIGHT
    lines = []
    for span in picture_spans(image, recognize=True):
        if not span.text:
            continue
        here = span.box.scaled(x, y)
        contrast = region_contrast(image, here)
        if isinstance(contrast, NotScored):
            continue
        size = span.box.height / ink_em(span.text)
        stem = stem_share(image, here, size * y)
        bold = size >= _LEAST_STEM_SIZE and stem > _BOLD_STEM
        line = TextLine(span.text, span.box, size, bold, contrast.figure, contrast.ground)
        lines.append(line)
    return lines


def ink_em(text: str) -> float:
    """The height of the ink of a text, in ems.

    >>> round(ink_em("HELLO"), 2), round(ink_em("sea"), 2), round(ink_em("Type"), 2)
    (0.72, 0.52, 0.93)
    """
    inked = [character for character in text if not character.isspace()]
    low = any(character in _DESCENDING for character in inked)
    high = any(character not in _SMALL for character in inked)
    return (_ASCENDER if high else _X_HEIGHT) + (_DESCENDER if low else 0.0)


def stem_share(image: Picture, box: Box, size: float) -> float:
    """Width of the stems of a line of text, in ems of ``size`` pixels; 0 if none is seen.

    The median length of the runs of ink along its rows, measured on an enlarged copy.
    """
    left, top = max(0, int(box.left)), max(0, int(box.top))
    patch = image[top : int(box.bottom) + 1, left : int(box.right) + 1]
    if min(patch.shape[:2]) < 3 or size <= 0:
        return 0.0
    gray = cv2.cvtColor(patch, cv2.COLOR_RGB2GRAY)
    large = cv2.resize(gray, None, fx=_ENLARGED, fy=_ENLARGED, interpolation=cv2.INTER_CUBIC)
    _level, ink = cv2.threshold(large, 0, 1, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    if ink.mean() > 0.5:
        ink = 1 - ink
    edges = np.diff(np.pad(ink.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    runs = np.nonzero(edges == -1)[1] - np.nonzero(edges == 1)[1]
    return float(np.median(runs)) / _ENLARGED / size if runs.size else 0.0


# All ours, in ems of the smaller of two lines unless said otherwise.
_SAME_ROW = 0.5  # share of the lower line's height that two pieces of one row share
_ROW_GAP = 1.0  # between pieces of one row
_LINE_GAP = 0.75  # between lines of one paragraph, and
_PARAGRAPH_GAP = 2.0  # between paragraphs of one size
_SAME_SIZE = 1.12  # ratio up to which sizes are taken to be one
_INDENT = 5.0  # of one level against another
_EDGE = 0.6  # by which edges or middles of aligned lines differ
_SIZES = 1.45  # ratio of sizes within one box
_GROUNDS = 150  # sum of differences of channels, of what is behind one box


@dataclass
class Block:
    """Lines of one text box, from the top."""

    rows: list[list[TextLine]] = field(default_factory=list)

    @property
    def lines(self) -> list[TextLine]:
        """All its lines."""
        return [line for row in self.rows for line in row]

    @property
    def box(self) -> Box:
        """The box around all ink."""
        return _around(self.lines)

    @property
    def text(self) -> str:
        """The text row by row; pieces of one row have a space between them."""
        return "\n".join(" ".join(piece.text for piece in row) for row in self.rows)

    @property
    def size(self) -> float:
        """The size of a line in the middle."""
        return median(line.size for line in self.lines)

    @property
    def bold(self) -> bool:
        """Whether most characters are bold."""
        return sum((1 if line.bold else -1) * len(line.text) for line in self.lines) > 0

    @property
    def color(self) -> Color:
        """The colour of most characters."""
        counts: Counter[Color] = Counter()
        for line in self.lines:
            counts[line.color] += len(line.text)
        return counts.most_common(1)[0][0]

    @property
    def align(self) -> Literal["left", "center", "right"]:
        """The edge, or the centre, at which its rows align best; left for a single row."""
        boxes = [_around(row) for row in self.rows]
        if len(boxes) == 1:
            return "left"
        spreads: dict[Literal["left", "center", "right"], float] = {
            "left": _spread([box.left for box in boxes]),
            "center": _spread([(box.left + box.right) / 2 for box in boxes]),
            "right": _spread([box.right for box in boxes]),
        }
        return min(spreads, key=spreads.__getitem__)


def merge_lines(lines: Sequence[TextLine]) -> list[Block]:
    """Blocks of lines below one another in one style."""
    blocks: list[Block] = []
    for row in _rows(lines):
        near = [(gap, block) for block in blocks if (gap := _gap(block, row)) is not None]
        if near:
            min(near, key=lambda item: item[0])[1].rows.append(row)
        else:
            blocks.append(Block([row]))
    return blocks


def _rows(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """Rows of pieces that follow one another, from the top."""
    rows: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda item: (item.box.left, item.box.top)):
        if (row := next((row for row in rows if _follows(row[-1], line)), None)) is None:
            rows.append([line])
        else:
            row.append(line)
    return sorted(rows, key=lambda row: _around(row).top)


def _follows(left: TextLine, right: TextLine) -> bool:
    common = min(left.box.bottom, right.box.bottom) - max(left.box.top, right.box.top)
    gap = (right.box.left - left.box.right) / min(left.size, right.size)
    level = common >= _SAME_ROW * min(left.box.height, right.box.height)
    return level and -1 <= gap <= _ROW_GAP and _same_style(left, right)


def _gap(block: Block, row: Sequence[TextLine]) -> float | None:
    """Ems between a block and a row under it; None if the row does not belong to it."""
    last, box = _around(block.rows[-1]), _around(row)
    size = min(block.rows[-1][0].size, row[0].size)
    gap = (box.top - last.bottom) / size
    sizes = max(block.rows[-1][0].size, row[0].size) / size
    most = _PARAGRAPH_GAP if sizes <= _SAME_SIZE else _LINE_GAP
    if not -0.5 <= gap <= most or not _same_style(block.rows[-1][0], row[0]):
        return None
    if min(last.right, box.right) <= max(last.left, box.left):
        return None
    whole = block.box
    left = abs(box.left - whole.left) / size
    right = abs(box.right - whole.right) / size
    aligned = min(left, right, abs(box.left + box.right - whole.left - whole.right) / 2 / size)
    if aligned <= _EDGE or (left <= _INDENT and gap <= _LINE_GAP):
        return gap
    return gap if left <= _INDENT and box.left >= whole.left - _EDGE * size else None


def _same_style(first: TextLine, second: TextLine) -> bool:
    sizes = max(first.size, second.size) / min(first.size, second.size)
    return sizes <= _SIZES and _delta(first.ground, second.ground) <= _GROUNDS


def _delta(first: Color, second: Color) -> int:
    return sum(abs(a - b) for a, b in zip(first, second, strict=True))


def _around(lines: Sequence[TextLine]) -> Box:
    return reduce(Box.union, (line.box for line in lines))


def _spread(values: Sequence[float]) -> float:
    return max(values) - min(values)
