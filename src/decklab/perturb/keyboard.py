"""Which letters lie next to which on a keyboard, and which digits."""

from typing import Final

from decklab.perturb.draws import Draws

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_SHIFTS = (0.0, 0.25, 0.75)  # of the rows against the first, in widths of a key
_REACH = 1.3  # widths of a key: the six keys around one
_LETTERS = "".join(sorted("".join(_ROWS)))
_DIGIT_KEYS = "1234567890"


def _neighbors() -> dict[str, str]:
    places = {
        letter: (column + shift, row)
        for row, (letters, shift) in enumerate(zip(_ROWS, _SHIFTS, strict=True))
        for column, letter in enumerate(letters)
    }
    digits = {
        one: _DIGIT_KEYS[max(0, at - 1) : at] + _DIGIT_KEYS[at + 1 : at + 2]
        for at, one in enumerate(_DIGIT_KEYS)
    }
    return digits | {
        one: "".join(
            sorted(
                other
                for other, (x, y) in places.items()
                if other != one and (x - at) ** 2 + (y - row) ** 2 <= _REACH**2
            )
        )
        for one, (at, row) in places.items()
    }


NEIGHBORS: Final = _neighbors()
"""The letters around each lower-case letter on a QWERTY keyboard, the digits beside each digit.

>>> NEIGHBORS["g"], NEIGHBORS["q"], NEIGHBORS["1"]
('bfhtvy', 'aw', '2')
"""


def mistyped(character: str, draws: Draws) -> str:
    """A character that a finger may hit for this one, in its case; any letter for what is neither
    letter nor digit of the keyboard."""
    near = NEIGHBORS.get(character.lower(), _LETTERS)
    letter = draws.choice(near)
    return letter.upper() if character.isupper() else letter
