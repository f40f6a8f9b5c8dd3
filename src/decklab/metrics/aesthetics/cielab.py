"""From 8-bit sRGB to linear light, luminance and CIELAB.

Linearisation and D65 CIELAB follow IEC 61966-2-1 and CIE 15. Written out here instead of taken
from OpenCV because AIM's variant needs the same formula with another white point, and because
subband entropy needs the three channels as separate planes.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.metrics.aesthetics.constants import LUMINANCE_WEIGHTS, RGB_TO_XYZ, WHITE_D65
from decklab.metrics.aesthetics.images import Image, Plane, checked, strips


def _linear_light() -> NDArray[np.float64]:
    value = np.arange(256) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


LINEAR_LIGHT = _linear_light()
"""Linear light (0..1) of each 8-bit sRGB value; read-only."""
LINEAR_LIGHT.setflags(write=False)

_LINEAR_LUT = LINEAR_LIGHT.astype(np.float32).reshape(1, 256)
# f(t) of CIELAB: the cube root from here on, a straight line below.
_CUBE_FROM = 0.008856
_SLOPE = 7.787
# Rows of (f(X), f(Y), f(Z), 1) to L*, a*, b*, for f without the line's offset (see lab_planes).
_LAB_OF_F = np.array(
    [[0, 116, 0, -16 - 116 * _SLOPE * _CUBE_FROM], [500, -500, 0, 0], [0, 200, -200, 0]], np.float32
)


def relative_luminance(red: int, green: int, blue: int) -> float:
    """Relative luminance of one 8-bit sRGB colour, 0 (black) to 1 (white): eq 4, WCAG 2.2.

    >>> relative_luminance(255, 255, 255), round(relative_luminance(119, 119, 119), 4)
    (1.0, 0.1845)
    """
    channels = (LINEAR_LIGHT[red], LINEAR_LIGHT[green], LINEAR_LIGHT[blue])
    return float(sum(w * c for w, c in zip(LUMINANCE_WEIGHTS, channels, strict=True)))


def lab_planes(
    image: Image, white: tuple[float, float, float] = WHITE_D65
) -> tuple[Plane, Plane, Plane]:
    """The L*, a* and b* planes of a picture, float32, shape (H, W) each.

    ``white`` is the XYZ that counts as white, for linear light of 0 to 1. L* runs from 0 to 100.

    >>> red = np.array([[[255, 0, 0]]], np.uint8)
    >>> [round(float(plane[0, 0]), 2) for plane in lab_planes(red)]
    [53.24, 80.09, 67.2]
    """
    image = checked(image)
    height, width = image.shape[:2]
    to_ratio = (np.array(RGB_TO_XYZ) / np.array(white)[:, None]).astype(np.float32)
    cube_from, slope = np.float32(_CUBE_FROM), np.float32(_SLOPE)
    planes = np.empty((3, height, width), np.float32)
    for strip in strips(image):
        linear = cv2.LUT(image[strip], _LINEAR_LUT)
        ratio = cv2.transform(linear, to_ratio, linear)
        f = np.maximum(ratio, cube_from)
        np.cbrt(f, out=f)
        np.minimum(ratio, cube_from, out=ratio)
        np.multiply(ratio, slope, out=ratio)
        f += ratio
        for plane, row in zip(planes, _LAB_OF_F, strict=True):
            cv2.transform(f, row[None], plane[strip])
    return planes[0], planes[1], planes[2]
