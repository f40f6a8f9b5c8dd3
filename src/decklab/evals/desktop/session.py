"""One run of an agent on a screen: its calls are read as actions, bounded, counted and written
down, with the pictures of the screen.

The names of calls are those of Inspect AI's ``computer`` tool, into which it turns the calls of
providers with a tool of their own. A script of actions is a list of such calls, too.

The file of the screen is an X window dump (X11 ``XWDFile.h``, version 7): a header of 32-bit
numbers, the colour table, then the pixels, here 32 bits each: blue, green, red and one unused byte.
"""

import json
import re
import struct
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from PIL import Image

from decklab.core.options import EditLimits
from decklab.evals.desktop.environment import (
    LONGEST_WAIT,
    Action,
    ActionRefused,
    Button,
    Click,
    Drag,
    Environment,
    EnvironmentFailed,
    Hold,
    Keys,
    Move,
    PictureScale,
    Pixel,
    Press,
    Screenshot,
    Scroll,
    Type,
    Wait,
    chord,
)
from decklab.evals.desktop.trajectory import RunEnding, TrajectoryWriter, usage_fields
from decklab.models.asking import NO_USAGE, Usage
from decklab.models.model_run import Turn

_MAC: Final = re.compile(r"(?<![^+])(cmd|command)(?![^+])", re.IGNORECASE)
_MOST_REPEATS: Final = 100
_MOST_CLICKS: Final = 3
_MOST_NOTCHES: Final = 50
_USUAL_NOTCHES: Final = 3
_CLICKS: Final[Mapping[str, tuple[Button, int]]] = {
    "left_click": ("left", 1), "right_click": ("right", 1), "middle_click": ("middle", 1),
    "double_click": ("left", 2), "triple_click": ("left", 3),
    "back_click": ("back", 1), "forward_click": ("forward", 1),
}  # fmt: skip
_PRESSES: Final[Mapping[str, tuple[Button, bool]]] = {
    f"{button}_mouse_{way}": (button, way == "down")
    for button in ("left", "middle", "right") for way in ("down", "up")
}  # fmt: skip
_ALSO: Final = {
    "click": "left_click", "tap": "left_click", "move": "mouse_move", "drag": "left_click_drag",
    "hotkey": "key", "keypress": "key", "press": "key", "press_key": "key", "type_text": "type",
    "write": "type", "sleep": "wait",
}  # fmt: skip
"""Names that open models give some of the actions."""
_NOT_HERE: Final = ("open_web_browser", "navigate")
_ARGUMENTS: Final = (
    "action", "coordinate", "start_coordinate", "text", "duration", "scroll_direction",
    "scroll_amount", "region", "repeat", "press_enter", "actions",
)  # fmt: skip
"""Those of Inspect AI's tool, by which it knows the tool again."""
_ALSO_ARGUMENTS: Final = ("x", "y", "path", "keys", "thought", "seconds", "direction", "amount")


@dataclass(frozen=True)
class ReadCall:
    """Actions of one call in their order, and where it ends.

    ``region`` is the part of the screen to look at closely: left, top, right, bottom. ``pointer``
    is where the pointer is afterwards, or None if it was not moved yet.
    """

    actions: tuple[Action, ...]
    pointer: Pixel | None = None
    region: tuple[int, int, int, int] | None = None


