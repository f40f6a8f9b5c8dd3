"""How alike two things are, from 0 to 1."""

import re
from collections import Counter
from collections.abc import Iterator, Sized
from math import exp, hypot
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

_WORD = re.compile(r"\w+")
_REACH = 200.0
"""Px over which nearness falls to 37 %: about a fifth of the slide's width. Ours."""

Box = tuple[float, float, float, float]


def words_of(text: str) -> Counter[str]:
    """The words of a text, in one case, counted."""
    return Counter(_WORD.findall(text.casefold()))


def overlap(a: Counter[Any], b: Counter[Any]) -> float:
    """Dice's coefficient of two multisets; 1 where both are empty.

    >>> overlap(Counter("aab"), Counter("abc"))
    0.6666666666666666
    """
    total = a.total() + b.total()
    if not total:
        return 1.0
    small, large = (a, b) if len(a) < len(b) else (b, a)
    common = sum(min(count, large[item]) for item, count in small.items() if item in large)
    return 2 * common / total


def box_of(shape: dict[str, Any]) -> Box:
    """Left, top, width and height of a snapshot's shape; of a line its bounds."""
    if "x1" in shape or "x2" in shape or "y1" in shape or "y2" in shape:
        x1, x2 = shape.get("x1", 0.0), shape.get("x2", 0.0)
        y1, y2 = shape.get("y1", 0.0), shape.get("y2", 0.0)
        return min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1)
    return shape.get("x", 0.0), shape.get("y", 0.0), shape.get("w", 0.0), shape.get("h", 0.0)


def nearness(a: Box, b: Box) -> float:
    """1 for equal boxes, less with the distance of their centres and the difference in size."""
    if a == b:
        return 1.0
    away = hypot(a[0] + a[2] / 2 - b[0] - b[2] / 2, a[1] + a[3] / 2 - b[1] - b[3] / 2)
    grown = abs(a[2] - b[2]) + abs(a[3] - b[3])
    return exp(-(away + grown / 2) / _REACH)


def shape_text(shape: dict[str, Any]) -> str:
    """All text of a snapshot's shape: its own, fields aside, or that of its cells or nodes."""
    return "\n".join(_texts(shape))


def _texts(shape: dict[str, Any]) -> Iterator[str]:
    for paragraph in shape.get("text", {}).get("paragraphs", ()):
        yield "".join(run["text"] for run in paragraph.get("runs", ()) if "field" not in run)
    for row in shape.get("table", {}).get("cells", ()):
        yield from row
    for node in shape.get("diagram", {}).get("nodes", ()):
        yield node.get("text", "")
    chart = shape.get("chart", {})
    yield chart.get("title") or ""
    for series in chart.get("series", ()):
        yield series.get("name") or ""
    yield shape.get("other", {}).get("text", "")


def best_pairs(
    old: Sized, new: Sized, scores: NDArray[np.float64], gate: float
) -> list[tuple[int, int]]:
    """The one-to-one pairs of indexes with the highest sum of scores, none of them below ``gate``.

    Ties go to pairs that stand alike in their lists.
    """
    if not len(old) or not len(new):
        return []
    rows, columns = np.indices(scores.shape)
    askew = np.abs(rows / len(old) - columns / len(new)) * 1e-6
    worth = np.where(scores >= gate, scores - askew, 0.0)
    found = zip(*linear_sum_assignment(-worth), strict=True)
    return [(int(i), int(j)) for i, j in found if scores[i, j] >= gate]
