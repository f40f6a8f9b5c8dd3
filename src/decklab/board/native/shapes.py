"""Measured boxes and drawings as native shapes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import cos, radians, sin, sqrt
from typing import TypeGuard
from xml.sax.saxutils import quoteattr

from decklab.board.native.markup import DECLARED, named_xml
from decklab.board.native.paints import edge_fill, fill_xml, line_xml, shadow_xml, two_stops
from decklab.board.native.scale import Scale, cut
from decklab.editing.building.drawing import WHOLE, legal, preset_xml, xfrm
from decklab.rendering.measured import (
    BoxItem,
    Edge,
    Fill,
    Item,
    PathItem,
    RadialFill,
    Radii,
    Rectangle,
    SolidFill,
    Turn,
)

_ALIKE = 0.75
_ROUND = 1 - sqrt(0.5)
"""Share of a radius that a corner takes from the text in it."""
_STEPS = 18
"""Ours: corners of a cut box for each quarter of a turn."""
_KAPPA = 0.5523
"""Of curves that are quarters of a circle."""
_JOINS = {"round": "<a:round/>", "bevel": "<a:bevel/>"}
_CAPS = {"round": "rnd", "square": "sq"}
_ARROW = 'type="triangle" w="med" len="med"/>'


@dataclass(frozen=True)
class DrawnShape:
    """A shape before it has a number: its name, whether it says nothing, and its properties."""

    name: str
    properties: str
    line: bool = False
    """Whether it is a line, from one end to the other."""
    box: Rectangle | None = None
    """Of an area that may carry text."""
    text_inset: tuple[float, float] = (0.0, 0.0)
    """How far inside its box the corners let text begin, across and down."""

    def xml(self, id: int, body: str = "") -> str:
        """The shape's element, with a text body."""
        name = named_xml(id, legal(self.name), decorative=not body)
        if self.line:
            return (
                f"<p:cxnSp {DECLARED}><p:nvCxnSpPr>{name}<p:cNvCxnSpPr/><p:nvPr/></p:nvCxnSpPr>"
                f"<p:spPr>{self.properties}</p:spPr></p:cxnSp>"
            )
        return (
            f"<p:sp {DECLARED}><p:nvSpPr>{name}<p:cNvSpPr/><p:nvPr/></p:nvSpPr>"
            f"<p:spPr>{self.properties}</p:spPr>{body}</p:sp>"
        )


def box_shapes(item: BoxItem, scale: Scale, page: Rectangle) -> Iterator[DrawnShape]:
    """The shapes of a box: its area with one border all around, or the borders by side."""
    box, radii = item.box, item.radii
    edges = item.borders
    even = all(_same(edge, edges[0]) for edge in edges[1:])
    if not item.turns:
        box = _shown(item, page)
    if box[2] <= 0.01 or box[3] <= 0.01:
        return
    bordered = even and edge_fill(edges[0]) is not None
    if item.fill is not None or bordered or item.shadow is not None:
        fill = item.fill
        name = _name(item.element)
        if isinstance(fill, RadialFill) and _is_glow(fill):
            yield _glow(fill, box, item.turns, scale, name)
            fill = None
        if any(x > 0 for x, _ in radii) and item.clip is not None and _cut_inside(item, page):
            if fill is not None:
                yield _cut_area(item, scale, item.clip)
            return
        if not even and _is_lined(item):
            yield from _lined(name, item, fill, box, scale)
            return
        layers = [fill] if fill is None else two_stops(fill)
        for at, layer in enumerate(layers):
            last = at == len(layers) - 1
            if layer is not None or bordered:
                yield _area(
                    name, item if not at else item.model_copy(update={"shadow": None}), layer, box,
                    radii=radii, scale=scale, bordered=bordered and last,
                )  # fmt: skip
    if not even:
        yield from _sides(item, box, scale)


def _is_lined(item: BoxItem) -> bool:
    """Whether a rounded area has borders that differ in width only, so that they follow it."""
    drawn = [edge for edge in item.borders if edge_fill(edge) is not None]
    solid = isinstance(item.fill, SolidFill) and item.fill.color[3] == 1
    rounded = any(x > 1 for x, _ in item.radii)
    return solid and rounded and bool(drawn) and all(edge.color == drawn[0].color for edge in drawn)


