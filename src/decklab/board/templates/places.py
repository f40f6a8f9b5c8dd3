"""A template as the board sees it: its layouts, and where each has room for what.

All places are in points of the template's own slides.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from decklab.board.themes import LEAST_PT
from decklab.core.geometry import Box

PlaceKind = Literal[
    "title", "subtitle", "text", "object", "picture", "chart", "table", "other", "footer", "number",
    "date",
]  # fmt: skip
"""The use of a placeholder: ``object`` takes text, pictures, charts and tables alike."""

KINDS: Final[Mapping[str, PlaceKind]] = {
    "title": "title", "ctrTitle": "title", "subTitle": "subtitle", "body": "text", "obj": "object",
    "pic": "picture", "chart": "chart", "tbl": "table", "ftr": "footer", "sldNum": "number",
    "dt": "date",
}  # fmt: skip
"""By the type that a placeholder states (ISO/IEC 29500-1, 19.7.10); others are ``other``."""

THINGS: Final[tuple[PlaceKind, ...]] = ("picture", "chart", "table")

PageRole = Literal["opening", "contents", "section", "body", "ending"]
"""The role of a slide of an example in its deck."""

_LEAST_CONTENT = 0.045
_LEAST_CONTENT_HEIGHT = 0.13
_HEADING_HEIGHT = 0.2
_HEADING_GAP = 0.09
_SAME_WIDTH = 0.7
_COLLISION = 0.04
_THIN = 12.0
_EDGE = 4.0
_LONG = 40.0
"""Points from the edge of a place within which a line is its border, and from which on a line is
seen to cross it. Ours."""


@dataclass(frozen=True)
class LevelLook:
    """How a placeholder sets the paragraphs of one level; sizes and distances in points."""

    size: float
    family: str
    bold: bool
    caps: bool
    color: str
    """``#RRGGBB``."""
    slot: str | None
    """Name of the theme's colour, where it is one."""
    bulleted: bool
    margin: float
    indent: float
    letter_spacing: float
    line_share: float
    """Distance of lines as a share of a line; 0 where ``line_points`` states it."""
    line_points: float
    before: float
    after: float
    sized: bool
    """Whether the template states the size, or programs choose it."""
    align: str = "left"
    right_to_left: bool = False
    least: float = LEAST_PT
    """The smallest size on slides of the template's size, in points."""
    italic: bool = False
    index: int = 0
    """The paragraph of the shape that is set so."""


@dataclass(frozen=True)
class LayoutPlace:
    """A place on a page: a placeholder of a layout, or a shape of an example's slide."""

    kind: PlaceKind
    name: str
    mark: tuple[tuple[str, str], ...]
    """The attributes of its ``p:ph``, by which a slide's placeholder finds it; none where it is
    none."""
    box: Box
    insets: Box
    """Left, top, right and bottom inset of its text."""
    levels: tuple[LevelLook, ...]
    vertical: bool = False
    turned: bool = False
    """Whether it is rotated."""
    prompt: str = ""
    """The words that the layout has in it."""
    ground: str | None = None
    """Colour behind its text; None where a picture is behind it."""
    anchor: str = ""
    """Where its text stands: ``top``, ``middle`` or ``bottom``."""
    grows: bool = False
    """Whether it grows with its text."""
    room: Box | None = None
    """Where its text may reach, if not only to its box."""
    moved: bool = False
    """Whether it stands elsewhere on slides than its layout has it."""
    id: int = 0
    """Of the shape on the example's slide; 0 for a placeholder of a layout."""
    filled: bool = False
    """Whether the shape is seen without its words."""

    @property
    def type(self) -> str:
        """The type that it states; ``obj`` where none is stated."""
        return dict(self.mark).get("type", "obj")

    @property
    def placeholder(self) -> str | None:
        """The type that it states, if it is a placeholder."""
        return self.type if self.mark else None

    @property
    def size(self) -> float:
        """Of its outermost paragraphs, in points."""
        return self.levels[0].size

    @property
    def is_turned(self) -> bool:
        """Whether its words do not stand upright from left to right or from right to left."""
        return self.vertical or self.turned

    @property
    def takes_text(self) -> bool:
        """Whether it can hold running text."""
        return self.kind in ("text", "object", "subtitle") and not self.vertical

    def takes(self, kind: PlaceKind) -> bool:
        """Whether it can hold a picture, chart or table itself."""
        return self.kind in (kind, "object") or (self.id > 0 and self.kind in THINGS)

    def scaled(self, across: float, down: float) -> "LayoutPlace":
        """The same in other units."""
        room = None if self.room is None else self.room.scaled(across, down)
        return replace(self, box=self.box.scaled(across, down), room=room)


