"""Measured paragraphs as text boxes: lines break where they did, on the same baselines."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from decklab.board.native.equations import equation_run
from decklab.board.native.paints import hex_of, paint_of
from decklab.board.native.palette import Typeface
from decklab.board.native.scale import Scale, overlap
from decklab.deck.model.base import Action, Align, FontStyle
from decklab.deck.model.shapes import Body, Bullet, Paragraph, Run, RunFont, Spacing
from decklab.rendering.measured import (
    BoxItem,
    Item,
    LineBox,
    Marker,
    Rectangle,
    Rgba,
    TableItem,
    TextItem,
    TextRun,
    Turn,
)

_SPACE = 0.25
"""Width of a space, as a share of the size."""
_SLACK, _LEAST_SLACK = 0.015, 2.0
"""Ours: the share of its width, or the pixels, that a text box is wider than its widest line, if it
may be; Chinese, Japanese and Arabic break as measured (of 230 texts 229), not wider."""
_SAME_EDGE = 1.0
_MOST_GAP = 1.6
"""Ours: lines of room above a paragraph that still belongs to the box before it."""
_LEAST_LINE = 0.6
_LEAST_OWN = 0.85
_DEPTH = 0.2
"""Of the size: how far below its baseline LibreOffice 7.4 ends a line of exact height, the same for
284 families (``bench/line_depths.py``)."""
_LOWERED_DEPTH = 0.25 + 0.58 * _DEPTH
"""The same for lines with a subscript, which it lowers by a quarter and sets at 58 %."""
_SIGNS = "•◦▪"
_CENTERED = 1.2

NO_INSETS = Body(autofit="grow", inset_left=0.0, inset_top=0.0, inset_right=0.0, inset_bottom=0.0)
"""Of text boxes: they grow with the words that somebody adds."""
FindAction = Callable[[str], Action | None]


@dataclass(frozen=True)
class Typesetter:
    """Settings for the texts of a slide: scale, typefaces by number, links, language."""

    scale: Scale
    typefaces: Mapping[int, Typeface]
    action: FindAction
    language: str
    blend: Callable[[TextItem | TableItem, Rgba], Rgba]
    """A colour that lets light through, as it looks on the ground of an item."""
    marks: bool = False
    """Whether what is painted behind words is a mark of the words, as in cells of tables."""


@dataclass(frozen=True)
class TextMeasure:
    """A paragraph's place: where its text begins, and between which widths its lines hold.

    ``lower`` and ``upper`` are where its right edge may be (of centred text half its width).
    """

    item: TextItem
    align: Align
    left: float
    indent: float
    lower: float
    upper: float

    @property
    def outer(self) -> float:
        """The left edge with the bullet."""
        marker = self.item.marker
        return self.left - (0.0 if marker is None else marker.width)


def align_of(item: TextItem) -> Align:
    """The alignment of a paragraph as an editor names it."""
    start: Align = "right" if item.rtl else "left"
    end: Align = "left" if item.rtl else "right"
    named: dict[str, Align] = {
        "start": start, "end": end, "left": "left", "right": "right", "center": "center",
        "justify": "justify", "-webkit-center": "center", "-webkit-right": "right",
    }  # fmt: skip
    return named.get(item.align, start)


def measure_of(item: TextItem) -> TextMeasure:
    """A paragraph's place from its lines."""
    align = align_of(item)
    lines = item.lines
    broken = "\v" in item.text
    lefts = [line.left for line in lines]
    room = item.content[1]
    limits: list[float] = []
    size = max(run.size for run in item.runs)
    for line, following in pairwise(lines):
        width = line.right - line.left
        wanted = (following.word or size / 2) + (
            0.0 if has_east_asian(item.text) else size * _SPACE
        )
        if not broken or width + wanted > item.content[1] - item.content[0] - 0.5:
            limits.append(width + wanted)
    widest = max(line.right - line.left for line in lines)
    if align == "center":
        return TextMeasure(item, align, min(lefts), 0.0, widest / 2, min(limits, default=1e9) / 2)
    if align == "right":
        return TextMeasure(item, align, min(lefts), 0.0, widest, min(limits, default=1e9))
    left = min(lefts[1:] or lefts)
    indent = lefts[0] - left if len(lefts) > 1 else 0.0
    upper = min((left + limit for limit in limits), default=1e9)
    if align == "justify":
        return TextMeasure(item, align, left, indent, room - 0.2, room + 0.2)
    return TextMeasure(item, align, left, indent, max(line.right for line in lines), upper)


