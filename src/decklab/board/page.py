"""One slide while it is laid out: the grid, and adding texts that are fitted as they are placed."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from decklab.board.blueprint import Point, SlidePlan
from decklab.board.boxes import (
    Align,
    Anchor,
    BoxParagraph,
    Connector,
    Geometry,
    GroupBox,
    Item,
    Shape,
    Slot,
    SlotKind,
    TextBox,
    TextStyle,
)
from decklab.board.fitting import LEAST_PT, Fitter, at_size, doubled
from decklab.board.themes import DesignTheme, RoleStyle
from decklab.board.typography import text_width
from decklab.core.geometry import FRAME_WIDTH, Box

UNIT = 8
MARGIN = 48
COLUMNS = 12
GUTTER = 24
CARD_INSET = 16.0
"""Pixels between the edge of a card and its words."""
COLUMN_WIDTH = (FRAME_WIDTH - 2 * MARGIN - (COLUMNS - 1) * GUTTER) / COLUMNS
"""Twelve columns of 50 pixels between margins of 48 (ours, as the unit of 8)."""

_TITLE_LINES = 2
_MOST_COLUMNS_LOST = 4
_MOST_AIR = 32.0
FILLED = 0.62
"""Share of the height of its area that the content of a slide takes at least, if it can. Ours."""
_LEAST_LAST_LINE = 0.35
"""Share of the first line's width that the last line of a large title has at least."""
TITLE_BOX = Box(MARGIN, 28, FRAME_WIDTH - MARGIN, 106)
SUBTITLE_BOX = Box(MARGIN, 112, FRAME_WIDTH - MARGIN, 136)
CONTENT = Box(MARGIN, 152, FRAME_WIDTH - MARGIN, 456)
SOURCE_BOX = Box(MARGIN, 462, FRAME_WIDTH - MARGIN, 496)
FOOTER_BOX = Box(MARGIN, 508, 690, 528)
NUMBER_BOX = Box(838, 508, FRAME_WIDTH - MARGIN, 528)

IDX_SUBTITLE, IDX_BODY, IDX_SECOND, IDX_THIRD = 13, 14, 15, 16
IDX_OBJECT, IDX_UNIT, IDX_SOURCE = 17, 18, 19
"""Numbers of the placeholders of a layout beside title and footers, one for each purpose."""


def span(first: int, count: int) -> tuple[float, float]:
    """Left and right edge of columns of the grid.

    >>> span(0, 12), span(6, 6)
    ((48.0, 912.0), (492.0, 912.0))
    """
    left = MARGIN + first * (COLUMN_WIDTH + GUTTER)
    return left, left + count * COLUMN_WIDTH + (count - 1) * GUTTER


def across(first: int, count: int, area: Box) -> Box:
    """The columns of the grid in the height of an area."""
    left, right = span(first, count)
    return Box(left, area.top, right, area.bottom)


def shares(area: Box, count: int, gap: float = GUTTER) -> list[Box]:
    """Boxes of one width side by side that fill an area."""
    width = (area.width - gap * (count - 1)) / count
    lefts = [area.left + number * (width + gap) for number in range(count)]
    return [Box(left, area.top, left + width, area.bottom) for left in lefts]


