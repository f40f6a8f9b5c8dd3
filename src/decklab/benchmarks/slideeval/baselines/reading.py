"""Lines of text in a picture: what they say, and how they are set, as far as pixels tell."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.metrics.contrast import region_contrast
from decklab.rendering.pictures import picture_spans
from decklab.results import NotScored

Picture = NDArray[np.uint8]
Color = tuple[int, int, int]

# Ours: heights above and below the line in ems, as of Carlito and Liberation Sans.
_ASCENDER, _X_HEIGHT, _DESCENDER = 0.72, 0.52, 0.21
_DESCENDING = frozenset("gjpqyQ,;()[]{}|_$@ç")
_SMALL = frozenset("acegmnopqrsuvwxyz.,;:-_~+=<>·•")
_BOLD_STEM = 0.125
"""Ours: width of a stem, in ems, from which text counts as bold. Regular faces have 0.08 to 0.1,
bold ones 0.14 to 0.2."""
_ENLARGED = 4
_LEAST_STEM_SIZE = 9.0
"""Ours: pt under which stems are too few pixels wide to be measured."""


@dataclass(frozen=True)
class Line:
    """A line of text as it is seen."""

    text: str
    box: Box
    """Tight around the ink, in the 960x540 frame."""
    size: float
    """Pt on a slide 540 pt high."""
    bold: bool
    color: Color
    ground: Color


def read_lines(image: Picture) -> list[Line]:
    """The lines of text in a picture of a slide (height x width x 3, RGB), top to bottom.

    Needs RapidOCR. Sizes are told from the ink's height and the letters it belongs to, bold from
    the width of stems, colours as the contrast metric tells figure from ground.
    """
    x, y = image.shape[1] / FRAME_WIDTH, image.shape[0] / FRAME_HEIGHT
    found = []
    for span in picture_spans(image, recognize=True):
        if not span.text:
            continue
        here = span.box.scaled(x, y)
        contrast = region_contrast(image, here)
        if isinstance(contrast, NotScored):
            continue
        size = span.box.height / ink_em(span.text)
        stem = stem_share(image, here, size * y)
        bold = size >= _LEAST_STEM_SIZE and stem > _BOLD_STEM
        line = Line(span.text, span.box, size, bold, contrast.figure, contrast.ground)
        found.append(line)
    return found


def ink_em(text: str) -> float:
    """How high the ink of a text is, in ems.

    >>> round(ink_em("HELLO"), 2), round(ink_em("sea"), 2), round(ink_em("Type"), 2)
    (0.72, 0.52, 0.93)
    """
    inked = [character for character in text if not character.isspace()]
    low = any(character in _DESCENDING for character in inked)
    high = any(character not in _SMALL for character in inked)
    return (_ASCENDER if high else _X_HEIGHT) + (_DESCENDER if low else 0.0)


def stem_share(image: Picture, box: Box, size: float) -> float:
    """Width of the stems of a line of text, in ems of ``size`` pixels; 0 where none is seen.

    The median length of the runs of ink along its rows, measured on an enlarged copy.
    """
    left, top = max(0, int(box.left)), max(0, int(box.top))
    patch = image[top : int(box.bottom) + 1, left : int(box.right) + 1]
    if min(patch.shape[:2]) < 3 or size <= 0:
        return 0.0
    gray = cv2.cvtColor(patch, cv2.COLOR_RGB2GRAY)
    large = cv2.resize(gray, None, fx=_ENLARGED, fy=_ENLARGED, interpolation=cv2.INTER_CUBIC)
    _level, ink = cv2.threshold(large, 0, 1, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    if ink.mean() > 0.5:
        ink = 1 - ink
    edges = np.diff(np.pad(ink.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    runs = np.nonzero(edges == -1)[1] - np.nonzero(edges == 1)[1]
    return float(np.median(runs)) / _ENLARGED / size if runs.size else 0.0
