"""Actions as what a mouse and a keyboard do, in order; what cannot be done is refused here."""

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from decklab.evals.desktop.actions import (
    Action,
    Button,
    Click,
    Drag,
    Keys,
    Move,
    Screenshot,
    Scroll,
    Type,
    Wait,
)
from decklab.evals.desktop.environment import ActionRefused
from decklab.evals.desktop.keys import character_key, chord

Event = list[Any]
"""One of those that ``guest_display.Input`` takes."""

_BUTTONS: Final[dict[Button, int]] = {"left": 1, "middle": 2, "right": 3}
_WHEEL_UP, _WHEEL_DOWN, _WHEEL_LEFT, _WHEEL_RIGHT = 4, 5, 6, 7
_DRAG_STEP = 12.0
_DRAG_PAUSE = 0.05
MOST_CHARACTERS: Final = 10_000
MOST_NOTCHES: Final = 100
LONGEST_WAIT: Final = 60.0
"""Limits of one action, ours."""


def input_events(action: Action, size: tuple[int, int]) -> list[Event]:
    """The events of an action on a screen of ``size``; raises ActionRefused where it is not one."""
    return list(_events(action, size))


def _events(action: Action, size: tuple[int, int]) -> Iterator[Event]:
    match action:
        case Screenshot():
            return
        case Click(x, y, button, count, keys):
            yield from _click(_point(x, y, size), button, count, keys)
        case Move(x, y):
            yield ["move", *_point(x, y, size)]
        case Drag(path):
            yield from _drag([_point(x, y, size) for x, y in path])
        case Scroll(x, y, down, right):
            yield from _scroll(_point(x, y, size), down, right)
        case Type(text):
            yield _typed(text)
        case Keys(keys):
            yield from _pressed(keys)
        case Wait(seconds):
            if not 0 <= seconds <= LONGEST_WAIT:
                raise ActionRefused(f"a wait is 0 to {LONGEST_WAIT:g} seconds, not {seconds:g}")
            yield ["wait", float(seconds)]


def _point(x: int, y: int, size: tuple[int, int]) -> tuple[int, int]:
    width, height = size
    if not (0 <= x < width and 0 <= y < height):
        raise ActionRefused(
            f"the point ({x}, {y}) is outside the screen, which is {width} x {height} pixels: "
            f"x is 0 to {width - 1}, y is 0 to {height - 1}"
        )
    return int(x), int(y)


def _click(point: tuple[int, int], button: Button, count: int, keys: str) -> Iterator[Event]:
    if button not in _BUTTONS:
        raise ActionRefused(f"no button is called {button!r}; buttons are: {', '.join(_BUTTONS)}")
    if not 1 <= count <= 3:
        raise ActionRefused(f"a click is 1 to 3 times, not {count}")
    held = chord(keys)
    yield ["move", *point]
    yield from (["down", key] for key in held)
    yield ["click", _BUTTONS[button], count]
    yield from (["up", key] for key in reversed(held))


def _drag(path: list[tuple[int, int]]) -> Iterator[Event]:
    if len(path) < 2:
        raise ActionRefused("a drag needs at least two points")
    yield ["move", *path[0]]
    yield ["press", 1]
    yield ["wait", _DRAG_PAUSE]
    for (x0, y0), (x1, y1) in pairwise(path):
        steps = max(3, math.ceil(math.dist((x0, y0), (x1, y1)) / _DRAG_STEP))
        for step in range(1, steps + 1):
            part = step / steps
            yield ["move", round(x0 + (x1 - x0) * part), round(y0 + (y1 - y0) * part)]
    yield ["wait", _DRAG_PAUSE]
    yield ["release", 1]


def _scroll(point: tuple[int, int], down: int, right: int) -> Iterator[Event]:
    if max(abs(down), abs(right)) > MOST_NOTCHES:
        raise ActionRefused(f"a scroll is at most {MOST_NOTCHES} notches each way")
    if not down and not right:
        raise ActionRefused("a scroll needs notches: down or right, negative for up or left")
    yield ["move", *point]
    for notches, back, forth in (
        (down, _WHEEL_UP, _WHEEL_DOWN),
        (right, _WHEEL_LEFT, _WHEEL_RIGHT),
    ):
        for _ in range(abs(notches)):
            yield ["press", forth if notches > 0 else back]
            yield ["release", forth if notches > 0 else back]


def _typed(text: str) -> Event:
    if not text:
        raise ActionRefused("there is no text to type")
    if len(text) > MOST_CHARACTERS:
        raise ActionRefused(f"at most {MOST_CHARACTERS} characters can be typed at once")
    return ["text", [character_key(character) for character in text.replace("\r\n", "\n")]]


def _pressed(keys: str) -> Iterator[Event]:
    held = chord(keys)
    if not held:
        raise ActionRefused("no key is named")
    yield from (["down", key] for key in held)
    yield from (["up", key] for key in reversed(held))
