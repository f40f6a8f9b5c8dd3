"""Subband entropy: how much information a picture's edges hold (Rosenholtz et al. 2007).

Paper 002, eq 6, 11 and 18 to 20, table 8.

Raised-cosine radial bands one octave apart, oriented bands with cos^(K-1) angular gain, a highpass
and a lowpass residual; circular borders. Band for band the coefficients are those of pyrtools'
``SteerablePyramidFreq`` (times height and width, since no metric here minds the scale), for even
and odd sizes.

Spectra are real 2-D Fourier transforms in one packed real array. The packing is OpenCV's (CCS,
after Intel): for an image of shape (H, W) the spectrum is a real array of the same shape. Columns
2j-1 and 2j hold real and imaginary parts of horizontal frequency j; column 0, and for even W the
last one, hold the two purely symmetric frequencies, themselves packed downwards the same way.
Multiplying by a real filter is then one product of two arrays.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, factorial, log, pi, sqrt
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.core.colors import Image, Plane, lab_planes
from decklab.core.results import NotScored
from decklab.metrics.metric import SLIDESGEN, MetricInfo, register

PYRAMID_SCALES: Final = 3
PYRAMID_ORIENTATIONS: Final = 4
"""Size of the steerable pyramid (table 8, G.1)."""

_Gain = NDArray[np.float64]
Packed = NDArray[np.float32]
"""A packed spectrum, or a filter in the same layout, shape (H, W)."""

SMALLEST_SIDE = 2 ** (PYRAMID_SCALES + 2)
"""Height and width that a picture needs at least, in pixels: pyrtools' limit for that many scales,
which leaves 4 pixels for the coarsest residual."""


def bands(plane: Plane) -> Iterator[Plane]:
    """The bands of a plane: highpass residual, orientations from fine to coarse, lowpass residual.

    ``plane`` is float32 of shape (H, W), both at least :data:`SMALLEST_SIDE`. A yielded band is
    valid until the next one is requested; the shape halves with each scale.

    >>> [band.shape for band in bands(np.zeros((64, 96), np.float32))][:6]
    [(64, 96), (64, 96), (64, 96), (64, 96), (64, 96), (32, 48)]
    """
    filters = _filters(*plane.shape)
    whole = spectrum(plane)
    work = np.multiply(whole, filters.highpass)
    yield inverse(work)
    odd = swapped(whole)
    for scale in filters.oriented:
        if scale[0].shape != odd.shape:
            odd = crop(odd, *scale[0].shape)
            work = np.empty_like(odd)
        for gain in scale:
            np.multiply(odd, gain, out=work)
            yield inverse(work)
    yield inverse(crop(whole, *filters.lowpass.shape) * filters.lowpass)


@dataclass(frozen=True)
class _Filters:
    highpass: Packed
    oriented: tuple[tuple[Packed, ...], ...]
    lowpass: Packed


# Two sizes: a deck has one size, and the next deck may have another. At 1280x720 one takes 23 MB.
@lru_cache(maxsize=2)
def _filters(height: int, width: int) -> _Filters:
    octave, angle = _polar(height, width)
    highpass = _rising(octave, 0)
    lowpass = _falling(octave, 0)
    oriented = []
    for scale in range(1, PYRAMID_SCALES + 1):
        radial = lowpass * _rising(octave, -scale)
        oriented.append(
            tuple(
                _packed(radial * _angular(angle, k), odd=True) for k in range(PYRAMID_ORIENTATIONS)
            )
        )
        lowpass, octave, angle = (_low_half(gain) for gain in (lowpass, octave, angle))
        lowpass = lowpass * _falling(octave, -scale)
    return _Filters(_packed(highpass, odd=False), tuple(oriented), _packed(lowpass, odd=False))


def _polar(height: int, width: int) -> tuple[_Gain, _Gain]:
    """Octaves below the Nyquist frequency and angle of each frequency, the mean in the centre."""
    x = np.linspace(-1, 1, width + 1)[:-1]
    y = np.linspace(-1, 1, height + 1)[:-1][:, None]
    radius = np.hypot(x, y)
    # The mean has no direction or octave; it takes its neighbour's, as in pyrtools.
    radius[height // 2, width // 2] = radius[height // 2, width // 2 - 1]
    return np.log2(radius), np.arctan2(y, x) + np.zeros_like(radius)


def _rising(octave: _Gain, top: int) -> _Gain:
    """Highpass gain: 0 up to an octave below ``top``, 1 from ``top`` on."""
    return np.asarray(np.cos(pi / 2 * np.clip(octave - top, -1, 0)))


def _falling(octave: _Gain, top: int) -> _Gain:
    """Lowpass gain, the power complement of :func:`_rising`."""
    gain = -np.sin(pi / 2 * np.clip(octave - top, -1, 0))
    return np.asarray(gain)


def _angular(angle: _Gain, orientation: int) -> _Gain:
    order = PYRAMID_ORIENTATIONS - 1
    norm = 2**order * factorial(order) / sqrt(PYRAMID_ORIENTATIONS * factorial(2 * order))
    cosine = np.cos(angle - pi * orientation / PYRAMID_ORIENTATIONS)
    gain = norm * cosine
    for _ in range(order - 1):  # a power of arrays takes many times as long
        gain *= cosine
    return np.asarray(gain)


def _low_half(gain: _Gain) -> _Gain:
    """The central half of each axis, with the same centre."""
    for axis, size in enumerate(gain.shape):
        half = (size + 1) // 2
        start = size // 2 - half // 2
        gain = np.take(gain, range(start, start + half), axis=axis)
    return gain


def _packed(gain: _Gain, *, odd: bool) -> Packed:
    """The part of a gain that acts on real pictures: its even part, or its odd one.

    For even sizes nothing is lost. For odd sizes pyrtools' frequency grid is off centre by half a
    step, and taking the real part of its bands does the same.
    """
    gain = np.fft.ifftshift(gain)
    mirrored = np.roll(gain[::-1, ::-1], 1, axis=(0, 1))
    gain = (gain - mirrored if odd else gain + mirrored) / 2
    # The rounding error of a cosine's zero would give denormal numbers, which are slow.
    gain[np.abs(gain) < 1e-9] = 0
    return pack_filter(gain, odd=odd)


def spectrum(plane: NDArray[np.float32]) -> Packed:
    """The packed spectrum of a real plane of shape (H, W), not normalised."""
    return np.asarray(cv2.dft(plane))


def inverse(packed: Packed) -> NDArray[np.float32]:
    """The real plane of a packed spectrum, H * W times too large; may reuse ``packed``."""
    flags = cv2.DFT_INVERSE | cv2.DFT_REAL_OUTPUT
    return np.asarray(cv2.dft(packed, packed, flags=flags))


def swapped(packed: Packed) -> Packed:
    """The packed spectrum with real and imaginary parts exchanged.

    With the signs that :func:`pack_filter` gives an odd filter this is multiplication by the
    imaginary unit. Frequencies that are their own mirror image have no imaginary part; they
    become 0, as odd filters are there.
    """
    height, width = packed.shape
    out = np.empty_like(packed)
    pairs, down = (width - 1) // 2, (height - 1) // 2
    out[:, 1 : 2 * pairs : 2] = packed[:, 2 : 2 * pairs + 1 : 2]
    out[:, 2 : 2 * pairs + 1 : 2] = packed[:, 1 : 2 * pairs : 2]
    for column in (0, width - 1) if width % 2 == 0 else (0,):
        out[0, column] = out[-1, column] = 0
        out[1 : 2 * down : 2, column] = packed[2 : 2 * down + 1 : 2, column]
        out[2 : 2 * down + 1 : 2, column] = packed[1 : 2 * down : 2, column]
    return out


def crop(packed: Packed, height: int, width: int) -> Packed:
    """The lowest frequencies of a packed spectrum, as one of shape (height, width).

    Right for filters that are 0 at the new Nyquist frequency, as a pyramid's are.
    """
    top = (height + 1) // 2
    bottom = height - top
    out = np.empty((height, width), np.float32)
    out[:top] = packed[:top, :width]
    out[top:] = packed[packed.shape[0] - bottom :, :width]
    out[:, 0] = packed[:height, 0]
    return out


def pack_filter(gain: NDArray[np.float64], *, odd: bool) -> Packed:
    """A real filter given at all frequencies, (H, W) with the mean first, in the packed layout.

    An even filter has the same gain at a frequency and at its negative; it multiplies a spectrum.
    An ``odd`` one has opposite gains, stands for itself times the imaginary unit, and multiplies a
    :func:`swapped` spectrum.
    """
    height, width = gain.shape
    packed = np.empty((height, width), np.float32)
    packed[:] = gain[:, (np.arange(width) + 1) // 2]
    down = (np.arange(height) + 1) // 2
    edges = (0, width - 1) if width % 2 == 0 else (0,)
    for column in edges:
        packed[:, column] = gain[down, (column + 1) // 2]
    if odd:
        packed[:, 1 : width - (width % 2 == 0) : 2] *= -1
        for column in edges:
            packed[1::2, column] *= -1
    return packed


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
"""Divisors that AIM has for an XYZ of 0 to 1: a hundred times too much, and a swapped digit."""

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
