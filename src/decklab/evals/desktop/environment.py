"""What every screen offers to an agent, whatever draws it: an editor's window or a browser page."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from PIL import Image

from decklab.core.errors import DecklabError
from decklab.evals.desktop.actions import Action

Ended = Literal["editor", "display", "browser", "agent"]


class EnvironmentFailed(DecklabError):
    """The screen, or the editor on it, ended or does not answer; never the agent's failure.

    ``ended`` says which of them, ``saved`` the deck as it was last saved, where it can be read.
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
    """What a screen leaves: the deck in its own format, and whether the last change is in it."""

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

        Raises ActionRefused where it cannot be done, EnvironmentFailed where the editor ended.
        """

    def accessible_text(self) -> str | None:
        """The accessibility tree as text, a control a line; None where there is none."""

    def close(self) -> Closed:
        """Save the deck, close the editor and give what it left. Raises EnvironmentFailed."""
