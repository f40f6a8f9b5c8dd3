"""Plain reference implementations of the aesthetics metrics, written straight from the formulas.

They make no attempt at speed: full-image passes in NumPy, pyrtools for the steerable pyramid. They
share no code with decklab, so that values can be compared as well as times.
"""

from collections.abc import Callable, Sequence

import numpy as np
import pyrtools
from numpy.typing import NDArray
from skimage.color import rgb2hsv, rgb2lab

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Box = tuple[float, float, float, float]

TEMPLATES = {
    "i": [(0.0, 0.05)],
    "V": [(0.0, 0.26)],
    "L": [(0.0, 0.05), (0.25, 0.22)],
    "mirror_L": [(0.0, 0.05), (-0.25, 0.22)],
    "I": [(0.0, 0.05), (0.5, 0.05)],
    "T": [(0.25, 0.5)],
    "Y": [(0.0, 0.26), (0.5, 0.05)],
    "X": [(0.0, 0.26), (0.5, 0.26)],
}


def harmony_distance(image: Image) -> float:
    """Least saturation-weighted mean distance in degrees (eq 10, 13) over pixels with S > 0.1."""
    hsv = rgb2hsv(image)
    hue, saturation = hsv[:, :, 0] * 360, hsv[:, :, 1]
    weight = np.where(saturation > 0.1, saturation, 0)
    return _least_weighted_distance(hue, weight) / float(weight.sum())


def harmony_aim(hue: NDArray[np.uint8], saturation: NDArray[np.uint8]) -> float:
    """The unnormalised sum in radians over OpenCV's 8-bit hue and saturation."""
    return float(np.deg2rad(_least_weighted_distance(hue.astype(float) * 2, saturation / 255)))


def _least_weighted_distance(hue: Floats, weight: Floats) -> float:
    """Every template at every whole degree, each a pass over the whole picture."""
    least = np.inf
    for sectors in TEMPLATES.values():
        for angle in range(360):
            ways = [
                _way_to_sector(hue, 360 * centre + angle, 360 * width) for centre, width in sectors
            ]
            least = min(least, float(np.sum(np.minimum.reduce(ways) * weight)))
    return least


def _way_to_sector(hue: Floats, centre: float, width: float) -> Floats:
    to_centre = _angle_between(hue, centre)
    to_low = _angle_between(hue, centre - width / 2)
    to_high = _angle_between(hue, centre + width / 2)
    return np.where(to_centre < width / 2, 0, np.minimum(to_low, to_high))


def _angle_between(hue: Floats, degrees: float) -> Floats:
    apart = np.abs(hue - degrees % 360)
    return np.asarray(np.minimum(apart, 360 - apart))


def colorfulness(image: Image) -> float:
    """Eq 2 and 12."""
    red, green, blue = (image[:, :, channel].astype(float) for channel in range(3))
    rg, yb = red - green, (red + green) / 2 - blue
    spread = np.sqrt(rg.std() ** 2 + yb.std() ** 2)
    return float(spread + 0.3 * np.sqrt(rg.mean() ** 2 + yb.mean() ** 2))


def subband_entropy(image: Image) -> float:
    """Eq 6 and 18 to 20 in bits: pyrtools' pyramid, ``numpy.histogram`` with ceil(sqrt(n)) bins."""
    lab = rgb2lab(image)
    planes = lab[:, :, 0] / 100, (lab[:, :, 1] + 128) / 255, (lab[:, :, 2] + 128) / 255
    lightness, a, b = (
        0.0 if np.ptp(plane) < 0.008 else _mean_entropy(plane, _bits) for plane in planes
    )
    return (lightness + 0.0625 * (a + b)) / 1.125


def subband_entropy_aim(image: Image) -> float:
    """The same in nats from AIM's Lab, counted value by value as AIM does, after ``histc``."""
    lightness, a, b = np.moveaxis(_aim_lab(image).astype(np.float32), 2, 0)
    entropies = [_mean_entropy(lightness, _nats_histc)]
    entropies += [
        0.0 if np.ptp(plane) < 0.008 else _mean_entropy(plane, _nats_histc) for plane in (a, b)
    ]
    return (entropies[0] + 0.0625 * (entropies[1] + entropies[2])) / 1.125


def _mean_entropy(plane: NDArray[np.floating], entropy: Callable[[Floats], float]) -> float:
    pyramid = pyrtools.pyramids.SteerablePyramidFreq(plane, height=3, order=3)
    return float(np.mean([entropy(band.ravel()) for band in pyramid.pyr_coeffs.values()]))


def _bits(values: Floats) -> float:
    counts, _ = np.histogram(values, bins=int(np.ceil(np.sqrt(values.size))))
    share = counts[counts > 0] / values.size
    return float(-np.sum(share * np.log2(share)))


def _nats_histc(values: Floats) -> float:
    edges = np.histogram_bin_edges(values, bins=int(np.ceil(np.sqrt(values.size))) - 1)
    counts = np.zeros(len(edges))
    for place in np.digitize(values, edges):
        counts[place - 1] += 1
    share = counts[counts > 0] / values.size
    return float(-np.sum(share * np.log(share)))


def _aim_lab(image: Image) -> Floats:
    value = image / 255
    linear = np.where(value < 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array(
        [
            [0.412453, 0.35758, 0.180423],
            [0.212671, 0.71516, 0.072169],
            [0.019334, 0.119193, 0.950227],
        ]
    )
    ratio = linear @ to_xyz.T / np.array([95.047, 100.0, 108.833])
    f = np.where(ratio >= 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    x, y, z = np.moveaxis(f, 2, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=2)


def text_contrast(image: Image, boxes: Sequence[Box]) -> float:
    """Mean of eq 5 over boxes, with the darkest and lightest pixel as figure and ground."""
    scores = []
    for box in boxes:
        left, top, right, bottom = (int(edge) for edge in box)
        value = image[top:bottom, left:right] / 255
        linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
        luminance = linear @ np.array([0.2126, 0.7152, 0.0722])
        ratio = (luminance.max() + 0.05) / (luminance.min() + 0.05)
        scores.append(np.log(ratio) / np.log(21))
    return float(np.mean(scores))
