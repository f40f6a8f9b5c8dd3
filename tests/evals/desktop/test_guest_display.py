"""Keys that are pressed for a text, on a keyboard of three keys that is played here."""

import ctypes
from collections.abc import Callable
from typing import Any

import pytest

from decklab.evals.desktop import guest as guest_display
from decklab.evals.desktop.guest import SHIFT, Input

A_KEY, SHIFT_KEY, SPARE_KEY = 8, 9, 10
SYMBOLS = {A_KEY: (ord("a"), ord("A")), SHIFT_KEY: (SHIFT, 0), SPARE_KEY: (0, 0)}


class Keyboard:
    """libX11 and libXtst in one; ``pressed`` has (key, down) in order, ``lent`` what keys got."""

    def __init__(self) -> None:
        self.pressed: list[tuple[int, bool]] = []
        self.lent: list[tuple[int, int]] = []

    def __getattr__(self, name: str) -> Callable[..., int]:
        def call(*values: Any) -> int:
            if name == "XDisplayKeycodes":
                values[1]._obj.value, values[2]._obj.value = A_KEY, SPARE_KEY
            if name == "XkbKeycodeToKeysym":
                return SYMBOLS[values[1]][values[3]]
            if name == "XTestFakeKeyEvent":
                self.pressed.append((values[1], bool(values[2])))
            if name == "XChangeKeyboardMapping":
                self.lent.append((values[1], values[3][0]))
            return 1

        self.__dict__[name] = call  # the same each time: callers set the type that it returns
        return call


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Keyboard:
    played = Keyboard()
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: played)
    monkeypatch.setattr(guest_display, "KEY_SECONDS", 0.0)
    return played


def test_shift_is_held_for_a_capital_letter_alone(keyboard: Keyboard) -> None:
    Input(":0", lambda: None).put([["text", [ord("a"), ord("A"), ord("a")]]], lambda: None)
    small = [(A_KEY, True), (A_KEY, False)]
    assert keyboard.pressed == [*small, (SHIFT_KEY, True), *small, (SHIFT_KEY, False), *small]
    assert keyboard.lent == []


def test_a_letter_without_a_key_borrows_a_spare_one(keyboard: Keyboard) -> None:
    rests: list[int] = []
    display = Input(":0", lambda: None)
    display.put([["text", [ord("é"), ord("a"), ord("ü")]]], lambda: rests.append(1))
    assert keyboard.lent == [(SPARE_KEY, ord("é")), (SPARE_KEY, ord("ü"))]
    spare, small = ([(key, True), (key, False)] for key in (SPARE_KEY, A_KEY))
    assert keyboard.pressed == [*spare, *small, *spare]
    assert len(rests) == 4  # before and after each change of a key
