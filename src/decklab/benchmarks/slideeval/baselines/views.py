"""A drawn slide as the ordering baseline reads it."""

from collections.abc import Sequence

import cv2
import numpy as np

from decklab.benchmarks.slideeval.baselines.ordering import SlideView
from decklab.geometry import FRAME_HEIGHT, Box
from decklab.rendering.model import RenderedSlide, TextSpan

_SIZE = (160, 90)
"""Ours: pixels of the picture that is kept; looks are compared on less."""
_TITLE = 0.95
"""Ours: share of the largest size that a title's lines have,"""
_TITLE_LINES = 3.2
"""and how far down from its first they reach, in that size."""


def view_of(slide: RenderedSlide) -> SlideView:
    """The slide's text line by line, what is set largest first as its title; and a small picture.

    Text comes from the slide's spans, be they laid out or read off the picture.
    """
    image = cv2.resize(slide.image, _SIZE, interpolation=cv2.INTER_AREA)
    lines = _lines(slide.spans)
    text = "\n".join(text for _box, _size, text in lines)
    if not lines:
        return SlideView(text, np.asarray(image, np.uint8))
    box, size, _text = lines[0]
    return SlideView(text, np.asarray(image, np.uint8), title_pt=size, title_top=box.top)


def _lines(spans: Sequence[TextSpan]) -> list[tuple[Box, float, str]]:
    """Place, size and words of the lines, the title first."""
    rows: dict[int, list[TextSpan]] = {}
    for span in spans:
        rows.setdefault(span.line, []).append(span)
    lines = [
        (row[0].box, max(span.size_pt for span in row), " ".join(span.text for span in row))
        for row in rows.values()
        if 0 <= row[0].box.top < FRAME_HEIGHT
    ]
    lines.sort(key=lambda line: (line[0].top // 12, line[0].left))
    return _title_first(lines)


def _title_first(lines: list[tuple[Box, float, str]]) -> list[tuple[Box, float, str]]:
    """The lines with those of the largest text joined to one, ahead of the others."""
    worded = [line for line in lines if any(character.isalpha() for character in line[2])]
    if not worded:
        return lines
    largest = max(size for _box, size, _text in worded)
    box = next(box for box, size, _text in worded if size >= _TITLE * largest)
    reach = _TITLE_LINES * largest
    title = [
        line for line in lines if line[1] >= _TITLE * largest and abs(line[0].top - box.top) < reach
    ]
    head = (box, largest, " ".join(text for _box, _size, text in title))
    return [head, *(line for line in lines if line not in title)]
