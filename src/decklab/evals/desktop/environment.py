"""Interface of every screen to an agent, and the actions of an agent there.

Paper 001, section 3: mouse, keyboard, waiting and looking. Each action is a frozen value, so that
a list of them is a script and a record of them can be played again.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from PIL import Image

from decklab.core.errors import DecklabError

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


Ended = Literal["editor", "display", "browser", "agent"]


class EnvironmentFailed(DecklabError):
    """The screen, or the editor on it, ended or does not answer; never the agent's failure.

    ``ended`` says which of them, ``saved`` the deck as it was last saved, if it can be read.
    """

    def __init__(self, ended: Ended, detail: str, saved: Path | None = None) -> None:
        self.ended, self.detail, self.saved = ended, detail, saved
        super().__init__(f"the {ended} ended: {detail}")


class ActionRefused(DecklabError):
    """An action that cannot be done, such as a point outside the screen or a key that does not
    exist; the text tells the agent what to do instead. It costs a step.
    """


@dataclass(frozen=True)
class Closed:
    """Deck that a closed screen leaves, in its own format, and whether it has the last change."""

    deck: Path
    saved: bool
    note: str = ""


class Environment(Protocol):
    """A screen with a deck open in an editor. A context manager: leaving it ends everything."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels; actions and pictures are in these."""

    def screenshot(self) -> Image.Image:
        """The screen as it is, RGB, without the pointer. Raises EnvironmentFailed."""

    def act(self, action: Action) -> Image.Image:
        """Do it, wait until the screen settles or a deadline passes, and give the new picture.

        Raises ActionRefused if it cannot be done, EnvironmentFailed if the editor ended.
        """

    def accessible_text(self) -> str | None:
        """The accessibility tree as text, a control a line; None if the screen has none."""

    def close(self) -> Closed:
        """Save the deck, close the editor and give what it left. Raises EnvironmentFailed."""
