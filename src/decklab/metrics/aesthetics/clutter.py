"""Subband entropy: how much information a picture's edges hold (Rosenholtz et al. 2007).

Paper 002, eq 6, 11 and 18 to 20, table 8.
"""

from collections.abc import Sequence
from math import ceil, log, sqrt
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.core.colors import Image, Plane, lab_planes
from decklab.core.results import NotScored
from decklab.metrics.aesthetics.pyramid import SMALLEST_SIDE, bands
from decklab.metrics.metric import SLIDESGEN, MetricInfo, register

CHROMA_WEIGHT: Final = 0.0625
"""w_c of eq 6 (G.1)."""

ENTROPY_WEIGHTS: Final = (
    1 / (1 + 2 * CHROMA_WEIGHT),
    CHROMA_WEIGHT / (1 + 2 * CHROMA_WEIGHT),
    CHROMA_WEIGHT / (1 + 2 * CHROMA_WEIGHT),
)
"""Weights of the lightness and the two chroma channels by eq 6: 0.889, 0.056 and 0.056."""

ENTROPY_WEIGHTS_TABLE8: Final = (0.84, 0.08, 0.08)
"""Weights of the same channels by eq 11 and table 8, which disagree with eq 6."""

ZERO_THRESHOLD: Final = 0.008
"""A channel that varies less than this counts as empty (table 8)."""

WHITE_AIM: Final = (95.047, 100.0, 108.833)
"""What AIM divides an XYZ of 0 to 1 by: a hundred times too much, and a swapped digit."""

# A value this close under the edge of a bin, in bins, belongs to the bin above. Symmetric pictures
# have bands with values exactly on an edge, where rounding would otherwise decide.
_EDGE = 1 / 1024
_LANES = 8
# AIM's lightness runs from 0 to 9 and is a difference of numbers of about 16, rounded to 2e-6; two
# neighbouring 8-bit colours differ by 3e-3. A plane that varies by less than this has one colour;
# AIM itself gives the entropy of its rounding errors there.
_ROUNDING = 1e-5
# A band that varies less than this, relative to its plane, holds rounding errors and nothing else.
_NOISE = 2e-6

register(
    MetricInfo(
        "rhythm.subband_entropy", "slide", "How much visual clutter the slide carries.",
        f"{SLIDESGEN}, eq 6 and 18 to 20", unit="bits", direction="neutral", high=None,
        label="Subband entropy",
    ),
    MetricInfo(
        "rhythm.subband_entropy_aim", "slide", "Visual clutter as Aalto AIM gives it.",
        "Aalto AIM, m7", unit="nats", direction="neutral", high=None, version="2",
        label="Subband entropy, AIM variant",
    ),
    MetricInfo(
        "rhythm.subband_entropy_table8", "slide",
        "Visual clutter with the channel weights of table 8.", f"{SLIDESGEN}, eq 11 and table 8",
        unit="bits", direction="neutral", high=None, label="Subband entropy, weights of table 8",
    ),
)  # fmt: skip


def subband_entropy(image: Image) -> float | NotScored:
    """Visual clutter of a slide in bits: paper 002, eq 6, 18 to 20.

    Mean Shannon entropy over the bands of a steerable pyramid (3 scales, 4 orientations, both
    residuals), in ceil(sqrt(n)) bins each, of CIELAB lightness and, with weight 0.0625, chroma.
    Lightness counts as L*/100 and chroma as (a*+128)/255; a channel that varies by less than 0.008
    has entropy 0. Neither direction is better by itself.

    ``image`` is RGB uint8 (H, W, 3). Range 0 (one colour) to about 9.9 bits at 1280x720. NotScored
    where a side is under 32 pixels, too few for three scales.

    >>> subband_entropy(np.zeros((720, 1280, 3), np.uint8))
    0.0
    """
    entropies = channel_entropies(image)
    return entropies if isinstance(entropies, NotScored) else weighted_entropy(entropies)


def channel_entropies(image: Image) -> tuple[float, float, float] | NotScored:
    """Bits of L*, a* and b*, whose weighted mean is ``subband_entropy`` (paper 002, eq 18 to 20).

    ``image`` and NotScored are as in ``subband_entropy``.

    >>> channel_entropies(np.zeros((720, 1280, 3), np.uint8))
    (0.0, 0.0, 0.0)
    """
    if reason := _too_small(image):
        return reason
    lightness, a, b = (
        _mean_band_entropy(plane, least_spread=ZERO_THRESHOLD * unit, extra_bin=0) / log(2)
        for plane, unit in zip(lab_planes(image), (100, 255, 255), strict=True)
    )
    return lightness, a, b