def has_east_asian(text: str) -> bool:
    """Whether a text has Chinese, Japanese or Korean signs."""
    return any("\u2e80" <= sign <= "\uffef" for sign in text)


def _is_complex(text: str) -> bool:
    return any("\u0590" <= sign <= "\u10ff" for sign in text)


@dataclass
class NativeText:
    """Paragraphs that follow each other in one text box."""

    measures: list[TextMeasure]
    in_cell: bool = False
    """Whether it stands in a cell of a table."""
    container: BoxItem | None = None
    """A painted box in whose middle a single line stands."""

    @property
    def items(self) -> list[TextItem]:
        """Its paragraphs."""
        return [measure.item for measure in self.measures]

    @property
    def order(self) -> int:
        """Of reading."""
        return self.items[0].order

    @property
    def paint(self) -> int:
        """Of painting: after all that its paragraphs stand on."""
        return max(item.paint for item in self.items)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Its rotations."""
        return self.items[0].turns

    @property
    def text(self) -> str:
        """Its words, a line for each paragraph."""
        return "\n".join(item.text for item in self.items)

    @property
    def ink(self) -> Rectangle:
        """Around its lines."""
        left = min(measure.outer for measure in self.measures)
        top = min(item.box[1] for item in self.items)
        right = max(item.box[0] + item.box[2] for item in self.items)
        bottom = max(item.box[1] + item.box[3] for item in self.items)
        return left, top, right - left, bottom - top

    @property
    def size(self) -> float:
        """Of most of its characters, in pixels."""
        sizes: dict[float, int] = {}
        for item in self.items:
            for run in item.runs:
                sizes[run.size] = sizes.get(run.size, 0) + len(run.text)
        return max(sizes, key=lambda size: (sizes[size], size))

    @cached_property
    def sides(self) -> tuple[float, float]:
        """Left and right of the text box: as the room for the lines was, but a bit wider than the
        widest line, and too narrow for one more word."""
        align = self.measures[0].align
        low = max(measure.lower for measure in self.measures)
        high = min(measure.upper for measure in self.measures)
        left = min(measure.outer for measure in self.measures)
        content = (
            min(item.content[0] for item in self.items),
            max(item.content[1] for item in self.items),
        )
        if align == "justify":
            return left, content[1]
        if align == "center":
            lines = [line for item in self.items for line in item.lines]
            middle = sum(line.left + line.right for line in lines) / 2 / len(lines)
            room = max(content[1] - content[0], 0.0)
            if self.container is not None:
                room = max(self.container.box[2] - 2.0, 0.0)
            half = self._within(room / 2, low, high)
            return middle - half, middle + half
        if align == "right":
            right = max(line.right for item in self.items for line in item.lines)
            right += max((m.item.marker.width if m.item.marker else 0.0) for m in self.measures)
            low, high = low + right - self._edge(), high + right - self._edge()
            return right - self._within(right - content[0], low, high), right
        return left, left + self._within(content[1] - left, low - left, high - left)

    def _edge(self) -> float:
        return max(line.right for item in self.items for line in item.lines)

    def _within(self, wanted: float, low: float, high: float) -> float:
        """A width that keeps its distance from both ends, as far as they let it.

        If they leave too little, the wider one: a word may go up a line, but no line is added.
        """
        others = any(has_east_asian(item.text) or _is_complex(item.text) for item in self.items)
        slack = _LEAST_SLACK if others else max(low * _SLACK, _LEAST_SLACK)
        if high - low < _LEAST_SLACK and wanted > low:
            return min(wanted, low + slack)
        margin = min(slack, max((high - low) / 2, 0.0))
        return min(max(wanted, low + margin), max(high - margin, low))


def text_blocks(items: Sequence[Item], apart: Iterable[int] = ()) -> list[NativeText]:
    """The text boxes of a slide; paragraphs whose order is in ``apart`` stand alone."""
    alone = set(apart)
    blocks: list[NativeText] = []
    for item in items:
        if not isinstance(item, TextItem):
            continue
        measure = measure_of(item)
        last = blocks[-1] if blocks else None
        joins = last is not None and item.order not in alone and last.order not in alone
        if joins and last is not None and _follows(last, measure, items):
            last.measures.append(measure)
        else:
            blocks.append(NativeText([measure]))
    for block in blocks:
        _center(block, items)
    return blocks


def _follows(block: NativeText, measure: TextMeasure, items: Sequence[Item]) -> bool:
    """Whether a paragraph can stand in the same box, below the others."""
    item, last = measure.item, block.measures[-1]
    same = (
        item.column >= 0
        and item.column == last.item.column
        and item.turns == last.item.turns
        and item.rtl == last.item.rtl
        and measure.align == last.align
        and item.group == last.item.group
        and item.place == last.item.place
        and not item.vertical
    )
    if not same or not _in_one_column(block, measure):
        return False
    if min(_own_room(item), _own_room(last.item)) < _LEAST_OWN:
        return False
    gap = item.lines[0].top - last.item.lines[-1].bottom
    pitch = max(line_height(item), line_height(last.item))
    if not -0.35 * pitch <= gap <= _MOST_GAP * pitch:
        return False
    both = NativeText([*block.measures, measure])
    low = max(each.lower for each in both.measures)
    high = min(each.upper for each in both.measures)
    return low + 0.5 < high and not _divided(both, items)


def _in_one_column(block: NativeText, measure: TextMeasure) -> bool:
    first = block.measures[0]
    if measure.align == "center":
        middle, other = (sum(each.item.content) / 2 for each in (first, measure))
        return abs(middle - other) < _SAME_EDGE
    if measure.align == "right":
        return abs(first.item.content[1] - measure.item.content[1]) < _SAME_EDGE
    listed = measure.item.marker is not None or measure.item.level > 0 or first.item.level > 0
    lefts = [each.left for each in block.measures] + [each.outer for each in block.measures]
    aligned = any(abs(left - measure.left) < _SAME_EDGE for left in lefts)
    inside = abs(first.item.content[1] - measure.item.content[1]) < _SAME_EDGE
    return aligned or (listed and inside)


def _divided(block: NativeText, items: Sequence[Item]) -> bool:
    """Whether something is painted between the paragraphs that is no ground of one of them."""
    first, last = block.items[-2].order, block.items[-1].order
    between = [item for item in items if first < item.order < last]
    ink = block.ink
    return any(
        overlap(item.box, ink) and not (isinstance(item, BoxItem) and _on_line(item, block))
        for item in between
    )


def _on_line(box: BoxItem, block: NativeText) -> bool:
    """Whether a box is behind a few words of a line."""
    return any(
        line.top - line_height(item) / 2 <= box.box[1]
        and box.box[1] + box.box[3] <= line.bottom + line_height(item) / 2
        for item in block.items
        for line in item.lines
    )


def _center(block: NativeText, items: Sequence[Item]) -> None:
    """A single line in the middle of a painted box is centred text, whatever the page says."""
    (first, *others) = block.measures
    if others or len(first.item.lines) > 1 or first.item.marker or first.align != "left":
        return
    left, top, width, height = first.item.box
    around = [
        item for item in items
        if isinstance(item, BoxItem) and item.paint < first.item.paint
        and item.box[0] <= left and item.box[1] <= top + height / 2
        and item.box[0] + item.box[2] >= left + width
        and item.box[1] + item.box[3] >= top + height / 2
        and item.turns == first.item.turns
    ]  # fmt: skip
    if not around:
        return
    box = min(around, key=lambda item: item.box[2] * item.box[3])
    off = (box.box[0] + box.box[2] / 2) - (left + width / 2)
    if abs(off) <= _CENTERED and box.box[2] - width > 3:
        block.measures[0] = TextMeasure(first.item, "center", left, 0.0, width / 2, 1e9)
        block.container = box


def line_height(item: TextItem) -> float:
    """The distance of a paragraph's lines in pixels, as LibreOffice needs it."""
    lines = item.lines
    if len(lines) > 1 and "\v\v" not in item.text:  # empty lines have no box
        feet = [line.base + baseline_depth(line) for line in (lines[0], lines[-1])]
        height = (feet[1] - feet[0]) / (len(lines) - 1)
        if height > 0:
            return height
    height = item.height or max(line.bottom - line.top for line in lines)
    return max(height, lines[0].size)  # less, and LibreOffice draws nothing of it


