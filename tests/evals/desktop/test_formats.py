"""Action formats of models: each documented form becomes the action that it stands for."""

import json

import pytest
from bench.action_formats import ACTIONS, ENDS, FormatAction, own_scale, written
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from decklab.core.errors import UnknownName
from decklab.evals.desktop.environment import (
    Action,
    ActionRefused,
    Click,
    Drag,
    Hold,
    Keys,
    Move,
    Scroll,
    Type,
    Wait,
    chord,
    input_events,
    picture_scale,
)
from decklab.evals.desktop.formats import FORMATS, action_format, read_reply
from decklab.evals.desktop.session import read_call

POINTER = (10, 20)
SCREEN = picture_scale((1280, 800))


def actions_of(name: str, reply: object, pointer: tuple[int, int] = POINTER) -> list[Action]:
    done: list[Action] = []
    for call in read_reply(name, reply, own_scale(name), pointer).calls:
        read = read_call(call, own_scale(name), pointer)
        pointer, done = read.pointer or pointer, [*done, *read.actions]
    return done


def x_events(actions: list[Action]) -> list[list[object]]:
    """What the X server gets, without waits: the same whatever an action is called."""
    events = [event for action in actions for event in input_events(action, SCREEN.screen)]
    return [event for event in events if event[0] != "wait"]


CASES = [(name, action) for name in FORMATS for action in ACTIONS if name in action.forms]
WHERE_IT_IS = ("back", "forward", "scroll across")
"""Actions that some formats do where the pointer is."""


@pytest.mark.parametrize(("name", "action"), CASES, ids=[f"{n}-{a.name}" for n, a in CASES])
def test_a_documented_form_gives_the_same_events_as_the_action(name: str, action: FormatAction):
    own: list[Action] = []
    for call in action.calls:
        own += read_call(call, SCREEN, POINTER).actions
    seen = actions_of(name, written(action, name))
    if action.name in WHERE_IT_IS:
        kinds = [[event for event in x_events(done) if event[0] != "move"] for done in (seen, own)]
        assert kinds[0] == kinds[1]
        return
    moves = [[event[1:] for event in x_events(done) if event[0] == "move"] for done in (seen, own)]
    others = [[event for event in x_events(done) if event[0] != "move"] for done in (seen, own)]
    assert others[0] == others[1]
    if moves[1]:
        assert all(abs(a - b) <= 1 for a, b in zip(moves[0][-1], moves[1][-1], strict=True))


@pytest.mark.parametrize("name", ENDS)
def test_the_end_is_told_apart_from_giving_up(name: str):
    done, failed = (read_reply(name, form, own_scale(name)).finish for form in ENDS[name])
    assert done is not None and not done.declined
    assert failed is not None and failed.declined


@pytest.mark.parametrize(
    ("name", "reply", "actions"),
    [
        ("pyautogui", "import pyautogui\nfor _ in range(3):\n    pyautogui.press('down')",
         [Keys("down")] * 3),
        ("pyautogui", "pyautogui.press(['left', 'left'])", [Keys("left")] * 2),
        ("pyautogui", "pyautogui.moveRel(5, -3)", [Move(15, 17)]),
        ("pyautogui", "pyautogui.click((100, 200), clicks=2)", [Click(100, 200, "left", 2)]),
        ("pyautogui", "pyautogui.click(x=100)", [Click(100, 20)]),
        ("pyautogui", "pyautogui.typewrite(['a', 'enter'])", [Keys("a"), Keys("enter")]),
        ("pyautogui", "pyautogui.dragTo(30, 40)", [Drag((POINTER, (30, 40)))]),
        ("opencua", "pyautogui.click(x=0.5, y=0.25)", [Click(640, 200)]),
        ("opencua", "pyautogui.click(x=1, y=1)", [Click(1, 1)]),
        ("ui-tars", "Action: click(start_box='(400,200,600,300)')", [Click(640, 200)]),
        ("ui-tars-1.5", "Action: type(content='one\ntwo\\n')", [Type("one\ntwo\n")]),
        ("ui-tars-1.5", "Action: click(start_box='(1,2)')\n\nhotkey(key='ctrl s')",
         [Click(1, 2), Keys("ctrl+s")]),
        ("qwen2.5-vl", {"action": "wait", "time": 2}, [Wait(2.0)]),
        ("openai", {"type": "scroll", "x": 1, "y": 2, "scroll_x": 0, "scroll_y": -240,
                    "keys": ["CTRL"]},
         [Hold("CTRL"), Scroll(1, 2, -2), Hold("CTRL", down=False)]),
        ("gemini", {"name": "scroll_document", "args": {"direction": "up"}},
         [Scroll(10, 20, -3)]),
    ],
)  # fmt: skip
def test_further_forms_are_read(name: str, reply: object, actions: list[Action]):
    assert actions_of(name, reply) == actions


