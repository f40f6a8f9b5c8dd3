"""Compares the position, size and rotation of shapes, without what follows from their group or from
another slide size. Geometry in snapshots is in px of a frame that every slide fills, whatever its
size: on a wider slide a shape that stays in place has other px. Programs either leave everything in
place, or scale it: to fit or to fill the new slide, about its middle or from its corner, or each
direction by itself."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import cos, radians, sin
from typing import Any, NamedTuple

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.diffing.changes import Difference, Json, near
from decklab.diffing.matching import box_of

_INVISIBLE_PX = 0.05
"""Shifts up to this are rounding: programs count in hundredths of a millimetre (0.03 px), or in
whole units of their own. Ours."""
_TURN_DEG = 0.05
_ENDS = ("x1", "y1", "x2", "y2")
_BOX = ("x", "y", "w", "h")
_FLIPS = ("flip_h", "flip_v")


class GroupFrame(NamedTuple):
    """The group of a shape in both versions; its changes move its members."""

    old: Json
    new: Json

    def moved_point(self, x: float, y: float) -> tuple[float, float]:
        """Where the group's change moves a point: scaled, then flipped, then rotated."""
        a, b = box_of(self.old), box_of(self.new)
        across, down = self._scales
        dx, dy = _turned(x - a[0] - a[2] / 2, y - a[1] - a[3] / 2, -_rotation(self.old))
        dx, dy = _flipped(dx, dy, self.old)
        dx, dy = _flipped(dx * across, dy * down, self.new)
        dx, dy = _turned(dx, dy, _rotation(self.new))
        return b[0] + b[2] / 2 + dx, b[1] + b[3] / 2 + dy

    def moved_member(self, member: Json) -> Json:
        """The box and rotation of a member, not a line, after the group's change."""
        x, y, width, height = (member.get(key, 0.0) for key in _BOX)
        turn = _rotation(member) - _rotation(self.old)
        turn = -turn if _mirrored(self.old) else turn
        across, down = self._scales
        if 45 <= turn % 180 < 135:  # on its side: its width follows the group's height
            across, down = down, across
        center = self.moved_point(x + width / 2, y + height / 2)
        width, height = width * across, height * down
        box = {"x": center[0] - width / 2, "y": center[1] - height / 2, "w": width, "h": height}
        turn = (-turn if _mirrored(self.new) else turn) + _rotation(self.new)
        shapes = (member, self.old, self.new)
        flips = {key: sum(shape.get(key, False) for shape in shapes) % 2 == 1 for key in _FLIPS}
        return box | {"rotation": turn % 360} | flips

    @property
    def _scales(self) -> tuple[float, float]:
        a, b = box_of(self.old), box_of(self.new)
        return b[2] / a[2] if a[2] else 1.0, b[3] / a[3] if a[3] else 1.0


def _rotation(shape: Json) -> float:
    return float(shape.get("rotation", 0.0))


def _mirrored(shape: Json) -> bool:
    return bool(shape.get("flip_h", False) != shape.get("flip_v", False))


def _flipped(dx: float, dy: float, group: Json) -> tuple[float, float]:
    return -dx if group.get("flip_h") else dx, -dy if group.get("flip_v") else dy


def _turned(dx: float, dy: float, angle: float) -> tuple[float, float]:
    """A vector turned clockwise by degrees."""
    if not angle:
        return dx, dy
    turn = radians(angle)
    return dx * cos(turn) - dy * sin(turn), dx * sin(turn) + dy * cos(turn)


def geometry_differences(old: Json, new: Json, frame: GroupFrame | None) -> Iterator[Difference]:
    """Differences of position, size, rotation and flips; for lines, of their ends. A member that
    only moved with its group has none."""
    if any(key in old or key in new for key in _ENDS):
        yield from _ends(old, new, frame)  # as drawn: with rotation and flips
        return
    meant = old if frame is None else frame.moved_member(old)
    yield from _box(old, meant, new)
    old, meant, new = _upright(old), _upright(meant), _upright(new)
    turn = _rotation(old), _rotation(new)
    turned_along = frame is not None and _angle(_rotation(meant), turn[1]) <= _TURN_DEG
    if turn[0] != turn[1] and not turned_along:
        yield Difference("geometry", "rotation", *turn, noise=_angle(*turn) <= _TURN_DEG)
    for key in _FLIPS:
        flips = old.get(key, False), new.get(key, False)
        if flips[0] != flips[1] != meant.get(key, False):
            yield Difference("geometry", key, *flips)


