"""Finds which shapes of two slides correspond; likeness of shapes and texts."""

from collections.abc import Iterator, Sequence
from math import exp, hypot
from typing import Any

from decklab.diffing.match.sequences import best_pairs, overlap, pair_equal, words_of

GATE = 0.44
"""Score below which two shapes do not correspond. Ours."""
_TEXT, _PLACED, _NAMED, _ROLE = 0.45, 0.35, 0.1, 0.1
"""Weights of text, place, name and placeholder; they sum to 1. Ours."""
_SAME_ID = 0.35
"""Added if trusted ids are equal: with an equal name it suffices for a shape of which all else
changed."""
_SAME_CREATION = 0.3
_TRUSTED = 0.5
"""Share of equal ids whose content or name must be equal too for ids to be trusted. Ours."""
_WITHOUT_TEXT = 0.3
"""Likeness of two shapes without text whose outlines differ. Ours."""

Shape = dict[str, Any]
Indexed = dict[int, Shape]


def match_shapes(before: Sequence[Shape], after: Sequence[Shape]) -> list[tuple[int, int]]:
    """Pairs of indexes, in the order of ``after``; pairs are always of one kind.

    Shapes with equal content, place and id or name are paired first; the rest by the best
    assignment of similar ones.
    """
    left, right = dict(enumerate(before)), dict(enumerate(after))
    trust = _trust(before, after)
    keys = (_identity, *((_known,) if trust else ()), _look)
    pairs = [pair for key in keys for pair in pair_equal(left, right, key)]
    pairs += _by_likeness(left, right, trust)
    return sorted(pairs, key=lambda pair: pair[1])


def _identity(shape: Shape) -> Any:
    return (*_look(shape), shape.get("id"), shape.get("name"))


def _known(shape: Shape) -> Any:
    """Key that pairs shapes of equal look by id (mirrored groups); by place for groups and shapes
    without id."""
    place = () if shape.get("id") and shape["kind"] != "group" else box_of(shape)
    return (shape["kind"], shape["content"], shape.get("id"), shape.get("name"), place)


def _look(shape: Shape) -> Any:
    return (shape["kind"], shape["content"], box_of(shape))


def _trust(before: Sequence[Shape], after: Sequence[Shape]) -> bool:
    by_id = {shape["id"]: shape for shape in before if shape.get("id")}
    shared = [(by_id[shape["id"]], shape) for shape in after if shape.get("id") in by_id]
    agree = sum(
        a["kind"] == b["kind"]
        and (a.get("name") == b.get("name") or (a["content"] == b["content"] and bool(_words(a))))
        for a, b in shared
    )
    return bool(shared) and agree / len(shared) >= _TRUSTED


def _words(shape: Shape) -> Any:
    return words_of(shape_text(shape))


def _by_likeness(left: Indexed, right: Indexed, trust: bool) -> list[tuple[int, int]]:
    old, new = list(left), list(right)
    words = {id(shape): _words(shape) for shape in (*left.values(), *right.values())}

    def score(a: Shape, b: Shape) -> float:
        if a["kind"] != b["kind"]:
            return 0.0
        likeness = _likeness(a, b, overlap(words[id(a)], words[id(b)]), bool(words[id(a)]))
        return likeness + _bonus(a, b, trust)

    scores = [[score(left[i], right[j]) for j in new] for i in old]
    return [(old[i], new[j]) for i, j in best_pairs(scores, GATE)]


def _likeness(a: Shape, b: Shape, words: float, has_text: bool) -> float:
    if a["content"] == b["content"]:
        text = 1.0
    elif has_text or words < 1.0:
        text = words
    else:
        text = _WITHOUT_TEXT if a["kind"] == "shape" else 0.0
    return float(
        _TEXT * text
        + _PLACED * nearness(box_of(a), box_of(b))
        + _NAMED * (a.get("name") == b.get("name"))
        + _ROLE * (_role(a) == _role(b))
    )


def _role(shape: Shape) -> Any:
    """The type of a placeholder; its index may change like an id."""
    return shape.get("placeholder", {}).get("type")


def _bonus(a: Shape, b: Shape, trust: bool) -> float:
    creation = a.get("creation_id"), b.get("creation_id")
    if creation[0] and creation[0] == creation[1]:
        return _SAME_CREATION + _SAME_ID * (a.get("id") == b.get("id"))
    return _SAME_ID if trust and a.get("id") and a.get("id") == b.get("id") else 0.0


_REACH = 200.0
"""Px over which nearness falls to 37 %: about a fifth of the slide's width. Ours."""

Box = tuple[float, float, float, float]


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
    """All text of a snapshot's shape: its own without fields, or that of its cells or nodes."""
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