def _lined(
    name: str, item: BoxItem, fill: Fill | None, box: Rectangle, scale: Scale
) -> Iterator[DrawnShape]:
    """A rounded area in the colour of its borders, and the ground inside of them above it."""
    left, top, width, height = box
    above, after, below, before = (edge.width for edge in item.borders)
    colors = (edge_fill(edge) for edge in item.borders)
    line = next(color for color in colors if color is not None)
    yield _area(f"{name} edge", item, line, box, radii=item.radii, scale=scale, bordered=False)
    inner = (left + before, top + above, width - before - after, height - above - below)
    sides = ((before, above), (after, above), (after, below), (before, below))
    radii = tuple(
        (max(x - across, 0.0), max(y - down, 0.0))
        for (x, y), (across, down) in zip(item.radii, sides, strict=True)
    )
    plain = item.model_copy(update={"shadow": None})
    yield _area(name, plain, fill, inner, radii=radii, scale=scale, bordered=False)


def _name(element: str) -> str:
    """The name in the list of shapes."""
    return element.replace("decklab-pseudo", "mark")


def _shown(item: BoxItem, page: Rectangle) -> Rectangle:
    """A box without what is cut off; one far larger than the page ends outside of it.

    Rounded boxes and gradients stay whole where only the page's edge cuts them.
    """
    square = not any(x > 0 for x, _ in item.radii)
    if square and (item.fill is None or isinstance(item.fill, SolidFill)):
        edge = (page[0] - 8, page[1] - 8, page[2] + 16, page[3] + 16)
        return cut(cut(item.box, item.clip), edge)
    return item.box


def _cut_inside(item: BoxItem, page: Rectangle) -> bool:
    """Whether something inside the page cuts a box off."""
    if item.clip is None or item.turns:
        return False
    shown, whole = cut(cut(item.box, item.clip), page), cut(item.box, page)
    return any(abs(a - b) > 1 for a, b in zip(shown, whole, strict=True))


def _cut_area(item: BoxItem, scale: Scale, clip: Rectangle) -> DrawnShape:
    """The part of a rounded box inside what cuts it off, as a freeform."""
    points = _clipped(_around(item.box, item.radii), clip)
    xs, ys = [x for x, _ in points] or [0.0], [y for _, y in points] or [0.0]
    box = (min(xs), min(ys), max(max(xs) - min(xs), 0.01), max(max(ys) - min(ys), 0.01))
    path: list[tuple[str | float, ...]] = [
        ("L" if at else "M", x, y) for at, (x, y) in enumerate(points)
    ]
    geometry = path_xml([*path, ("Z",)], box)
    line = "<a:ln><a:noFill/></a:ln>"
    return DrawnShape(
        _name(item.element), xfrm(scale.frame(box)) + geometry + fill_xml(item.fill) + line
    )


def _around(box: Rectangle, radii: Radii) -> list[tuple[float, float]]:
    """Points along a rounded box, clockwise."""
    left, top, width, height = box
    corners = (
        (left, top, 1, 1, 180), (left + width, top, -1, 1, 270),
        (left + width, top + height, -1, -1, 0), (left, top + height, 1, -1, 90),
    )  # fmt: skip
    points = []
    for (x, y, right, down, start), (across, high) in zip(corners, radii, strict=True):
        for step in range(_STEPS + 1):
            angle = radians(start + 90 * step / _STEPS)
            middle = x + right * across, y + down * high
            points.append((middle[0] + across * cos(angle), middle[1] + high * sin(angle)))
    return points