@dataclass(frozen=True)
class ItemList:
    """Items of an example alike in geometry and format: what is drawn anew takes their place."""

    count: int
    box: Box
    ids: frozenset[int]
    """Of all their shapes."""


@dataclass(frozen=True)
class ExampleShapes:
    """The shapes of an example's slide that are no places: what becomes of them on a new one."""

    left_over: tuple[int, ...] = ()
    """Ids of shapes that are taken out: words without a place, dates, own footers."""
    numbers: tuple[int, ...] = ()
    """Ids of text boxes that hold the slide's number."""
    stays: tuple[str, ...] = ()
    """Words that repeat on most slides and stay."""
    attached: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """Ids of drawings that go where the texts that they belong to go: panels and icons."""
    blocks: tuple[tuple[int, Box], ...] = ()
    """Ids and places of other drawings of this slide alone: they go where something else is drawn.
    """


@dataclass(frozen=True)
class ContentCell:
    """A place for content, with the one for its heading above it."""

    place: LayoutPlace
    heading: LayoutPlace | None = None


@dataclass(frozen=True, eq=False)
class TemplateLayout:
    """A layout: its placeholders, sorted by what they are for, and what else is drawn on it."""

    number: int
    """1-based, over all masters in the order of the file."""
    name: str
    type: str
    """As the file states it, such as ``twoObj``; empty for none."""
    master: int
    """1-based number of its master."""
    size: tuple[float, float]
    places: tuple[LayoutPlace, ...]
    fixed: tuple[Box, ...]
    """The drawings of layout and master, except one that covers the slide."""
    words: tuple[str, ...]
    """Texts of layout and master that are in no placeholder."""
    ground: str | None
    colors: Mapping[str, str]
    """``#RRGGBB`` by the names that slides use, such as ``tx1`` and ``accent1``."""
    heading_font: str
    body_font: str
    text_font: str = ""
    """The family of running text on the layouts of its master that slides of the file use most."""
    unplaced: tuple[str, ...] = ()
    """Names of placeholders that have no place and size anywhere."""
    shown_by: int = 0
    """Slides of the file that use it."""
    shade: str | None = None
    """The mean colour behind its slides, where no single one stands for all of it."""
    part: str = ""
    """Its name in the file."""
    rounds: tuple[Box, ...] = ()
    """The largest boxes in the large ellipses that are drawn."""
    grounds: tuple[Box, ...] = ()
    """The large areas of another ground on a part of its slides."""
    safe: Box | None = None
    """The slide between its left and right margins; None before they are known."""
    slide: int = 0
    """The slide that it is taken from, if it is a page of an example; the next are such pages'."""
    role: PageRole | None = None
    lists: tuple[ItemList, ...] = ()
    shapes: ExampleShapes = ExampleShapes()
    accents: tuple[str, ...] = ()
    """The strong colours of the example."""
    clutter: float = 0.0
    """How much of it would be removed or would remain without a meaning; 0 is cleanest."""

    @property
    def key(self) -> str:
        """By which it is known among all that slides may stand on."""
        return f"slide {self.slide}" if self.slide else f"layout {self.number}"

    @property
    def shown_name(self) -> str:
        """Its name for messages."""
        return f"slide {self.slide} of the example" if self.slide else repr(self.name)

    @property
    def title(self) -> LayoutPlace | None:
        """The title; None if the layout has none."""
        return self.first("title")

    @property
    def is_plain(self) -> bool:
        """Whether what stands free on it can be read: no picture of many colours is behind it."""
        grounds = [place.ground for place in self.places if place.levels]
        return self.ground is not None or (bool(grounds) and all(grounds))

    def first(self, kind: PlaceKind) -> LayoutPlace | None:
        """The first placeholder of a kind; None if there is none."""
        return next((place for place in self.places if place.kind == kind), None)

    @property
    def cells(self) -> tuple[ContentCell, ...]:
        """The places for content in reading order, left to right and row by row."""
        held = [place for place in self.places if self._is_content(place)]
        small = [place for place in self.places if place.kind == "text" and place not in held]
        cells = []
        for place in held:
            heading = next((one for one in small if self._heads(one, place)), None)
            if heading is not None:
                small.remove(heading)
            cells.append(ContentCell(place, heading))
        return tuple(in_reading_order(cells))

    @property
    def subtitle(self) -> LayoutPlace | None:
        """The subtitle; else a line of text close below the title; None if there is neither."""
        stated = self.first("subtitle")
        title = self.title
        if stated is not None or title is None:
            return stated
        headings = {id(cell.heading) for cell in self.cells}
        for place in self.places:
            near = -0.02 <= (place.box.top - title.box.bottom) / self.size[1] < _HEADING_GAP
            wide = place.box.intersection(
                title.box._replace(top=place.box.top, bottom=place.box.bottom)
            ).width
            free = place.kind == "text" and not self._is_content(place)
            if free and near and wide > title.box.width / 2 and id(place) not in headings:
                return place
        return None

    @property
    def collisions(self) -> tuple[LayoutPlace, ...]:
        """Places for title and content that a drawing of layout or master runs into, or the title.

        What a place lies in is its ground, and thin lines do no harm.
        """
        found = []
        for place in self.places:
            if place.kind in ("footer", "number", "date", "picture"):
                continue
            title = self.title if place.kind != "title" else None
            for box in (*self.fixed, *([title.box] if title else [])):
                shared = place.box.intersection(box).area
                thin = min(box.width, box.height) < _THIN
                inside = shared >= 0.95 * place.box.area
                if not thin and not inside and shared > _COLLISION * place.box.area:
                    found.append(place)
                    break
        return tuple(found)

    def _is_content(self, place: LayoutPlace) -> bool:
        if place.kind not in ("text", "object", "picture", "chart", "table", "other"):
            return False
        width, height = self.size
        share = place.box.area / (width * height)
        if place.kind == "text" and place.box.height < _LEAST_CONTENT_HEIGHT * height:
            return False
        return share >= _LEAST_CONTENT and not self._is_large_heading(place)

    def _is_large_heading(self, place: LayoutPlace) -> bool:
        """Whether a place for text is so low that it heads another one below it."""
        others = [one for one in self.places if one.kind in ("object", "text", "picture")]
        return place.kind == "text" and any(
            one is not place and one.box.height > 1.5 * place.box.height and self._heads(place, one)
            for one in others
        )

    def _heads(self, heading: LayoutPlace, place: LayoutPlace) -> bool:
        shared = min(heading.box.right, place.box.right) - max(heading.box.left, place.box.left)
        gap = (place.box.top - heading.box.bottom) / self.size[1]
        return (
            heading.box.height < _HEADING_HEIGHT * self.size[1]
            and -0.03 <= gap < _HEADING_GAP
            and shared >= _SAME_WIDTH * place.box.width
            and heading.box.width <= place.box.width / _SAME_WIDTH
        )