def _angle(first: float, other: float) -> float:
    apart = abs(first - other) % 360
    return min(apart, 360 - apart)


def _upright(shape: Json) -> Json:
    """Replace flips in both directions by a rotation of 180 degrees, which looks the same."""
    if not (shape.get("flip_h") and shape.get("flip_v")):
        return shape
    turned = (shape.get("rotation", 0.0) + 180.0) % 360
    return {"rotation": turned, "flip_h": False, "flip_v": False}


def _box(old: Json, meant: Json, new: Json) -> Iterator[Difference]:
    a, b = (tuple(shape.get(key, 0.0) for key in _BOX) for shape in (old, new))
    if a == b:
        return
    if old.get("placed", True) != new.get("placed", True):
        yield Difference("geometry", "placed", old.get("placed", True), new.get("placed", True))
        return
    x, y, width, height = (meant.get(key, 0.0) for key in _BOX)
    yield from _moved("position", (x, y), (b[0], b[1]), a[:2])
    yield from _moved("size", (width, height), (b[2], b[3]), a[2:])


def _ends(old: Json, new: Json, frame: GroupFrame | None) -> Iterator[Difference]:
    for name, keys in (("start", _ENDS[:2]), ("end", _ENDS[2:])):
        a, b = (tuple(shape.get(key, 0.0) for key in keys) for shape in (old, new))
        expected = a if frame is None else frame.moved_point(*a)
        yield from _moved(name, expected, b, a)


def _moved(
    name: str, expected: tuple[float, ...], actual: tuple[float, ...], stated: tuple[float, ...]
) -> Iterator[Difference]:
    if stated == actual:
        return
    stayed = _apart(stated, actual) <= _INVISIBLE_PX
    if not stayed and _apart(expected, actual) <= _INVISIBLE_PX:
        return  # moved by its group
    yield Difference("geometry", name, list(stated), list(actual), noise=stayed)


def sized_once(old: Json, new: Json, differences: Iterable[Difference]) -> Iterator[Difference]:
    """Report the size of a table once: as its size, or as its rows and columns.

    A wider table has wider columns, and a table with more rows or wider columns is larger. If all
    columns or rows were scaled by one factor the size is reported, else they are.
    """
    reported = list(differences)
    tables = old.get("table", {}), new.get("table", {})
    if not tables[1] or not any(difference.property == "size" for difference in reported):
        yield from reported
        return
    scaled, followed = [], []
    for edge, key, name in (("w", "columns", "column"), ("h", "heights", "row")):
        lengths = tables[0].get(key, ()), tables[1].get(key, ())
        sides = float(old.get(edge, 0.0)), float(new.get(edge, 0.0))
        same = abs(sides[1] - sides[0]) <= _INVISIBLE_PX
        if same or _scaled_evenly(lengths, sides):
            scaled.append(name)
        followed.append(same or abs(sum(lengths[1]) - sum(lengths[0]) - sides[1] + sides[0]) <= 1.0)
    drops_size = all(followed) and len(scaled) < len(followed)
    for item in reported:
        lengths_scaled = (
            item.property in ("column width", "row height") and item.property.split()[0] in scaled
        )
        if not (item.property == "size" if drops_size else lengths_scaled):
            yield item


def _scaled_evenly(lengths: tuple[Sequence[float], ...], sides: tuple[float, float]) -> bool:
    old, new = lengths
    by = sides[1] / sides[0] if sides[0] else 0.0
    return len(old) == len(new) and all(
        abs(a * by - b) <= 2 * _INVISIBLE_PX for a, b in zip(old, new, strict=True)
    )


