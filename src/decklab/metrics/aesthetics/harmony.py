"""Colour harmony: how far a slide's hues lie from the nearest harmonic template, and its palette.

Paper 002, section 2.3 and appendices D and E.4 (eq 1, 10, 13 to 15; tables 9 and 10); templates
after Cohen-Or et al. (2006). Where the paper disagrees with itself, the variant named first is the
default and the other is available too.

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
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.core.colors import Image, checked, hex_color, runs, strips
from decklab.core.results import NotScored
from decklab.metrics.metric import SLIDESGEN, MetricInfo, register

HUE_TEMPLATES: Final[dict[str, tuple[tuple[float, float], ...]]] = {
    "i": ((0.0, 0.05),), "V": ((0.0, 0.26),), "L": ((0.0, 0.05), (0.25, 0.22)),
    "mirror_L": ((0.0, 0.05), (-0.25, 0.22)), "I": ((0.0, 0.05), (0.5, 0.05)), "T": ((0.25, 0.5),),
    "Y": ((0.0, 0.26), (0.5, 0.05)), "X": ((0.0, 0.26), (0.5, 0.26)),
}  # fmt: skip
"""Sectors as (centre, width) in turns. Table 9 prints seven templates where appendix D counts
eight; the eighth is L mirrored, as in Cohen-Or et al. (2006) and in AIM."""

TEMPLATE_ANGLES: Final = 360
"""Rotations tried per template, one a degree (table 10)."""

SATURATION_THRESHOLD: Final = 0.1
"""Pixels at or under this HSV saturation have no hue worth counting (table 10)."""

HARMONY_SIGMA: Final = 0.01
"""Width of the Gaussian of eq 14, in radians: E.7 and table 13. It agrees with table 7, where a
mean distance of 0.202 degrees goes with a mean score of 0.869."""

HARMONY_SIGMA_STRICT: Final = 0.0005
"""The width printed in table 10."""

HARMONY_MEAN_WEIGHT: Final = 5.0
"""Weight of the mean slide score (eq 15)."""

HARMONY_SPREAD_WEIGHT: Final = 30.0
"""Weight of the standard deviation of the slide scores (eq 15)."""

register(
    MetricInfo(
        "harmony.score", "deck",
        "How well the colours of all slides fit harmonic templates, and how evenly.",
        f"{SLIDESGEN}, eq 1 and 15", low=-12.8, high=5.0, version="2", label="Harmony",
    ),
    MetricInfo(
        "harmony.distance_deg", "slide",
        "Mean way of the slide's hues to the nearest harmonic template.",
        f"{SLIDESGEN}, eq 10 and 13", unit="deg", direction="lower", high=171.0,
        label="Distance from hue template",
    ),
    MetricInfo(
        "harmony.aim", "slide", "Harmony distance as a sum over all pixels, as Aalto AIM gives it.",
        "Aalto AIM, m20", unit="rad, summed over pixels", direction="lower", high=None,
        label="Harmony, AIM variant",
    ),
    MetricInfo(
        "harmony.score_table10", "deck", "Harmony with the strict width of table 10.",
        f"{SLIDESGEN}, eq 14, 15 and table 10", low=-12.8, high=5.0, version="2",
        label="Harmony, width of table 10",
    ),
)  # fmt: skip


def hue_distance(template: str, hue_deg: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shortest way in degrees from each hue to the template at rotation 0; 0 inside a sector.

    Any shape; hues in degrees, of any turn.

    >>> hue_distance("V", np.array([0.0, 46.8, 50.8, 180.0])).round(6).tolist()
    [0.0, 0.0, 4.0, 133.2]
    """
    ways = [
        np.maximum(np.abs((hue_deg - 360 * centre + 180) % 360 - 180) - 180 * width, 0)
        for centre, width in HUE_TEMPLATES[template]
    ]
    return np.asarray(np.minimum.reduce(ways))


def rotated_sectors(template: str, angle_deg: float) -> tuple[tuple[float, float], ...]:
    """The sectors of a rotated template as (centre, width) in degrees, centre in 0 to 360.

    >>> rotated_sectors("I", 200)
    ((200.0, 18.0), (20.0, 18.0))
    """
    return tuple(
        (round((360 * centre + angle_deg) % 360, 6), round(360 * width, 6))
        for centre, width in HUE_TEMPLATES[template]
    )


