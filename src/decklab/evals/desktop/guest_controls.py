"""The accessibility tree of LibreOffice's windows as text, read over UNO.

Runs inside bubblewrap under the system's Python. LibreOffice offers the tree that a screen reader
gets (``com.sun.star.accessibility``), so no accessibility service of the desktop is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MOST_CONTROLS = 1000
LONGEST_TEXT = 200
DEEPEST = 30
MOST_CHILDREN = 200
"""Limits of what is read of a tree; ours."""

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
    """The roles and states that are told, by LibreOffice's numbers; ``constant`` finds these."""

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


def add_controls(context: Any, names: Names, found: list[str], depth: int = 0) -> None:
    """Add what is shown below a part of the tree: role, name, content, state and place of each."""
    if context is None or len(found) >= MOST_CONTROLS:
        return
    states = names.states(context)
    if "SHOWING" not in states:
        return
    role = names.roles.get(context.getAccessibleRole())
    if role is not None:
        found += _line(context, role, states)
    count = min(context.getAccessibleChildCount(), MOST_CHILDREN) if depth < DEEPEST else 0
    for number in range(count):
        child = context.getAccessibleChild(number)
        if child is not None:
            add_controls(child.getAccessibleContext(), names, found, depth + 1)


def _line(context: Any, role: str, states: set[str]) -> list[str]:
    """The line of one control; none for one without a name and a text."""
    name, text = context.getAccessibleName(), ""
    if role in _WITH_TEXT and hasattr(context, "getText"):
        text = context.getText()[:LONGEST_TEXT]
    if not name and not text:
        return []
    told = [state.lower() for state in _STATES if state in states]
    if "ENABLED" not in states:
        told.append("disabled")
    at, size = context.getLocationOnScreen(), context.getSize()
    return [
        f"{role.lower()} {name!r}"
        + (f" = {text!r}" if text and text != name else "")
        + (f" ({', '.join(told)})" if told else "")
        + f" {at.X},{at.Y} {size.Width}x{size.Height}"
    ]
