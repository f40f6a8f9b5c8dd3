"""An editor on a display of its own: reads requests as JSON lines, answers in JSON.

Runs inside bubblewrap under the system's Python, with the arguments PROGRAM FOLDER: the LibreOffice
to start, and the one folder where files are written.

The first request is ``{"deck": NAME, "size": [W, H], "filter": NAME}``, answered when the deck is
on the screen; the name of the filter that opens it may be empty.
Later ones say what to ``do``: ``input``, with ``events``, seconds of ``quiet`` and a ``deadline``,
acts and waits until the screen is at rest; ``save`` writes the deck to ``target``; ``controls``
describes what is on the screen; ``look`` does nothing. An answer is ``{"ok": true, "open": BOOL,
"changed": BOOL, ...}`` or ``{"ok": false, "ended": "editor" or "display" or null, "detail":
TEXT}``, null if nothing ended and the editor will not do it.

Input goes through the X server's own test extension (XTEST): libX11 and libXtst, MIT licensed.
Every character of a text gets a key of its own that stays as it is until the editor has read it;
xdotool maps one key anew for every character, and an editor that is busy then reads a later one.
Impress is opened, saved and described over UNO.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import mmap
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from decklab.rendering.office_worker import (
    Died,
    LibreOffice,
    answer,
    bound_files,
    die_with_parent,
    requests_until_end,
)

DISPLAY_SECONDS = 20.0
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
        self.frame = ScreenFrame(folder / "Xvfb_screen0", width)
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

        end = time.monotonic() + DISPLAY_SECONDS
        while not is_up.exists():
            self.check()
            if time.monotonic() > end:
                raise DisplayEnded(f"openbox did not start in {DISPLAY_SECONDS:g} seconds")
            time.sleep(0.01)

    def check(self) -> None:
        """Raise DisplayEnded if the X server or the window manager is gone."""
        for name, process in (("Xvfb", self._server), ("openbox", self._manager)):
            if (code := process.poll()) is not None:
                raise DisplayEnded(f"{name} ended with code {code}")

    def process_ids(self) -> list[int]:
        """Of the programs that draw, besides the editor."""
        return [self._server.pid, self._manager.pid]


CARET_BYTES = 3 * 4
"""The widest text cursor: three pixels of four bytes."""
FAINT = 16
"""Steps of 255 by which a colour may differ; the frame of a selected text changes by 13, twice a
second."""


class ScreenFrame:
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
        if not (handle := self._x.XOpenDisplay(display.encode())):
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
        self._prepare([event[1] for event in events if event[0] in ("down", "up")], rest)
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
    frame: ScreenFrame, process_ids: Callable[[], list[int]], quiet: float, deadline: float
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


MOST_CONTROLS = 1000
LONGEST_TEXT = 200
DEEPEST = 30
MOST_CHILDREN = 200
"""Limits on reading a tree; ours."""

_HOME = "com.sun.star.accessibility"
_ROLES = (
    *("ALERT", "BUTTON_DROPDOWN", "BUTTON_MENU", "CHECK_BOX", "CHECK_MENU_ITEM", "COMBO_BOX"),
    *("DIALOG", "DOCUMENT_PRESENTATION", "EMBEDDED_OBJECT", "FRAME", "GRAPHIC", "HEADING"),
    *("HYPER_LINK", "LABEL", "LIST_ITEM", "MENU", "MENU_ITEM", "PAGE_TAB", "PARAGRAPH"),
    *("PUSH_BUTTON", "RADIO_BUTTON", "RADIO_MENU_ITEM", "SCROLL_BAR", "SHAPE", "SLIDER"),
    *("SPIN_BOX", "STATIC", "TABLE_CELL", "TEXT", "TOGGLE_BUTTON", "TREE_ITEM"),
)
_WITH_TEXT = ("COMBO_BOX", "PARAGRAPH", "SPIN_BOX", "TABLE_CELL", "TEXT")
_STATES = ("FOCUSED", "SELECTED", "CHECKED", "EXPANDED")


class Names:
    """The roles and states reported, by LibreOffice's numbers; ``constant`` finds these."""

    def __init__(self, constant: Callable[[str], int]) -> None:
        self.roles = {constant(f"{_HOME}.AccessibleRole.{name}"): name for name in _ROLES}
        self._states = {
            constant(f"{_HOME}.AccessibleStateType.{name}"): name
            for name in (*_STATES, "SHOWING", "ENABLED")
        }

    def states(self, context: Any) -> set[str]:
        """Those that a part of the tree is in."""
        states = context.getAccessibleStateSet().getStates()
        return {self._states[number] for number in states if number in self._states}