@dataclass(frozen=True)
class DeckTemplate:
    """A template that was read. ``size`` is that of its slides in points."""

    path: Path
    size: tuple[float, float]
    layouts: tuple[TemplateLayout, ...]
    masters: tuple[str, ...]
    """Names of its masters."""
    slides: int
    """Slides of its own, which are not taken over."""
    is_example: bool = False
    """Whether slides are to follow its own, which are pages among its layouts."""


def around(boxes: Iterable[Box]) -> Box:
    """The box around one or more others."""
    found = Box.around(boxes)
    assert found is not None, "there is a box"
    return found


def crosses(line: Box, box: Box) -> bool:
    """Whether a drawn line runs through a box, not only along its edge."""
    shared = line.grown(1).intersection(box.grown(-_EDGE))
    long = max(shared.width, shared.height) > _LONG
    return min(line.width, line.height) < _THIN and shared.area > 0 and long


def in_reading_order(cells: list[ContentCell]) -> list[ContentCell]:
    """Cells row by row, each row from left to right; rows are told by where their middles are."""
    rows: list[list[ContentCell]] = []
    for cell in sorted(cells, key=lambda one: (one.place.box.top, one.place.box.left)):
        box = cell.place.box
        for row in rows:
            first = row[0].place.box
            shared = min(first.bottom, box.bottom) - max(first.top, box.top)
            if shared >= min(first.height, box.height) / 2:
                row.append(cell)
                break
        else:
            rows.append([cell])
    return [cell for row in rows for cell in sorted(row, key=lambda one: one.place.box.left)]


def levels_of(color: str) -> tuple[int, int, int]:
    """Red, green and blue of ``#RRGGBB``, 0 to 255."""
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return red, green, blue
