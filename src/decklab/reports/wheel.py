"""The hue wheel of a slide: its hues around a circle, over the sectors of the best template."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, radians, sin, sqrt
from typing import Any

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
    """What a wheel shows. ``sectors`` are paths; a sector may go all the way round."""

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
    """The wheel from the evidence of ``harmony.distance_deg``; None where it holds no hues.

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