def _clipped(points: list[tuple[float, float]], clip: Rectangle) -> list[tuple[float, float]]:
    """A polygon inside a rectangle (Sutherland and Hodgman, 1974)."""
    left, top, width, height = clip
    for axis, limit, sign in ((0, left, 1), (0, left + width, -1), (1, top, 1),
                              (1, top + height, -1)):  # fmt: skip
        kept: list[tuple[float, float]] = []
        for at, point in enumerate(points):
            before = points[at - 1]
            inside, was = ((p[axis] - limit) * sign >= 0 for p in (point, before))
            if inside != was:
                share = (limit - before[axis]) / (point[axis] - before[axis])
                kept.append(
                    (before[0] + (point[0] - before[0]) * share,
                     before[1] + (point[1] - before[1]) * share)
                )  # fmt: skip
            if inside:
                kept.append(point)
        points = kept
    return points


def _same(first: Edge, second: Edge) -> bool:
    if edge_fill(first) is None and edge_fill(second) is None:
        return True
    return (
        abs(first.width - second.width) < 0.1
        and first.style == second.style
        and first.color == second.color
    )


def _area(
    name: str, item: BoxItem, fill: Fill | None, box: Rectangle, *, radii: Radii,
    scale: Scale, bordered: bool,
) -> DrawnShape:  # fmt: skip
    half = item.borders[0].width / 2 if bordered else 0.0
    left, top, width, height = box
    inner = (left + half, top + half, max(width - 2 * half, 0.01), max(height - 2 * half, 0.01))
    inner_radii = tuple((max(x - half, 0.0), max(y - half, 0.0)) for x, y in radii)
    line = "<a:ln><a:noFill/></a:ln>"
    if bordered:
        edge = item.borders[0]
        line = line_xml(edge_fill(edge), max(scale.emu(edge.width), 1), edge.style)
    return DrawnShape(
        name,
        xfrm(scale.frame(inner, item.turns))
        + outline_xml(inner[2], inner[3], inner_radii)
        + fill_xml(fill)
        + line
        + shadow_xml(item.shadow if fill is not None else None, scale, inner[2], inner[3]),
        box=inner,
        text_inset=_text_inset(inner[2], inner[3], inner_radii),
    )


def _text_inset(width: float, height: float, radii: Radii) -> tuple[float, float]:
    """How far the text rectangle of a preset is inside its box (ECMA-376 Part 1, 20.1.9)."""
    geometry = outline_xml(width, height, radii)
    if '"ellipse"' in geometry:
        return width * _ROUND / 2, height * _ROUND / 2
    side = radii[0][0] * _ROUND if '"roundRect"' in geometry else 0.0
    return side, side


