"""Geometry of shapes: frames, the nested, turned and flipped groups around them, the ends of lines,
and freeforms with their adjustments, guides and paths.

Lengths are EMU and angles degrees clockwise, as in the file; ``to_frame`` gives pixels.

Guides are named lengths computed by formulas (ISO/IEC 29500-1, 20.1.9.11). A path has coordinates
in a box of its own (``PATH_BOX``).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, cos, hypot, isfinite, radians, sin, sqrt, tan

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.deck.model.shapes import PATH_BOX
from decklab.ooxml.xml import Element, degrees, local_name, parse_emu, parse_int, qn


@dataclass(frozen=True)
class Frame:
    """A shape's upright rectangle, turned and flipped about its centre (flipped first)."""

    left: float
    top: float
    width: float
    height: float
    rotation: float = 0.0
    flip_h: bool = False
    flip_v: bool = False


@dataclass(frozen=True)
class GroupTransform:
    """A group: its own frame in its parent, and the rectangle of its members' coordinates."""

    frame: Frame
    child_left: float
    child_top: float
    child_width: float
    child_height: float

    def outward(self, member: Frame) -> Frame:
        """A member's frame in the coordinates of the group's parent.

        The group scales, then flips, then turns. A member that is turned by 45 to 135 degrees,
        either way, is stretched along its sides as drawn, so its width follows the vertical scale,
        as in PowerPoint and LibreOffice.
        """
        outer = self.frame
        scale_x = outer.width / self.child_width if self.child_width else 1.0
        scale_y = outer.height / self.child_height if self.child_height else 1.0
        dx = (member.left + member.width / 2 - self.child_left) * scale_x - outer.width / 2
        dy = (member.top + member.height / 2 - self.child_top) * scale_y - outer.height / 2
        dx, dy = -dx if outer.flip_h else dx, -dy if outer.flip_v else dy
        turn = radians(outer.rotation)
        center_x = outer.left + outer.width / 2 + dx * cos(turn) - dy * sin(turn)
        center_y = outer.top + outer.height / 2 + dx * sin(turn) + dy * cos(turn)
        if 45 <= member.rotation % 180 < 135:
            scale_x, scale_y = scale_y, scale_x
        width, height = member.width * scale_x, member.height * scale_y
        mirrored = outer.flip_h != outer.flip_v
        rotation = -member.rotation if mirrored else member.rotation
        corner = center_x - width / 2, center_y - height / 2
        flips = member.flip_h != outer.flip_h, member.flip_v != outer.flip_v
        return Frame(*corner, width, height, (rotation + outer.rotation) % 360, *flips)


def read_frame(xfrm: Element | None) -> Frame | None:
    """The frame of an ``a:xfrm`` or ``p:xfrm``; None if it gives no full position."""
    if xfrm is None:
        return None
    corner = _pair(xfrm.find(qn("a:off")), "x", "y")
    size = _pair(xfrm.find(qn("a:ext")), "cx", "cy")
    if corner is None or size is None:
        return None
    flip_h = xfrm.get("flipH") in ("1", "true")
    flip_v = xfrm.get("flipV") in ("1", "true")
    return Frame(*corner, *size, rotation=degrees(xfrm.get("rot")), flip_h=flip_h, flip_v=flip_v)


def read_group(xfrm: Element | None) -> GroupTransform | None:
    """The group of an ``a:xfrm``; None if it places its members nowhere else."""
    frame = read_frame(xfrm)
    if xfrm is None or frame is None:
        return None
    corner = _pair(xfrm.find(qn("a:chOff")), "x", "y")
    size = _pair(xfrm.find(qn("a:chExt")), "cx", "cy")
    return GroupTransform(
        frame, *(corner or (frame.left, frame.top)), *(size or (frame.width, frame.height))
    )


def frame_on_slide(
    stated: Iterable[Frame | None], groups: Iterable[GroupTransform]
) -> Frame | None:
    """The first full position among ``stated``, on the slide; groups come innermost first.

    None if nothing gives a position, or groups stretch it to infinity.
    """
    if (frame := next((item for item in stated if item is not None), None)) is None:
        return None
    for group in groups:
        frame = group.outward(frame)
    sides = (frame.left, frame.top, frame.width, frame.height)
    return frame if all(isfinite(side) for side in sides) else None


def rounded(value: float) -> float:
    """A length or share to a hundredth, the precision of all geometry; never minus zero.

    >>> rounded(12.3456), rounded(-0.001)
    (12.35, 0.0)
    """
    return round(value, 2) + 0.0


def to_frame(frame: Frame, size_emu: tuple[int, int]) -> Box:
    """The upright rectangle in the pixels of the 960x540 slide frame."""
    box = Box(frame.left, frame.top, frame.left + frame.width, frame.top + frame.height)
    return box.scaled(FRAME_WIDTH / size_emu[0], FRAME_HEIGHT / size_emu[1])