_PER_DEGREE = 10
_BINS = TEMPLATE_ANGLES * _PER_DEGREE
_TIE_DEG = 1e-6
_REPORTED_BINS = 72

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Harmony:
    """The hues of one slide, and the template they fit best."""

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
    threshold, not normalised, so that it grows with the picture. Lower is better; range 0 to about
    3 a pixel. A picture without colour gives 0, as in AIM.

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
    # Not a BLAS product, which would start threads for a millisecond of work.
    return float(np.einsum("th,h->t", _aim_distances(), of_hue).min())


def _hue_histogram(image: Image) -> tuple[_Floats, _Floats, int]:
    """Saturation of each bin, its first moment about the bin's left edge, and chromatic pixels.

    Both as shares of the whole saturation, of pixels over the saturation threshold.
    """
    weight, moment = np.zeros(_BINS), np.zeros(_BINS)
    chromatic = 0
    for strip in strips(image):
        colors, lengths = runs(image[strip])
        hsv = cv2.cvtColor(np.multiply(colors, np.float32(1 / 255)), cv2.COLOR_RGB2HSV)
        all_hue, all_saturation = (cv2.extractChannel(hsv, channel).ravel() for channel in (0, 1))
        places = np.flatnonzero(all_saturation > SATURATION_THRESHOLD)
        hue, saturation, lengths = all_hue[places], all_saturation[places], lengths[places]
        hue[hue >= 360] = 0
        bins = np.minimum((hue * _PER_DEGREE).astype(np.intp), _BINS - 1)
        first = saturation * (hue - bins / _PER_DEGREE)
        # Pixel by pixel, in their order: sums of rounded products depend on it.
        bins, saturation, first = (np.repeat(each, lengths) for each in (bins, saturation, first))
        weight += np.bincount(bins, saturation, _BINS)
        moment += np.bincount(bins, first, _BINS)
        chromatic += len(bins)
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


# Ours. Two colours closer than this in CIELAB (CIE76) look like one on a slide; 2.3 is about the
# least difference people see side by side.
_SAME = 14.0
_LEAST_SHARE = 0.005
_SAMPLE = 60_000


def palette(image: Image) -> tuple[tuple[str, float], ...]:
    """The dominant colours of a slide as (``#RRGGBB``, share), largest share first, at most 6.

    Pixels (a regular sample of at least 60,000 if there are more) are counted in cells of 5
    bits a channel. The largest cell takes in all cells within a CIELAB distance of 14, then the
    largest of what is left, and so on; each colour shown is the mean of such a largest cell.
    Colours under half a percent are left out, so the shares sum to at most 1.

    ``image`` is RGB uint8 (H, W, 3).

    >>> slide = np.full((4, 4, 3), 255, np.uint8)
    >>> slide[0] = (200, 16, 46)
    >>> palette(slide)
    (('#FFFFFF', 0.75), ('#C8102E', 0.25))
    """
    every = max(1, int((image.shape[0] * image.shape[1] / _SAMPLE) ** 0.5))
    pixels, lengths = runs(np.ascontiguousarray(checked(image)[::every, ::every]))
    cell = _cells(pixels[0])
    counts = np.bincount(cell, lengths).astype(np.intp)
    cells = np.flatnonzero(counts)
    counts, total = counts[cells], int(lengths.sum())
    sums = [np.bincount(cell, lengths * pixels[0, :, channel])[cells] for channel in range(3)]
    colors = np.round(np.stack(sums, axis=1) / counts[:, None]).astype(np.uint8)
    shares = [
        (hex_color(colors[leader]), count / total) for leader, count in _grouped(colors, counts)
    ]
    shares.sort(key=lambda item: -item[1])
    return tuple((color, share) for color, share in shares if share >= _LEAST_SHARE)


def _cells(pixels: NDArray[np.uint8]) -> NDArray[np.intp]:
    red, green, blue = (pixels[:, channel].astype(np.intp) >> 3 for channel in range(3))
    return np.asarray(red << 10 | green << 5 | blue)


def _grouped(colors: NDArray[np.uint8], counts: NDArray[np.intp]) -> list[tuple[int, int]]:
    """(leading colour's index, pixels of its group) of up to six groups."""
    lab = cv2.cvtColor(colors[None].astype(np.float32) / 255, cv2.COLOR_RGB2Lab)[0]
    left = counts.copy()
    groups: list[tuple[int, int]] = []
    while len(groups) < 6 and left.any():
        leader = int(left.argmax())
        near = np.linalg.norm(lab - lab[leader], axis=1) < _SAME
        groups.append((leader, int(left[near].sum())))
        left[near] = 0
    return groups
