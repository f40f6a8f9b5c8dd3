"""How much a deck looks like the truth."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from decklab.diff import visual_diff
from decklab.results import NotScored

__all__ = ["PictureLikeness", "picture_likeness"]

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class PictureLikeness:
    """Likeness of two decks' pictures, slide by slide in the order of the show."""

    slides: tuple[float, ...]
    """SSIM of each slide, -1 to 1; 0 for a slide that one of the decks does not have."""
    mean: float | NotScored
    """Over all slides of the longer deck; 1 for equal pictures, higher is better."""
    changed: float | NotScored
    """Over those slides alone that the truth changes to the eye."""


def picture_likeness(
    original: Sequence[Image], truth: Sequence[Image], prediction: Sequence[Image]
) -> PictureLikeness:
    """Compare pictures, RGB (height, width, 3) uint8, of a prediction with those of the truth.

    The likeness is the mean structural similarity of grey values (``decklab.diff.ssim``). A slide
    is changed by the truth where its picture in the original, at the same place, is another one.
    NotScored where there are no slides, or the truth changes none to the eye.

    >>> white = np.full((54, 96, 3), 255, np.uint8)
    >>> picture_likeness([white], [white], [white]).mean
    1.0
    """
    count = max(len(truth), len(prediction))
    if not count:
        reason = NotScored("there are no slides")
        return PictureLikeness((), reason, reason)
    seen = visual_diff(_padded(truth, count), _padded(prediction, count))
    slides = tuple(0.0 if isinstance(one.ssim, NotScored) else one.ssim for one in seen)
    before = [original[n] if n < len(original) else None for n in range(len(truth))]
    asked = [n for n, one in enumerate(visual_diff(before, list(truth))) if one.regions]
    return PictureLikeness(
        slides,
        fmean(slides),
        fmean(slides[n] for n in asked) if asked else NotScored("the truth changes no picture"),
    )


def _padded(pictures: Sequence[Image], count: int) -> list[Image | None]:
    return [pictures[n] if n < len(pictures) else None for n in range(count)]
