"""Actions as what a mouse and a keyboard do, and names of keys as the numbers X11 knows them by.

Names and numbers are those of X11's ``keysymdef.h``; a character that has no key of its own is
0x01000000 plus its code point (X11 protocol, appendix A, "Unicode KEYSYMs").
"""

import math
import unicodedata
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import pairwise
from typing import Any, Final

from decklab.evals.desktop.environment import (
    Action,
    ActionRefused,
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

_MODIFIERS = {"shift": 0xFFE1, "ctrl": 0xFFE3, "alt": 0xFFE9, "super": 0xFFEB, "altgr": 0xFE03}
_NAMED = {
    "BackSpace": 0xFF08,
    "Tab": 0xFF09,
    "Return": 0xFF0D,
    "Pause": 0xFF13,
    "Scroll_Lock": 0xFF14,
    "Escape": 0xFF1B,
    "Home": 0xFF50,
    "Left": 0xFF51,
    "Up": 0xFF52,
    "Right": 0xFF53,
    "Down": 0xFF54,
    "Page_Up": 0xFF55,
    "Page_Down": 0xFF56,
    "End": 0xFF57,
    "Print": 0xFF61,
    "Insert": 0xFF63,
    "Menu": 0xFF67,
    "Num_Lock": 0xFF7F,
    "Caps_Lock": 0xFFE5,
    "Delete": 0xFFFF,
    "KP_Enter": 0xFF8D,
    "KP_Multiply": 0xFFAA,
    "KP_Add": 0xFFAB,
    "KP_Subtract": 0xFFAD,
    "KP_Decimal": 0xFFAE,
    "KP_Divide": 0xFFAF,
    **{f"KP_{digit}": 0xFFB0 + digit for digit in range(10)},
    **{f"F{number}": 0xFFBD + number for number in range(1, 13)},
}
_PUNCTUATION = {
    " !\"#$%&'()": "space exclam quotedbl numbersign dollar percent ampersand apostrophe parenleft"
    " parenright",
    "*+,-./:;<=>?@": "asterisk plus comma minus period slash colon semicolon less equal greater"
    " question at",
    "[\\]^_`{|}~": "bracketleft backslash bracketright asciicircum underscore grave braceleft bar"
    " braceright asciitilde",
}
_CHARACTERS = {
    name: character
    for characters, names in _PUNCTUATION.items()
    for character, name in zip(characters, names.split(), strict=True)
}
_OTHER_NAMES = {
    "ctrl": "control control_l control_r",
    "shift": "shift_l shift_r",
    "alt": "alt_l option",
    "altgr": "alt_r iso_level3_shift",
    "super": "super_l super_r meta cmd command win windows",
    "Return": "enter linefeed",
    "Escape": "esc",
    "Delete": "del",
    "Insert": "ins",
    "BackSpace": "back_space",
    "Left": "arrowleft left_arrow",
    "Right": "arrowright right_arrow",
    "Up": "arrowup up_arrow",
    "Down": "arrowdown down_arrow",
    "Page_Up": "pageup prior pgup",
    "Page_Down": "pagedown next pgdn",
    "Print": "printscreen print_screen",
    "Caps_Lock": "capslock",
    "space": "spacebar",
    "period": "dot",
    "minus": "dash hyphen",
    "apostrophe": "quote",
}
"""Names that providers of models and other systems give the same keys."""
_BY_NAME: dict[str, int] = {
    **_MODIFIERS,
    **{name.lower(): number for name, number in _NAMED.items()},
    **{name: ord(character) for name, character in _CHARACTERS.items()},
}
_BY_NAME |= {
    other: _BY_NAME[name.lower()]
    for name, others in _OTHER_NAMES.items()
    for other in others.split()
}
_SHOWN = [*_MODIFIERS, *_NAMED, *_CHARACTERS]
_LATIN_1 = (*range(0x20, 0x7F), *range(0xA0, 0x100))


def chord(text: str) -> list[int]:
    """The keysyms of a chord such as ``ctrl+shift+s``, in order; none for an empty text.

    Names are those of X11 in any case, besides usual others, such as ``Enter`` and ``ArrowUp``; a
    character stands for its own key. Raises ActionRefused, which lists the nearest names, for a key
    that does not exist.

    >>> [hex(key) for key in chord("ctrl+Return")]
    ['0xffe3', '0xff0d']
    >>> chord("cntrl+s")
    Traceback (most recent call last):
    decklab.evals.desktop.environment.ActionRefused: no key is called 'cntrl'; near: ctrl
    """
    if not text:
        return []
    names = text.split("+") if text != "+" else ["+"]
    if text.endswith("++"):  # the key of the character itself
        names[-2:] = ["+"]
    return [_key(name.strip() or name) for name in names]


def _key(name: str) -> int:
    if len(name) == 1 and name != "\n":
        return character_key(name.lower() if name.isascii() else name)
    found = _BY_NAME.get(name.lower())
    if found is not None:
        return found
    near = {_BY_NAME[one] for one in get_close_matches(name.lower(), _BY_NAME, n=4, cutoff=0.5)}
    told = ", ".join(shown for shown in _SHOWN if _BY_NAME[shown.lower()] in near)
    hint = f"near: {told}" if told else f"keys are: {', '.join(_SHOWN)}, and any character"
    raise ActionRefused(f"no key is called {name!r}; {hint}")


def character_key(character: str) -> int:
    """The keysym of one character of a text; a line break is Return, a tab Tab.

    Raises ActionRefused for other control characters.
    """
    if character in "\r\n":
        return _NAMED["Return"]
    if character == "\t":
        return _NAMED["Tab"]
    if unicodedata.category(character) in ("Cc", "Cs"):
        code = f"U+{ord(character):04X}"
        raise ActionRefused(f"the control character {code} cannot be typed; use keys instead")
    code_point = ord(character)
    return code_point if code_point in _LATIN_1 else 0x01000000 + code_point


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
    """The events of an action on a screen of ``size``; raises ActionRefused if it is not one."""
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