def add_controls(context: Any, names: Names, lines: list[str], depth: int = 0) -> None:
    """Add what is shown below a part of the tree: role, name, content, state and place of each."""
    if context is None or len(lines) >= MOST_CONTROLS:
        return
    states = names.states(context)
    if "SHOWING" not in states:
        return
    if (role := names.roles.get(context.getAccessibleRole())) is not None:
        lines += _line(context, role, states)
    count = min(context.getAccessibleChildCount(), MOST_CHILDREN) if depth < DEEPEST else 0
    for number in range(count):
        if (child := context.getAccessibleChild(number)) is not None:
            add_controls(child.getAccessibleContext(), names, lines, depth + 1)


def _line(context: Any, role: str, states: set[str]) -> list[str]:
    """The line of one control; none for one without a name and a text."""
    name, text = context.getAccessibleName(), ""
    if role in _WITH_TEXT and hasattr(context, "getText"):
        text = context.getText()[:LONGEST_TEXT]
    if not name and not text:
        return []
    words = [state.lower() for state in _STATES if state in states]
    if "ENABLED" not in states:
        words.append("disabled")
    at, size = context.getLocationOnScreen(), context.getSize()
    return [
        f"{role.lower()} {name!r}"
        + (f" = {text!r}" if text and text != name else "")
        + (f" ({', '.join(words)})" if words else "")
        + f" {at.X},{at.Y} {size.Width}x{size.Height}"
    ]


_SLIDES = "com.sun.star.presentation.PresentationDocument"
_EXIT_SECONDS = 0.5
_WINDOW_SECONDS = 3.0


class Refused(Exception):
    """The editor cannot open or save the deck; the text says why."""


class ImpressEditor(LibreOffice):
    """One LibreOffice with a window for one deck."""

    def __init__(self, program: str, folder: Path) -> None:
        super().__init__(program, folder, options=())
        self._document: Any = None
        self._filter = ""

    @property
    def process_id(self) -> int:
        """Of LibreOffice."""
        return self._process.pid

    def exit_code(self) -> int | None:
        """How LibreOffice ended: 0 if it was told to, None while it runs."""
        return self._process.poll()

    def open(self, deck: Path, width: int, by: str = "") -> None:
        """Show the deck in a window as wide as the screen; no macros, no updated links.

        ``by`` is the name of the filter that opens and saves it, empty for the deck's own.
        Raises Refused if it cannot be read, Died if LibreOffice ended over it.
        """
        constant = self._uno.getConstantByName
        arguments = self._properties(
            MacroExecutionMode=constant("com.sun.star.document.MacroExecMode.NEVER_EXECUTE"),
            UpdateDocMode=constant("com.sun.star.document.UpdateDocMode.NO_UPDATE"),
            **({"FilterName": by} if by else {}),
        )
        self._document = self._done(
            lambda: self._desktop.loadComponentFromURL(deck.as_uri(), "_default", 0, arguments)
        )
        if self._document is None:
            raise Refused("LibreOffice cannot read it")
        if not self._document.supportsService(_SLIDES):
            raise Refused("LibreOffice reads it as something without slides")
        self._done(lambda: self._fill_screen(width))
        (self._filter,) = [
            item.Value for item in self._document.getArgs() if item.Name == "FilterName"
        ]

    def _fill_screen(self, width: int) -> None:
        window = self._document.getCurrentController().getFrame().getContainerWindow()
        end = time.monotonic() + _WINDOW_SECONDS
        while window.getPosSize().Width < width and time.monotonic() < end:
            window.IsMaximized = False
            window.IsMaximized = True
            time.sleep(0.05)

    def check(self) -> None:
        """Raise Died if LibreOffice ended, unless it was told to."""
        if self.exit_code():
            raise Died(self._end())

    def is_open(self) -> bool:
        """Whether the deck is still open; the agent may have closed it, or quit the editor."""
        if self.exit_code() is not None:
            return False
        gone = self._uno.getClass("com.sun.star.lang.DisposedException")
        try:
            return self._document.getCurrentController() is not None
        except gone:
            return False

    def is_changed(self) -> bool:
        """Whether the deck has changes that were not saved."""
        return bool(self._done(self._document.isModified))

    def save(self, target: Path) -> None:
        """Write the deck as it is now in its own format, whatever dialogs are open."""
        written = self._properties(FilterName=self._filter, Overwrite=True)
        self._done(lambda: self._document.storeToURL(target.as_uri(), written))

    def _done(self, call: Any) -> Any:
        """The result of a call to LibreOffice; Died if it is gone, Refused if it fails."""
        gone = self._uno.getClass("com.sun.star.lang.DisposedException")
        any_error = self._uno.getClass("com.sun.star.uno.Exception")
        try:
            return call()
        except gone:
            raise Died(self._end()) from None
        except any_error as error:
            if self.exit_code() is not None:
                raise Died(self._end()) from None
            raise Refused(f"{type(error).__name__}: {error.Message}") from None

    def _end(self) -> str:
        """How LibreOffice ended, for messages."""
        end = time.monotonic() + _EXIT_SECONDS
        while self.exit_code() is None and time.monotonic() < end:
            time.sleep(0.01)
        if (code := self.exit_code()) is None:
            return "LibreOffice closed the connection"
        return (
            f"LibreOffice ended by signal {-code}"
            if code < 0
            else f"LibreOffice ended with code {code}"
        )

    def controls(self) -> list[str]:
        """The accessibility tree of the windows on the screen, a control a line.

        Controls that LibreOffice takes away while they are read are left out.
        """
        lines: list[str] = []
        with contextlib.suppress(Refused):
            self._done(lambda: self._read_controls(lines))
        return lines

    def _read_controls(self, lines: list[str]) -> None:
        toolkit = self._context.ServiceManager.createInstanceWithContext(
            "com.sun.star.awt.Toolkit", self._context
        )
        names = Names(self._uno.getConstantByName)
        for number in range(toolkit.getTopWindowCount()):
            window = toolkit.getTopWindow(number).getAccessibleContext()
            add_controls(window, names, lines)


