"""Slides whose contents have places of their own on the grid, in place of those of a layout.

The paper has a model plan a page as boxes (paper 004, section V-C and appendix C). Here such boxes
stand on the grid of all slides (12 columns, rows of 8 pixels, margins of 48), title, source and
footers stay where every slide has them, and a program checks what comes of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from decklab.board.blueprint import GridBox, SlidePlan
from decklab.board.boxes import Connector, Item, TextBox
from decklab.board.layouts import add_footers, lay_out_page
from decklab.board.library import LayoutName
from decklab.board.page import (
    CONTENT,
    IDX_BODY,
    IDX_SECOND,
    IDX_SOURCE,
    IDX_SUBTITLE,
    IDX_THIRD,
    MARGIN,
    SOURCE_BOX,
    SUBTITLE_BOX,
    TITLE_BOX,
    UNIT,
    PageDraft,
    span,
)
from decklab.core.geometry import FRAME_HEIGHT, Box

_COLUMNS = 12
_LAYOUTS: Final[dict[str, LayoutName]] = {
    "picture": "picture_full", "chart": "chart", "table": "table", "numbers": "big_numbers",
    "cards": "cards", "code": "code",
}  # fmt: skip
"""For contents that a layout of the library can put anywhere that layout."""
_LEAST: Final[dict[str, tuple[int, int]]] = {
    "text": (3, 5), "picture": (2, 10), "chart": (5, 20), "table": (4, 12), "numbers": (4, 14),
    "cards": (4, 14), "code": (4, 8), "steps": (8, 24), "column": (3, 8),
}  # fmt: skip
"""Fewest columns and rows in which a content can be seen. Ours."""
_COLUMN_SLOTS = (IDX_BODY, IDX_SECOND, IDX_THIRD)


@dataclass
class _Part(PageDraft):
    """One content of a page, laid out as if its place were all there is."""

    place: Box = CONTENT

    @property
    def area(self) -> Box:
        return self.place


def content_names(plan: SlidePlan) -> tuple[str, ...]:
    """What of a slide can have a place of its own; none of what is laid out as a whole.

    >>> content_names(SlidePlan(layout="section", title="Results"))
    ()
    """
    if plan.shown_role not in ("body", "ending") or plan.layout in ("closing", "quote"):
        return ()
    columns = tuple(f"column {number}" for number in range(1, len(plan.columns) + 1))
    fields = ("picture", "chart", "table", "numbers", "steps", "cards", "code")
    text = ("text",) if plan.body else ()
    return (*text, *columns, *(name for name in fields if getattr(plan, name)))


def box_on_grid(place: GridBox) -> Box:
    """The pixels of a place on the grid.

    >>> box_on_grid(GridBox(content="text", column=1, columns=12, row=19, rows=38))
    Box(left=48.0, top=152, right=912.0, bottom=456)
    """
    left, right = span(place.column - 1, place.columns)
    return Box(left, place.row * UNIT, right, (place.row + place.rows) * UNIT)


def content_rows(plan: SlidePlan) -> tuple[int, int]:
    """First row that contents of a slide may use, and the first one below them."""
    above = SUBTITLE_BOX if plan.subtitle else TITLE_BOX
    below = SOURCE_BOX.top if plan.shown_source else FRAME_HEIGHT - MARGIN
    return int(-(-above.bottom // UNIT)), int(below // UNIT)


def place_problems(plan: SlidePlan) -> Iterator[str]:
    """What is wrong with the places of a slide, as far as it shows without its text.

    Each content has one place, on the slide and between its margins, below the title and above the
    source, large enough to be seen, and none covers another.
    """
    names = content_names(plan)
    placed = [place.content for place in plan.boxes]
    for name in names:
        if placed.count(name) != 1:
            yield f"{name}: it has {placed.count(name) or 'no'} place{'s' * (name in placed)}"
    for name in dict.fromkeys(placed):
        if name not in names:
            yield f"{name}: the slide has only {', '.join(names) or 'its title'}"
    first, end = content_rows(plan)
    for place in plan.boxes:
        if place.column + place.columns - 1 > _COLUMNS:
            yield f"{place.content}: it ends beyond column {_COLUMNS}"
        if place.row < first or place.row + place.rows > end:
            yield f"{place.content}: it has to stand in the rows {first} to {end}"
        least = _LEAST.get(place.content.split()[0], (1, 1))
        if (place.columns, place.rows) != (max(place.columns, least[0]), max(place.rows, least[1])):
            yield f"{place.content}: it needs {least[0]} columns and {least[1]} rows at least"
    for one, other in combinations(plan.boxes, 2):
        if _meet(one, other):
            yield f"{one.content} and {other.content} cover each other"


def _meet(one: GridBox, other: GridBox) -> bool:
    across = one.column < other.column + other.columns and other.column < one.column + one.columns
    return across and one.row < other.row + other.rows and other.row < one.row + one.rows


def lay_out_freely(page: PageDraft, *, footer: str | None = None, number: int = 1) -> None:
    """Fill a page with its contents in places of their own.

    What is wrong with the places, or does not fit into them, is among the page's ``problems``.
    """
    page.problems += place_problems(page.plan)
    page.head()
    if page.problems:
        return
    for place in sorted(page.plan.boxes, key=lambda one: (one.row, one.column)):
        items, problems = _placed(page, place.content, box_on_grid(place))
        page.add(*items)
        page.problems += [f"{place.content}: {problem}" for problem in problems]
    page.source()
    add_footers(page, footer, number)


def _placed(page: PageDraft, content: str, box: Box) -> tuple[list[Item], list[str]]:
    """One content in its place, and what of it does not fit."""
    plan = page.plan
    part = _Part(plan, page.theme, page.fitter, page.title_size, most=page.most, place=box)
    if content == "text":
        part.fit([part.points("Text", box, plan.body, IDX_BODY)])
    elif content.startswith("column "):
        at = int(content.split()[1]) - 1
        column, slot = plan.columns[at], _COLUMN_SLOTS[at]
        name = f"Column {at + 1}"
        part.fit([part.points(name, box, column.points, slot, heading=column.heading)])
    else:
        layout = _layout_for(plan, content)
        alone = {"layout": layout, "role": "body", "subtitle": None, "body": ()}
        part.plan = plan.model_copy(update=alone)
        lay_out_page(part)
        part.items = [item for item in part.items if not _is_frame(item)]
        inside = all(_holds(box, item) for item in part.items)
        part.problems += [] if inside else ["it is larger than its place"]
    return part.items, part.problems


def _layout_for(plan: SlidePlan, content: str) -> LayoutName:
    """The layout of the library that shows a content over the whole of an area."""
    if content == "steps":
        return "timeline" if plan.layout == "timeline" else "process"
    return _LAYOUTS[content]


def _is_frame(item: Item) -> bool:
    """Whether an item is title, source or footer, which the page has already."""
    if not isinstance(item, TextBox) or item.slot is None:
        return False
    kinds = ("title", "footer", "number")
    return item.slot.kind in kinds or item.slot.idx in (IDX_SOURCE, IDX_SUBTITLE)


def _holds(box: Box, item: Item) -> bool:
    if isinstance(item, Connector):
        return True
    shown = item.box
    return (
        shown.left >= box.left - 1
        and shown.right <= box.right + 1
        and shown.top >= box.top - 1
        and shown.bottom <= box.bottom + 1
    )
