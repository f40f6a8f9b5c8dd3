"""Places, geometries, fills and lines as DrawingML, and text as XML can hold it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import atan2, copysign, cos, degrees, pi, radians, sin, sqrt
from xml.sax.saxutils import quoteattr

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.deck.frames import Frame, GroupTransform
from decklab.deck.model.paint import (
    Crop,
    Ending,
    Gradient,
    Paint,
    Pattern,
    Pen,
    PictureFill,
    Solid,
    Stop,
)
from decklab.deck.model.shapes import PATH_BOX, Element, Line
from decklab.ooxml.units import EMU_PER_POINT
from decklab.ooxml.xml import ILLEGAL_CHARACTERS

_ANGLE_UNIT = 60_000  # ST_Angle counts 60,000ths of a degree
_RISING = "lineInv"
_FLAT = 0.03
"""Px below which a line counts as horizontal or vertical: more than the rounding of ends and
rotation adds to a line as long as the slide is wide."""


@dataclass(frozen=True)
class FrameSize:
    """The size of the slides."""

    width: int
    """In EMU, as the next."""
    height: int

    @classmethod
    def of_points(cls, size_pt: tuple[float, float]) -> "FrameSize":
        """Slides of a size in points."""
        return cls(round(size_pt[0] * EMU_PER_POINT), round(size_pt[1] * EMU_PER_POINT))

    def across(self, px: float) -> int:
        """A horizontal length or place in EMU."""
        return round(px * self.width / FRAME_WIDTH)

    def down(self, px: float) -> int:
        """A vertical length or place in EMU."""
        return round(px * self.height / FRAME_HEIGHT)

    def frame(self, element: Element) -> Frame:
        """The frame of an element on the slide."""
        if isinstance(element, Line):
            return self._line(element)
        x, y, w, h = (getattr(element, name) for name in ("x", "y", "w", "h"))
        return Frame(
            self.across(x),
            self.down(y),
            self.across(w),
            self.down(h),
            element.rotation,
            element.flip_h,
            element.flip_v,
        )

    def _line(self, line: Line) -> Frame:
        """The ends of a line, turned back about its middle, give size and flips."""
        across, down = self.width / FRAME_WIDTH, self.height / FRAME_HEIGHT
        dx, dy = (line.x2 - line.x1) * across, (line.y2 - line.y1) * down
        turn = radians(-line.rotation)
        dx, dy = dx * cos(turn) - dy * sin(turn), dx * sin(turn) + dy * cos(turn)
        if line.geometry == _RISING:
            dy = -dy
        flat = _FLAT * max(across, down)
        flip_h = line.flip_h if abs(dx) < flat else dx < 0
        flip_v = line.flip_v if abs(dy) < flat else dy < 0
        width = 0.0 if abs(dx) < flat else abs(dx)
        height = 0.0 if abs(dy) < flat else abs(dy)
        x = (line.x1 + line.x2) / 2 * across - width / 2
        y = (line.y1 + line.y2) / 2 * down - height / 2
        return Frame(x, y, width, height, line.rotation, flip_h, flip_v)


def inside(frame: Frame, group: Frame) -> Frame:
    """A frame on the slide in the coordinates of a group that scales nothing.

    The rotation and flips of the group are undone: turned the other way, unless a flip has swapped
    that already.
    """
    swapped = group.rotation if group.flip_h != group.flip_v else -group.rotation
    upright = Frame(
        group.left, group.top, group.width, group.height,
        swapped % 360, group.flip_h, group.flip_v,
    )  # fmt: skip
    return GroupTransform(upright, group.left, group.top, group.width, group.height).outward(frame)


def xfrm(frame: Frame, tag: str = "a:xfrm", more: str = "") -> str:
    """A position element, turned and flipped; ``more`` are its last child elements."""
    turned = f' rot="{round(frame.rotation % 360 * _ANGLE_UNIT)}"' if frame.rotation % 360 else ""
    flips = (' flipH="1"' if frame.flip_h else "") + (' flipV="1"' if frame.flip_v else "")
    return (
        f'<{tag}{turned}{flips}><a:off x="{round(frame.left)}" y="{round(frame.top)}"/>'
        f'<a:ext cx="{max(round(frame.width), 0)}" cy="{max(round(frame.height), 0)}"/>'
        f"{more}</{tag}>"
    )


Embed = Callable[[str | None], str | None]
"""From the hash of an image to the relationship id it has on the slide; None if its bytes are
not available."""

WHOLE = 100_000
"""100 % as an ST_Percentage: in thousandths of a percent."""
_JOINS = {"round": "<a:round/>", "bevel": "<a:bevel/>", "miter": '<a:miter lim="800000"/>'}
_NO_FILL = "<a:noFill/>"
_CUSTOM_DASH = '<a:custDash><a:ds d="400000" sp="300000"/></a:custDash>'


def color_xml(color: str, alpha: float = 1.0) -> str:
    """A colour element."""
    inner = "" if alpha >= 1 else f'<a:alpha val="{round(alpha * WHOLE)}"/>'
    return f'<a:srgbClr val="{color[1:]}">{inner}</a:srgbClr>'


def solid_xml(color: str | None, alpha: float = 1.0) -> str:
    """A fill of one colour; no fill for None."""
    return _NO_FILL if color is None else f"<a:solidFill>{color_xml(color, alpha)}</a:solidFill>"


def paint_xml(paint: Paint, embed: Embed) -> str:
    """A fill element; no fill for a picture whose bytes are not available."""
    if isinstance(paint, Solid):
        return solid_xml(paint.color, paint.alpha)
    if isinstance(paint, Gradient):
        return _gradient(paint)
    if isinstance(paint, Pattern):
        return (
            f"<a:pattFill prst={quoted(paint.preset)}>"
            f"<a:fgClr>{color_xml(paint.foreground)}</a:fgClr>"
            f"<a:bgClr>{color_xml(paint.ground)}</a:bgClr></a:pattFill>"
        )
    if isinstance(paint, PictureFill):
        return _picture(paint, embed)
    return _NO_FILL


def line_xml(stroke: str | None, width: float, pen: Pen, embed: Embed, tag: str = "a:ln") -> str:
    """A line element; a line without a stroke is stated as not drawn."""
    if stroke is None and pen.paint.kind == "none":
        return f"<{tag}>{_NO_FILL}</{tag}>"
    paint = solid_xml(stroke) if pen.paint.kind == "none" else paint_xml(pen.paint, embed)
    dash = f"<a:prstDash val={quoted(pen.dash)}/>" if pen.dash != "custom" else _CUSTOM_DASH
    return (
        f'<{tag} w="{round(width * EMU_PER_POINT)}" cap={quoted(pen.cap)} '
        f"cmpd={quoted(pen.compound)}>{paint}{dash}{_JOINS.get(pen.join, _JOINS['round'])}"
        f"{_ending('a:headEnd', pen.head)}{_ending('a:tailEnd', pen.tail)}</{tag}>"
    )


def crop_xml(crop: Crop) -> str:
    """The crop of an image as an element; empty for a whole image."""
    edges = (("l", crop.left), ("t", crop.top), ("r", crop.right), ("b", crop.bottom))
    cut = "".join(f' {name}="{round(value * WHOLE)}"' for name, value in edges if value)
    return f"<a:srcRect{cut}/>" if cut else ""


def _gradient(paint: Gradient) -> str:
    stops = "".join(_stop(stop) for stop in paint.stops)
    if paint.path is not None:
        way = (
            f"<a:path path={quoted(paint.path)}>"
            '<a:fillToRect l="50000" t="50000" r="50000" b="50000"/></a:path>'
        )
    else:
        way = f'<a:lin ang="{round((paint.angle or 0.0) * _ANGLE_UNIT)}" scaled="0"/>'
    return f'<a:gradFill rotWithShape="1"><a:gsLst>{stops}</a:gsLst>{way}</a:gradFill>'


def _stop(stop: Stop) -> str:
    return f'<a:gs pos="{round(stop.position * WHOLE)}">{color_xml(stop.color, stop.alpha)}</a:gs>'


def _picture(paint: PictureFill, embed: Embed) -> str:
    link = embed(paint.sha256)
    if link is None:
        return _NO_FILL
    way = "<a:tile/>" if paint.tiled else STRETCHED
    blip = blip_xml(link, paint.alpha)
    return f"<a:blipFill>{blip}{crop_xml(paint.crop)}{way}</a:blipFill>"


STRETCHED = "<a:stretch><a:fillRect/></a:stretch>"


def blip_xml(link: str, alpha: float) -> str:
    """An image by its relationship id, with an opacity from 0 to 1."""
    faded = "" if alpha >= 1 else f'<a:alphaModFix amt="{round(alpha * WHOLE)}"/>'
    return f'<a:blip r:embed="{link}">{faded}</a:blip>'


def _ending(tag: str, end: Ending | None) -> str:
    if end is None:
        return f'<{tag} type="none"/>'
    return f"<{tag} type={quoted(end.shape)} w={quoted(end.width)} len={quoted(end.length)}/>"


_FINE = 100
"""Units of the written path per unit of the element's path, which has two decimals."""
_TAGS = {"M": "moveTo", "L": "lnTo", "C": "cubicBezTo", "Q": "quadBezTo"}