def _own_room(item: TextItem) -> float:
    """The height of a paragraph's lines as a share of its size; low ones stand alone."""
    return (item.height or item.lines[0].size) / item.lines[0].size


def _foot(line: LineBox, block: NativeText) -> float:
    """Where LibreOffice ends a line of exact height that has this baseline."""
    return line.base + (line.below if block.in_cell else baseline_depth(line))


def baseline_depth(line: LineBox) -> float:
    """How far below its baseline LibreOffice ends a line of exact height, but in tables: there it
    is the font's descent."""
    return (_LOWERED_DEPTH if line.lowered else _DEPTH) * line.size


def box_of(block: NativeText) -> Rectangle:
    """The text box, before rotation."""
    left, right = block.sides
    first, last = block.items[0], block.items[-1]
    top = _foot(first.lines[0], block) - line_height(first)
    return left, top, right - left, max(_foot(last.lines[-1], block) - top, 1.0)


def paragraphs_of(
    block: NativeText, setter: Typesetter, pitch: float | None = None
) -> list[Paragraph]:
    """The paragraphs with their spacing: exact lines, and room between for the same baselines.

    ``pitch`` is the height of lines, if it is not that of the page.
    """
    left, right = block.sides
    bottom: float | None = None
    made = []
    for measure in block.measures:
        item = measure.item
        height, foot = pitch or line_height(item), _foot(item.lines[0], block)
        before = 0.0 if bottom is None else foot - height - bottom
        if before < 0 and len(item.lines) == 1:
            height = max(height + before, _LEAST_LINE * height)
            before = foot - height - (bottom or 0.0)
        made.append(_paragraph(measure, (left, right), height, max(before, 0.0), setter))
        bottom = _foot(item.lines[-1], block)
    return list(_counted(made))


