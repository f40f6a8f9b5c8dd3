"""Names of keys against the header file of X11, as far as it is known by heart of its numbers."""

import pytest

from decklab.evals.desktop.environment import (
    ActionRefused,
    Click,
    Drag,
    Keys,
    Scroll,
    Type,
    Wait,
    character_key,
    chord,
    input_events,
)

SIZE = (640, 480)


def test_keysyms_are_those_of_x11() -> None:
    # keysymdef.h: XK_F5 0xffc2, XK_KP_7 0xffb7, XK_braceleft 0x007b, XK_Udiaeresis 0x00dc
    assert chord("F5") == [0xFFC2]
    assert chord("KP_7") == [0xFFB7]
    assert chord("braceleft") == chord("{") == [0x7B]
    assert character_key("Ü") == 0xDC
    assert character_key("中") == 0x1004E2D
    assert character_key("😀") == 0x101F600


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ctrl+s", "Control_L+S"),
        ("CTRL+ENTER", "ctrl+Return"),
        ("cmd+ArrowUp", "super+Up"),
        ("ctrl++", "ctrl+plus"),
        ("Page_Down", "pagedown"),
        ("+", "plus"),
    ],
)
def test_other_names_are_the_same_keys(one: str, other: str) -> None:
    assert chord(one) == chord(other)


def test_an_unknown_key_is_refused_with_near_ones() -> None:
    with pytest.raises(ActionRefused, match=r"'Retrun'; near: .*Return"):
        chord("ctrl+Retrun")
    with pytest.raises(ActionRefused, match="any character"):
        chord("ctrl+qqqqqqq")
    with pytest.raises(ActionRefused, match="''"):
        chord("ctrl+")


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (Click(640, 10), r"\(640, 10\) is outside the screen, which is 640 x 480"),
        (Click(10, -1), "y is 0 to 479"),
        (Click(10, 10, count=4), "1 to 3 times"),
        (Click(10, 10, keys="crtl"), "no key is called 'crtl'; near: ctrl"),
        (Drag(((1, 1),)), "two points"),
        (Scroll(1, 1), "notches"),
        (Scroll(1, 1, down=1000), "at most 100"),
        (Type(""), "no text"),
        (Type("a\x07"), "control character U\\+0007"),
        (Type("x" * 10_001), "at most 10000"),
        (Keys(""), "no key is named"),
        (Wait(61), "0 to 60 seconds"),
        (Wait(float("nan")), "0 to 60 seconds"),
    ],
)
def test_what_cannot_be_done_is_refused(action: Click, message: str) -> None:
    with pytest.raises(ActionRefused, match=message):
        input_events(action, SIZE)


def test_keys_are_held_around_a_click_and_let_go_in_reverse() -> None:
    assert input_events(Click(3, 4, "right", 2, "ctrl+shift"), SIZE) == [
        ["move", 3, 4],
        ["down", 0xFFE3],
        ["down", 0xFFE1],
        ["click", 3, 2],
        ["up", 0xFFE1],
        ["up", 0xFFE3],
    ]


def test_a_drag_passes_through_its_points() -> None:
    events = input_events(Drag(((0, 0), (100, 0), (100, 60))), SIZE)
    moves = [tuple(event[1:]) for event in events if event[0] == "move"]
    assert moves[0] == (0, 0)
    assert (100, 0) in moves
    assert moves[-1] == (100, 60)
    assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) <= 13 for a, b in zip(moves, moves[1:]))  # noqa: B905, RUF007
    assert [event[0] for event in events if event[0] in ("press", "release")] == [
        "press",
        "release",
    ]