Point = tuple[float, float]


def preset_xml(name: str, adjustments: Mapping[str, int]) -> str:
    """A preset shape with its adjustments."""
    guides = "".join(
        f'<a:gd name={quoted(guide)} fmla="val {value}"/>' for guide, value in adjustments.items()
    )
    return f"<a:prstGeom prst={quoted(name)}><a:avLst>{guides}</a:avLst></a:prstGeom>"


def rounded_adjustment(rx: float, across: float, width_px: float, height_px: float) -> int:
    """The adjustment that gives a rounded rectangle its corner radius, which is px across.

    ``across`` is the length of one vertical px on the slide itself, in horizontal px.
    """
    shorter = min(width_px, height_px * across)
    return min(round(rx / shorter * WHOLE), WHOLE // 2) if shorter > 0 else 0


def freeform_xml(path: str) -> str:
    """A freeform from path data in a box of 1000 by 1000."""
    size = PATH_BOX * _FINE
    inner = "".join(_commands(path))
    return (
        "<a:custGeom><a:avLst/><a:gdLst/><a:ahLst/><a:cxnLst/>"
        '<a:rect l="0" t="0" r="r" b="b"/><a:pathLst>'
        f'<a:path w="{size}" h="{size}">{inner}</a:path></a:pathLst></a:custGeom>'
    )


def _commands(path: str) -> Iterator[str]:
    at: Point = (0.0, 0.0)
    command, numbers = "", list[float]()
    for word in [*path.split(), "end"]:
        if not word[0].isalpha():
            numbers.append(float(word))
            continue
        if command:
            yield _command(command, numbers, at)
            at = (numbers[-2], numbers[-1]) if len(numbers) > 1 else at
        command, numbers = word, []


def _command(command: str, numbers: list[float], at: Point) -> str:
    if command == "A":
        return _arc(numbers, at)
    if command not in _TAGS:
        return "<a:close/>"
    points = "".join(
        f'<a:pt x="{round(x * _FINE)}" y="{round(y * _FINE)}"/>'
        for x, y in zip(numbers[::2], numbers[1::2], strict=True)
    )
    return f"<a:{_TAGS[command]}>{points}</a:{_TAGS[command]}>"


def _arc(numbers: list[float], at: Point) -> str:
    """From the end of an arc to its angles (SVG 1.1, F.6.5, for unrotated ellipses)."""
    across, down, _rotation, large, turn, x, y = numbers
    if across <= 0 or down <= 0:
        return _command("L", [x, y], at)
    half_x, half_y = (at[0] - x) / 2 / across, (at[1] - y) / 2 / down
    reach = half_x**2 + half_y**2
    far = sqrt(max(1 / reach - 1, 0.0)) if reach else 0.0
    far = -far if large == turn else far
    center_x, center_y = far * half_y, -far * half_x
    start = atan2(half_y - center_y, half_x - center_x)
    sweep = (atan2(-half_y - center_y, -half_x - center_x) - start) % (2 * pi)
    if not turn:
        sweep -= 2 * pi
    sweep = copysign(sweep, 1 if turn else -1)
    return (
        f'<a:arcTo wR="{round(across * _FINE)}" hR="{round(down * _FINE)}" '
        f'stAng="{round(degrees(start) % 360 * _ANGLE_UNIT)}" '
        f'swAng="{round(degrees(sweep) * _ANGLE_UNIT)}"/>'
    )


def legal(text: str) -> str:
    r"""Text without the characters that XML cannot hold.

    >>> legal("a\x07b")
    'ab'
    """
    return ILLEGAL_CHARACTERS.sub("", text)


def quoted(text: str) -> str:
    r"""An attribute's value with its quotes, escaped, without what XML cannot hold.

    >>> quoted('5 < 7\x07')
    '"5 &lt; 7"'
    """
    return quoteattr(legal(text))
