"""Where content may stand on a page: within the margins that its template keeps, clear of what is
drawn there, and as wide as what is free beside it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from statistics import median
from typing import Final

from decklab.board.templates.places import THINGS, DeckTemplate, LayoutPlace, TemplateLayout
from decklab.core.geometry import Box

_MARGIN = 0.05
_LINE = 0.5
"""Half the width of a line that has none."""
_BELOW_TITLE = 0.02
_LEAST_MARGIN, _MOST_MARGIN = 0.02, 0.1
_EDGE = 0.02
"""Share of the slide's width that feet keep from its edges. Ours, as the next."""
_GAP = 0.015
"""Share of the slide's height between content and what is drawn beside it. Ours, as the next."""
_LEAST_LEFT = 0.7
"""Share of a place from which on it is cut off at a drawing that reaches into it."""
_LEAST_DRAWN = 0.5
"""The same for an area of what is drawn anew."""
_MARK = 0.2
"""Share of the slide's width up to which a drawing in a title is a mark beside it, and no rule."""
_RULE = 0.05
"""Share of the slide's height up to which a drawing is a rule. Ours."""
_INDENTED = 0.1
"""Share of the slide's width up to which a title is indented against the texts. Ours."""
_NARROW = 0.8
"""Share of the width within the margins up to which a text is narrow."""
_LEAST_AREA: Final = 0.3
_MOST_TAKEN = 8
"""Drawings of a layout that free areas keep clear of, the largest: more take long to compare."""
MOST_DRAWN: Final = 0.4
"""Share of the slide from which on a drawing is its ground."""
_WRITTEN: Final = ("title", "subtitle", "text", "object")
_FEET: Final = ("footer", "number", "date")


def holds(outer: Box, inner: Box) -> bool:
    """Whether a larger box has most of another one in it."""
    inner = inner.grown(_LINE)
    return outer.intersection(inner).area > 0.8 * inner.area and outer.area > inner.area


def within_margins(template: DeckTemplate) -> DeckTemplate:
    """A template with the places where text stands on new slides.

    Texts of an example begin and end within the margins of its deck; a place for content ends where
    a drawing reaches into it; the only text of a layout, and its title, are as wide as the margins
    if nothing else stands beside them.
    """
    layouts = template.layouts
    sides = [side for one in layouts if not one.slide and (side := _margin(one)) is not None]
    sides = sides or [side for one in layouts if (side := _margin(one)) is not None]
    usual = median(sides) if sides else _MARGIN * template.size[0]
    return replace(template, layouts=tuple(_settled(layout, usual) for layout in layouts))


def _margin(layout: TemplateLayout) -> float | None:
    """The least distance of a layout's title and content from the left and right of its slides."""
    width = layout.size[0]
    inks = [text_ink(place) for place in layout.places
            if place.kind in _WRITTEN and not place.is_turned]  # fmt: skip
    if layout.title is None or not inks:
        return None
    side = min(min(ink.left, width - ink.right) for ink in inks)
    return min(max(side, _LEAST_MARGIN * width), _MOST_MARGIN * width)


def text_ink(place: LayoutPlace) -> Box:
    """A place without the left and right insets of its text, where free things line up with it."""
    left, top, right, bottom = place.box
    return Box(left + place.insets.left, top, right - place.insets.right, bottom)


def _settled(layout: TemplateLayout, usual: float) -> TemplateLayout:
    own = None if layout.slide else _margin(layout)
    side = usual if own is None else own
    safe = Box(side, 0.0, layout.size[0] - side, layout.size[1])
    places = tuple(_placed(place, layout, safe) for place in layout.places)
    return replace(layout, places=places, safe=safe)


