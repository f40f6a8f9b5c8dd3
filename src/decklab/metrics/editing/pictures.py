"""How much a deck looks like the truth."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.diffing.ssim import ssim
from decklab.results import NotScored

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class PictureLikeness:
    """Likeness of two decks' pictures, slide by slide in the order of the show."""

    slides: tuple[float, ...]
    """``color_ssim`` of each slide; 0 for a slide that one of the decks does not have."""
    mean: float | NotScored
    """Over all slides of the longer deck; 1 for equal pictures, higher is better."""
    changed: float | NotScored
    """Over those slides alone that the truth changes to the eye."""
    touched: float | NotScored
    """Over those that the truth or the prediction changes to the eye, so that slides that nobody
    was to touch do not hide what became of the others."""


def color_ssim(one: Image | None, other: Image | None) -> float:
    """Structural similarity of two pictures, RGB (height, width, 3) uint8: that of the channel in
    which they are least alike, -1 to 1, so that a change of colour alone is seen; 1 for equal ones.

    Of pictures of different sizes the first is scaled to the second's. 0 where one is not there.

    >>> white, black = np.full((20, 20, 3), 255, np.uint8), np.zeros((20, 20, 3), np.uint8)
    >>> color_ssim(white, white), round(color_ssim(white, black), 4), color_ssim(white, None)
    (1.0, 0.0001, 0.0)
    """
    if one is None or other is None:
        return 0.0
    if one.shape != other.shape:
        size = other.shape[1], other.shape[0]
        one = np.asarray(cv2.resize(one, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    if np.array_equal(one, other):
        return 1.0
    return min(
        ssim(np.ascontiguousarray(one[:, :, n]), np.ascontiguousarray(other[:, :, n]))
        for n in range(3)
    )


def picture_likeness(
    original: Sequence[Image], truth: Sequence[Image], prediction: Sequence[Image]
) -> PictureLikeness:
    """Compare pictures, RGB (height, width, 3) uint8, of a prediction with those of the truth.

    Slides are paired by their place in the show and compared by ``color_ssim``. A slide is changed
    where its picture in the original, at the same place, is another one. NotScored where there are
    no slides, or none is changed to the eye.

    >>> white = np.full((54, 96, 3), 255, np.uint8)
    >>> picture_likeness([white], [white], [white]).mean
    1.0
    """
    count = max(len(truth), len(prediction))
    if not count:
        reason = NotScored("there are no slides")
        return PictureLikeness((), reason, reason, reason)
    slides = tuple(color_ssim(_at(truth, n), _at(prediction, n)) for n in range(count))
    asked = {n for n in range(count) if _differ(_at(original, n), _at(truth, n))}
    made = {n for n in range(count) if _differ(_at(original, n), _at(prediction, n))}
    return PictureLikeness(
        slides,
        fmean(slides),
        _mean(slides, asked & set(range(len(truth))), "the truth changes no picture"),
        _mean(slides, asked | made, "neither truth nor prediction changes a picture"),
    )


def _mean(slides: Sequence[float], which: Iterable[int], none: str) -> float | NotScored:
    values = [slides[n] for n in which]
    return fmean(values) if values else NotScored(none)


def _at(pictures: Sequence[Image], n: int) -> Image | None:
    return pictures[n] if n < len(pictures) else None


def _differ(one: Image | None, other: Image | None) -> bool:
    if one is None or other is None:
        return one is not other
    return not np.array_equal(one, other)
