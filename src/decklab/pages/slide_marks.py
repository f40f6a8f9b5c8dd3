"""Drawings on and beside the picture of a slide: numbered boxes, and the wheel of its hues."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, radians, sin, sqrt
from typing import Any, Final

from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box

MINIMUM_RATIO: Final = 4.5
"""Contrast that text needs if nothing else is stated (WCAG 2.1, success criterion 1.4.3)."""

TAG: Final = Box(0, 0, 38, 34)
"""The box of a number."""

_PADDING = 4.0  # units between a region and the frame around it
_MOST_PLACES = 400


@dataclass(frozen=True)
class ContrastMark:
    """A numbered box on a slide's picture, in the units of a drawing ``FRAME_WIDTH`` wide.

    ``tag`` is the box of its number. ``figure`` and ``ground`` are colours, empty if unknown.
    """

    label: int
    box: Box
    tag: Box
    ratio: float
    text: str
    figure: str
    ground: str


def contrast_marks(evidence: Mapping[str, Any], height: float) -> list[ContrastMark]:
    """Marks for the regions of ``usability.contrast`` that lack contrast, worst first.

    A region lacks contrast below its own ``least_ratio``, which depends on the size of its text,
    else below MINIMUM_RATIO. ``height`` is that of the drawing whose width is FRAME_WIDTH.
    Regions off the slide are left out.
    """
    regions = evidence.get("worst", ())
    weak = [r for r in regions if r["ratio"] < r.get("least_ratio", MINIMUM_RATIO)]
    placed = [
        (Box(*region["box"]).intersection(FRAME).scaled(1, height / FRAME_HEIGHT), region)
        for region in sorted(weak, key=lambda r: float(r["ratio"]))
    ]
    seen = [(box, region) for box, region in placed if box.area]
    marked = [box for box, _region in seen]
    marks: list[ContrastMark] = []
    tags: list[Box] = []
    for box, region in seen:
        tag = tag_beside(box.grown(_PADDING), marked, tags, height)
        tags.append(tag)
        marks.append(
            ContrastMark(
                len(marks) + 1, box, tag, float(region["ratio"]), str(region.get("text", "")),
                str(region.get("figure", "")), str(region.get("ground", "")),
            )
        )  # fmt: skip
    return marks


def tag_beside(
    box: Box, marked: Sequence[Box], tags: Sequence[Box], height: float, *, above: bool = False
) -> Box:
    """The box of a number that stands outside ``box``, as large as ``TAG``.

    It is left of the top left corner, or ``above`` it, where a line of text goes on to the left;
    if that is off the drawing, or on one of the ``marked``
    boxes or the ``tags`` placed before, it is at the first free corner outside; if none is free,
    at the first place without another tag. ``height`` is that of the drawing whose width is
    FRAME_WIDTH.
    """
    room = Box(0, 0, FRAME_WIDTH, height)
    box = box.intersection(room)
    beside, over = (box.left - TAG.width, box.top), (box.left, box.top - TAG.height)
    for left, top in (
        *((over, beside) if above else (beside, over)),
        (box.left, box.bottom),
        (box.right, box.top),
        (box.right - TAG.width, box.top - TAG.height),
        (box.right - TAG.width, box.bottom),
    ):
        tag = Box(left, top, left + TAG.width, top + TAG.height)
        inside = tag.intersection(room) == tag
        if inside and not any(tag.intersection(other).area for other in (*marked, *tags)):
            return tag
    return _free_place(box, tags, height)


def _free_place(box: Box, tags: Sequence[Box], height: float) -> Box:
    """A place for a number near the top left corner of ``box``, without another number.

    The search goes right, then line by line; a slide has room for more numbers than it has marks.
    """
    left, top = box.left - TAG.width, box.top
    if left < 0:
        left, top = box.left, box.top - TAG.height
    lowest = max(0.0, height - TAG.height)
    left, top = min(left, FRAME_WIDTH - TAG.width), min(max(0.0, top), lowest)
    for _ in range(_MOST_PLACES):
        tag = Box(left, top, left + TAG.width, top + TAG.height)
        if not any(tag.intersection(other).area for other in tags):
            break
        left += TAG.width + 2
        if left > FRAME_WIDTH - TAG.width:
            left, top = 0.0, top + TAG.height if top < lowest else 0.0
            top = min(top, lowest)
    return tag


CENTRE = 120
"""Half the side of the drawing; the wheel's middle."""

_RING = (50.0, 56.0)
_INNER = 60.0
_OUTER = 100.0
_LEAST = 0.003  # Of the largest share; less is thinner than a line.


@dataclass(frozen=True)
class Wedge:
    """A piece of a ring, as an SVG path, with its hue in degrees and its share of all colour."""

    path: str
    hue: float
    share: float


@dataclass(frozen=True)
class HueWheel:
    """The parts of a wheel. ``sectors`` are paths; a sector may be the full circle."""

    template: str
    angle_deg: float
    sectors: tuple[str, ...]
    wedges: tuple[Wedge, ...]
    chromatic_share: float | None


def _spot(angle: float, radius: float) -> str:
    # Hue 0 is at the top and hues run clockwise, as colour pickers draw them.
    turn = radians(angle)
    return f"{CENTRE + radius * sin(turn):.1f} {CENTRE - radius * cos(turn):.1f}"


def _ring_piece(start: float, width: float, inner: float, outer: float) -> str:
    width = min(width, 359.99)
    end = start + width
    large = int(width > 180)
    return (
        f"M{_spot(start, inner)}L{_spot(start, outer)}"
        f"A{outer:g} {outer:g} 0 {large} 1 {_spot(end, outer)}"
        f"L{_spot(end, inner)}A{inner:g} {inner:g} 0 {large} 0 {_spot(start, inner)}Z"
    )


HUE_RING = tuple(Wedge(_ring_piece(hue - 5.3, 10.6, *_RING), hue, 0.0) for hue in range(0, 360, 10))
"""All hues in a thin ring, the key to the wheel."""


def hue_wheel(evidence: Mapping[str, Any]) -> HueWheel | None:
    """The wheel from the evidence of ``harmony.distance_deg``; None if it holds no hues.

    Wedges grow with the root of their share, so that their areas, not their lengths, compare.
    """
    histogram: Sequence[float] = evidence.get("hue_histogram", ())
    if not any(share > 0 for share in histogram):
        return None
    step = 360 / len(histogram)
    most = max(histogram)
    wedges = tuple(
        Wedge(_ring_piece(i * step, step, _INNER, _reach(share / most)), (i + 0.5) * step, share)
        for i, share in enumerate(histogram)
        if share / most >= _LEAST
    )
    sectors = tuple(
        _ring_piece(centre - width / 2, width, _INNER - 2, _OUTER + 4)
        for centre, width in evidence.get("sectors", ())
    )
    return HueWheel(
        template=str(evidence.get("template", "")),
        angle_deg=float(evidence.get("angle_deg", 0)) % 360,
        sectors=sectors,
        wedges=wedges,
        chromatic_share=evidence.get("chromatic_share"),
    )


def _reach(share: float) -> float:
    return sqrt(_INNER**2 + share * (_OUTER**2 - _INNER**2))
