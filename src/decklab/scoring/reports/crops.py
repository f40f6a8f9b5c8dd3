"""The piece of a slide's picture that a finding is about, cut from the picture the page has."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.core.results import Finding
from decklab.pages.pictures import SlidePicture

MARGIN: Final = 48.0
"""Ours: units shown around a box, of a slide ``FRAME_WIDTH`` wide, so that one sees where it is."""

LEAST_WIDTH: Final = 360.0
"""Ours: a cut is no narrower, so that text in it is about as large as the page's."""

SHAPE: Final = 16 / 9
"""Width by height of every cut."""


@dataclass(frozen=True)
class Crop:
    """A cut of the picture of ``slide``, and the mark in it, in units of the slide's drawing.

    ``mark`` is None where the finding concerns the whole slide.
    """

    slide: int
    view: Box
    mark: Box | None


def crop_of(finding: Finding, pictures: Mapping[int, SlidePicture]) -> Crop | None:
    """The cut for a finding; None where it concerns no slide, or one without a picture.

    The cut holds the finding's box with a margin, is never narrower than ``LEAST_WIDTH``, and stays
    on the slide where the slide is large enough. A box off the slide gives the whole slide.
    """
    picture = pictures.get(finding.slide or 0)
    if finding.slide is None or picture is None:
        return None
    height = picture.frame_height
    slide = Box(0, 0, FRAME_WIDTH, height)
    box = finding.box and Box(*finding.box).intersection(FRAME)
    if not box or not box.area:
        return Crop(finding.slide, _shaped(slide, slide), None)
    mark = box.scaled(1, height / FRAME_HEIGHT)
    around = Box(mark.left - MARGIN, mark.top - MARGIN, mark.right + MARGIN, mark.bottom + MARGIN)
    return Crop(finding.slide, _shaped(around, slide), mark)


def _shaped(box: Box, slide: Box) -> Box:
    """``box`` grown to ``SHAPE`` and moved onto ``slide``."""
    width = max(box.width, box.height * SHAPE, LEAST_WIDTH)
    height = width / SHAPE
    left = _within((box.left + box.right - width) / 2, width, slide.width)
    top = _within((box.top + box.bottom - height) / 2, height, slide.height)
    return Box(left, top, left + width, top + height)


def _within(start: float, length: float, room: float) -> float:
    """A start so that ``length`` lies within 0 and ``room``; in the middle where it is longer."""
    return (room - length) / 2 if length > room else min(max(0.0, start), room - length)
