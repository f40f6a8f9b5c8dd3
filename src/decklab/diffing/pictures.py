"""Similarity of two pictures, the regions where they differ, and two decks side by side.

Structural similarity: Z. Wang, A. Bovik, H. Sheikh and E. Simoncelli, Image Quality Assessment:
From Error Visibility to Structural Similarity, IEEE TIP 13(4), 2004: Gaussian window of 11 by 11
with sigma 1.5. Ours instead of scikit-image's, which gives the same values, because that library
and what it needs would be 50 MB more to install.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.core.colors import Image, differing_pixels
from decklab.core.errors import RenderError, RenderFailed
from decklab.core.files import Closing
from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.core.results import NotScored
from decklab.rendering.opening import open_incremental
from decklab.rendering.pictures import RenderedDeck, RenderedSlide
from decklab.rendering.renderer import Renderer

DeckSide = Literal["original", "modified"]


class DecksSideBySide(Closing):
    """An original deck and its edited version; a context manager. Both files are only read.

    If ``renderer`` has none, LibreOffice is started at the first need, and drawn slides are
    stored while this object is open. A deck that cannot be drawn is tried once.
    """

    def __init__(
        self, original: str | Path, modified: str | Path, *, renderer: Renderer | None = None
    ) -> None:
        self.paths: dict[DeckSide, Path] = {"original": Path(original), "modified": Path(modified)}
        self._stack = ExitStack()
        self._given = renderer or Renderer()
        self._drawn: dict[DeckSide, RenderedDeck | RenderError] = {}

    def close(self) -> None:
        """Release drawn decks, and LibreOffice if it was started for them."""
        self._stack.close()
        self._drawn.clear()

    def rendered(self, side: DeckSide) -> RenderedDeck:
        """A whole deck as drawn slides; raises RenderError if it cannot be drawn."""
        if side not in self._drawn:
            self._drawn[side] = self._open(side)
        deck = self._drawn[side]
        if isinstance(deck, RenderError):
            raise deck
        return deck

    def drawn(self, side: DeckSide, number: int) -> RenderedSlide:
        """A slide as it looks, by 1-based number; raises RenderError if it cannot be drawn."""
        deck = self.rendered(side)
        if not 1 <= number <= len(deck):
            raise RenderFailed(self.paths[side], f"there is no picture of slide {number}")
        return deck.slide(number)

    @cached_property
    def _renderer(self) -> Renderer:
        return self._stack.enter_context(self._given.started(own_cache=True))

    def _open(self, side: DeckSide) -> RenderedDeck | RenderError:
        try:
            deck = open_incremental(self.paths[side], renderer=self._renderer, ocr=False)
        except RenderError as error:
            return error
        return self._stack.enter_context(deck)


WINDOW = 11
SIGMA = 1.5
K1, K2 = 0.01, 0.03
"""Section III.B of the paper; the dynamic range is 255."""

Grey = NDArray[np.uint8]


def ssim_map(a: Grey, b: Grey) -> NDArray[np.float64]:
    """SSIM index at every pixel, -1 to 1; ``a`` and ``b`` are (height, width) uint8.

    Borders are mirrored. Raises ValueError if the sizes differ or there are no pixels.
    """
    if a.shape != b.shape or a.ndim != 2 or not a.size:
        raise ValueError(f"two grey pictures of one size are needed, not {a.shape} and {b.shape}")
    x, y = a.astype(np.float64), b.astype(np.float64)
    mean_x, mean_y = _blurred(x), _blurred(y)
    variance_x = _blurred(x * x) - mean_x * mean_x
    variance_y = _blurred(y * y) - mean_y * mean_y
    covariance = _blurred(x * y) - mean_x * mean_y
    c1, c2 = (K1 * 255) ** 2, (K2 * 255) ** 2
    index: NDArray[np.float64] = (
        (2 * mean_x * mean_y + c1)
        * (2 * covariance + c2)
        / ((mean_x**2 + mean_y**2 + c1) * (variance_x + variance_y + c2))
    )
    return index


def ssim(a: Grey, b: Grey) -> float:
    """Mean SSIM over all pixels whose window lies inside the picture, -1 to 1, higher is more
    similar; over all pixels if the picture is smaller than a window.

    >>> import numpy as np
    >>> ssim(np.zeros((20, 20), np.uint8), np.zeros((20, 20), np.uint8))
    1.0
    """
    index = ssim_map(a, b)
    edge = WINDOW // 2
    inner = index[edge:-edge, edge:-edge]
    return float(np.mean(inner if inner.size else index))


def likeness(first: Image, other: Image) -> float:
    """Mean SSIM of two pictures of one size, in grey; 1 for equal pictures."""
    return ssim(_grey(first), _grey(other))


def _grey(image: Image) -> Grey:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), np.uint8)


def _blurred(values: NDArray[np.float64]) -> NDArray[np.float64]:
    blurred = cv2.GaussianBlur(values, (WINDOW, WINDOW), SIGMA, borderType=cv2.BORDER_REFLECT)
    return np.asarray(blurred, dtype=np.float64)


_GAP = 9
"""Px of the picture over which differing pixels join to one region. Ours."""
_SPECKS = 4
"""Regions of fewer differing pixels are left out: they are antialiasing. Ours."""


@dataclass(frozen=True)
class VisualChange:
    """How two pictures of one slide differ."""

    ssim: float | NotScored
    """Mean structural similarity of their grey values, -1 to 1; 1 for equal pictures."""
    share: float
    """Share of the pixels that differ visibly, 0 to 1."""
    regions: tuple[Box, ...]
    """Boxes around what differs in the 960x540 frame, largest first."""


def visual_diff(
    before: Sequence[Image | None], after: Sequence[Image | None]
) -> list[VisualChange]:
    """Compare two rows of slide pictures, pair by pair: RGB, (height, width, 3) uint8.

    The caller pairs them, such as by the slides that ``diff`` matched; None stands for a missing
    slide. Of pictures of different sizes the older is scaled to the newer's. Raises ValueError
    if the rows differ in length.
    """
    return [_compared(old, new) for old, new in zip(before, after, strict=True)]


def _compared(old: Image | None, new: Image | None) -> VisualChange:
    if old is None or new is None:
        return VisualChange(NotScored("the slide is in one deck only"), 1.0, (FRAME,))
    if old.shape != new.shape:
        size = new.shape[1], new.shape[0]
        old = np.asarray(cv2.resize(old, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    if np.array_equal(old, new):
        return VisualChange(1.0, 0.0, ())
    differs = differing_pixels(old, new)
    grey = [_grey(picture) for picture in (old, new)]
    return VisualChange(ssim(grey[0], grey[1]), float(differs.mean()), _largest_first(differs))


def regions(differs: NDArray[np.bool_], *, gap: int = _GAP, least: int = _SPECKS) -> Iterator[Box]:
    """Boxes in the 960x540 frame around pixels that differ, those within ``gap`` px of the picture
    as one; none around fewer than ``least``. In the order of their first rows."""
    height, width = differs.shape
    joined = cv2.dilate(differs.astype(np.uint8), np.ones((gap, gap), np.uint8))
    _count, components = cv2.connectedComponents(joined, connectivity=8)
    rows, columns = np.nonzero(differs)
    labels = np.asarray(components, np.int32)[rows, columns]
    sizes = np.bincount(labels)
    least_edges = np.full((2, len(sizes)), max(height, width))
    most_edges = np.zeros((2, len(sizes)), np.int64)
    for axis, places in enumerate((columns, rows)):
        np.minimum.at(least_edges[axis], labels, places)
        np.maximum.at(most_edges[axis], labels, places + 1)
    across, down = FRAME_WIDTH / width, FRAME_HEIGHT / height
    for label in np.flatnonzero(sizes >= max(1, least)):
        (left, top), (right, bottom) = least_edges[:, label], most_edges[:, label]
        box = Box(int(left), int(top), int(right), int(bottom))
        yield box.scaled(across, down)


def _largest_first(differs: NDArray[np.bool_]) -> tuple[Box, ...]:
    return tuple(sorted(regions(differs), key=lambda box: (-box.area, box)))


@dataclass(frozen=True)
class PictureLikeness:
    """Similarity of two decks' pictures, slide by slide in the order of the show."""

    slides: tuple[float, ...]
    """``color_ssim`` of each slide; 0 for a slide that one of the decks does not have."""
    mean: float | NotScored
    """Over all slides of the longer deck; 1 for equal pictures, higher is better."""
    changed: float | NotScored
    """Only over the slides that the truth changes visibly."""
    touched: float | NotScored
    """Over the slides that the truth or the prediction changes visibly, so that unchanged slides do
    not hide the scores of the others."""


