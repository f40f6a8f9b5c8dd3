"""Colour harmony: how far a slide's hues lie from the nearest harmonic template.

Paper 002, section 2.3 and appendices D and E.4 (eq 1, 10, 13 to 15; tables 9 and 10).

A template's distance is a sum over pixels, but it depends on the hue alone, and between multiples
of a tenth of a degree it is a straight line for every template and every whole-degree rotation.
A histogram of 3,600 bins that keeps each bin's saturation and its saturation-weighted mean hue
therefore gives the sum over pixels itself, and all rotations of a template are one circular
correlation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, radians

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.metrics.aesthetics.constants import (
    HARMONY_MEAN_WEIGHT,
    HARMONY_SIGMA,
    HARMONY_SPREAD_WEIGHT,
    HUE_TEMPLATES,
    SATURATION_THRESHOLD,
    TEMPLATE_ANGLES,
)
from decklab.metrics.aesthetics.hue_templates import hue_distance, rotated_sectors
from decklab.metrics.colors import Image, checked, strips
from decklab.results import NotScored

_PER_DEGREE = 10
_BINS = TEMPLATE_ANGLES * _PER_DEGREE
_TIE_DEG = 1e-6
_REPORTED_BINS = 72

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Harmony:
    """What the hues of one slide look like, and the template they fit best."""

    distance_deg: float
    """Saturation-weighted mean distance to the template, in degrees; 0 is perfect, 171 the most
    that any template allows."""
    template: str
    """Letter of table 9, or ``mirror_L``."""
    angle_deg: int
    """Rotation of the template, 0 to 359."""
    sectors: tuple[tuple[float, float], ...]
    """The rotated template's sectors as (centre, width) in degrees."""
    hue_histogram: tuple[float, ...]
    """Share of the saturation in each 5 degrees of hue, from 0 on; 72 numbers that sum to 1."""
    chromatic_share: float
    """Share of pixels over the saturation threshold."""


def harmony(image: Image) -> Harmony | NotScored:
    """The best harmonic template of a slide and the distance to it (paper 002, eq 10 and 13).

    Pixels over 0.1 HSV saturation count, each with its saturation; eight templates at 360 angles.
    Lower is better. ``image`` is RGB uint8 (H, W, 3). NotScored where no pixel has that much
    colour: hue is undefined then.

    Of templates equally near (within a millionth of a degree) the first of table 9's order wins,
    and of its angles the middle of the longest unbroken run; of equally long runs the smallest such
    angle.

    >>> wheel = np.zeros((1, 2, 3), np.uint8)
    >>> wheel[0, 0], wheel[0, 1] = (255, 0, 0), (0, 255, 255)
    >>> found = harmony(wheel)
    >>> found.template, found.angle_deg, found.distance_deg
    ('I', 0, 0.0)
    """
    weight, moment, chromatic = _hue_histogram(checked(image))
    if chromatic == 0:
        return NotScored("no pixel has enough colour to have a hue")
    template, angle = _nearest(_all_distances(weight, moment))
    level, slope = _lines()
    shift = angle * _PER_DEGREE
    row = list(HUE_TEMPLATES).index(template)
    distance = weight @ np.roll(level[row], shift) + moment @ np.roll(slope[row], shift)
    return Harmony(
        distance_deg=max(0.0, float(distance)) if distance > _TIE_DEG else 0.0,
        template=template,
        angle_deg=angle,
        sectors=rotated_sectors(template, angle),
        hue_histogram=tuple(weight.reshape(_REPORTED_BINS, -1).sum(axis=1).tolist()),
        chromatic_share=chromatic / (image.shape[0] * image.shape[1]),
    )


def harmony_slide_score(distance_deg: float, *, sigma: float = HARMONY_SIGMA) -> float:
    """A slide's harmony score, 0 to 1, higher is better: a Gaussian of the distance (eq 14).

    The distance enters in radians. ``sigma`` is 0.01 (E.7); table 10 prints 0.0005.

    >>> harmony_slide_score(0.0), round(harmony_slide_score(0.202), 3)
    (1.0, 0.94)
    """
    return exp(-(radians(distance_deg) ** 2) / (2 * sigma**2))


def harmony_score(slide_scores: Sequence[float]) -> float | NotScored:
    """A deck's harmony: 5 times the mean of its slide scores less 30 times their spread (eq 15).

    The spread is the population standard deviation: the slides are all there are, not a sample.
    Range about -12.7 to 5, higher is better. NotScored without a slide that has colour.

    >>> harmony_score([1.0, 1.0]), round(harmony_score([1.0, 0.9]), 6)
    (5.0, 3.25)
    """
    if not slide_scores:
        return NotScored("no slide has enough colour to have hues")
    scores = np.asarray(slide_scores, dtype=np.float64)
    return float(HARMONY_MEAN_WEIGHT * scores.mean() - HARMONY_SPREAD_WEIGHT * scores.std())


