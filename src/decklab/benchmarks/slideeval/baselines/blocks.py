"""Lines of text brought together into the boxes they seem to come from."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Literal

from decklab.benchmarks.slideeval.baselines.reading import Color, Line
from decklab.geometry import Box

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

    rows: list[list[Line]] = field(default_factory=list)

    @property
    def lines(self) -> list[Line]:
        """All its lines."""
        return [line for row in self.rows for line in row]

    @property
    def box(self) -> Box:
        """Around all ink."""
        return _around(self.lines)

    @property
    def text(self) -> str:
        """Row by row; pieces of one row have a space between them."""
        return "\n".join(" ".join(piece.text for piece in row) for row in self.rows)

    @property
    def size(self) -> float:
        """Of a line in the middle."""
        return median(line.size for line in self.lines)

    @property
    def bold(self) -> bool:
        """Whether most characters are."""
        return sum((1 if line.bold else -1) * len(line.text) for line in self.lines) > 0

    @property
    def color(self) -> Color:
        """Of most characters."""
        counts: Counter[Color] = Counter()
        for line in self.lines:
            counts[line.color] += len(line.text)
        return counts.most_common(1)[0][0]

    @property
    def align(self) -> Literal["left", "center", "right"]:
        """By which edge, or the middle, its rows stand best in line; left for a single row."""
        boxes = [_around(row) for row in self.rows]
        if len(boxes) == 1:
            return "left"
        spreads = {
            "left": _spread([box.left for box in boxes]),
            "center": _spread([(box.left + box.right) / 2 for box in boxes]),
            "right": _spread([box.right for box in boxes]),
        }
        best = min(spreads, key=lambda name: spreads[name])
        return "center" if best == "center" else "right" if best == "right" else "left"


def merge_lines(lines: Sequence[Line]) -> list[Block]:
    """Blocks of lines that stand under one another in one look."""
    blocks: list[Block] = []
    for row in _rows(lines):
        near = [(gap, block) for block in blocks if (gap := _gap(block, row)) is not None]
        if near:
            min(near, key=lambda item: item[0])[1].rows.append(row)
        else:
            blocks.append(Block([row]))
    return blocks


def _rows(lines: Sequence[Line]) -> list[list[Line]]:
    """Pieces that follow one another on one row, from the top."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda item: (item.box.left, item.box.top)):
        row = next((row for row in rows if _follows(row[-1], line)), None)
        if row is None:
            rows.append([line])
        else:
            row.append(line)
    return sorted(rows, key=lambda row: _around(row).top)


def _follows(one: Line, other: Line) -> bool:
    common = min(one.box.bottom, other.box.bottom) - max(one.box.top, other.box.top)
    gap = (other.box.left - one.box.right) / min(one.size, other.size)
    level = common >= _SAME_ROW * min(one.box.height, other.box.height)
    return level and -1 <= gap <= _ROW_GAP and _alike(one, other)


def _gap(block: Block, row: Sequence[Line]) -> float | None:
    """Ems between a block and a row under it; None where the row is not a part of it."""
    last, box = _around(block.rows[-1]), _around(row)
    size = min(block.rows[-1][0].size, row[0].size)
    gap = (box.top - last.bottom) / size
    sizes = max(block.rows[-1][0].size, row[0].size) / size
    most = _PARAGRAPH_GAP if sizes <= _SAME_SIZE else _LINE_GAP
    if not -0.5 <= gap <= most or not _alike(block.rows[-1][0], row[0]):
        return None
    if min(last.right, box.right) <= max(last.left, box.left):
        return None
    whole = block.box
    left = abs(box.left - whole.left) / size
    aligned = min(
        left,
        abs(box.right - whole.right) / size,
        abs(box.left + box.right - whole.left - whole.right) / 2 / size,
    )
    if aligned <= _EDGE or (left <= _INDENT and gap <= _LINE_GAP):
        return gap
    return gap if left <= _INDENT and box.left >= whole.left - _EDGE * size else None


def _alike(one: Line, other: Line) -> bool:
    sizes = max(one.size, other.size) / min(one.size, other.size)
    return sizes <= _SIZES and _apart(one.ground, other.ground) <= _GROUNDS


def _apart(one: Color, other: Color) -> int:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


def _around(lines: Sequence[Line]) -> Box:
    box = lines[0].box
    for line in lines[1:]:
        box = box.union(line.box)
    return box


def _spread(values: Sequence[float]) -> float:
    return max(values) - min(values)
