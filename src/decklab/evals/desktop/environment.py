"""Interface of every screen to an agent, and the actions of an agent there: as values, as what a
mouse and a keyboard do, and between the screen and what a model sees of it.

Paper 001, section 3: mouse, keyboard, waiting and looking. Each action is a frozen value, so that
a list of them is a script and a record of them can be played again.

Names and numbers are those of X11's ``keysymdef.h``; a character that has no key of its own is
0x01000000 plus its code point (X11 protocol, appendix A, "Unicode KEYSYMs").
"""

import math
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal, Protocol

from PIL import Image

from decklab.core.errors import DecklabError

Button = Literal["left", "middle", "right", "back", "forward"]


@dataclass(frozen=True)
class Screenshot:
    """Look, and do nothing."""


@dataclass(frozen=True)
class Click:
    """Press and release a button at a point, ``count`` times (1 to 3), while ``keys`` are held."""

    x: int
    y: int
    button: Button = "left"
    count: int = 1
    keys: str = ""


@dataclass(frozen=True)
class Press:
    """Press a button at a point and hold it; not ``down``: let it go there."""

    x: int
    y: int
    button: Button = "left"
    down: bool = True


@dataclass(frozen=True)
class Move:
    """Put the pointer on a point."""

    x: int
    y: int


@dataclass(frozen=True)
class Drag:
    """Press the left button at the first point, move through the others, release at the last."""

    path: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Scroll:
    """Turn the wheel at a point; positive ``down`` and ``right`` are notches that way."""

    x: int
    y: int
    down: int = 0
    right: int = 0


@dataclass(frozen=True)
class Type:
    """Type any Unicode text; a line break is the key Return, a tab the key Tab."""

    text: str


@dataclass(frozen=True)
class Keys:
    """Press keys together, such as ``ctrl+shift+s`` or ``Return``; names are those of X11."""

    chord: str


@dataclass(frozen=True)
class Hold:
    """Press keys and hold them, for some ``seconds`` or, without any, until they are let go by
    the same action that is not ``down``."""

    chord: str
    seconds: float | None = None
    down: bool = True


@dataclass(frozen=True)
class Wait:
    """Do nothing for some seconds, then look."""

    seconds: float = 1.0


Action = Screenshot | Click | Press | Move | Drag | Scroll | Type | Keys | Hold | Wait

Ended = Literal["editor", "display", "browser", "agent"]


class EnvironmentFailed(DecklabError):
    """The screen, or the editor on it, ended or does not answer; never the agent's failure.

    ``ended`` says which of them, ``saved`` the deck as it was last saved, if it can be read.
    """

    def __init__(self, ended: Ended, detail: str, saved: Path | None = None) -> None:
        self.ended, self.detail, self.saved = ended, detail, saved
        super().__init__(f"the {ended} ended: {detail}")


class ActionRefused(DecklabError):
    """An action that cannot be done, such as a point outside the screen or a key that does not
    exist; the text tells the agent what to do instead. It costs a step.
    """


@dataclass(frozen=True)
class Closed:
    """Deck that a closed screen leaves, in its own format, and whether it has the last change."""

    deck: Path
    saved: bool
    note: str = ""


class Environment(Protocol):
    """A screen with a deck open in an editor. A context manager: leaving it ends everything."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels; actions and pictures are in these."""

    def screenshot(self) -> Image.Image:
        """The screen as it is, RGB, without the pointer. Raises EnvironmentFailed."""

    def act(self, action: Action) -> Image.Image:
        """Do it, wait until the screen settles or a deadline passes, and give the new picture.

        Raises ActionRefused if it cannot be done, EnvironmentFailed if the editor ended.
        """

    def accessible_text(self) -> str | None:
        """The accessibility tree as text, a control a line; None if the screen has none."""

    def close(self) -> Closed:
        """Save the deck, close the editor and give what it left. Raises EnvironmentFailed."""