def _pair(element: Element | None, first: str, second: str) -> tuple[int, int] | None:
    if element is None:
        return None
    left, right = parse_emu(element.get(first)), parse_emu(element.get(second))
    return None if left is None or right is None else (left, right)


Point = tuple[float, float]


def ends_of(frame: Frame, *, rising: bool = False) -> tuple[Point, Point]:
    """Both ends of a line in its frame, in EMU, after its flips and rotation.

    A line runs from the top left corner of its frame to the bottom right one; one that is
    ``rising`` (``lineInv``) from the bottom left to the top right.
    """
    dx, dy = frame.width / 2, frame.height / 2
    dy = -dy if rising else dy
    dx, dy = -dx if frame.flip_h else dx, -dy if frame.flip_v else dy
    turn = radians(frame.rotation)
    x = dx * cos(turn) - dy * sin(turn)
    y = dx * sin(turn) + dy * cos(turn)
    center_x, center_y = frame.left + frame.width / 2, frame.top + frame.height / 2
    return (center_x - x, center_y - y), (center_x + x, center_y + y)


def glue_of(element: Element) -> tuple[int | None, int | None, int | None, int | None]:
    """Shape id and connection site that a connector's start is glued to, then those of its end."""
    ends: list[int | None] = []
    for tag in ("a:stCxn", "a:endCxn"):
        glue = next(element.iter(qn(tag)), None)
        ends += [None if glue is None else parse_int(glue.get(key)) for key in ("id", "idx")]
    return ends[0], ends[1], ends[2], ends[3]


_ANGLE_UNIT = 60_000  # ST_Angle counts 60,000ths of a degree
_FULL_TURN = 360 * _ANGLE_UNIT

Guides = Mapping[str, float]
"""Guide name to value: lengths in EMU of the shape's own size, angles in 60,000ths."""


def adjustments_of(geometry: Element | None) -> dict[str, int]:
    """The adjustments that a shape sets of its preset, by guide name."""
    values: dict[str, int] = {}
    for guide in () if geometry is None else geometry.iterfind(f"{qn('a:avLst')}/{qn('a:gd')}"):
        words = (guide.get("fmla") or "").split()
        value = parse_int(words[1]) if len(words) == 2 and words[0] == "val" else None
        if (name := guide.get("name")) and value is not None:
            values[name] = value
    return values


def read_guides(geometry: Element, width: float, height: float) -> Guides:
    """All guides of an ``a:custGeom`` for a shape of a size; those that fail are left out."""
    known = _built_in(width, height)
    for listed in ("a:avLst", "a:gdLst"):
        for guide in geometry.iterfind(f"{qn(listed)}/{qn('a:gd')}"):
            name, value = guide.get("name"), _value(guide.get("fmla") or "", known)
            if name and value is not None:
                known[name] = value
    return known


def _built_in(width: float, height: float) -> dict[str, float]:
    short, long = min(width, height), max(width, height)
    known = {"w": width, "h": height, "l": 0.0, "t": 0.0, "r": width, "b": height}
    known |= {"hc": width / 2, "vc": height / 2, "ss": short, "ls": long}
    known |= {f"wd{n}": width / n for n in (2, 3, 4, 5, 6, 8, 10, 12, 32)}
    known |= {f"hd{n}": height / n for n in (2, 3, 4, 5, 6, 8, 10, 12, 32)}
    known |= {f"ssd{n}": short / n for n in (2, 4, 6, 8, 16, 32)}
    known |= {"cd2": _FULL_TURN / 2, "cd4": _FULL_TURN / 4, "cd8": _FULL_TURN / 8}
    known |= {"3cd4": 3 * _FULL_TURN / 4, "3cd8": 3 * _FULL_TURN / 8}
    return known | {"5cd8": 5 * _FULL_TURN / 8, "7cd8": 7 * _FULL_TURN / 8}


def _value(formula: str, known: Guides) -> float | None:
    if not (words := formula.split()) or words[0] not in _FORMULAS:
        return None
    count, apply = _FORMULAS[words[0]]
    values = [_operand(word, known) for word in words[1 : count + 1]]
    operands = [value for value in values if value is not None]
    if len(operands) != count:
        return None
    try:
        result = float(apply(operands))
    except (ZeroDivisionError, ValueError, OverflowError):
        return None
    return result if isfinite(result) else None


def _operand(word: str, known: Guides) -> float | None:
    number = parse_int(word)
    return known.get(word) if number is None else float(number)


def _angle(units: float) -> float:
    return radians(units / _ANGLE_UNIT)


def _direction(x: float, y: float) -> float:
    """Angle of a point seen from the origin, in radians."""
    return atan2(y, x)