@pytest.mark.parametrize(
    ("name", "reply", "told"),
    [
        ("pyautogui", "x = 1", "is not run"),
        ("pyautogui", "__import__('os').system('rm -rf /')", "there is no action 'system'"),
        ("pyautogui", "pyautogui.click(x=open('/etc/passwd'))", "are plain values"),
        ("pyautogui", "for _ in range(10**9):\n    pyautogui.press('a')", "is not run"),
        ("pyautogui", "for _ in range(9):\n    for _ in range(9):\n        x()", "is not run"),
        ("pyautogui", "click the title", "is no action in Python"),
        ("pyautogui", "", "there is no action of the format pyautogui"),
        ("ui-tars", "Action: fly(to='Rome')", "there is no action 'fly'"),
        ("ui-tars", "Action: click(start_box='(1,2,3)')", "is no point and no box"),
        ("qwen3-vl", "<tool_call>no json</tool_call>", "is no JSON"),
        ("gemini", {"name": "click_at", "args": {"x": 4}}, "the action needs y"),
        ("openai", {"type": "click", "button": "thumb", "x": 1, "y": 1}, "no button is called"),
        ("computer_13", {"action_type": "TYPING", "parameters": {}}, "the action needs text"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(name: str, reply: object, told: str):
    with pytest.raises(ActionRefused) as refused:
        actions_of(name, reply)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_an_unknown_format_is_named_with_those_that_are_known():
    with pytest.raises(UnknownName, match="no action format is called 'qwen'; they are anthropic"):
        action_format("qwen")


def test_the_thought_stands_apart():
    reply = read_reply("ui-tars", "Thought: The menu.\nAction: wait()", own_scale("ui-tars"))
    assert reply.thought == "The menu."
    code = read_reply("opencua", "## Thought\nGo.\n```python\ncomputer.wait()\n```", SCREEN)
    assert code.thought == "## Thought\nGo."


PYAUTOGUI_KEYS = (
    "enter esc tab backspace delete del insert home end pageup pagedown pgup pgdn up down left "
    "right f1 f12 ctrl ctrlleft ctrlright shift shiftleft shiftright alt altleft altright win "
    "winleft command option capslock numlock scrolllock printscreen prtsc pause space num0 num9 "
    "add subtract multiply divide decimal apps"
)


def test_the_keys_of_pyautogui_are_known():
    assert all(chord(name) for name in PYAUTOGUI_KEYS.split())


@given(st.sampled_from(list(FORMATS)), st.one_of(
    st.text(), st.recursive(st.none() | st.integers() | st.text(max_size=9), lambda inner:
    st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(
        ["action", "type", "name", "args", "arguments", "x", "y", "keys", "text", "action_type"]),
        inner), max_leaves=8)))  # fmt: skip
@examples(300)
def test_any_reply_is_read_or_refused_in_a_line(name: str, reply: object):
    try:
        for call in read_reply(name, reply, own_scale(name), POINTER).calls:
            json.dumps(call)
            read_call(call, own_scale(name), POINTER)
    except ActionRefused as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 1000