def outline_xml(width: float, height: float, radii: Radii | None) -> str:
    """The geometry of a box with its corners."""
    if radii is None or all(x < 0.05 or y < 0.05 for x, y in radii):
        return preset_xml("rect", {})
    (across, down), *others = radii
    alike = all(abs(x - across) < _ALIKE and abs(y - down) < _ALIKE for x, y in others)
    if alike and across >= width / 2 - _ALIKE and down >= height / 2 - _ALIKE:
        return preset_xml("ellipse", {})
    if alike and abs(across - down) < _ALIKE:
        share = min(round(across / max(min(width, height), 0.01) * WHOLE), WHOLE // 2)
        return preset_xml("roundRect", {"adj": share})
    return _corners(width, height, radii)


def _corners(width: float, height: float, radii: Radii) -> str:
    """A freeform of a box whose corners differ."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = radii
    k = 1 - _KAPPA
    path: list[tuple[str | float, ...]] = [
        ("M", ax, 0.0), ("L", width - bx, 0.0),
        ("C", width - bx * k, 0.0, width, by * k, width, by),
        ("L", width, height - cy),
        ("C", width, height - cy * k, width - cx * k, height, width - cx, height),
        ("L", dx, height), ("C", dx * k, height, 0.0, height - dy * k, 0.0, height - dy),
        ("L", 0.0, ay), ("C", 0.0, ay * k, ax * k, 0.0, ax, 0.0), ("Z",),
    ]  # fmt: skip
    return path_xml(path, (0.0, 0.0, width, height))


_TAGS = {"M": "moveTo", "L": "lnTo", "C": "cubicBezTo"}
_FINE = 100


def path_xml(path: Sequence[tuple[str | float, ...]], box: Rectangle) -> str:
    """A freeform; points count in hundredths of a pixel from the corner of its box."""
    parts = []
    for command, *values in path:
        if command == "Z":
            parts.append("<a:close/>")
            continue
        numbers = [float(value) for value in values]
        points = "".join(
            f'<a:pt x="{round((x - box[0]) * _FINE)}" y="{round((y - box[1]) * _FINE)}"/>'
            for x, y in zip(numbers[::2], numbers[1::2], strict=True)
        )
        parts.append(f"<a:{_TAGS[str(command)]}>{points}</a:{_TAGS[str(command)]}>")
    wide, high = max(round(box[2] * _FINE), 1), max(round(box[3] * _FINE), 1)
    return (
        "<a:custGeom><a:avLst/><a:gdLst/><a:ahLst/><a:cxnLst/>"
        '<a:rect l="0" t="0" r="r" b="b"/><a:pathLst>'
        f'<a:path w="{wide}" h="{high}">{"".join(parts)}</a:path></a:pathLst></a:custGeom>'
    )


def _sides(item: BoxItem, box: Rectangle, scale: Scale) -> Iterator[DrawnShape]:
    """Borders that differ, each as an area of its own."""
    left, top, width, height = box
    upper, right, lower, start = item.borders
    places = (
        (upper, (left, top, width, upper.width)),
        (right, (left + width - right.width, top, right.width, height)),
        (lower, (left, top + height - lower.width, width, lower.width)),
        (start, (left, top, start.width, height)),
    )
    for edge, place in places:
        fill = edge_fill(edge)
        if fill is not None:
            properties = (
                xfrm(scale.frame(place, item.turns)) + preset_xml("rect", {}) + fill_xml(fill)
            )
            yield DrawnShape(f"{_name(item.element)} edge", properties + "<a:ln><a:noFill/></a:ln>")


def _is_glow(fill: RadialFill) -> bool:
    """Whether a gradient ends in nothing, so that it can be drawn as a disc of its own."""
    return fill.stops[-1].color[3] == 0 and fill.rx > 0 and fill.ry > 0


def _glow(
    fill: RadialFill, box: Rectangle, turns: Sequence[Turn], scale: Scale, name: str
) -> DrawnShape:
    clear = next(stop.at for stop in fill.stops if stop.color[3] == 0 and stop.at > 0)
    x, y = box[0] + fill.x * box[2], box[1] + fill.y * box[3]
    across, down = fill.rx * clear, fill.ry * clear
    corner = clear * sqrt(2)  # a round gradient ends at the corners of its shape's box
    stops = tuple(
        stop.model_copy(update={"at": stop.at / corner}) for stop in fill.stops if stop.at <= clear
    )
    stops += (stops[-1].model_copy(update={"at": 1.0}),)
    centered = RadialFill(kind="radial", x=0.5, y=0.5, rx=across, ry=down, stops=stops)
    frame = scale.frame((x - across, y - down, 2 * across, 2 * down), turns)
    properties = xfrm(frame) + preset_xml("ellipse", {}) + fill_xml(centered)
    return DrawnShape(f"{name} glow", properties + "<a:ln><a:noFill/></a:ln>")


def path_shape(item: PathItem, scale: Scale) -> DrawnShape:
    """A shape of a drawing: a preset where it is one, else a freeform."""
    left, top, width, height = item.box
    if len(item.path) == 2 and item.fill is None and item.path[1][0] == "L":
        return _line(item, scale)
    corners = _elbow(item)
    if corners is not None:
        return _bent(item, corners, scale)
    geometry = path_xml(item.path, item.box)
    if item.shape == "ellipse":
        geometry = preset_xml("ellipse", {})
    elif is_diamond(item):
        geometry = preset_xml("diamond", {})
    elif item.shape == "rect":
        geometry = outline_xml(width, height, ((item.radius, item.radius),) * 4)
    frame = scale.frame((left, top, max(width, 0.01), max(height, 0.01)), item.turns)
    line = line_xml(item.stroke, scale.emu(item.width), more=_line_more(item))
    line = _with_cap(line, item)
    properties = xfrm(frame) + geometry + fill_xml(item.fill) + line
    if not is_diamond(item):
        return DrawnShape(_name(item.element), properties)
    return DrawnShape(_name(item.element), properties, box=item.box,
                      text_inset=(width / 4, height / 4))  # fmt: skip


def is_diamond(item: Item) -> TypeGuard[PathItem]:
    """Whether an item is a filled path that joins the middles of the sides of its box."""
    if not isinstance(item, PathItem) or item.fill is None:
        return False
    left, top, width, height = item.box
    middles = ((left + width / 2, top), (left + width, top + height / 2),
               (left + width / 2, top + height), (left, top + height / 2))  # fmt: skip
    corners = [tuple(map(float, step[1:])) for step in item.path if step[0] != "Z"][:4]
    return len(corners) == 4 and len(item.path) in (5, 6) and all(
        abs(x - corner[0]) + abs(y - corner[1]) < 2 * _ALIKE
        for (x, y), corner in zip(middles, corners, strict=True)
    )  # fmt: skip


def _elbow(item: PathItem) -> list[tuple[float, float]] | None:
    """The four corners of a line that turns by a right angle and back; None for others."""
    if item.fill is not None or item.turns or [kind for kind, *_ in item.path] != list("MLLL"):
        return None
    points = [(float(x), float(y)) for _, x, y in item.path]
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)]
    for along, aside in ((0, 1), (1, 0)):
        square = all(abs(step[side]) < _ALIKE for step, side in
                     zip(steps, (aside, along, aside), strict=True))  # fmt: skip
        if square and steps[0][along] * steps[2][along] > 0:
            return points
    return None


def _bent(item: PathItem, corners: Sequence[tuple[float, float]], scale: Scale) -> DrawnShape:
    """An elbow connector: the preset goes right, down, right; one that goes down is turned."""
    (x1, y1), (x2, y2), _, (x3, y3) = corners
    box = item.box
    along, aside, first = x3 - x1, y3 - y1, x2 - x1
    down = abs(first) < _ALIKE
    if down:
        along, aside, first = y3 - y1, x1 - x3, y2 - y1
        box = ((x1 + x3 - abs(along)) / 2, (y1 + y3 - abs(aside)) / 2, abs(along), abs(aside))
    frame = replace(
        scale.frame(box), rotation=90.0 if down else 0.0, flip_h=along < 0, flip_v=aside < 0
    )
    geometry = preset_xml("bentConnector3", {"adj1": round(first / along * WHOLE)})
    line = line_xml(item.stroke, scale.emu(item.width), more=_line_more(item))
    return DrawnShape("Connector", xfrm(frame) + geometry + _with_cap(line, item), line=True)


def _line(item: PathItem, scale: Scale) -> DrawnShape:
    (_, x1, y1), (_, x2, y2) = item.path
    frame = scale.frame(item.box, item.turns)
    flips = (' flipH="1"' if float(x2) < float(x1) else "") + (
        ' flipV="1"' if float(y2) < float(y1) else ""
    )
    place = xfrm(frame).replace("<a:xfrm", f"<a:xfrm{flips}", 1)
    line = _with_cap(line_xml(item.stroke, scale.emu(item.width), more=_line_more(item)), item)
    return DrawnShape(_name(item.element), place + preset_xml("line", {}) + line, line=True)


def _with_cap(line: str, item: PathItem) -> str:
    cap = _CAPS.get(item.cap)
    return line.replace("<a:ln w", f"<a:ln cap={quoteattr(cap)} w", 1) if cap else line


def _line_more(item: PathItem) -> str:
    dash = ""
    if item.dash and item.width:
        pairs = [*item.dash, *item.dash] if len(item.dash) % 2 else list(item.dash)
        inner = "".join(
            f'<a:ds d="{round(on / item.width * WHOLE)}" sp="{round(off / item.width * WHOLE)}"/>'
            for on, off in zip(pairs[::2], pairs[1::2], strict=True)
        )
        dash = f"<a:custDash>{inner}</a:custDash>"
    head = f"<a:headEnd {_ARROW}" if item.start else ""
    tail = f"<a:tailEnd {_ARROW}" if item.end else ""
    return dash + _JOINS.get(item.join, '<a:miter lim="800000"/>') + head + tail