def _placed(place: LayoutPlace, layout: TemplateLayout, safe: Box) -> LayoutPlace:
    """A place on new slides: the same object if it stays as it is."""
    box, room = place.box, place.room
    if place.kind in _FEET:
        box = inside(box, layout.size)
    if place.kind in THINGS and layout.slide:
        return replace(place, box=drawn_area(_between(box, Box(0, 0, 0, 0), safe), layout))
    if place.kind not in _WRITTEN or place.is_turned or place.filled:
        return place if box == place.box else replace(place, box=box, moved=True)
    standing = layout.role not in (None, "body", "contents")
    if layout.slide:
        box, room = _between(box, place.insets, safe), room and _between(room, place.insets, safe)
        if place.kind == "title":
            box, room = _above_rules(box, place, layout), room and _above_rules(room, place, layout)
    if (standing and layout.ground) or (
        not layout.slide and len(layout.cells) == 1 and layout.ground and place.ground
    ):
        box = _widened(place, layout, safe)
    if place.kind == "title" and not standing:
        box, room = _begun(box, place, layout, safe), room and _begun(room, place, layout, safe)
    if place.kind in ("title", "text", "object") and not standing:
        widest = _MARK if place.kind == "title" else 1.0
        box = clear_of_drawings(box, layout, widest)
        room = room and clear_of_drawings(room, layout, widest)
    if (box, room) == (place.box, place.room):
        return place
    return replace(place, box=box, room=room, moved=place.moved or box != place.box)


def inside(box: Box, size: tuple[float, float]) -> Box:
    """The box of a foot, moved on the slide where its edges cut it."""
    left, top, right, bottom = box
    across = max(_EDGE * size[0] - left, 0.0) or min((1 - _EDGE) * size[0] - right, 0.0)
    down = min(size[1] - bottom, 0.0)
    return Box(left + across, top + down, right + across, bottom + down)


def _between(box: Box, insets: Box, safe: Box) -> Box:
    """A box whose text begins and ends within the margins."""
    left, right = max(box.left, safe.left - insets.left), min(box.right, safe.right + insets.right)
    return box if right - left < box.width / 2 else box._replace(left=left, right=right)


def _begun(box: Box, place: LayoutPlace, layout: TemplateLayout, safe: Box) -> Box:
    """The box of a title that begins a little further in than the texts below it, begun where they
    do."""
    texts = [text_ink(one).left for one in layout.places if one.kind in ("text", "object")]
    left = max(min(texts, default=box.right), safe.left) - place.insets.left
    indented = left < box.left < left + _INDENTED * layout.size[0]
    if not indented or not place.levels or place.levels[0].align != "left":
        return box
    wide = box._replace(left=left)
    beside = wide._replace(right=box.left)
    drawn = (*layout.fixed, *(one for _id, one in layout.shapes.blocks))
    taken = any(one.intersection(beside).area > 0 and not holds(one, wide)
                for one in drawn if one.width < box.width)  # fmt: skip
    return box if taken else wide


def _above_rules(box: Box, place: LayoutPlace, layout: TemplateLayout) -> Box:
    """The box of an example's title, ended at a rule below its first line."""
    for rule in layout.fixed:
        thin = rule.height < _RULE * layout.size[1] and rule.width > box.width / 2
        if thin and box.top + place.size < rule.top < box.bottom:
            box = box._replace(bottom=rule.top)
    return box


def _widened(place: LayoutPlace, layout: TemplateLayout, safe: Box) -> Box:
    """The box of a narrow text, as wide as the margins if nothing stands beside it."""
    box = place.box
    wide = Box(safe.left - place.insets.left, box.top, safe.right + place.insets.right, box.bottom)
    gone = (*_FEET, *THINGS) if layout.slide else _FEET
    others = [one.box for one in layout.places if one is not place and one.kind not in gone]
    taken = any(one.grown(1).intersection(wide).area for one in (*others, *layout.fixed))
    return box if taken or box.width > _NARROW * wide.width else wide


def clear_of_drawings(
    box: Box, layout: TemplateLayout, widest: float = 1.0, least: float = _LEAST_LEFT
) -> Box:
    """A box cut off where drawings of its page reach into it, those up to a share of the slide's
    width, if it keeps a share of its area; drawings that hold it are its ground."""
    gap, least = _GAP * layout.size[1], least * box.area
    for drawn in layout.fixed:
        if (
            drawn.width > widest * layout.size[0]
            or drawn.grown(gap).intersection(box).area <= 0
            or holds(drawn, box)
        ):
            continue
        cuts = (
            box._replace(bottom=min(box.bottom, drawn.top - gap)),
            box._replace(top=max(box.top, drawn.bottom + gap)),
            box._replace(right=min(box.right, drawn.left - gap)),
            box._replace(left=max(box.left, drawn.right + gap)),
        )
        best = max(cuts, key=lambda cut: cut.area)
        if best.area >= least:
            box = best
    return box


