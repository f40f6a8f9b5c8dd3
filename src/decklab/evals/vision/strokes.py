"""Horizontal and vertical strokes in the picture of a slide, and the boxes they enclose."""

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.core.geometry import Box
from decklab.evals.vision.surfaces import Surface
from decklab.evals.vision.text import Color, Picture

# All ours, in px of a picture brought to 960 x 540.
_THICK = 7  # from which a stroke is an area
_LEVELS = 18  # by which a stroke differs from both its sides
_LONG = 40
_SURE = 24  # px in a row that a stroke has at least somewhere
_GAP = 5  # that text or another stroke may leave in one
_EVEN = 0.7  # of its box that a stroke fills
_MEET = 7.0  # across which strokes still meet
_HIDDEN = 24.0  # of a stroke that may be hidden by what lies on it
_ROOM = 12.0  # between level strokes that enclose a box


def find_strokes(image: Picture, background: Color) -> list[Surface]:
    """The horizontal and the vertical strokes of ``image`` (540 x 960 x 3, RGB).

    A stroke is thin, and its colour differs from the colours on both sides. The edge of an area is
    no stroke; neither is a gap between areas that shows the background.
    """
    swapped = np.ascontiguousarray(image.transpose(1, 0, 2))
    strokes = [_stroke(image, box) for box in _joined(_runs(image))]
    for box in _joined(_runs(swapped)):
        strokes.append(_stroke(image, Box(box.top, box.left, box.bottom, box.right)))
    return [rule for rule in strokes if rule.color and _delta(rule.color, background) > _LEVELS]


def is_level(stroke: Surface) -> bool:
    """Whether a stroke is wider than high."""
    return stroke.box.width > stroke.box.height


def find_frames(strokes: Sequence[Surface]) -> list[Surface]:
    """The smallest boxes that horizontal and vertical strokes enclose, with the stroke width."""
    level = sorted((rule for rule in strokes if is_level(rule)), key=lambda rule: rule.box.top)
    upright = sorted(
        (rule for rule in strokes if not is_level(rule)), key=lambda rule: rule.box.left
    )
    frames = []
    for top in level:
        hanging = [rule for rule in upright if _starts_at(rule.box, top.box)]
        for left, right in pairwise(hanging):
            if right.box.left - left.box.right <= _HIDDEN:
                continue
            bottom = next((rule for rule in level if _closes(rule.box, top, left, right)), None)
            if bottom is not None:
                box = Box(left.box.left, top.box.top, right.box.right, bottom.box.bottom)
                frames.append(Surface(box, top.color, width=top.width))
    return frames


def _runs(image: Picture) -> list[Box]:
    """Boxes of horizontal pixel runs that are darker, or lighter, than those above and below."""
    boxes = []
    kernel = np.ones((2 * _THICK + 1, 1), np.uint8)
    for way in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
        apart = np.asarray(cv2.morphologyEx(image, way, kernel)).max(axis=2)
        thin = (apart >= _LEVELS).astype(np.uint8)
        sure = cv2.morphologyEx(thin, cv2.MORPH_OPEN, np.ones((1, _SURE), np.uint8))
        whole = cv2.morphologyEx(sure, cv2.MORPH_CLOSE, np.ones((1, _GAP), np.uint8))
        contours, _ = cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        for x, y, w, h in map(cv2.boundingRect, contours):
            even = np.count_nonzero(whole[y : y + h, x : x + w]) >= _EVEN * w * h
            if w >= _LONG and h <= _THICK and even:
                boxes.append(Box(x, y, x + w, y + h))
    return boxes


def _joined(runs: Sequence[Box]) -> list[Box]:
    """Horizontal runs; runs on one line are joined."""
    joined: list[Box] = []
    for run in sorted(runs, key=lambda box: box.left):
        for place, other in enumerate(joined):
            on = abs(run.top - other.top) <= 1 and abs(run.bottom - other.bottom) <= 1
            if on and run.left - other.right <= _HIDDEN:
                joined[place] = other.union(run)
                break
        else:
            joined.append(run)
    return joined


def _delta(first: Color, second: Color) -> int:
    return max(abs(a - b) for a, b in zip(first, second, strict=True))


def _stroke(image: Picture, box: Box) -> Surface:
    """A rule along the middle of a box, in the colour that differs most from its surroundings."""
    left, top, right, bottom = map(int, box)
    level = box.width > box.height
    patch = image[top:bottom, left:right].astype(int)
    patch = patch if level else patch.transpose(1, 0, 2)
    rows = np.median(patch, axis=1)
    around = _around(image, box)
    apart = np.abs(rows - around).max(axis=1)
    red, green, blue = (int(value) for value in rows[int(np.argmax(apart))])
    color: Color = (red, green, blue)
    width = float(apart.sum() / max(apart.max(), 1.0))  # soft edges count for their share
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    ends = (box.left, y, box.right, y) if level else (x, box.top, x, box.bottom)
    return Surface(box, color, ends, width=width)


def _around(image: Picture, box: Box) -> NDArray[np.float64]:
    """The colour on one side of a stroke."""
    left, top, right, bottom = map(int, box)
    if box.width > box.height:
        side = image[max(0, top - 3) : max(1, top - 2), left:right]
    else:
        side = image[top:bottom, max(0, left - 3) : max(1, left - 2)]
    return np.asarray(np.median(side.reshape(-1, 3), axis=0))


def _starts_at(upright: Box, top: Box) -> bool:
    """Whether a vertical stroke goes down from a horizontal one."""
    within = top.left - _HIDDEN <= upright.left and upright.right <= top.right + _HIDDEN
    return within and upright.top <= top.bottom + _MEET and upright.bottom >= top.bottom + _ROOM


def _closes(bottom: Box, top: Surface, left: Surface, right: Surface) -> bool:
    """Whether a horizontal stroke joins two vertical ones that go down from ``top``."""
    below = bottom.top >= top.box.bottom + _ROOM
    reached = min(left.box.bottom, right.box.bottom) >= bottom.top - _MEET
    wide = bottom.left <= left.box.right + _HIDDEN and bottom.right >= right.box.left - _HIDDEN
    return below and reached and wide
