"""A display without hardware: its input by mouse and keyboard, and a test whether it is at rest.

Runs inside bubblewrap under the system's Python, so it imports nothing but the standard library.
Input goes through the X server's own test extension (XTEST): libX11 and libXtst, MIT licensed.
Every character of a text gets a key of its own that stays as it is until the editor has read it;
xdotool maps one key anew for every character, and an editor that is busy then reads a later one.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

START_SECONDS = 20.0
KEY_SECONDS = 0.004
CLICK_SECONDS = 0.02
DOUBLE_CLICK_SECONDS = 0.55
"""Two clicks closer in time than this may count as a double click; ours, above the usual 0.5."""
NO_SYMBOL = 0
SHIFT = 0xFFE1

Event = Sequence[Any]
"""``["move", X, Y]``, ``["press", BUTTON]``, ``["release", BUTTON]``, ``["down", KEYSYM]``,
``["up", KEYSYM]``, ``["text", [KEYSYM, ...]]``, ``["click", BUTTON, COUNT]``, ``["wait", S]``."""


class DisplayEnded(Exception):
    """The X server, or the window manager on it, is gone."""


class Display:
    """An X server with a window manager; ``folder`` holds its frame and the manager's settings."""

    def __init__(self, folder: Path, size: tuple[int, int], settings: Path) -> None:
        width, height = size
        ready, reported = os.pipe()
        self._server = subprocess.Popen(
            [
                *("Xvfb", "-displayfd", str(reported), "-screen", "0", f"{width}x{height}x24"),
                *("-nolisten", "tcp", "-nocursor", "-noreset", "-fbdir", str(folder)),
            ],
            pass_fds=(reported,),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(reported)
        with os.fdopen(ready) as lines:
            number = lines.readline().strip()
        if not number:
            raise DisplayEnded(f"Xvfb did not start, code {self._server.wait()}")
        self.name = f":{number}"
        os.environ["DISPLAY"] = self.name
        self.frame = Frame(folder / "Xvfb_screen0", width)
        is_up = folder / "manager"
        self._manager = subprocess.Popen(
            [
                *("openbox", "--sm-disable", "--config-file", str(settings)),
                *("--startup", f"touch {is_up}"),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

        end = time.monotonic() + START_SECONDS
        while not is_up.exists():
            self.check()
            if time.monotonic() > end:
                raise DisplayEnded(f"openbox did not start in {START_SECONDS:g} seconds")
            time.sleep(0.01)

    def check(self) -> None:
        """Raise DisplayEnded if the X server or the window manager is gone."""
        for name, process in (("Xvfb", self._server), ("openbox", self._manager)):
            code = process.poll()
            if code is not None:
                raise DisplayEnded(f"{name} ended with code {code}")

    def process_ids(self) -> list[int]:
        """Of the programs that draw, besides the editor."""
        return [self._server.pid, self._manager.pid]


CARET_BYTES = 3 * 4
"""The widest text cursor: three pixels of four bytes."""
FAINT = 16
"""Steps of 255 by which a colour may differ; the frame of a selected text changes by 13, twice a
second."""


class Frame:
    """Picture of the screen, in the file that Xvfb keeps it in; ``width`` is in pixels."""

    def __init__(self, path: Path, width: int) -> None:
        with path.open("rb") as file:
            self._content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._line = 4 * width

    def copy(self) -> bytes:
        """The frame as it is."""
        return self._content[:]

    def alike(self, own: bytes, other: bytes) -> bool:
        """Whether two copies differ in nothing, in a text cursor alone, or only faintly."""
        if own == other:
            return True
        first, last = self._line, 0
        start = len(own) % self._line  # what stands before the pixels is the same in both
        for at in range(start, len(own), self._line):
            row, new = own[at : at + self._line], other[at : at + self._line]
            if row == new:
                continue
            left = _first_difference(row, new)
            right = self._line - _first_difference(row[::-1], new[::-1])
            if any(
                abs(old - now) > FAINT
                for old, now in zip(row[left:right], new[left:right], strict=True)
            ):
                first, last = min(first, left), max(last, right)
                if last - first > CARET_BYTES:
                    return False
        return True


def _first_difference(first: bytes, other: bytes) -> int:
    """The place of the first byte in which two rows differ."""
    low, high = 0, len(first)
    while high - low > 1:
        middle = (low + high) // 2
        if first[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle
    return low


class Input:
    """Mouse and keyboard of a display.

    ``on_end`` is called where the display ends; it must not return.
    """

    def __init__(self, display: str, on_end: Callable[[], None]) -> None:
        self._x: Any = ctypes.CDLL("libX11.so.6")
        self._test: Any = ctypes.CDLL("libXtst.so.6")
        self._x.XOpenDisplay.restype = ctypes.c_void_p
        self._x.XkbKeycodeToKeysym.restype = ctypes.c_ulong
        self._on_end = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: on_end())
        self._x.XSetIOErrorHandler(self._on_end)
        handle = self._x.XOpenDisplay(display.encode())
        if not handle:
            raise DisplayEnded("no connection to the X server")
        self._display = ctypes.c_void_p(handle)
        first, last = ctypes.c_int(), ctypes.c_int()
        self._x.XDisplayKeycodes(self._display, ctypes.byref(first), ctypes.byref(last))
        self._keys: dict[int, tuple[int, bool]] = {}
        self._spare: list[int] = []
        self._lent: dict[int, int] = {}
        self._last_click = -DOUBLE_CLICK_SECONDS
        for code in range(first.value, last.value + 1):
            self._learn(code)

    def _learn(self, code: int) -> None:
        plain, shifted = (
            int(self._x.XkbKeycodeToKeysym(self._display, code, 0, level)) for level in (0, 1)
        )
        if plain != NO_SYMBOL:
            self._keys.setdefault(plain, (code, False))
        if shifted not in (NO_SYMBOL, plain):
            self._keys.setdefault(shifted, (code, True))
        if plain == shifted == NO_SYMBOL:
            self._spare.append(code)

    def put(self, events: Sequence[Event], rest: Callable[[], None]) -> None:
        """Do the events in order; ``rest`` waits until what was typed so far has been read."""
        doers: dict[str, Callable[..., None]] = {
            "move": self._move,
            "press": lambda button: self._button(button, True),
            "release": lambda button: self._button(button, False),
            "click": self._click,
            "down": lambda symbol: self._key(symbol, True),
            "up": lambda symbol: self._key(symbol, False),
            "text": lambda symbols: self._text(symbols, rest),
            "wait": time.sleep,
        }
        self._prepare([event[1] for event in events if event[0] == "down"], rest)
        for name, *values in events:
            doers[name](*values)

    def _move(self, x: int, y: int) -> None:
        self._test.XTestFakeMotionEvent(self._display, -1, x, y, 0)
        self._sync(KEY_SECONDS)

    def _button(self, button: int, down: bool) -> None:
        self._test.XTestFakeButtonEvent(self._display, button, int(down), 0)
        self._sync(CLICK_SECONDS)

    def _click(self, button: int, count: int) -> None:
        time.sleep(max(0.0, self._last_click + DOUBLE_CLICK_SECONDS - time.monotonic()))
        for _ in range(count):
            self._button(button, True)
            self._button(button, False)
        self._last_click = time.monotonic()

    def _text(self, symbols: Sequence[int], rest: Callable[[], None]) -> None:
        left = list(symbols)
        while left:
            count = self._prepare(left, rest)
            for symbol in left[:count]:
                self._key(symbol, True)
                self._key(symbol, False)
            del left[:count]

    def _prepare(self, symbols: Sequence[int], rest: Callable[[], None]) -> int:
        """Give keys to the symbols that have none, as many as there are; how many can be typed.

        Keys change only when the editor has read all that was typed before, and it is given time to
        learn of the change: it reads the keys anew when it meets the next one.
        """
        unknown = dict.fromkeys(symbol for symbol in symbols if symbol not in self._keys)
        if all(symbol in self._lent for symbol in unknown):
            return len(symbols)
        rest()
        self._lent = dict(zip(unknown, self._spare, strict=False))
        for symbol, code in self._lent.items():
            both = (ctypes.c_ulong * 2)(symbol, symbol)
            self._x.XChangeKeyboardMapping(self._display, code, 2, both, 1)
        self._sync(0.0)
        rest()
        without = (number for number, symbol in enumerate(symbols) if not self._has(symbol))
        return next(without, len(symbols))

    def _has(self, symbol: int) -> bool:
        return symbol in self._keys or symbol in self._lent

    def _key(self, symbol: int, down: bool) -> None:
        code, shifted = self._keys.get(symbol) or (self._lent[symbol], False)
        if shifted and down:
            self._press(self._keys[SHIFT][0], True)
        self._press(code, down)
        if shifted and not down:
            self._press(self._keys[SHIFT][0], False)

    def _press(self, code: int, down: bool) -> None:
        self._test.XTestFakeKeyEvent(self._display, code, int(down), 0)
        self._sync(KEY_SECONDS)

    def _sync(self, seconds: float) -> None:
        self._x.XSync(self._display, 0)
        time.sleep(seconds)


def wait_for_rest(
    frame: Frame, process_ids: Callable[[], list[int]], quiet: float, deadline: float
) -> bool:
    """Wait until the screen stays as it is, and its programs sleep, for ``quiet`` seconds.

    A text cursor that blinks is no change. False if that did not come in ``deadline`` seconds.
    """
    end = time.monotonic() + deadline
    shown, since, used = frame.copy(), time.monotonic(), _work(process_ids())
    while time.monotonic() < end:
        time.sleep(_LOOK_SECONDS)
        now, work = frame.copy(), _work(process_ids())
        busy = work is None or used is None or work > used + _IDLE_NANOSECONDS
        if busy or not frame.alike(shown, now):
            shown, since, used = now, time.monotonic(), work
        elif time.monotonic() - since >= quiet:
            return True
    return False


_LOOK_SECONDS = 0.02
_IDLE_NANOSECONDS = 5_000_000
"""Work within one quiet time that does not count, such as a caret that blinks."""


def _work(process_ids: Sequence[int]) -> int | None:
    """Nanoseconds that the processes have worked; None if one of them has a thread at work."""
    total = 0
    for process_id in process_ids:
        for thread in Path(f"/proc/{process_id}/task").glob("*"):
            try:
                state = (thread / "stat").read_text().rpartition(")")[2].split()[0]
                total += int((thread / "schedstat").read_text().split()[0])
            except OSError:
                continue
            if state in "RD":
                return None
    return total