def drawn_area(area: Box, layout: TemplateLayout) -> Box:
    """An area for what is drawn anew, clear of drawings but for those that go with it."""
    gone = {box for _id, box in layout.shapes.blocks if holds(area, box)}
    fixed = tuple(box for box in layout.fixed if box not in gone)
    return clear_of_drawings(area, replace(layout, fixed=fixed), least=_LEAST_DRAWN)


def on_ground(area: Box, layout: TemplateLayout) -> Box:
    """An area within the margins, and within the large ellipses that it mostly stands on."""
    if layout.safe is not None:
        area = _between(area, Box(0, 0, 0, 0), layout.safe)
    area = area._replace(bottom=min(area.bottom, (1 - _MARGIN) * layout.size[1]))
    for inner in layout.rounds:
        shared = inner.intersection(area)
        roomy = shared.area > _LEAST_AREA * layout.size[0] * layout.size[1]
        if roomy and shared.area > 0.4 * min(inner.area, area.area):
            area = shared
    return area


def text_area(layout: TemplateLayout) -> Box | None:
    """The area of a layout's places for content, where free things line up with its texts, as wide
    as the margins where nothing stays beside it, nor may in a picture behind it."""
    places = [place for cell in layout.cells for place in (cell.place, cell.heading) if place]
    boxes = [*map(text_ink, places), *(one.box for one in layout.lists)]
    around = Box.around(boxes)
    if around is None or around.area < _LEAST_AREA * layout.size[0] * layout.size[1]:
        return None
    if layout.safe is None or layout.ground is None:
        return around
    wide = around._replace(left=layout.safe.left, right=layout.safe.right)
    beside = (*layout.fixed, *layout.grounds, *(
        place.box for place in layout.places if place.kind in ("title", "subtitle", *_FEET)
    ))  # fmt: skip
    taken = any(one.grown(1).intersection(wide).area > 0 and not holds(one, wide) for one in beside)
    return around if taken or wide.width < around.width else wide


def free_area(layout: TemplateLayout) -> Box:
    """The slide without margins, title, footers and what the layout draws: the largest box left."""
    width, height = layout.size
    inner = Box(_MARGIN * width, _MARGIN * height, (1 - _MARGIN) * width, (1 - _MARGIN) * height)
    gaps = {"title": _BELOW_TITLE * height, "footer": 0.0, "number": 0.0}
    kept = [
        place.box._replace(bottom=place.box.bottom + gaps[place.kind])
        for place in layout.places if place.kind in gaps
    ]  # fmt: skip
    drawn = [box.grown(1).intersection(inner) for box in layout.fixed
             if box.area < MOST_DRAWN * width * height]  # fmt: skip
    drawn.sort(key=lambda box: -max(box.width, box.height))
    taken = [box for box in (*kept, *drawn[:_MOST_TAKEN]) if box.intersection(inner).area > 0]
    return _largest_gap(inner, tuple(taken))


@lru_cache(maxsize=512)
def _largest_gap(slide: Box, taken: tuple[Box, ...]) -> Box:
    """The largest box in another one that meets none of those taken."""
    xs = _cuts(slide.left, slide.right, (x for box in taken for x in (box.left, box.right)))
    ys = _cuts(slide.top, slide.bottom, (y for box in taken for y in (box.top, box.bottom)))
    free = (
        Box(left, top, right, bottom)
        for left, right in _pairs(xs)
        for top, bottom in _pairs(ys)
        if not any(box.left < right and box.right > left and box.top < bottom and box.bottom > top
                   for box in taken)
    )  # fmt: skip
    nothing = Box(slide.left, slide.top, slide.left, slide.top)
    return max(free, key=lambda box: box.area, default=nothing)


def _cuts(first: float, last: float, edges: Iterable[float]) -> list[float]:
    return sorted({first, last, *(edge for edge in edges if first < edge < last)})


def _pairs(values: list[float]) -> Iterator[tuple[float, float]]:
    return ((one, other) for at, one in enumerate(values) for other in values[at + 1 :])
