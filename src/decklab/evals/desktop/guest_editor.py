"""LibreOffice Impress with a deck open in its window: opened, saved and described over UNO.

Runs inside bubblewrap under the system's Python, beside ``decklab.rendering.office.worker``.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from decklab.rendering.office.worker import Died, LibreOffice

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
    role = names.roles.get(context.getAccessibleRole())
    if role is not None:
        lines += _line(context, role, states)
    count = min(context.getAccessibleChildCount(), MOST_CHILDREN) if depth < DEEPEST else 0
    for number in range(count):
        child = context.getAccessibleChild(number)
        if child is not None:
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


class Editor(LibreOffice):
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
        code = self.exit_code()
        if code is None:
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
