"""Guides of a freeform: named lengths worked out by formulas (ISO/IEC 29500-1, 20.1.9.11)."""

from collections.abc import Callable, Mapping, Sequence
from math import atan2, cos, hypot, isfinite, radians, sin, sqrt, tan

from decklab.ooxml.names import qn
from decklab.ooxml.parsing import Element
from decklab.ooxml.units import parse_int

__all__ = ["Guides", "adjustments_of", "read_guides"]

_ANGLE_UNIT = 60_000  # ST_Angle counts 60,000ths of a degree
_FULL_TURN = 360 * _ANGLE_UNIT

Guides = Mapping[str, float]
"""Guide name to value: lengths in EMU of the shape's own size, angles in 60,000ths."""


def adjustments_of(geometry: Element | None) -> dict[str, int]:
    """The adjustments that a shape sets of its preset, by guide name."""
    found: dict[str, int] = {}
    for guide in () if geometry is None else geometry.iterfind(f"{qn('a:avLst')}/{qn('a:gd')}"):
        words = (guide.get("fmla") or "").split()
        value = parse_int(words[1]) if len(words) == 2 and words[0] == "val" else None
        name = guide.get("name")
        if name and value is not None:
            found[name] = value
    return found


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
    words = formula.split()
    if not words or words[0] not in _FORMULAS:
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
"""Number of operands and what comes of them."""
