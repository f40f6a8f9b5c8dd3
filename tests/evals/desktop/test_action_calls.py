"""Calls of models become actions, or one clear line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.tool import ToolInfo, ToolParams
from inspect_ai.tool._tool_info import parse_tool_info
from inspect_ai.tool._tools._computer._computer import computer, is_computer_tool_info
from tests.examples import examples

from decklab.evals.desktop.environment import (
    ActionRefused,
    Click,
    Drag,
    Hold,
    Keys,
    Move,
    Press,
    Screenshot,
    Scroll,
    Type,
    Wait,
    chord,
    input_events,
    picture_scale,
)
from decklab.evals.desktop.model_agent import ComputerCall, OwnComputerCall
from decklab.evals.desktop.session import call_of, calls_in, chords_of, read_call
from decklab.models.inspect import tool_info

SCREEN = picture_scale((1280, 800))


@pytest.mark.parametrize(
    ("call", "actions"),
    [
        ({"action": "left_click", "coordinate": [640, 400]}, (Click(640, 400),)),
        ({"action": "click", "x": 640, "y": 400}, (Click(640, 400),)),
        ({"action": "left_click", "coordinate": "640, 400"}, (Click(640, 400),)),
        ({"action": "left_click", "coordinate": {"x": 5, "y": 6}}, (Click(5, 6),)),
        ({"action": "left_click", "coordinate": [5, 6], "text": "ctrl+Shift"},
         (Click(5, 6, keys="ctrl+Shift"),)),
        ({"action": "triple_click", "coordinate": [1, 2]}, (Click(1, 2, "left", 3),)),
        ({"action": "right_click", "coordinate": None}, (Click(7, 8, "right"),)),
        ({"action": "mouse_move", "coordinate": [0, 799]}, (Move(0, 799),)),
        ({"action": "left_click_drag", "start_coordinate": [1, 2], "coordinate": [3, 4]},
         (Drag(((1, 2), (3, 4))),)),
        ({"action": "left_click_drag", "coordinate": [3, 4]}, (Drag(((7, 8), (3, 4))),)),
        ({"action": "scroll", "coordinate": [1, 2], "scroll_direction": "up", "scroll_amount": 4},
         (Scroll(1, 2, -4, 0),)),
        ({"action": "scroll", "scroll_direction": "right"}, (Scroll(7, 8, 0, 3),)),
        ({"action": "type", "text": "Ü 中\n🎈"}, (Type("Ü 中\n🎈"),)),
        ({"action": "type", "coordinate": [1, 2], "text": "a", "press_enter": True},
         (Click(1, 2), Type("a"), Keys("Return"))),
        ({"action": "key", "text": "cmd+a Delete"}, (Keys("ctrl+a"), Keys("Delete"))),
        ({"action": "key", "text": "ctrl++"}, (Keys("ctrl++"),)),
        ({"action": "key", "text": "Down", "repeat": 3}, (Keys("Down"),) * 3),
        ({"action": "hotkey", "keys": ["ctrl", "shift", "S"]}, (Keys("ctrl+shift+S"),)),
        ({"action": "wait", "duration": 2}, (Wait(2.0),)),
        ({"action": "left_mouse_down"}, (Press(7, 8),)),
        ({"action": "right_mouse_up", "coordinate": [1, 2]}, (Press(1, 2, "right", down=False),)),
        ({"action": "back_click"}, (Click(7, 8, "back"),)),
        ({"action": "hold_key", "text": "shift+a", "duration": 2}, (Hold("shift+a", 2.0),)),
        ({"action": "scroll", "scroll_direction": "up", "scroll_amount": 1, "text": "ctrl"},
         (Hold("ctrl"), Scroll(7, 8, -1), Hold("ctrl", down=False))),
        ({"action": "cursor_position"}, (Screenshot(),)),
    ],
)  # fmt: skip
def test_calls_of_all_shapes_are_read(call, actions):
    assert read_call(call, SCREEN, (7, 8)).actions == actions


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ({}, "no action is named; actions are screenshot"),
        ({"action": "left_clik"}, "did you mean left_click?"),
        ({"action": 3}, "there is no action '3'"),
        ({"action": "left_click"}, "left_click needs coordinate, such as [640, 400]"),
        ({"action": "left_click", "coordinate": [1280, 0]},
         "the point 1280, 0 is not on the screen: x goes from 0 to 1279, y from 0 to 799"),
        ({"action": "left_click", "coordinate": [-1, 0]}, "the point -1, 0 is not on the screen"),
        ({"action": "left_click", "coordinate": ["a", 0]}, "is no point; write two numbers"),
        ({"action": "left_click", "coordinate": [True, 0]}, "is no point"),
        ({"action": "left_click", "coordinate": [float("nan"), 0]}, "is not on the screen"),
        ({"action": "left_click", "coordinates": [1, 2]}, "did you mean coordinate?"),
        ({"action": "key"}, "key needs text"),
        ({"action": "key", "text": "ctrl+Entr"}, "no key is called 'Entr'; near: "),
        ({"action": "key", "text": "ctrl+"}, "no key is called ''"),
        ({"action": "key", "text": "Down", "repeat": 0}, "repeat of key is a number from 1 to 100"),
        ({"action": "type", "text": ""}, "type needs text"),
        ({"action": "wait", "duration": 3600}, "duration of wait is a number from 0 to 60"),
        ({"action": "scroll", "scroll_direction": "north"}, "is up, down, left or right"),
        ({"action": "scroll", "scroll_amount": True}, "is a number from 1 to 50"),
        ({"action": "left_mouse_down"}, "left_mouse_down needs coordinate"),
        ({"action": "hold_key", "text": "shift", "duration": 61}, "is a number from 0 to 60"),
        ({"action": "navigate"}, "cannot be done here: the program is open already"),
        ({"action": "zoom", "region": [9, 9, 9, 20]}, "left is less than right"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_told_in_one_line(call, told):
    with pytest.raises(ActionRefused) as refused:
        read_call(call, SCREEN)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_provider_that_sends_several_actions_is_read():
    calls = calls_in({"actions": [{"action": "wait"}, {"action": "key", "text": "ESC"}]})
    assert [read_call(one, SCREEN).actions for one in calls] == [(Wait(1.0),), (Keys("ESC"),)]
    for wrong in ([], "click", [3]):
        with pytest.raises(ActionRefused):
            calls_in({"actions": wrong})


def test_keys_of_inspects_own_tool_are_all_known():
    told = str(parse_tool_info(computer()).parameters.properties["action"].description)
    for name in (
        "Return",
        "alt+Tab",
        "KP_0",
        "Prior",
        "F12",
        "Control_L",
        "Num_Lock",
        "KP_Decimal",
    ):
        assert name in told
        assert chords_of(name) == (name,)
    assert chord("Control_L+c") == chord("ctrl+c") == chord(*chords_of("CMD+c"))


def test_a_zoom_is_the_part_in_pixels_of_the_screen():
    scale = picture_scale((2560, 1600))
    read = read_call({"action": "zoom", "region": [100, 100, 200, 150]}, scale)
    assert read.region is not None
    left, top, right, bottom = read.region
    assert (left, top) == (201, 201)
    assert abs((right - left) - 200) <= 2
    assert abs((bottom - top) - 100) <= 2


@given(st.tuples(st.integers(0, 1919), st.integers(0, 1079)))
def test_points_go_to_the_picture_and_back(point):
    for scale in (picture_scale((1920, 1080)), picture_scale((1920, 1080), frame=(1366, 768))):
        x, y = (int(one * scale.factor) for one in point)
        back = scale.point([x, y])
        assert all(abs(a - b) <= 1 / scale.factor for a, b in zip(point, back, strict=True))


def test_thousandths_are_shares_of_the_picture():
    scale = picture_scale((1280, 800), thousandths=True)
    assert scale.point([500, 500]) == (640, 400)
    assert scale.point([999, 999])[0] <= 1279
    with pytest.raises(ActionRefused, match="from 0 to 999"):
        scale.point([1000, 0])


def test_the_margin_of_a_framed_picture_is_no_place_to_click():
    scale = picture_scale((1280, 800), frame=(1366, 768))
    with pytest.raises(ActionRefused, match="x goes from 0 to 1228"):
        scale.point([1300, 10])


@given(
    st.one_of(
        st.builds(Click, st.integers(0, 99), st.integers(0, 99),
                  st.sampled_from(["left", "right", "middle"]), st.integers(1, 3),
                  st.sampled_from(["", "ctrl", "ctrl+shift"])),
        st.builds(Press, st.integers(0, 99), st.integers(0, 99),
                  st.sampled_from(["left", "right", "middle"]), st.booleans()),
        st.builds(Hold, st.just("ctrl+shift"), st.none(), st.booleans()),
        st.builds(Hold, st.just("ctrl+shift"), st.floats(0, 60)),
        st.builds(Move, st.integers(0, 99), st.integers(0, 99)),
        st.builds(Type, st.text(min_size=1)),
        st.builds(Scroll, st.integers(0, 99), st.integers(0, 99), st.integers(1, 50)),
        st.builds(Drag, st.just(((1, 2), (3, 4), (5, 6)))),
        st.builds(Keys, st.sampled_from(["ctrl+s", "Return", "alt+F4", "plus"])),
        st.builds(Wait, st.floats(0, 60)),
        st.just(Screenshot()),
    )
)  # fmt: skip
def test_an_action_written_as_a_call_is_read_as_itself(action):
    call = json.loads(json.dumps(call_of(action)))
    assert read_call(call, picture_scale((100, 100))).actions == (action,)


ANY = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=4),
                            st.dictionaries(st.sampled_from(["x", "y", "action"]), inner)),
    max_leaves=6,
)  # fmt: skip
ARGUMENTS = (
    "coordinate", "start_coordinate", "text", "duration", "scroll_direction", "scroll_amount",
    "region", "repeat", "press_enter", "path", "keys", "x", "y", "odd",
)  # fmt: skip
NAMES = (
    "left_click", "triple_click", "left_click_drag", "scroll", "type", "key", "wait", "zoom",
    "mouse_move", "screenshot",
)  # fmt: skip


@given(
    st.one_of(st.sampled_from(NAMES), ANY),
    st.dictionaries(st.sampled_from(ARGUMENTS), ANY, max_size=4),
    st.sampled_from([None, (3, 4)]),
)
@examples(400)
def test_whatever_a_model_sends_is_done_on_the_screen_or_refused_in_a_line(name, given, pointer):
    try:
        read = read_call({"action": name, **given}, SCREEN, pointer)
        for action in read.actions:
            input_events(action, SCREEN.screen)
    except ActionRefused as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 1000
        return
    json.dumps([call_of(action) for action in read.actions], allow_nan=False)


def test_the_tool_is_known_to_inspect_as_its_own():
    assert is_computer_tool_info(tool_info("computer", "x", OwnComputerCall))
    assert not is_computer_tool_info(tool_info("computer", "x", ComputerCall))
    assert isinstance(tool_info("computer", "x", ComputerCall).parameters, ToolParams)
    assert isinstance(parse_tool_info(computer()), ToolInfo)