LONGEST_SIDE: Final = 1280
"""Pixels of the longer side of the picture that a model sees, unless told otherwise. Ours: models
see details of larger pictures no better, for providers make them smaller themselves."""
_MARGIN: Final = (128, 128, 128)
Pixel = tuple[int, int]


@dataclass(frozen=True)
class PictureScale:
    """How a screen is shown to a model, and where a point of the picture is on the screen.

    ``screen`` and ``picture`` are sizes in pixels. The screen is in the upper left of the picture,
    ``factor`` times as large. With ``thousandths`` the model tells points in thousandths of the
    picture's sides, as some open models have learnt to.
    """

    screen: Pixel
    picture: Pixel
    factor: float = 1.0
    thousandths: bool = False

    def shown(self, screen: Image.Image) -> Image.Image:
        """The picture that a model sees of a screen; RGB."""
        size = _scaled(self.screen, self.factor)
        small = screen if screen.size == size else screen.resize(size, Image.Resampling.LANCZOS)
        if size == self.picture:
            return small
        framed = Image.new("RGB", self.picture, _MARGIN)
        framed.paste(small, (0, 0))
        return framed

    def point(self, point: Any) -> Pixel:
        """The pixel of the screen for a point as a model gives it.

        It may be a list of two numbers, a text such as ``640, 400``, or an object with x and y.
        Raises ActionRefused if it is none of these, or not on the screen.
        """
        x, y = _pair(point)
        width, height = (1000, 1000) if self.thousandths else _scaled(self.screen, self.factor)
        if not (0 <= x < width and 0 <= y < height):
            raise ActionRefused(
                f"the point {x:g}, {y:g} is not on the screen: x goes from 0 to {width - 1}, "
                f"y from 0 to {height - 1}"
            )
        if self.thousandths:
            x, y = x * self.picture[0] / 1000, y * self.picture[1] / 1000
        # The middle of the picture's pixel, so that the ways there and back agree.
        across, down = (x + 0.5) / self.factor, (y + 0.5) / self.factor
        return min(int(across), self.screen[0] - 1), min(int(down), self.screen[1] - 1)

    def to_model(self, x: float, y: float) -> Pixel:
        """A point of the screen in the model's units."""
        across, down = x * self.factor, y * self.factor
        if self.thousandths:
            across, down = 1000 * across / self.picture[0], 1000 * down / self.picture[1]
        return int(across), int(down)

    def words(self) -> str:
        """The form of points, in words for the model."""
        if self.thousandths:
            return "Points are thousandths of the picture: x and y from 0 to 999."
        width, height = _scaled(self.screen, self.factor)
        return (
            f"Points are pixels of the picture: x from 0 to {width - 1}, y from 0 to {height - 1}, "
            "from the upper left."
        )


def picture_scale(
    screen: Pixel,
    *,
    longest: int = LONGEST_SIDE,
    frame: Pixel | None = None,
    thousandths: bool = False,
) -> PictureScale:
    """The scale at which a screen fits in a picture; it is never enlarged.

    The picture's longer side has at most ``longest`` pixels. With ``frame`` the picture has that
    size in any case, with a grey margin at the right or below: a provider's own ``computer`` tool
    may assume one size.

    >>> picture_scale((1920, 1080)).picture, picture_scale((1280, 800), frame=(1366, 768)).factor
    ((1280, 720), 0.96)
    """
    width, height = frame or (longest, longest)
    factor = min(1.0, width / screen[0], height / screen[1])
    return PictureScale(screen, frame or _scaled(screen, factor), factor, thousandths)


def _scaled(size: Pixel, factor: float) -> Pixel:
    return max(1, round(size[0] * factor)), max(1, round(size[1] * factor))


