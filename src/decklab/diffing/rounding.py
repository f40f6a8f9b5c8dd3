"""Differences too small to be seen, which come from the units that programs count in."""

from math import isclose
from typing import Any

from decklab.diffing.differences import Difference

_INVISIBLE = 0.05
"""Points: a twentieth, in which spacing of characters is counted. Ours."""
_DECIMALS = 1e-9
_STYLES = ("font.size", "font.spacing", "paragraph.", "body.inset")


def rounded(found: Difference) -> bool:
    """Whether both values are numbers, or distances in one unit, that look the same.

    >>> rounded(Difference("style", "body.inset_left", 7.2, 7.19))
    True
    >>> rounded(Difference("style", "font.size", 18.0, 18.5))
    False
    """
    if found.kind == "chart":
        return _same_numbers(found.old, found.new)
    if found.kind not in ("style", "layout", "master"):
        return False
    distance = found.property.startswith(_STYLES) or found.property.endswith("line.width")
    return distance and near(found.old, found.new, _INVISIBLE)


def _same_numbers(old: Any, new: Any) -> bool:
    """Whether two lists hold the same numbers but for the last digits of their decimals."""
    if not (isinstance(old, list) and isinstance(new, list) and len(old) == len(new)):
        return False
    return all(
        a == b or (_number(a) and _number(b) and isclose(a, b, rel_tol=_DECIMALS))
        for a, b in zip(old, new, strict=True)
    )


def near(old: Any, new: Any, far: float) -> bool:
    """Whether two numbers, distances in one unit, or lists of numbers are at most ``far`` apart,
    in points or px; shares a tenth of that.

    >>> near([10.0, 20.0], [10.04, 20.0], 0.05), near(True, 1, 0.05)
    (True, False)
    """
    if isinstance(old, dict) and isinstance(new, dict):
        far = far if old.get("unit") == "points" else far / 10
        return old.get("unit") == new.get("unit") and near(old.get("value"), new.get("value"), far)
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return all(near(a, b, far) for a, b in zip(old, new, strict=True))
    return _number(old) and _number(new) and abs(old - new) <= far


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