def harmony_aim(image: Image) -> float:
    """The distance that Aalto AIM's metric m20 gives: a sum over all pixels, in radians.

    OpenCV's 8-bit hue in steps of 2 degrees, every pixel weighted by its 8-bit saturation, no
    threshold, not divided by anything, so that it grows with the picture. Lower is better; range 0
    to about 3 a pixel. A picture without colour gives 0, as it does there.

    >>> harmony_aim(np.full((4, 4, 3), 128, np.uint8))
    0.0
    """
    image = checked(image)
    weights = np.arange(256, dtype=np.float32) / 255
    of_hue = np.zeros(180)
    for strip in strips(image):
        hue, saturation, _ = cv2.split(cv2.cvtColor(image[strip], cv2.COLOR_RGB2HSV))
        hues = np.asarray(hue, np.uint8).ravel()
        of_hue += np.bincount(hues, cv2.LUT(saturation, weights).ravel(), 180)
    # Not a BLAS product: it would start threads for a millisecond's work.
    return float(np.einsum("th,h->t", _aim_distances(), of_hue).min())


def _hue_histogram(image: Image) -> tuple[_Floats, _Floats, int]:
    """Saturation of each bin, its first moment about the bin's left edge, and chromatic pixels.

    Both as shares of the whole saturation, of pixels over the saturation threshold.
    """
    weight, moment = np.zeros(_BINS), np.zeros(_BINS)
    chromatic = 0
    for strip in strips(image):
        hsv = cv2.cvtColor(np.multiply(image[strip], np.float32(1 / 255)), cv2.COLOR_RGB2HSV)
        all_hue, all_saturation = (cv2.extractChannel(hsv, channel).ravel() for channel in (0, 1))
        places = np.flatnonzero(all_saturation > SATURATION_THRESHOLD)
        hue, saturation = all_hue[places], all_saturation[places]
        hue[hue >= 360] = 0
        bins = np.minimum((hue * _PER_DEGREE).astype(np.intp), _BINS - 1)
        weight += np.bincount(bins, saturation, _BINS)
        moment += np.bincount(bins, saturation * (hue - bins / _PER_DEGREE), _BINS)
        chromatic += len(places)
    total = weight.sum() or 1.0
    return weight / total, moment / total, chromatic


@cache
def _lines() -> tuple[_Floats, _Floats]:
    """Each template's distance on each bin: at its left edge, and its slope. (8, bins) each."""
    edges = np.arange(_BINS + 1) / _PER_DEGREE
    distance = np.stack([hue_distance(name, edges) for name in HUE_TEMPLATES])
    return distance[:, :-1], np.diff(distance) * _PER_DEGREE


@cache
def _line_spectra() -> _Floats:
    """Conjugate spectra over whole degrees of :func:`_lines`, (8, 2, bins per degree, 181)."""
    lines = np.stack(_lines(), axis=1).reshape(len(HUE_TEMPLATES), 2, TEMPLATE_ANGLES, _PER_DEGREE)
    return np.asarray(np.fft.rfft(lines.swapaxes(2, 3)).conj())


def _all_distances(weight: _Floats, moment: _Floats) -> _Floats:
    """Distance to each template at each angle, shape (8, 360), in degrees."""
    hues = np.stack([weight, moment]).reshape(2, TEMPLATE_ANGLES, _PER_DEGREE).swapaxes(1, 2)
    products = (_line_spectra() * np.fft.rfft(hues)).sum(axis=(1, 2))
    return np.maximum(np.fft.irfft(products, TEMPLATE_ANGLES), 0)


def _nearest(distances: _Floats) -> tuple[str, int]:
    near = distances <= distances.min() + _TIE_DEG
    row = int(np.argmax(near.any(axis=1)))
    return list(HUE_TEMPLATES)[row], _middle_of_longest_run(near[row])


def _middle_of_longest_run(near: NDArray[np.bool_]) -> int:
    """Index of the middle of the longest circular run of True; the least of equally long ones."""
    if near.all():
        return 0
    size = len(near)
    starts = np.flatnonzero(near & ~np.roll(near, 1))
    ends = np.flatnonzero(near & ~np.roll(near, -1))
    if ends[0] < starts[0]:
        ends = np.roll(ends, -1)
    lengths = (ends - starts) % size
    middles = (starts + lengths // 2) % size
    return int(middles[lengths == lengths.max()].min())


@cache
def _aim_distances() -> _Floats:
    """Distance in radians of AIM's 180 hues to each template at each angle, (2880, 180)."""
    at_degree = np.stack([hue_distance(name, np.arange(360.0)) for name in HUE_TEMPLATES])
    turned = (2 * np.arange(180) - np.arange(TEMPLATE_ANGLES)[:, None]) % 360
    return np.asarray(np.deg2rad(at_degree[:, turned].reshape(-1, 180)))