def _counted(paragraphs: Iterable[Paragraph]) -> Iterator[Paragraph]:
    """Paragraphs whose numbers go on from those before: office programs count from the first."""
    lists: dict[int, tuple[Bullet, int]] = {}
    for paragraph in paragraphs:
        bullet, level = paragraph.bullet, paragraph.level
        lists = {deep: known for deep, known in lists.items() if deep <= level}
        before, last = lists.pop(level, (None, 0))
        if bullet is not None and bullet.kind == "number":
            number = bullet.start
            if before is not None and number == last + 1 and bullet.scheme == before.scheme:
                bullet = bullet.model_copy(update={"start": before.start})
            lists[level] = (bullet, number)
        yield paragraph.model_copy(update={"bullet": bullet})


def _paragraph(
    measure: TextMeasure,
    sides: tuple[float, float],
    height: float,
    before: float,
    setter: Typesetter,
) -> Paragraph:
    item, points = measure.item, setter.scale.points
    margin, indent = 0.0, 0.0
    if measure.align in ("left", "justify"):
        margin, indent = measure.left - sides[0], measure.indent
    marker = item.marker
    if marker is not None:
        indent = -marker.width
        if measure.align == "right":
            margin = marker.width
    if margin + indent < 0:
        indent = -margin
    return Paragraph(
        runs=tuple(_runs(item, setter)),
        align=measure.align,
        level=min(max(item.level - 1, 0), 8),
        bullet=None if marker is None else _bullet(marker, item, setter),
        margin_left=points(max(margin, 0.0)),
        indent=points(indent),
        line_spacing=Spacing(value=points(height), unit="points"),
        space_before=Spacing(value=points(before), unit="points"),
        right_to_left=item.rtl,
    )


