"""Uses of the layouts of a template.

Decided by the types and places of their placeholders; the kind and the name that a layout states
only choose among those that fit.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import log2
from typing import Final, Literal, get_args

from decklab.board.templates.places import THINGS, ContentCell, DeckTemplate, TemplateLayout

Use = Literal[
    "title", "section", "contents", "body", "two_columns", "three_columns", "comparison",
    "picture_text", "picture", "chart", "table", "quote", "closing", "title_only", "blank",
]  # fmt: skip
"""The use for which a slide needs a layout."""

USES: Final[tuple[Use, ...]] = get_args(Use)

STATED: Final[Mapping[str, Use]] = {
    "title": "title", "secHead": "section", "obj": "body", "tx": "body", "twoObj": "two_columns",
    "twoTxTwoObj": "comparison", "titleOnly": "title_only", "blank": "blank", "chart": "chart",
    "tbl": "table", "picTx": "picture_text", "twoColTx": "two_columns",
}  # fmt: skip
"""Uses by the kind that a layout states (ISO/IEC 29500-1, 19.7.15, ST_SlideLayoutType)."""

_NAMES: Final[tuple[tuple[Use, str], ...]] = (
    (
        "title",
        r"\btitle slide|\bcover\b|\bopening\b|titelfolie|diapositive de titre|\btitle\s*\d*$",
    ),
    ("section", r"section|divider|chapter|abschnitt|kapitel|intertitre|secci[oó]n"),
    ("contents", r"agenda|contents\b|table of contents|inhalt\b|sommaire|outline"),
    ("quote", r"quot|zitat|citation|cita\b"),
    ("closing", r"closing|thank|\bend\b|\bfinal\b|contact|danke|merci|gracias"),
    ("comparison", r"compar|vergleich"),
    ("title_only", r"title only|nur titel|titre seul"),
    ("body", r"title and content|title and text|content\b|titel und inhalt"),
)
_ODD = re.compile(
    r"\bcode\b|notes?\b|photo|vertical|demo\b|video|team|timeline|\bicon", re.IGNORECASE
)

_OF_PAGE = 8.0
"""How far pages of an example come before its layouts. Ours, as the next."""
_CLUTTER = 1.6
_UNUSED = 1.0
"""Cost of what a page would keep without a meaning, and of each place that would stay unused."""
_COLLIDES = 5.0
"""Cost of a layout whose own drawings run into its places."""
_OFTEN = 3
_SLACK = 0.03
_FURNITURE = ("footer", "number", "date")
_HIGH = 0.36
_MIDDLE = 0.26
"""A title that ends above the first share of the slide's height, or has its middle above the
second, leaves the rest to content."""
_LEAST_BODY = 0.18
_LEAST_PICTURE = 0.2
_MOST_STANDING = 0.3
"""Shares of the slide: the least that a place for text or for a picture has, and the most of the
text below the title of a section."""


def uses_of(layout: TemplateLayout) -> dict[Use, float]:
    """Uses of a layout, each with how well its kind and name agree (0 to 3)."""
    fitting = dict.fromkeys(_fitting(layout), 0.0)
    if layout.slide:
        return fitting
    stated = STATED.get(layout.type)
    for use in fitting:
        named = any(use == one and re.search(words, layout.name, re.IGNORECASE)
                    for one, words in _NAMES)  # fmt: skip
        fitting[use] += 2.0 * (use == stated) + 1.0 * named - 0.5 * bool(_ODD.search(layout.name))
    return fitting


@dataclass(frozen=True)
class UseTable:
    """The layouts of a template by what they can be used for, the best first.

    Those of the master that its slides use come first, then those that agree by kind and name or
    that slides use, then those with the least that would stay empty.
    """

    master: int
    """The master that decks are made with."""
    layouts: Mapping[Use, tuple[TemplateLayout, ...]]
    doubtful: frozenset[int]
    """Numbers of layouts whose text would stand on drawings."""

    def of_master(self, use: Use) -> tuple[TemplateLayout, ...]:
        """The layouts of the main master for a use."""
        return tuple(layout for layout in self.layouts[use]
                     if layout.slide or layout.master == self.master)  # fmt: skip

    def first(self, uses: Sequence[Use]) -> tuple[TemplateLayout, ...]:
        """Layouts for the first of some uses that there is one for, in the main master if any."""
        for find in (self.of_master, self.layouts.__getitem__):
            found = [layouts for use in uses if (layouts := find(use))]
            sound = [one for one in found if one[0].number not in self.doubtful]
            if found:
                return (sound or found)[0]
        return ()


def use_table(template: DeckTemplate) -> UseTable:
    """Sort the layouts of a template by what they can be used for."""
    found = {layout.number: uses_of(layout) for layout in template.layouts}
    master = _main_master(template, found)
    doubtful = _doubtful(template, master)

    def order(layout: TemplateLayout, use: Use) -> tuple[float, ...]:
        opening = use in ("title", "section", "closing")
        shown = min(log2(1 + layout.shown_by), 1.5 if opening else 4.0)
        places = [place for place in layout.places if place.kind not in _FURNITURE]
        agreement = found[layout.number][use] + shown - _COLLIDES * (layout.number in doubtful)
        agreement += _page_bonus(layout, use)
        return (
            not layout.slide and layout.master != master,
            -agreement,
            len(places),
            layout.number,
        )

    return UseTable(
        master,
        {
            use: tuple(
                sorted(
                    (
                        layout
                        for layout in template.layouts
                        if use in found[layout.number]
                        and (not layout.slide or _page_bonus(layout, use) > 0)
                    ),
                    key=partial(order, use=use),
                )
            )
            for use in USES
        },
        doubtful,
    )


def _page_bonus(layout: TemplateLayout, use: Use) -> float:
    """How much better a page of an example is than a layout, for a use."""
    if not layout.slide:
        return 0.0
    cells = {"two_columns": 2, "three_columns": 3, "picture_text": 2, "title_only": 0}.get(use, 1)
    spare: float = abs(len(layout.cells) - cells) + len(layout.lists)
    boxed = layout.title is None or layout.title.placeholder is None
    if use in THINGS:
        spare += _UNUSED * (-1 if any(cell.place.kind == use for cell in layout.cells) else 2)
    return _OF_PAGE - _CLUTTER * layout.clutter - _UNUSED * spare - 2.0 * boxed


def _doubtful(template: DeckTemplate, master: int) -> frozenset[int]:
    """Layouts that drawings run into, or that reach out where a picture fills the slide.

    What of the picture may be written on is seen by the layout for text that slides of the file
    use: another layout whose text begins or ends elsewhere was not made for the picture.
    """
    found = {layout.number for layout in template.layouts if layout.collisions}
    own = [one for one in template.layouts
           if one.master == master and len(one.cells) == 1 and not one.slide]  # fmt: skip
    usual = max(own, key=lambda one: one.shown_by, default=None)
    if usual is None or usual.ground is not None or usual.shown_by < _OFTEN:
        return frozenset(found)
    around, slack = usual.cells[0].place.box, _SLACK * template.size[0]
    for layout in template.layouts:
        places = [place for place in layout.places if place.takes_text or place.kind == "title"]
        if (
            layout.ground is None
            and not layout.slide
            and any(
                place.box.left < around.left - slack or place.box.right > around.right + slack
                for place in places
            )
        ):
            found.add(layout.number)
    return frozenset(found)


def _main_master(template: DeckTemplate, found: Mapping[int, Mapping[Use, float]]) -> int:
    """The master with layouts for text that most slides of the file use; the first on a tie."""

    def order(master: int) -> tuple[float, ...]:
        own = [layout for layout in template.layouts if layout.master == master]
        uses = {use for layout in own for use in found[layout.number]}
        shown = sum(layout.shown_by for layout in own if layout.title is not None)
        return ("body" in uses, shown, "title" in uses, len(uses), -master)

    return max((layout.master for layout in template.layouts), key=order, default=1)


def _fitting(layout: TemplateLayout) -> Iterator[Use]:
    """The uses that the placeholders of a layout allow."""
    title, cells = layout.title, layout.cells
    if title is None:
        if not cells and not any(place.takes_text for place in layout.places):
            yield "blank"
        return
    if title.vertical or title.turned:
        return
    named = [use for use, words in _NAMES if re.search(words, layout.name, re.IGNORECASE)]
    stated = STATED.get(layout.type)
    height = layout.size[1]
    middle = (title.box.top + title.box.bottom) / 2
    at_top = title.box.bottom <= _HIGH * height or middle <= _MIDDLE * height
    if layout.slide:
        yield from _page_uses(layout, cells, at_top=at_top)
        return
    if not _large(layout):
        opening = title.type == "ctrTitle" or layout.first("subtitle") is not None
        pictured = any(cell.place.kind == "picture" for cell in cells)
        if opening and "section" not in named and stated != "section":
            yield "title"
        if not pictured and (
            (not at_top and not opening) or "section" in named or stated == "section"
        ):
            yield "section"
        if not pictured and not at_top and ("closing" in named or opening):
            yield "closing"
    if at_top and not cells and title.type != "ctrTitle":
        yield "title_only"
    if at_top and cells:
        yield from _content_uses(layout, cells, named)


def _page_uses(
    layout: TemplateLayout, cells: tuple[ContentCell, ...], *, at_top: bool
) -> Iterator[Use]:
    """The uses of a page of an example, by its role in its deck."""
    standing: dict[str, Use] = {"opening": "title", "section": "section", "ending": "closing"}
    use = standing.get(layout.role or "body")
    if use is not None:
        yield use
        return
    title, texts = layout.title, [place for place in layout.places if place.kind == "text"]
    small = title is not None and any(place.size > title.size for place in texts)
    if at_top and not small:
        if cells:
            yield from _content_uses(layout, cells, ["contents"])
        yield "title_only"


def _large(layout: TemplateLayout) -> list[ContentCell]:
    """Cells that hold objects, or more text than a title slide has."""
    width, height = layout.size
    return [
        cell
        for cell in layout.cells
        if cell.place.kind not in ("text", "picture")
        or (cell.place.kind == "text" and cell.place.box.area > _MOST_STANDING * width * height)
    ]


def _content_uses(
    layout: TemplateLayout, cells: tuple[ContentCell, ...], named: list[Use]
) -> Iterator[Use]:
    slide = layout.size[0] * layout.size[1]
    if len(cells) == 1:
        cell = cells[0].place
        share = cell.box.area / slide
        if cell.takes_text and share >= _LEAST_BODY:
            yield "body"
            yield from (use for use in ("contents", "quote") if use in named)
        if share >= _LEAST_PICTURE:
            for use in ("picture", "chart", "table"):
                if cell.takes(use):
                    yield use
        return
    texts = [cell for cell in cells if cell.place.takes_text]
    if len(cells) == len(texts) and side_by_side(cells) and len(cells) in (2, 3):
        yield "two_columns" if len(cells) == 2 else "three_columns"
        if len(cells) == 2 and all(cell.heading for cell in cells):
            yield "comparison"
    if len(cells) == 2 and texts:
        others = [cell for cell in cells if cell.place.kind in ("object", "picture")]
        if others and abreast(cells):
            yield "picture_text"


def abreast(cells: tuple[ContentCell, ...]) -> bool:
    """Whether the cells stand beside one another, of whatever sizes."""
    boxes = [cell.place.box for cell in cells]
    for first, second in pairwise(boxes):
        shared = min(first.bottom, second.bottom) - max(first.top, second.top)
        if shared < min(first.height, second.height) / 2 or first.right > second.left + 12:
            return False
    return True


def side_by_side(cells: tuple[ContentCell, ...]) -> bool:
    """Whether the cells are columns: beside one another, of about one size."""
    boxes = [cell.place.box for cell in cells]
    tops = [box.top for box in boxes]
    highest = max(box.height for box in boxes)
    return (
        abreast(cells)
        and max(tops) - min(tops) <= 0.25 * highest
        and min(box.height for box in boxes) >= 0.6 * highest
        and min(box.width for box in boxes) >= 0.6 * max(box.width for box in boxes)
    )