def calls_in(arguments: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """The single calls in the arguments of the tool: one provider sends lists of them.

    Raises ActionRefused if there is none.
    """
    if (several := arguments.get("actions")) is None:
        return (arguments,)
    if not isinstance(several, list) or not all(isinstance(value, Mapping) for value in several):
        raise ActionRefused("actions is a list of objects, each with an action")
    if not several:
        raise ActionRefused("actions is empty; it needs at least one")
    return tuple(several)


def read_call(
    call: Mapping[str, Any], scale: PictureScale, pointer: Pixel | None = None
) -> ReadCall:
    """Read one call, in pixels of the screen; ``pointer`` is where the pointer is.

    Raises ActionRefused, with one line that names the allowed values, if it cannot be done.
    """
    given = {name: value for name, value in call.items() if value is not None}
    _check_names(given)
    action = given.get("action")
    name = _ALSO.get(action, action) if isinstance(action, str) else ""
    if name in _NOT_HERE:
        raise ActionRefused(f"{name} cannot be done here: the program is open already")
    if (reader := _READERS.get(name)) is None:
        raise ActionRefused(_unknown(action))
    return reader(_Call(name, given, scale, pointer))


def chords_of(text: str) -> tuple[str, ...]:
    """The chords that a text names, with spaces between them; each is known to ``keys.chord``.

    ``cmd`` is ctrl: models that learnt on a Mac save with cmd+s. Raises ActionRefused for keys that
    do not exist.

    >>> chords_of("ctrl+shift+S"), chords_of("cmd+a ENTER"), chords_of(" ")
    (('ctrl+shift+S',), ('ctrl+a', 'ENTER'), ('space',))
    """
    chords = text.split() or ["space"]
    keys = tuple(_MAC.sub("ctrl", key) for key in chords)
    for key in keys:
        chord(key)
    return keys


def call_of(action: Action) -> dict[str, Any]:
    """An action as a call of the tool, with points in pixels of the screen, for scripts and
    trajectories; ``read_call`` reads it again.

    >>> call_of(Click(10, 20, count=2)), call_of(Keys("ctrl+s"))
    ({'action': 'double_click', 'coordinate': [10, 20]}, {'action': 'key', 'text': 'ctrl+s'})
    """
    match action:
        case Click(x, y, button, count, keys):
            name = next((word for word, how in _CLICKS.items() if how == (button, count)), "")
            more: dict[str, Any] = {"text": keys} if keys else {}
            if not name:
                name, more["repeat"] = f"{button}_click", count
            return {"action": name, "coordinate": [x, y], **more}
        case Press(x, y, button, down):
            name = f"{button}_mouse_{'down' if down else 'up'}"
            return {"action": name, "coordinate": [x, y]}
        case Move(x, y):
            return {"action": "mouse_move", "coordinate": [x, y]}
        case Drag(path):
            return {"action": "left_click_drag", "path": [list(point) for point in path]}
        case Scroll(x, y, down, right):
            way = ("down" if down > 0 else "up") if down else "right" if right > 0 else "left"
            amount = abs(down or right)
            return {"action": "scroll", "coordinate": [x, y], "scroll_direction": way,
                    "scroll_amount": amount}  # fmt: skip
        case Type(text):
            return {"action": "type", "text": text}
        case Keys(chord):
            return {"action": "key", "text": chord}
        case Hold(chord, None, down):
            return {"action": "key_down" if down else "key_up", "text": chord}
        case Hold(chord, seconds):
            return {"action": "hold_key", "text": chord, "duration": seconds}
        case Wait(seconds):
            return {"action": "wait", "duration": seconds}
    return {"action": type(action).__name__.lower(), **asdict(action)}


@dataclass(frozen=True)
class _Call:
    name: str
    given: Mapping[str, Any]
    scale: PictureScale
    pointer: Pixel | None

    def point(self, argument: str = "coordinate") -> Pixel:
        """A point of the call, or the pointer's."""
        given = self.given
        if argument in given:
            return self.scale.point(given[argument])
        if argument == "coordinate" and "x" in given and "y" in given:
            return self.scale.point([given["x"], given["y"]])
        if self.pointer is None:
            raise ActionRefused(f"{self.name} needs {argument}, such as [640, 400]")
        return self.pointer

    def told_point(self) -> bool:
        return "coordinate" in self.given or ("x" in self.given and "y" in self.given)

    def text(self) -> str:
        text = self.given.get("text", self.given.get("keys"))
        if isinstance(text, list) and all(isinstance(part, str) for part in text):
            text = "+".join(text)
        if not isinstance(text, str) or not text:
            raise ActionRefused(f"{self.name} needs text")
        return text

    def held(self) -> str:
        """Keys to hold while clicking, as a chord."""
        if "text" not in self.given and "keys" not in self.given:
            return ""
        chords = chords_of(self.text())
        if len(chords) > 1:
            raise ActionRefused(f"the text of {self.name} names the keys to hold, such as shift")
        return chords[0]

    def while_held(self, action: Action, pointer: Pixel) -> ReadCall:
        """An action of the mouse, between keys that are pressed and let go if some are named."""
        if not (keys := self.held()):
            return ReadCall((action,), pointer)
        return ReadCall((Hold(keys), action, Hold(keys, down=False)), pointer)

    def number(self, *arguments: str, usual: float, least: float, most: float) -> float:
        given_value = next((self.given[name] for name in arguments if name in self.given), usual)
        try:
            value = float("nan") if isinstance(given_value, bool) else float(given_value)
        except (TypeError, ValueError):
            value = float("nan")
        if not least <= value <= most:
            raise ActionRefused(
                f"{arguments[0]} of {self.name} is a number from {least:g} to {most:g}"
            )
        return value


def _click(call: _Call) -> ReadCall:
    button, count = _CLICKS[call.name]
    if "repeat" in call.given:
        count = int(call.number("repeat", usual=1, least=1, most=_MOST_CLICKS))
    x, y = call.point()
    return ReadCall((Click(x, y, button, count, call.held()),), (x, y))


def _press(call: _Call) -> ReadCall:
    point = call.point()
    return ReadCall((Press(*point, *_PRESSES[call.name]),), point)


def _move(call: _Call) -> ReadCall:
    if not call.told_point():
        raise ActionRefused("mouse_move needs coordinate, such as [640, 400]")
    point = call.point()
    return call.while_held(Move(*point), point)


def _drag(call: _Call) -> ReadCall:
    if (path_given := call.given.get("path")) is not None:
        if not isinstance(path_given, list) or len(path_given) < 2:
            raise ActionRefused("path is a list of at least two points")
        path = tuple(call.scale.point(point) for point in path_given)
    elif not call.told_point():
        raise ActionRefused("left_click_drag needs coordinate, the point where the drag ends")
    else:
        path = (call.point("start_coordinate"), call.point())
    return call.while_held(Drag(path), path[-1])


def _scroll(call: _Call) -> ReadCall:
    way = call.given.get("scroll_direction", call.given.get("direction", "down"))
    if way not in ("up", "down", "left", "right"):
        raise ActionRefused("scroll_direction is up, down, left or right")
    amount = call.number(
        "scroll_amount", "amount", usual=_USUAL_NOTCHES, least=1, most=_MOST_NOTCHES
    )
    centre = (call.scale.screen[0] // 2, call.scale.screen[1] // 2)
    x, y = call.point() if call.told_point() or call.pointer else centre
    notches = int(amount) * (1 if way in ("down", "right") else -1)
    down, right = (notches, 0) if way in ("up", "down") else (0, notches)
    return call.while_held(Scroll(x, y, down, right), (x, y))


def _type(call: _Call) -> ReadCall:
    actions: list[Action] = []
    pointer = call.pointer
    if call.told_point():
        pointer = call.point()
        actions.append(Click(*pointer))
    actions.append(Type(call.text()))
    if call.given.get("press_enter"):
        actions.append(Keys("Return"))
    return ReadCall(tuple(actions), pointer)


def _keys(call: _Call) -> ReadCall:
    chords = chords_of(call.text())
    repeat = int(call.number("repeat", usual=1, least=1, most=_MOST_REPEATS))
    return ReadCall(tuple(Keys(chord) for chord in chords) * repeat, call.pointer)


def _hold(call: _Call) -> ReadCall:
    seconds = call.number("duration", "seconds", usual=1.0, least=0, most=LONGEST_WAIT)
    how = (seconds, True) if call.name == "hold_key" else (None, call.name == "key_down")
    return ReadCall((Hold("+".join(chords_of(call.text())), *how),), call.pointer)


def _wait(call: _Call) -> ReadCall:
    seconds = call.number("duration", "seconds", usual=1.0, least=0, most=LONGEST_WAIT)
    return ReadCall((Wait(seconds),), call.pointer)


def _look(call: _Call) -> ReadCall:
    return ReadCall((Screenshot(),), call.pointer)


def _zoom(call: _Call) -> ReadCall:
    region = call.given.get("region")
    if not isinstance(region, list | tuple) or len(region) != 4:
        raise ActionRefused("zoom needs region, such as [100, 100, 500, 400]")
    left, top = call.scale.point(region[:2])
    right, bottom = call.scale.point([max(0.0, _number(value) - 1) for value in region[2:]])
    if right <= left or bottom <= top:
        raise ActionRefused(
            "region is left, top, right, bottom; left is less than right, and top less than bottom"
        )
    return ReadCall((Screenshot(),), call.pointer, (left, top, right + 1, bottom + 1))


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ActionRefused("region is four numbers, such as [100, 100, 500, 400]") from None


_READERS: Final[Mapping[str, Callable[[_Call], ReadCall]]] = {
    "screenshot": _look, "cursor_position": _look, "zoom": _zoom,
    **dict.fromkeys(_CLICKS, _click), "mouse_move": _move, "left_click_drag": _drag,
    "scroll": _scroll, "type": _type, "key": _keys, "wait": _wait,
    **dict.fromkeys(_PRESSES, _press), **dict.fromkeys(("hold_key", "key_down", "key_up"), _hold),
}  # fmt: skip


def _check_names(given: Mapping[str, Any]) -> None:
    allowed = (*_ARGUMENTS, *_ALSO_ARGUMENTS)
    for name in given:
        if name not in allowed:
            near = get_close_matches(name, allowed, n=1)
            meant = f"did you mean {near[0]}?" if near else f"they are {', '.join(_ARGUMENTS[:-1])}"
            raise ActionRefused(f"there is no argument {name!r}; {meant}")


def _unknown(name: Any) -> str:
    allowed = f"actions are {', '.join(_READERS)}"
    if name is None:
        return f"no action is named; {allowed}"
    near = get_close_matches(str(name), _READERS, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    return f"there is no action {str(name)[:40]!r}; {hint}{allowed}"


_NUMBERS: Final = 25
_HEADER_SIZE, _VERSION, _WIDTH, _HEIGHT = 0, 1, 4, 5
_BITS_PER_PIXEL, _BYTES_PER_LINE, _COLOURS = 11, 12, 19
_COLOUR_BYTES: Final = 12


def read_frame(path: Path) -> Image.Image:
    """The picture in the file, RGB; ValueError if it is no dump of 32 bits a pixel."""
    content = path.read_bytes()
    if len(content) < 4 * _NUMBERS:
        raise ValueError(f"{path}: too short for a screen")
    for order in (">", "<"):  # the server's own order, or that of the network
        header = struct.unpack_from(f"{order}{_NUMBERS}I", content)
        if header[_VERSION] == 7:
            break
    width, height, line = header[_WIDTH], header[_HEIGHT], header[_BYTES_PER_LINE]
    start = header[_HEADER_SIZE] + header[_COLOURS] * _COLOUR_BYTES
    if header[_BITS_PER_PIXEL] != 32 or len(content) < start + line * height:
        raise ValueError(f"{path}: no screen of 32 bits a pixel")
    rows = np.frombuffer(content, np.uint8, line * height, start).reshape(height, line)
    pixels = rows[:, : width * 4].reshape(height, width, 4)
    return Image.fromarray(np.ascontiguousarray(pixels[:, :, 2::-1]))


_CARET_PIXELS: Final = 3
_FAINT: Final = 16


def alike(first: Image.Image, other: Image.Image) -> bool:
    """Whether two pictures of a screen show the same: they may differ in a text cursor that blinks,
    and faintly, as the frame of a selected text does.
    """
    if first.size != other.size:
        return False
    old, new = (np.asarray(picture.convert("RGB"), np.int16) for picture in (first, other))
    columns = np.flatnonzero((np.abs(old - new) > _FAINT).any(axis=(0, 2)))
    return columns.size == 0 or bool(columns[-1] - columns[0] < _CARET_PIXELS)


REPEATS: Final = 4
"""How often an action that changes nothing on the screen may be repeated. Ours."""
_LONGEST_CYCLE: Final = 3
"""Actions that may take turns in a loop. Ours."""
_SHOWN: Final = (
    "start_coordinate", "coordinate", "path", "scroll_direction", "scroll_amount", "duration",
    "region", "repeat",
)  # fmt: skip


class RunStopped(Exception):
    """The run is over, whatever the agent wants next."""

    def __init__(self, ended: RunEnding, detail: str) -> None:
        super().__init__(detail)
        self.ended, self.detail = ended, detail


@dataclass(frozen=True)
class Finish:
    """Last message of an agent; ``declined`` if it says that the task cannot be done."""

    message: str = ""
    declined: bool = False


@dataclass
class AgentSession:
    """The screen as an agent has it in one run.

    Each action is a step, refused ones too. ``price`` gives the cost of a reply in US dollars, or
    None; ``repeats`` is how often an action that changes nothing may be repeated, 0 for any number.
    """

    environment: Environment
    instruction: str
    limits: EditLimits = field(default_factory=EditLimits)
    repeats: int = REPEATS
    writer: TrajectoryWriter = field(default_factory=lambda: TrajectoryWriter(None))
    price: Callable[[Usage], float | None] = lambda _usage: None
    clock: Callable[[], float] = time.monotonic
    usage: Usage = NO_USAGE
    pointer: Pixel | None = None
    system: str = ""
    turns: list[Turn] = field(default_factory=list)
    """The conversation with the model, and what it was told before, if there is one."""

    def __post_init__(self) -> None:
        self.started = self.clock()
        self._spent: Usage = NO_USAGE
        self._history: list[tuple[str, int]] = []
        self._seen: deque[tuple[int, Image.Image]] = deque(maxlen=_LONGEST_CYCLE + 1)
        self._names: list[str] = []
        self.screen: Image.Image = Image.new("RGB", (1, 1))

    @property
    def seconds(self) -> float:
        """Since the run began."""
        return self.clock() - self.started

    @property
    def steps(self) -> int:
        """Steps done so far."""
        return self.writer.count

    def begin(self, run: Mapping[str, Any]) -> None:
        """Look at the screen, and begin the trajectory."""
        self.screen = self.environment.screenshot()
        self.writer.begin({"instruction": self.instruction, **run}, self.screen)

    def check(self) -> None:
        """Raise RunStopped if the time is over, or no step is left."""
        if self.seconds > self.limits.seconds:
            raise RunStopped("time", f"more than {self.limits.seconds:g} s")
        if self.steps >= self.limits.steps:
            raise RunStopped("step limit", f"all {self.limits.steps} steps are used")

    def spend(self, usage: Usage) -> None:
        """Count what a reply cost; the next step is said to have cost it."""
        self.usage += usage
        self._spent += usage

    def do(self, read: ReadCall, call: Mapping[str, Any], thought: str = "") -> Image.Image:
        """Do what a call asks for, as one step; the screen after it.

        Raises RunStopped if the run is over, ActionRefused if the screen refuses it, and
        EnvironmentFailed.
        """
        self.check()
        begun, refused = self.clock(), None
        done = [call_of(action) for action in read.actions]
        for number, action in enumerate(read.actions):
            try:
                self.screen = self.environment.act(action)
            except ActionRefused as error:
                refused, done = error, done[:number]
                break
            except EnvironmentFailed as error:
                self._step(call, thought, done[: number + 1], begun, str(error))
                raise
        if refused is None:
            self.pointer = read.pointer
        self._step(call, thought, done, begun, str(refused or ""))
        if refused is not None:
            raise refused
        return self.screen

    def refuse(self, why: str, call: Mapping[str, Any], thought: str = "") -> None:
        """Count a call that cannot be done as a step. Raises RunStopped if the run is over."""
        self.check()
        self._step(call, thought, [], self.clock(), why)

    def _step(
        self, call: Mapping[str, Any], thought: str, done: Sequence[Mapping[str, Any]],
        begun: float, refused: str,
    ) -> None:  # fmt: skip
        spent, self._spent = self._spent, NO_USAGE
        cost = self.price(spent) if spent.requests else None
        self.writer.add(
            self.screen, thought=thought, call=dict(call), actions=done, pointer=self.pointer,
            refused=refused, screen_seconds=round(self.clock() - begun, 3),
            **usage_fields(spent, cost),
        )  # fmt: skip
        key = json.dumps([dict(call), list(done)], sort_keys=True, default=str)
        self._history.append((key, self._screen_number()))
        self._names.append(call_words(call))
        if cycle := repeated_cycle(self._history, self.repeats):
            names = ", ".join(self._names[-cycle:])
            raise RunStopped(
                "loop", f"{self.repeats} times the same, and the screen did not change: {names}"
            )

    def _screen_number(self) -> int:
        """A number that screens share which show the same, among the last that differ."""
        for number, screen in self._seen:
            if alike(screen, self.screen):
                return number
        number = len(self._history)
        self._seen.appendleft((number, self.screen))
        return number


class ScreenAgent(Protocol):
    """A function that uses a screen until it has done, or cannot do, what the session says."""

    def __call__(self, session: AgentSession) -> Finish: ...


def repeated_cycle(history: Sequence[object], times: int) -> int:
    """How many of the last entries were repeated ``times`` times in a row; 0 if none were.

    >>> repeated_cycle("xaaa", 3), repeated_cycle("xababab", 3), repeated_cycle("aab", 2)
    (1, 2, 0)
    """
    for length in range(1, _LONGEST_CYCLE + 1):
        last = list(history[-length * times :])
        if times > 1 and len(last) == length * times and last == last[:length] * times:
            return length
    return 0


def call_words(call: Mapping[str, Any]) -> str:
    """A call in a few words, such as ``left_click [640, 400]`` or ``type 'Plan'``."""
    several = call.get("actions")
    if isinstance(several, list):
        return "; ".join(call_words(item) for item in several if isinstance(item, Mapping))
    name = str(call.get("action", "?"))
    values = [str(call[way]) for way in _SHOWN if call.get(way) is not None]
    if call.get("text") is not None:
        text = " ".join(str(call["text"]).split())
        shown = text if len(text) <= 60 else text[:59] + "…"
        values.append(repr(shown) if name == "type" else shown)
    return " ".join([name, *values])
