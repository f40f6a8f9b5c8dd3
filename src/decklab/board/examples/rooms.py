"""How far a text may grow on its slide: to the next shape, the end of its panel or the margin."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from decklab.board.examples.shapes import ExampleSlide, SlideParts
from decklab.board.slots.parts import page_scale
from decklab.board.templates.margins import holds
from decklab.board.templates.places import LayoutPlace
from decklab.core.geometry import FRAME, Box

_MARGIN: Final = 24.0
_TITLE_LINES: Final = 2.6
"""Of its size, how high a title of two lines is."""
_WALL: Final = 10.0
"""Pixels between a text that grows and what stands below or above it."""


def frames_it(box: Box, shown: Box) -> bool:
    """Whether a drawing is the frame or shadow of an object."""
    shared = box.intersection(shown).area
    return shared > 0.6 * min(box.area, shown.area) and box.area < 3 * shown.area


def distance(first: Box, second: Box) -> float:
    """Pixels between two boxes, 0 where they meet."""
    across = max(first.left - second.right, second.left - first.right, 0.0)
    down = max(first.top - second.bottom, second.top - first.bottom, 0.0)
    return across + down


def grown_down(box: Box, walls: Iterable[Box], panels: Iterable[Box]) -> Box:
    """A box made higher, down to the next wall below it, the end of the panels that it stands in,
    or the slide's margin."""
    bottom = min(
        [FRAME.height - _MARGIN, *(panel.bottom - 8 for panel in panels if holds(panel, box))]
    )
    for wall in walls:
        beside = wall.right <= box.left + 2 or wall.left >= box.right - 2
        if beside or wall == box or wall.top < box.top + 0.5 * box.height:
            continue
        bottom = min(bottom, wall.top - _WALL)
    return box._replace(bottom=max(box.bottom, bottom))


def grown_up(box: Box, walls: Iterable[Box]) -> Box:
    """A box made higher, up to the next wall above it or the slide's margin."""
    top = _MARGIN
    for wall in walls:
        beside = wall.right <= box.left + 2 or wall.left >= box.right - 2
        if not beside and wall != box and wall.bottom < box.top + 0.5 * box.height:
            top = max(top, wall.bottom + 2 * _WALL)
    return box._replace(top=min(box.top, top))


def with_room(example: ExampleSlide, parts: SlideParts) -> ExampleSlide:
    """The example with the room that texts of no fixed size may grow into."""
    slots = [slot for slot in (example.title, example.subtitle, *example.bodies) if slot]
    walls = [slot.box for slot in slots] + [slot.box for slot in example.objects]
    walls += [one.box for one in example.lists] + [box for _id, box in example.blocks]
    feet = [box for box in (*parts.bands(), *parts.feet()) if box.top > 0.6 * FRAME.height]
    walls += feet
    panels = parts.panels()
    content = bool(example.bodies or example.lists or example.objects)

    def roomy(slot: LayoutPlace | None) -> LayoutPlace | None:
        if slot is None or slot.filled:
            return slot
        if slot.placeholder is not None and slot is not example.title and not slot.grows:
            return slot
        up = slot.anchor != "top" and not content
        box = grown_up(slot.box, walls) if up or slot in example.bodies else slot.box
        return replace(slot, room=grown_down(box, walls, panels))

    title = roomy(example.title)
    if title is not None and title.room is not None:
        most = title.box.top + _TITLE_LINES * title.size / page_scale(example.slide.size_pt)
        room = title.room._replace(bottom=min(title.room.bottom, max(title.box.bottom, most)))
        title = replace(title, room=room)
        walls.append(room)
    bodies = tuple(grown for slot in example.bodies if (grown := roomy(slot)) is not None)
    objects = tuple(
        replace(slot, box=grown_down(slot.box, walls, panels)) if slot.kind == "table" else slot
        for slot in example.objects
    )
    return replace(
        example, title=title, subtitle=roomy(example.subtitle), bodies=bodies,
        objects=objects,
    )  # fmt: skip