_FORMULAS: dict[str, tuple[int, Callable[[Sequence[float]], float]]] = {
    "val": (1, lambda v: v[0]),
    "*/": (3, lambda v: v[0] * v[1] / v[2]),
    "+-": (3, lambda v: v[0] + v[1] - v[2]),
    "+/": (3, lambda v: (v[0] + v[1]) / v[2]),
    "?:": (3, lambda v: v[1] if v[0] > 0 else v[2]),
    "abs": (1, lambda v: abs(v[0])),
    "at2": (2, lambda v: _direction(v[0], v[1]) * _FULL_TURN / radians(360)),
    "cat2": (3, lambda v: v[0] * cos(_direction(v[1], v[2]))),
    "cos": (2, lambda v: v[0] * cos(_angle(v[1]))),
    "max": (2, max),
    "min": (2, min),
    "mod": (3, lambda v: hypot(*v)),
    "pin": (3, lambda v: min(max(v[0], v[1]), v[2])),
    "sat2": (3, lambda v: v[0] * sin(_direction(v[1], v[2]))),
    "sin": (2, lambda v: v[0] * sin(_angle(v[1]))),
    "sqrt": (1, lambda v: sqrt(v[0])),
    "tan": (2, lambda v: v[0] * tan(_angle(v[1]))),
}
"""Number of operands, and the function of them."""

_COMMANDS = {"moveTo": "M", "lnTo": "L", "cubicBezTo": "C", "quadBezTo": "Q"}
_ALMOST_FULL_TURN = 359.99
_FARTHEST = 1e18  # EMU; no coordinate that a file can spell lies beyond


def path_of(geometry: Element, frame: Frame) -> str:
    """The paths of an ``a:custGeom`` for a shape of its frame's size, before rotation and flips.

    Sub-paths follow each other; pieces whose points cannot be computed are left out.
    """
    guides = read_guides(geometry, frame.width, frame.height)
    pieces: list[str] = []
    for path in geometry.iterfind(f"{qn('a:pathLst')}/{qn('a:path')}"):
        pieces.extend(_PathWriter(path, guides, frame).draw(path))
    return " ".join(pieces)


class _PathWriter:
    """Writes one ``a:path``; stores its scale and the end point of the last command."""

    def __init__(self, path: Element, guides: Guides, frame: Frame) -> None:
        across = parse_int(path.get("w")) or frame.width
        down = parse_int(path.get("h")) or frame.height
        self.guides = guides
        self.stretch = PATH_BOX / across if across else 0.0, PATH_BOX / down if down else 0.0
        self.at = (0.0, 0.0)

    def draw(self, path: Element) -> Iterator[str]:
        for item in path:
            if (name := local_name(str(item.tag))) == "close":
                yield "Z"
            elif name == "arcTo":
                yield from self._arc(item)
            elif name in _COMMANDS:
                points = [self._point(point) for point in item.iterfind(qn("a:pt"))]
                known = [point for point in points if point is not None]
                if known and len(known) == len(points):
                    self.at = known[-1]
                    yield f"{_COMMANDS[name]} {self._spelled(known)}"

    def _arc(self, item: Element) -> Iterator[str]:
        """An arc by its radii, the angle it starts at and the one it sweeps over.

        A full turn is drawn in two halves: SVG draws none if an arc ends where it begins.
        """
        values = [self._number(item.get(name)) for name in ("wR", "hR", "stAng", "swAng")]
        known = [value for value in values if value is not None]
        if len(known) != len(values):
            return
        across, down, start, sweep = *known[:2], known[2] / _ANGLE_UNIT, known[3] / _ANGLE_UNIT
        parts = 2 if abs(sweep) > _ALMOST_FULL_TURN else 1
        for part in range(parts):
            yield self._piece(across, down, start + part * sweep / parts, sweep / parts)

    def _piece(self, across: float, down: float, start: float, sweep: float) -> str:
        center_x = self.at[0] - across * cos(radians(start))
        center_y = self.at[1] - down * sin(radians(start))
        end = radians(start + sweep)
        self.at = center_x + across * cos(end), center_y + down * sin(end)
        large, turn = int(abs(sweep) > 180), int(sweep > 0)
        radii = _spell(across * self.stretch[0]), _spell(down * self.stretch[1])
        return f"A {radii[0]} {radii[1]} 0 {large} {turn} {self._spelled([self.at])}"

    def _point(self, point: Element) -> tuple[float, float] | None:
        x, y = self._number(point.get("x")), self._number(point.get("y"))
        return None if x is None or y is None else (x, y)

    def _number(self, text: str | None) -> float | None:
        stated = parse_int(text)
        number = self.guides.get(text or "") if stated is None else float(stated)
        return None if number is None or abs(number) > _FARTHEST else number

    def _spelled(self, points: Sequence[tuple[float, float]]) -> str:
        return " ".join(
            f"{_spell(x * self.stretch[0])} {_spell(y * self.stretch[1])}" for x, y in points
        )


def _spell(value: float) -> str:
    """To a hundredth, without trailing zeros."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
