"""LibreOffice's tree of controls as lines of text; the tree is played by objects like UNO's."""

from types import SimpleNamespace
from typing import Any

from decklab.evals.desktop.guest import LONGEST_TEXT, Names, add_controls


def control(role: str, name: str = "", text: str = "", states: str = "", *children: Any) -> Any:
    """A part of the tree; roles and states are known by name, so that names stand for numbers."""
    listed = (states or "SHOWING ENABLED").split()
    made = SimpleNamespace(
        getAccessibleRole=lambda: role, getAccessibleName=lambda: name, getText=lambda: text,
        getAccessibleStateSet=lambda: SimpleNamespace(getStates=lambda: listed),
        getAccessibleChildCount=lambda: len(children),
        getAccessibleChild=lambda number: children[number],
        getLocationOnScreen=lambda: SimpleNamespace(X=10, Y=20),
        getSize=lambda: SimpleNamespace(Width=90, Height=30),
    )  # fmt: skip
    made.getAccessibleContext = lambda: made
    return made


def lines(*controls: Any) -> list[str]:
    names: Any = Names(lambda name: name.rpartition(".")[2])  # type: ignore[arg-type, return-value]
    found: list[str] = []
    add_controls(control("ROOT", "", "", "", *controls), names, found)
    return found


def test_controls_with_a_name_or_a_text_are_told_and_others_are_not() -> None:
    assert lines(
        control("PUSH_BUTTON", "OK"),
        control("PARAGRAPH", "", "Sales rose"),
        control("PARAGRAPH", "Notes", "Notes"),
        control("PARAGRAPH"),
        control("SHAPE", "", "a text that shapes are not asked for"),
        control("SPLITTER", "a role that is not told"),
    ) == [
        "push_button 'OK' 10,20 90x30",
        "paragraph '' = 'Sales rose' 10,20 90x30",
        "paragraph 'Notes' 10,20 90x30",
    ]


def test_states_are_told_and_hidden_parts_are_left_out() -> None:
    assert lines(
        control("CHECK_BOX", "Grid", "", "SHOWING ENABLED CHECKED FOCUSED"),
        control("MENU_ITEM", "Undo", "", "SHOWING"),
        control("DIALOG", "Closed", "", "ENABLED", control("PUSH_BUTTON", "Inside")),
        control("TEXT", "", "x" * (LONGEST_TEXT + 1)),
    ) == [
        "check_box 'Grid' (focused, checked) 10,20 90x30",
        "menu_item 'Undo' (disabled) 10,20 90x30",
        f"text '' = '{'x' * LONGEST_TEXT}' 10,20 90x30",
    ]