def weighted_entropy(
    entropies: Sequence[float], weights: Sequence[float] = ENTROPY_WEIGHTS
) -> float:
    """The entropy of a slide from those of L*, a* and b*: eq 6, or eq 11 with table 8's weights.

    >>> round(weighted_entropy((4.0, 2.0, 2.0)), 3)
    3.778
    >>> round(weighted_entropy((4.0, 2.0, 2.0), ENTROPY_WEIGHTS_TABLE8), 3)
    3.68
    """
    return float(sum(w * bits for w, bits in zip(weights, entropies, strict=True)))


def subband_entropy_aim(image: Image) -> float | NotScored:
    """The visual clutter by Aalto AIM's metric m7, in nats.

    AIM's CIELAB divides XYZ of 0 to 1 by a white point of 95.047, 100, 108.833, so that nearly all
    colours stay on the straight part of its curve; the logarithm is natural; n bins are n - 1 of
    equal width and one for the maximum; only the chroma planes have a zero threshold, on raw a and
    b. A picture of one colour gives 0, where AIM can give the entropy of its own rounding errors.
    Range 0 to about 6.9 at 1280x720, no better direction. NotScored as :func:`subband_entropy`.

    >>> subband_entropy_aim(np.zeros((720, 1280, 3), np.uint8))
    0.0
    """
    if reason := _too_small(image):
        return reason
    entropies = [
        _mean_band_entropy(plane, least_spread=least, extra_bin=1)
        for plane, least in zip(
            lab_planes(image, WHITE_AIM), (_ROUNDING, ZERO_THRESHOLD, ZERO_THRESHOLD), strict=True
        )
    ]
    return weighted_entropy(entropies)


def _too_small(image: Image) -> NotScored | None:
    height, width = image.shape[:2]
    if min(height, width) >= SMALLEST_SIDE:
        return None
    return NotScored(
        f"the picture is {width}x{height}; three scales need {SMALLEST_SIDE} pixels each way"
    )


def _spread(plane: Plane) -> float:
    return float(plane.max() - plane.min())


def _mean_band_entropy(plane: Plane, *, least_spread: float, extra_bin: int) -> float:
    """Mean entropy of a plane's bands in nats; 0 where the plane varies by too little."""
    spread = _spread(plane)
    if spread == 0 or spread < least_spread:
        return 0.0
    noise = _NOISE * spread * plane.size
    scratch = np.empty(plane.size, np.uint16)
    entropies = [_entropy(band, scratch, noise, extra_bin) for band in bands(plane)]
    return sum(entropies) / len(entropies)


def _entropy(band: Plane, scratch: NDArray[np.uint16], noise: float, extra_bin: int) -> float:
    """Entropy in nats of a band's values in ceil(sqrt(n)) bins between its extremes.

    With ``extra_bin`` 1 the last bin holds the maximum alone. ``scratch`` is overwritten.
    """
    # A sample that varies is enough; only where it does not is the whole band checked.
    if _spread(band[::17, ::17]) <= noise and _spread(band) <= noise:
        return 0.0
    bins = ceil(sqrt(band.size))
    # Rounding v - 1/2 gives the bin that floor(v) would; the conversion saturates at 0.
    index = scratch[: band.size].reshape(band.shape)
    low, high = _EDGE - 0.5, bins - extra_bin - 0.5 + _EDGE
    cv2.normalize(band, index, low, high, cv2.NORM_MINMAX, cv2.CV_16U)
    # Neighbours count in different lanes: most fall in one bin, and a counter can only be raised
    # again once its last rise is through.
    lanes = min(_LANES, 65536 // (bins + 1))
    total = lanes * (bins + 1)
    first_bin = np.arange(band.shape[1]) % lanes * (bins + 1)
    np.add(index, first_bin.astype(np.uint16), out=index)
    counts = cv2.calcHist([index], [0], None, [total], [0, total]).reshape(lanes, -1).sum(axis=0)
    counts[bins - 1] += counts[bins]
    share = counts[:bins][counts[:bins] > 0].astype(np.float64) / band.size
    return float(-(share * np.log(share)).sum())
