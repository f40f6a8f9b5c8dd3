"""One run of an agent on a screen: what it does is bounded, counted and written down here, with
the pictures of the screen.

The file is an X window dump (X11 ``XWDFile.h``, version 7): a header of 32-bit numbers, the colour
table, then the pixels, here 32 bits each: blue, green, red and one unused byte.
"""

import json
import struct
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from PIL import Image

from decklab.core.options import EditLimits
from decklab.evals.desktop.action_calls import ReadCall, call_of
from decklab.evals.desktop.environment import ActionRefused, Environment, EnvironmentFailed, Pixel
from decklab.evals.desktop.trajectory import RunEnding, TrajectoryWriter, usage_fields
from decklab.models.asking import Usage
from decklab.models.turns import NO_USAGE, Turn

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
        cycle = repeated_cycle(self._history, self.repeats)
        if cycle:
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