def color_ssim(first: Image | None, second: Image | None) -> float:
    """Structural similarity of two pictures, RGB (height, width, 3) uint8: that of the channel in
    which they differ most, -1 to 1, so that a change of colour alone is seen; 1 for equal ones.

    Of pictures of different sizes the first is scaled to the second's. 0 if one is missing.

    >>> white, black = np.full((20, 20, 3), 255, np.uint8), np.zeros((20, 20, 3), np.uint8)
    >>> color_ssim(white, white), round(color_ssim(white, black), 4), color_ssim(white, None)
    (1.0, 0.0001, 0.0)
    """
    if first is None or second is None:
        return 0.0
    if first.shape != second.shape:
        size = second.shape[1], second.shape[0]
        first = np.asarray(cv2.resize(first, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    if np.array_equal(first, second):
        return 1.0
    return min(
        ssim(np.ascontiguousarray(first[:, :, n]), np.ascontiguousarray(second[:, :, n]))
        for n in range(3)
    )


def picture_likeness(
    original: Sequence[Image], truth: Sequence[Image], prediction: Sequence[Image]
) -> PictureLikeness:
    """Compare pictures, RGB (height, width, 3) uint8, of a prediction with those of the truth.

    Slides are paired by their place in the show and compared by ``color_ssim``. A slide is changed
    where its picture in the original, at the same place, is another one. NotScored if there are
    no slides, or none is changed visibly.

    >>> white = np.full((54, 96, 3), 255, np.uint8)
    >>> picture_likeness([white], [white], [white]).mean
    1.0
    """
    if not (count := max(len(truth), len(prediction))):
        reason = NotScored("there are no slides")
        return PictureLikeness((), reason, reason, reason)
    slides = tuple(color_ssim(_at(truth, n), _at(prediction, n)) for n in range(count))
    by_truth = {n for n in range(count) if _differ(_at(original, n), _at(truth, n))}
    by_prediction = {n for n in range(count) if _differ(_at(original, n), _at(prediction, n))}
    return PictureLikeness(
        slides,
        fmean(slides),
        _mean(slides, by_truth & set(range(len(truth))), "the truth changes no picture"),
        _mean(slides, by_truth | by_prediction, "neither truth nor prediction changes a picture"),
    )


def _mean(slides: Sequence[float], which: Iterable[int], none: str) -> float | NotScored:
    values = [slides[n] for n in which]
    return fmean(values) if values else NotScored(none)


def _at(pictures: Sequence[Image], n: int) -> Image | None:
    return pictures[n] if n < len(pictures) else None


def _differ(first: Image | None, second: Image | None) -> bool:
    if first is None or second is None:
        return first is not second
    return not np.array_equal(first, second)
