"""Whether two changes end in the same thing, small differences of measure aside."""

from typing import Any, Final

from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH

TOLERANCE: Final = 0.01
"""Sizes, lengths and times may be off by 1 % (paper 003, listing 4), places by 1 % of the frame's
side and colours by 1 % of a channel's range (both ours: what is measured from the left edge or
from black has no size that a share could be taken of)."""
_PIXEL = 1.0
"""Px by which the width or height of something small may be off. Ours."""
_CHANNEL = 255 * TOLERANCE
_EXACT: Final = 1e-6
"""Share by which data may be off: a chart's numbers are no measures. Ours."""
_IGNORED = frozenset({"name", "id", "creation_id"})
"""What an editor is free to choose of something it adds."""
_COUNTED = frozenset({"slide", "z-order", "section", "chart", "table"})
"""Kinds of changes whose numbers count or are data."""
_SIDES = {"x": FRAME_WIDTH, "y": FRAME_HEIGHT, "x1": FRAME_WIDTH, "y1": FRAME_HEIGHT,
          "x2": FRAME_WIDTH, "y2": FRAME_HEIGHT}  # fmt: skip


def alike(one: Any, other: Any, *, kind: str = "style", key: str = "") -> bool:
    """Whether two values that something was changed to are the same for people.

    ``kind`` and ``key`` are a change's kind and property, or the name of a value inside one: they
    say what a number measures. Texts are compared with white space as one space.

    >>> alike(18.0, 18.1), alike(18.0, 18.5)
    (True, False)
    >>> alike("#137A8B", "#147A8B"), alike([100.0, 50.0], [105.0, 50.0], key="position")
    (True, True)
    >>> alike([1000.0], [1001.0], kind="chart", key="values")
    False
    """
    if isinstance(one, bool) or isinstance(other, bool) or one is None or other is None:
        return one == other and isinstance(one, bool) == isinstance(other, bool)
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= _leeway(max(abs(one), abs(other)), kind, key)
    if isinstance(one, str) and isinstance(other, str):
        return _same_text(one, other)
    if isinstance(one, dict) and isinstance(other, dict):
        keys = (one.keys() | other.keys()) - (_IGNORED if kind == "added" else frozenset())
        return all(alike(one.get(name), other.get(name), kind=kind, key=name) for name in keys)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(
            alike(a, b, kind=kind, key=name)
            for a, b, name in zip(one, other, _names(key, len(one)), strict=True)
        )
    return bool(one == other)


def _names(key: str, count: int) -> tuple[str, ...]:
    """What the numbers of a list measure."""
    sides = {"position": ("x", "y"), "size": ("w", "h")}.get(key, ())
    return sides if len(sides) == count else (key,) * count


def _leeway(size: float, kind: str, key: str) -> float:
    if kind in _COUNTED:
        return size * _EXACT
    if key in _SIDES:
        return _SIDES[key] * TOLERANCE
    if key in ("w", "h"):
        return max(size * TOLERANCE, _PIXEL)
    return size * TOLERANCE


def _same_text(one: str, other: str) -> bool:
    if one == other:
        return True
    channels = _channels(one), _channels(other)
    if channels[0] and channels[1]:
        return all(abs(a - b) <= _CHANNEL for a, b in zip(*channels, strict=True))
    return " ".join(one.split()) == " ".join(other.split())


def _channels(text: str) -> tuple[int, ...]:
    """Of ``#RRGGBB``; nothing for other texts."""
    if len(text) != 7 or not text.startswith("#"):
        return ()
    try:
        return tuple(int(text[at : at + 2], 16) for at in (1, 3, 5))
    except ValueError:
        return ()