def _apart(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    return max(abs(value - other) for value, other in zip(a, b, strict=True))


_ACROSS, _DOWN = ("x", "x1", "x2"), ("y", "y1", "y2")
_SAME_PX = 1.0
"""Boxes at most about this far apart count as equal when the way is guessed."""
_FAR = 0.1
"""Points that scaled lengths of text are rounded by: the file counts sizes in hundredths, but
programs scale them in tenths. Ours."""
_SCALED = ("font.size", "font.spacing", "paragraph.margin_left", "paragraph.margin_right",
           "paragraph.indent", "paragraph.space_before", "paragraph.space_after",
           "paragraph.line_spacing", "body.inset_left", "body.inset_top", "body.inset_right",
           "body.inset_bottom", "line.width")  # fmt: skip


@dataclass(frozen=True)
class _Way:
    """One way in which a resized deck treats its contents: scale and shift per direction, in px."""

    across: tuple[float, float] = (1.0, 0.0)
    down: tuple[float, float] = (1.0, 0.0)
    text: float = 1.0
    """Factor of lengths in points."""

    def rescaled(self, shape: Json) -> Json:
        """A shape of a snapshot with its geometry in the new frame."""
        if not shape.get("placed", True):
            return shape
        (a, b), (c, d) = self.across, self.down
        moved = {key: shape[key] * a + b for key in _ACROSS if shape.get(key) is not None}
        moved |= {key: shape[key] * c + d for key in _DOWN if shape.get(key) is not None}
        moved |= {key: shape[key] * by for key, by in (("w", a), ("h", c)) if key in shape}
        rescaled = {**shape, **{key: round(value, 2) + 0.0 for key, value in moved.items()}}
        if "table" in shape:
            rescaled["table"] = self._table(shape["table"])
        return rescaled

    def _table(self, table: Json) -> Json:
        lengths = {"columns": self.across[0], "heights": self.down[0]}
        stated = [key for key in lengths if key in table]
        return table | {key: [round(at * lengths[key], 2) for at in table[key]] for key in stated}


@dataclass(frozen=True)
class Resizing:
    """The sizes of the slides before and after, in points."""

    old: tuple[float, float]
    new: tuple[float, float]

    @classmethod
    def of(cls, before: Json, after: Json) -> "Resizing":
        """From two snapshots."""
        return cls(tuple(before["size_pt"]), tuple(after["size_pt"]))

    def __bool__(self) -> bool:
        return self.old != self.new

    @property
    def ways(self) -> Iterator[_Way]:
        """The ways to try: contents left in place, then scaled in all known ways."""
        wider, taller = (new / old for new, old in zip(self.new, self.old, strict=True))
        for scale in dict.fromkeys((1.0, min(wider, taller), max(wider, taller))):
            for middle in (0.0, 0.5):
                sizes = zip(self.new, self.old, strict=True)
                rest = [middle * (new - scale * old) for new, old in sizes]
                for shift in dict.fromkeys(((rest[0], rest[1]), (rest[0], 0.0), (0.0, rest[1]))):
                    down = (scale / taller, shift[1] / self.new[1] * FRAME_HEIGHT)
                    yield _Way((scale / wider, shift[0] / self.new[0] * FRAME_WIDTH), down, scale)
        yield _Way()

    def rescaled(self, old: Json, new: Json) -> Json:
        """The older slide, layout or master in the frame of the new size. Of all known ways it
        takes the one that brings most shapes to the places of the newer shapes."""
        stand = Counter(_cell(shape) for shape in new["shapes"])
        best, most = next(self.ways), -1
        for way in self.ways:
            cells = Counter(_cell(way.rescaled(shape)) for shape in old["shapes"])
            if (met := (cells & stand).total()) > most:
                best, most = way, met
        shapes = [best.rescaled(shape) for shape in old["shapes"]]
        sheet = {**old, "shapes": shapes}
        if "comments" in old:
            sheet["comments"] = [best.rescaled(comment) for comment in old["comments"]]
        return sheet

    def scaled(self, difference: Difference) -> bool:
        """Whether a length in points was scaled along with the slide."""
        if not difference.property.endswith(_SCALED):
            return False
        return any(
            way.text != 1.0 and near(_times(difference.old, way.text), difference.new, _FAR)
            for way in self.ways
        )


def _cell(shape: Json) -> tuple[Any, ...]:
    keys = ("x", "y", "w", "h", "x1", "y1", "x2", "y2")
    return shape["kind"], *(round(shape.get(key, 0.0) / _SAME_PX) for key in keys)


def _times(value: Any, by: float) -> Any:
    if isinstance(value, dict) and value.get("unit") == "points":
        return {**value, "value": value["value"] * by}
    return value * by if isinstance(value, int | float) and not isinstance(value, bool) else value