def _pair(value: Any) -> tuple[float, float]:
    """Two numbers in any of the forms of a point."""
    numbers: Sequence[Any] = ()
    if isinstance(value, Mapping):
        numbers = [value.get("x"), value.get("y")]
    elif isinstance(value, str):
        numbers = value.strip().strip("[]()").replace(",", " ").split()
    elif isinstance(value, list | tuple):
        numbers = value
    if len(numbers) == 2:
        try:
            x, y = (float(number) for number in numbers if not isinstance(number, bool))
            return x, y
        except (TypeError, ValueError):
            pass
    raise ActionRefused(f"{_short(value)} is no point; write two numbers, such as [640, 400]")


def _short(value: Any) -> str:
    text = " ".join(str(value).split()) if value is not None else "nothing"
    return text if len(text) <= 60 else text[:59] + "…"


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
    "ctrl": "control control_l control_r ctrlleft ctrlright",
    "shift": "shift_l shift_r shiftleft shiftright",
    "alt": "alt_l option altleft optionleft",
    "altgr": "alt_r iso_level3_shift altright optionright",
    "super": "super_l super_r meta cmd command win winleft winright windows",
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
    "Print": "printscreen print_screen prntscrn prtsc prtscr",
    "Menu": "apps",
    "Caps_Lock": "capslock",
    "Num_Lock": "numlock",
    "Scroll_Lock": "scrolllock",
    "KP_Add": "add",
    "KP_Subtract": "subtract",
    "KP_Multiply": "multiply",
    "KP_Divide": "divide",
    "KP_Decimal": "decimal",
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
_BY_NAME |= {f"num{digit}": _NAMED[f"KP_{digit}"] for digit in range(10)}
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
    if (key := _BY_NAME.get(name.lower())) is not None:
        return key
    near = {
        _BY_NAME[likely] for likely in get_close_matches(name.lower(), _BY_NAME, n=4, cutoff=0.5)
    }
    names = ", ".join(shown for shown in _SHOWN if _BY_NAME[shown.lower()] in near)
    hint = f"near: {names}" if names else f"keys are: {', '.join(_SHOWN)}, and any character"
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

_BUTTONS: Final[dict[Button, int]] = {"left": 1, "middle": 2, "right": 3, "back": 8, "forward": 9}
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
        case Press(x, y, button, down):
            yield ["move", *_point(x, y, size)]
            yield ["press" if down else "release", _button(button)]
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
        case Hold(keys, seconds, down):
            yield from _held(keys, seconds, down=down)
        case Wait(seconds):
            yield _waited(seconds)


def _button(button: Button) -> int:
    if button not in _BUTTONS:
        raise ActionRefused(f"no button is called {button!r}; buttons are: {', '.join(_BUTTONS)}")
    return _BUTTONS[button]


def _waited(seconds: float) -> Event:
    if not 0 <= seconds <= LONGEST_WAIT:
        raise ActionRefused(f"a wait is 0 to {LONGEST_WAIT:g} seconds, not {seconds:g}")
    return ["wait", float(seconds)]


def _point(x: int, y: int, size: tuple[int, int]) -> tuple[int, int]:
    width, height = size
    if not (0 <= x < width and 0 <= y < height):
        raise ActionRefused(
            f"the point ({x}, {y}) is outside the screen, which is {width} x {height} pixels: "
            f"x is 0 to {width - 1}, y is 0 to {height - 1}"
        )
    return int(x), int(y)


def _click(point: tuple[int, int], button: Button, count: int, keys: str) -> Iterator[Event]:
    if not 1 <= count <= 3:
        raise ActionRefused(f"a click is 1 to 3 times, not {count}")
    held = chord(keys)
    yield ["move", *point]
    yield from (["down", key] for key in held)
    yield ["click", _button(button), count]
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
    yield from _held(keys, None, down=True)
    yield from _held(keys, None, down=False)


def _held(keys: str, seconds: float | None, *, down: bool) -> Iterator[Event]:
    if not (held := chord(keys)):
        raise ActionRefused("no key is named")
    if down:
        yield from (["down", key] for key in held)
    if seconds is not None:
        yield _waited(seconds)
    if seconds is not None or not down:
        yield from (["up", key] for key in reversed(held))