def _bullet(marker: Marker, item: TextItem, setter: Typesetter) -> Bullet:
    color = hex_of(marker.color)
    ratio = marker.size / item.runs[0].size if item.runs else 1.0
    size = None if abs(ratio - 1) < 0.03 else Spacing(value=min(max(ratio, 0.25), 4), unit="share")
    if marker.kind == "number":
        return Bullet(
            kind="number", scheme=marker.scheme, start=max(marker.start, 1), color=color, size=size
        )
    face = setter.typefaces[item.runs[0].font]
    font = marker.font or face.latin
    if not marker.font and marker.text in _SIGNS:
        font = "Arial"
    return Bullet(kind="character", character=marker.text, color=color, size=size, font=font)


def _runs(item: TextItem, setter: Typesetter) -> Iterator[Run]:
    for run in _joined(item.runs):
        if run.formula:
            yield equation_run(run.formula, _font(run, item, setter))
            continue
        pieces = run.text.split("\v")
        for number, piece in enumerate(pieces):
            if number:
                yield Run(text="\v", kind="break", font=_font(run, item, setter))
            last = number == len(pieces) - 1
            if piece and last and run.gap:
                if piece[:-1]:
                    yield _run(run, piece[:-1], item, setter)
                wider = run.model_copy(update={"spacing": run.spacing + run.gap})
                yield _run(wider, piece[-1], item, setter)
            elif piece:
                yield _run(run, piece, item, setter)


def _joined(runs: Sequence[TextRun]) -> list[TextRun]:
    """Runs of the same looks as one, without spaces at the end of the paragraph."""
    joined: list[TextRun] = []
    for run in runs:
        last = joined[-1] if joined else None
        blank = {"text": "", "gap": 0.0}
        alike = last is not None and not last.gap and (
            last.model_copy(update=blank) == run.model_copy(update=blank)
        )  # fmt: skip
        if alike and last is not None:
            joined[-1] = run.model_copy(update={"text": last.text + run.text})
        else:
            joined.append(run)
    while joined:
        text = joined[-1].text.rstrip(" \v\n")
        if text:
            joined[-1] = joined[-1].model_copy(update={"text": text, "gap": 0.0})
            break
        joined.pop()
    return joined


def _run(run: TextRun, text: str, item: TextItem, setter: Typesetter) -> Run:
    return Run(
        text=text,
        font=_font(run, item, setter),
        click=setter.action(run.link) if run.link else None,
    )


def _font(run: TextRun, item: TextItem, setter: Typesetter) -> RunFont:
    face = setter.typefaces[run.font]
    bold: tuple[FontStyle, ...] = ("bold",) if face.bold else ()
    italic: tuple[FontStyle, ...] = ("italic",) if face.italic else ()
    underlined: tuple[FontStyle, ...] = ("underscore",) if run.underline else ()
    size, baseline = run.size, 0.0
    if run.shift:
        size = max([other.size for other in item.runs if not other.shift], default=run.size)
        baseline = 0.3 if run.shift == "super" else -0.25
    complex_too = item.rtl or _is_complex(run.text)  # digits of such lines have that face, too
    paint = None if run.gradient is None else paint_of(run.gradient)
    ink = run.color
    if (
        ink[3] < 1 and run.spacing
    ):  # LibreOffice 7.4 cuts such text off at its width without spacing
        ink = setter.blend(item, ink)
    color, alpha = hex_of(ink), ink[3]
    if run.gradient is not None and run.color[3] == 0:
        stops = getattr(run.gradient, "stops", ())
        color, alpha = hex_of(stops[0].color) if stops else "#000000", 1.0
    return RunFont(
        name=face.latin,
        size=max(setter.scale.points(size), 1.0),
        style=(*bold, *italic, *underlined),
        color=color,
        alpha=alpha,
        paint=paint,
        east_asian=face.east_asian if has_east_asian(run.text) else "",
        complex_script=(face.complex_script or face.latin) if complex_too else "",
        underline="sng" if run.underline else "none",
        strike="single" if run.strike else "none",
        caps="small" if run.small else "none",
        baseline=baseline,
        highlight=hex_of(run.back) if setter.marks and run.back is not None else None,
        spacing=setter.scale.points(run.spacing),
        language=run.lang or item.lang or setter.language or None,
    )
