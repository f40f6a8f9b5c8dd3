"""What an agent can do on a screen: points are whole pixels, origin top left.

Paper 001, section 3: mouse, keyboard, waiting and looking. Each action is a frozen value, so that
a list of them is a script and a record of them can be played again.
"""

from dataclasses import dataclass
from typing import Literal

Button = Literal["left", "middle", "right"]


@dataclass(frozen=True)
class Screenshot:
    """Look, and do nothing."""


@dataclass(frozen=True)
class Click:
    """Press and release a button at a point, ``count`` times (1 to 3), while ``keys`` are held."""

    x: int
    y: int
    button: Button = "left"
    count: int = 1
    keys: str = ""


@dataclass(frozen=True)
class Move:
    """Put the pointer on a point."""

    x: int
    y: int


@dataclass(frozen=True)
class Drag:
    """Press the left button at the first point, move through the others, release at the last."""

    path: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Scroll:
    """Turn the wheel at a point; positive ``down`` and ``right`` are notches that way."""

    x: int
    y: int
    down: int = 0
    right: int = 0


@dataclass(frozen=True)
class Type:
    """Type any Unicode text; a line break is the key Return, a tab the key Tab."""

    text: str


@dataclass(frozen=True)
class Keys:
    """Press keys together, such as ``ctrl+shift+s`` or ``Return``; names are those of X11."""

    chord: str


@dataclass(frozen=True)
class Wait:
    """Do nothing for some seconds, then look."""

    seconds: float = 1.0


Action = Screenshot | Click | Move | Drag | Scroll | Type | Keys | Wait
