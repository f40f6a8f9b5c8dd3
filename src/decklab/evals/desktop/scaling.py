"""Points and pictures between the screen and what a model sees of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from PIL import Image

from decklab.evals.desktop.environment import ActionRefused

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
            x, y = (float(one) for one in numbers if not isinstance(one, bool))
            return x, y
        except (TypeError, ValueError):
            pass
    raise ActionRefused(f"{_short(told)} is no point; write two numbers, such as [640, 400]")


def _short(value: Any) -> str:
    text = " ".join(str(value).split()) if value is not None else "nothing"
    return text if len(text) <= 60 else text[:59] + "…"
