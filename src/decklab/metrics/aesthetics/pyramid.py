"""A steerable pyramid in the frequency domain (Simoncelli and Freeman 1995).

Raised-cosine radial bands one octave apart, oriented bands with cos^(K-1) angular gain, a highpass
and a lowpass residual; circular borders. Band for band the coefficients are those of pyrtools'
``SteerablePyramidFreq`` (times height and width, since no metric here minds the scale), for even
and odd sizes alike.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import factorial, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from decklab.metrics.aesthetics.constants import PYRAMID_ORIENTATIONS, PYRAMID_SCALES
from decklab.metrics.aesthetics.spectrum import crop, inverse, pack_filter, spectrum, swapped
from decklab.metrics.colors import Plane

_Gain = NDArray[np.float64]
_Packed = NDArray[np.float32]

SMALLEST_SIDE = 2 ** (PYRAMID_SCALES + 2)
"""Height and width that a picture needs at least, in pixels: pyrtools' limit for that many scales,
which leaves 4 pixels for the coarsest residual."""


def bands(plane: Plane) -> Iterator[Plane]:
    """The bands of a plane: highpass residual, orientations from fine to coarse, lowpass residual.

    ``plane`` is float32 of shape (H, W), both at least :data:`SMALLEST_SIDE`. A yielded band is
    valid until the next one is asked for; scale by scale the shape halves.

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
    highpass: _Packed
    oriented: tuple[tuple[_Packed, ...], ...]
    lowpass: _Packed


# Two sizes: a deck has one, and the next deck may have another. At 1280x720 one takes 23 MB.
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
    """The central half of each axis, centre kept in place."""
    for axis, size in enumerate(gain.shape):
        half = (size + 1) // 2
        start = size // 2 - half // 2
        gain = np.take(gain, range(start, start + half), axis=axis)
    return gain


def _packed(gain: _Gain, *, odd: bool) -> _Packed:
    """The part of a gain that acts on real pictures: its even part, or its odd one.

    For even sizes nothing is lost. For odd sizes pyrtools' frequency grid is off centre by half a
    step, and taking the real part of its bands does the same.
    """
    gain = np.fft.ifftshift(gain)
    mirrored = np.roll(gain[::-1, ::-1], 1, axis=(0, 1))
    gain = (gain - mirrored if odd else gain + mirrored) / 2
    # What is left of a cosine's zero would make denormal numbers, which processors are slow at.
    gain[np.abs(gain) < 1e-9] = 0
    return pack_filter(gain, odd=odd)
