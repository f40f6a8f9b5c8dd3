"""Which shape of the newer slide is which of the older."""

from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from decklab.diffing.matching.likeness import (
    best_pairs,
    box_of,
    nearness,
    overlap,
    shape_text,
    words_of,
)

GATE = 0.44
"""Below it two shapes are taken for different ones. Ours."""
_SAID, _PLACED, _NAMED, _ROLE = 0.45, 0.35, 0.1, 0.1
"""Weights of content, place, name and placeholder; they sum to 1. Ours."""
_SAME_ID = 0.35
"""Added where ids agree and mean something: with the name enough for a shape of which all else
changed."""
_SAME_CREATION = 0.3
_TRUSTED = 0.5
"""Share of equal ids that must go with equal content or name for ids to count at all. Ours."""
_SILENT = 0.3
"""Likeness of two shapes without text whose outlines differ. Ours."""

Shape = dict[str, Any]
Indexed = dict[int, Shape]


def match_shapes(before: Sequence[Shape], after: Sequence[Shape]) -> list[tuple[int, int]]:
    """Pairs of indexes, in the order of ``after``; pairs are always of one kind.

    Shapes that agree in content, place and id or name are paired first; the rest by the best
    assignment of what is alike.
    """
    left, right = dict(enumerate(before)), dict(enumerate(after))
    pairs: list[tuple[int, int]] = []
    trust = _trust(before, after)
    for key in (_identity, *((_known,) if trust else ()), _look):
        for i, j in _in_order(left, right, key):
            pairs.append((i, j))
            del left[i], right[j]
    pairs += _by_likeness(left, right, trust)
    return sorted(pairs, key=lambda pair: pair[1])


def _identity(shape: Shape) -> Any:
    return (*_look(shape), shape.get("id"), shape.get("name"))


def _known(shape: Shape) -> Any:
    """Of shapes that look alike, such as members of a group that was mirrored, ids tell which is
    which; those without one, and groups, are told by their look."""
    place = () if shape.get("id") and shape["kind"] != "group" else box_of(shape)
    return (shape["kind"], shape["content"], shape.get("id"), shape.get("name"), place)


def _look(shape: Shape) -> Any:
    return (shape["kind"], shape["content"], box_of(shape))


def _in_order(left: Indexed, right: Indexed, key: Callable[[Shape], Any]) -> list[tuple[int, int]]:
    waiting: dict[Any, deque[int]] = defaultdict(deque)
    for i, shape in left.items():
        waiting[key(shape)].append(i)
    return [
        (waiting[found].popleft(), j)
        for j, shape in right.items()
        if waiting.get(found := key(shape))
    ]


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
    said = {id(shape): _words(shape) for shape in (*left.values(), *right.values())}
    scores = np.zeros((len(old), len(new)))
    for row, i in enumerate(old):
        for column, j in enumerate(new):
            a, b = left[i], right[j]
            if a["kind"] == b["kind"]:
                alike = _alike(a, b, overlap(said[id(a)], said[id(b)]), bool(said[id(a)]))
                scores[row, column] = alike + _bonus(a, b, trust)
    return [(old[i], new[j]) for i, j in best_pairs(old, new, scores, GATE)]


def _alike(a: Shape, b: Shape, words: float, speaks: bool) -> float:
    if a["content"] == b["content"]:
        said = 1.0
    elif speaks or words < 1.0:
        said = words
    else:
        said = _SILENT if a["kind"] == "shape" else 0.0
    return float(
        _SAID * said
        + _PLACED * nearness(box_of(a), box_of(b))
        + _NAMED * (a.get("name") == b.get("name"))
        + _ROLE * (_role(a) == _role(b))
    )


def _role(shape: Shape) -> Any:
    """Indexes of placeholders are ids, and as such change."""
    return shape.get("placeholder", {}).get("type")


def _bonus(a: Shape, b: Shape, trust: bool) -> float:
    creation = a.get("creation_id"), b.get("creation_id")
    if creation[0] and creation[0] == creation[1]:
        return _SAME_CREATION + _SAME_ID * (a.get("id") == b.get("id"))
    return _SAME_ID if trust and a.get("id") and a.get("id") == b.get("id") else 0.0