@dataclass
class PageDraft:
    """A slide that is being laid out. ``problems`` are texts that do not fit at the least size."""

    plan: SlidePlan
    theme: DesignTheme
    fitter: Fitter
    title_size: float
    least: float = LEAST_PT
    """Least size, in points, of texts that could go on another slide."""
    most: float | None = None
    """Largest size of body text, where it is not that of the scale."""
    items: list[Item] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    title_fits: bool = True

    @property
    def style(self) -> RoleStyle:
        """The style module of the slide's role."""
        return self.theme.role(self.plan.shown_role)

    @property
    def text_size(self) -> float:
        """The largest size of body text on it, which counts as ``body`` at the size for few words;
        that of captions where it has none."""
        members = [
            member
            for item in self.items
            for member in (item.items if isinstance(item, GroupBox) else (item,))
        ]
        scale = self.theme.scale
        sizes = [
            min(item.style.size, scale.body)
            for item in members
            if isinstance(item, TextBox)
            and (item.slot is None or item.slot.idx in (IDX_BODY, IDX_SECOND, IDX_THIRD))
            and item.style.size <= scale.lead
        ]
        return max(sizes, default=scale.caption)

    @property
    def area(self) -> Box:
        """The place of the content, the same on all slides."""
        return self.clear(CONTENT)

    def note_too_many(self, items: Sequence[object], most: int) -> None:
        """Note a problem where there are more items than a layout shows."""
        if len(items) > most:
            self.problems.append(f"{len(items)} are more than the {most} that a slide shows")

    def add(self, *items: Item) -> None:
        """Put items on the slide, in front of what is there."""
        self.items += items

    def heading(
        self, box: Box, size: float, *, least: float | None = None, align: Align = "start"
    ) -> None:
        """The title of the slide in at most two lines.

        Titles of body slides have one size; those that stand alone step down to ``least``.
        """
        bold = self.theme.fonts.heading_bold
        anchor: Anchor = "bottom" if self.style.title_ground is None else "middle"
        style = TextStyle(
            size, self.style.title, heading=True, bold=bold, align=align, anchor=anchor
        )
        title = TextBox(
            "Title", box, (BoxParagraph(self.plan.title),), style, Slot("title", 0), prompt="Title"
        )
        fitted, fits = self.fitter.largest([title], least or size, _TITLE_LINES)
        if not fits:
            size, self.title_fits = fitted[0].style.size, False
            self.problems.append(f"the title takes more than two lines at {size:g} pt")
        self.add(self._balanced(fitted[0]) if least else fitted[0])

    def _balanced(self, title: TextBox) -> TextBox:
        """A large title in a narrower box where that keeps a last line from being one short word.

        The box loses columns at its end, at both ends where it is centred, but never a third line.
        """
        face = self.fitter.face(title.style)
        tried = title
        for _ in range(_MOST_COLUMNS_LOST):
            lines = self.fitter.lines(tried)[0]
            widths = [text_width(line.rstrip(), face, title.style.size) for line in lines]
            if len(lines) != _TITLE_LINES or widths[1] >= _LEAST_LAST_LINE * widths[0]:
                return tried if len(lines) <= _TITLE_LINES else title
            left, top, right, bottom = tried.box
            step = COLUMN_WIDTH + GUTTER
            start = left + step if title.style.align == "center" else left
            tried = replace(tried, box=Box(start, top, right - step, bottom))
        return title

    def head(self) -> None:
        """Title and subtitle where body slides have them."""
        self.heading(self.clear(TITLE_BOX), self.title_size)
        if self.plan.subtitle:
            style = TextStyle(self.theme.scale.small, self.style.muted, anchor="middle")
            box = self.clear(SUBTITLE_BOX)
            self.line("Subtitle", box, self.plan.subtitle, style, Slot("subtitle", IDX_SUBTITLE))

    def clear(self, area: Box) -> Box:
        """The part of an area that is clear of what slides of the role draw at their end."""
        if self.plan.shown_role != "ending":
            return area
        return across(0, self.style.columns, area)

    def line(
        self, name: str, box: Box, text: str, style: TextStyle, slot: Slot | None = None
    ) -> None:
        """A short text; sizes step down until it fits."""
        self.fit([TextBox(name, box, (BoxParagraph(text),), style, slot, prompt=name)])

    def source(self) -> None:
        """The source line, where there is one."""
        source = self.plan.shown_source
        if source:
            style = TextStyle(self.theme.scale.caption, self.style.muted, anchor="bottom")
            self.line("Source", SOURCE_BOX, source, style, Slot("body", IDX_SOURCE))

    def fit(
        self, boxes: Sequence[TextBox], *, least: float = LEAST_PT, lines: int | None = None
    ) -> list[TextBox]:
        """Put texts on the slide, at one size at which all of them fit."""
        fitted = self.fitted(boxes, least=least, lines=lines)
        self.add(*fitted)
        return fitted

    def fitted(
        self, boxes: Sequence[TextBox], *, least: float = LEAST_PT, lines: int | None = None
    ) -> list[TextBox]:
        """Texts at one size at which all fit; what does not fit is among the problems."""
        style = boxes[0].style
        if self.most is not None and style.size <= self.theme.scale.body and not style.code:
            boxes = [at_size(box, min(box.style.size, self.most)) for box in boxes]
        fitted, fits = self.fitter.largest(boxes, least, lines)
        if not fits:
            size = fitted[0].style.size
            bad = [box.name for box in fitted if not self.fitter.fits(box, lines)]
            self.problems.append(f"{', '.join(bad)}: the text does not fit at {size:g} pt")
        return fitted

    def roomy(self, boxes: Sequence[TextBox]) -> list[TextBox]:
        """Texts at the size for few words if all of them fit there twice, else as they are."""
        large = [at_size(box, self.theme.scale.lead) for box in boxes]
        bound = self.most not in (None, self.theme.scale.body)
        return list(boxes) if bound or not self._leave_room(large) else large

    def _leave_room(self, boxes: Sequence[TextBox]) -> bool:
        """Whether boxes hold their longest paragraph twice: the room that editors may need."""
        return all(self.fitter.fits(doubled(box)) for box in boxes)

    def legible(self, boxes: Sequence[TextBox]) -> tuple[float, bool, float]:
        """How well fitted texts can be read: by size, room for more, and the shape of their boxes,
        which are better wide than high."""
        return boxes[0].style.size, self._leave_room(boxes), boxes[0].box.width

    def high_enough(self, boxes: Sequence[TextBox], rows: int = 1, gap: float = GUTTER) -> float:
        """The height of boxes in so many rows: as much as a longest paragraph of twice the length
        takes, but so that they fill the area well and stay in it."""
        gaps = gap * (rows - 1)
        most = (self.area.height - gaps) / rows
        asked = max(self.fitter.height(doubled(box)) + 2 * box.inset for box in boxes)
        least = (self.area.height * FILLED - gaps) / rows
        return min(max(UNIT * (asked // UNIT + 1), least), most)

    def optical_top(self, height: float) -> float:
        """Where content begins that stands a little above the middle of the area, on the unit."""
        return self.area.top + round((self.area.height - height) * 0.4 / UNIT) * UNIT

    def aired(self, box: TextBox) -> TextBox:
        """A fitted text with more space between its paragraphs, as far as its place goes."""
        gaps = len(box.paragraphs) - 1
        if not gaps:
            return box
        spare = box.inner.height - self.fitter.height(box)
        more = min(max(spare, 0.0) / (gaps + 1), _MOST_AIR - box.style.spacing)
        spacing = box.style.spacing + 2 * (max(more, 0.0) // 2)
        return replace(box, style=replace(box.style, spacing=spacing))

    def points(
        self,
        name: str,
        box: Box,
        points: Sequence[Point],
        idx: int,
        *,
        heading: str | None = None,
        size: float | None = None,
        number: bool = False,
        kind: SlotKind = "body",
    ) -> TextBox:
        """A body text as a box that is not yet fitted or on the slide."""
        paragraphs = [BoxParagraph(point.text, point.level) for point in points]
        if heading:
            title = BoxParagraph(heading, color="accent", bold=True, marked=False)
            paragraphs.insert(0, title)
        style = TextStyle(
            size or self.theme.scale.body,
            self.style.text,
            marks="number" if number else "bullet",
            spacing=self.theme.spacing,
            first=self.plan.first,
        )
        if len(points) == 1 and not heading and not number:
            style = replace(style, marks="none")
        return TextBox(name, box, tuple(paragraphs), style, Slot(kind, idx), prompt=name)


def corners(theme: DesignTheme) -> Geometry:
    """The geometry of areas in a theme."""
    return "roundRect" if theme.components.rounded else "rect"


def glued(start: Shape | TextBox, end: Shape | TextBox, *, arrow: bool = True) -> Connector:
    """A connector from the right side of one shape to the left side of another; of shapes below
    each other from the lower side to the upper."""
    y = (start.box.top + start.box.bottom) / 2
    name = f"{start.name} to {end.name}"
    if start.box.bottom <= end.box.top:
        x = (start.box.left + start.box.right) / 2
        return Connector(name, start.name, end.name, x, start.box.bottom, x, end.box.top, arrow)
    return Connector(name, start.name, end.name, start.box.right, y, end.box.left, y, arrow)