START_SECONDS = 30.0
START_QUIET = 0.3


class Screen:
    """The display, the editor on it, and what may be asked of them."""

    def __init__(self, program: str, folder: Path, first: dict[str, Any]) -> None:
        width, height = first["size"]
        self._folder = folder
        self._display = Display(folder / "screen", (width, height), folder / "openbox.xml")
        self._input = Input(self._display.name, display_ended)
        self.editor = ImpressEditor(program, folder)
        self.editor.connect()
        self.editor.open(folder / first["deck"], width, first["filter"])
        # LibreOffice 7.4 leaves some linked paragraphs out of its first save, not of later ones.
        self.editor.save(folder / "tmp" / "first")
        self._rest(START_QUIET, START_SECONDS)

    def _rest(self, quiet: float, deadline: float) -> bool:
        return wait_for_rest(self._display.frame, self._process_ids, quiet, deadline)

    def _process_ids(self) -> list[int]:
        return [*self._display.process_ids(), self.editor.process_id]

    def do(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to one request."""
        self._display.check()
        if (kind := request["do"]) == "input":
            return self._put(request["events"], request["quiet"], request["deadline"])
        if kind == "save":
            return self._save(self._folder / request["target"])
        if kind == "controls":
            return self._state(controls=self.editor.controls())
        return self._state()

    def _put(self, events: list[Any], quiet: float, deadline: float) -> dict[str, Any]:
        def rest() -> None:
            self._rest(quiet, deadline)

        self._input.put(events, rest)
        settled = self._rest(quiet, deadline)
        self._display.check()
        return self._state(settled=settled)

    def _save(self, target: Path) -> dict[str, Any]:
        if not self.editor.is_open():
            return self._state(written=False)
        self.editor.save(target)
        return self._state(written=True)

    def _state(self, **facts: Any) -> dict[str, Any]:
        """An answer with the state of the deck; raises Died if the editor did not end well."""
        self.editor.check()
        is_open = self.editor.is_open()
        changed = is_open and self.editor.is_changed()
        return {"ok": True, "open": is_open, "changed": changed, **facts}


def failed(ended: str | None, detail: str) -> dict[str, Any]:
    """The answer where something ended or cannot be done."""
    return {"ok": False, "ended": ended, "detail": detail}


def display_ended() -> None:
    """Tell that the X server is gone, and end: Xlib allows no way back."""
    answer(failed("display", "the X server is gone"))
    os._exit(1)


def serve(program: str, folder: Path) -> None:
    """Answer requests until the input ends, or the editor or the display does."""
    screen = None
    try:
        screen = Screen(program, folder, json.loads(sys.stdin.readline()))
        answer({"ok": True, "open": True})
        for request in requests_until_end(screen.editor):
            try:
                answer(screen.do(request))
            except Refused as refusal:
                answer(failed(None, str(refusal)))
    except Refused as refusal:
        answer(failed(None, str(refusal)))
    except Died as error:
        answer(failed("editor", str(error)))
    except DisplayEnded as error:
        answer(failed("display", str(error)))
    finally:
        if screen is not None:
            screen.editor.kill()


def main() -> None:
    """Serve the program and the folder that the command line names."""
    die_with_parent()
    bound_files()
    serve(sys.argv[1], Path(sys.argv[2]).resolve())
