"""Interface of every screen to an agent, and the actions of an agent there; points and pictures
between the screen and what a model sees of it.

Paper 001, section 3: mouse, keyboard, waiting and looking. Each action is a frozen value, so that
a list of them is a script and a record of them can be played again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, Protocol

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


LONGEST_SIDE: Final = 1280
"""Pixels of the longer side of the picture that a model sees, unless told otherwise. Ours: models
see details of larger pictures no better, for providers make them smaller themselves."""
_MARGIN: Final = (128, 128, 128)
Pixel = tuple[int, int]


@dataclass(frozen=True)
class PictureScale:
    """How a screen is shown to a model, and where a point of the picture is on the screen.

    ``screen`` and ``picture`` are sizes in pixels. The screen is in the upper left of the picture,
    ``factor`` times as large. With ``thousandths`` the model tells points in thousandths of the
    picture's sides, as some open models have learnt to.
    """

    screen: Pixel
    picture: Pixel
    factor: float = 1.0
    thousandths: bool = False

    def shown(self, screen: Image.Image) -> Image.Image:
        """The picture that a model sees of a screen; RGB."""
        size = _scaled(self.screen, self.factor)
        small = screen if screen.size == size else screen.resize(size, Image.Resampling.LANCZOS)
        if size == self.picture:
            return small
        framed = Image.new("RGB", self.picture, _MARGIN)
        framed.paste(small, (0, 0))
        return framed

    def point(self, told: Any) -> Pixel:
        """The pixel of the screen for a point as a model gives it.

        It may be a list of two numbers, a text such as ``640, 400``, or an object with x and y.
        Raises ActionRefused if it is none of these, or not on the screen.
        """
        x, y = _pair(told)
        width, height = (1000, 1000) if self.thousandths else _scaled(self.screen, self.factor)
        if not (0 <= x < width and 0 <= y < height):
            raise ActionRefused(
                f"the point {x:g}, {y:g} is not on the screen: x goes from 0 to {width - 1}, "
                f"y from 0 to {height - 1}"
            )
        if self.thousandths:
            x, y = x * self.picture[0] / 1000, y * self.picture[1] / 1000
        # The middle of the picture's pixel, so that the ways there and back agree.
        across, down = (x + 0.5) / self.factor, (y + 0.5) / self.factor
        return min(int(across), self.screen[0] - 1), min(int(down), self.screen[1] - 1)

    def told(self, x: float, y: float) -> Pixel:
        """A point of the screen in the model's units."""
        across, down = x * self.factor, y * self.factor
        if self.thousandths:
            across, down = 1000 * across / self.picture[0], 1000 * down / self.picture[1]
        return int(across), int(down)

    def words(self) -> str:
        """The form of points, in words for the model."""
        if self.thousandths:
            return "Points are thousandths of the picture: x and y from 0 to 999."
        width, height = _scaled(self.screen, self.factor)
        return (
            f"Points are pixels of the picture: x from 0 to {width - 1}, y from 0 to {height - 1}, "
            "from the upper left."
        )


def picture_scale(
    screen: Pixel,
    *,
    longest: int = LONGEST_SIDE,
    frame: Pixel | None = None,
    thousandths: bool = False,
) -> PictureScale:
    """The scale at which a screen fits in a picture; it is never enlarged.

    The picture's longer side has at most ``longest`` pixels. With ``frame`` the picture has that
    size in any case, with a grey margin at the right or below: a provider's own ``computer`` tool
    may assume one size.

    >>> picture_scale((1920, 1080)).picture, picture_scale((1280, 800), frame=(1366, 768)).factor
    ((1280, 720), 0.96)
    """
    width, height = frame or (longest, longest)
    factor = min(1.0, width / screen[0], height / screen[1])
    return PictureScale(screen, frame or _scaled(screen, factor), factor, thousandths)


def _scaled(size: Pixel, factor: float) -> Pixel:
    return max(1, round(size[0] * factor)), max(1, round(size[1] * factor))


def _pair(told: Any) -> tuple[float, float]:
    """Two numbers in any of the forms of a point."""
    numbers: Sequence[Any] = ()
    if isinstance(told, Mapping):
        numbers = [told.get("x"), told.get("y")]
    elif isinstance(told, str):
        numbers = told.strip().strip("[]()").replace(",", " ").split()
    elif isinstance(told, list | tuple):
        numbers = told
    if len(numbers) == 2:
        try:
            x, y = (float(number) for number in numbers if not isinstance(number, bool))
            return x, y
        except (TypeError, ValueError):
            pass
    raise ActionRefused(f"{_short(told)} is no point; write two numbers, such as [640, 400]")


def _short(value: Any) -> str:
    text = " ".join(str(value).split()) if value is not None else "nothing"
    return text if len(text) <= 60 else text[:59] + "…"
