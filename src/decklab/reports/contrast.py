"""Text regions of a slide that stand out too little, as marks on its picture."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box

MINIMUM_RATIO: Final = 4.5
"""Contrast that text needs where nothing else is stated (WCAG 2.1, success criterion 1.4.3)."""

_FRAME = Box(0, 0, FRAME_WIDTH, FRAME_HEIGHT)
_TAG = Box(0, 0, 38, 34)
_MOST_PLACES = 400


@dataclass(frozen=True)
class ContrastMark:
    """A numbered box on a slide's picture, in the units of a drawing ``FRAME_WIDTH`` wide.

    ``tag`` is the box of its number. ``figure`` and ``ground`` are colours, empty where unknown.
    """

    label: int
    box: Box
    tag: Box
    ratio: float
    text: str
    figure: str
    ground: str


def contrast_marks(evidence: Mapping[str, Any], height: float) -> list[ContrastMark]:
    """Marks for the regions of ``usability.contrast`` that lack contrast, worst first.

    A region lacks contrast below its own ``least_ratio``, which depends on the size of its text,
    else below MINIMUM_RATIO. ``height`` is that of the drawing whose width is FRAME_WIDTH.
    Regions off the slide are left out.
    """
    regions = evidence.get("worst", ())
    weak = [r for r in regions if r["ratio"] < r.get("least_ratio", MINIMUM_RATIO)]
    marks: list[ContrastMark] = []
    taken: list[Box] = []
    for region in sorted(weak, key=lambda r: float(r["ratio"])):
        box = Box(*region["box"]).intersection(_FRAME).scaled(1, height / FRAME_HEIGHT)
        if not box.area:
            continue
        tag = _tag_for(box, taken, height)
        taken.append(tag)
        marks.append(
            ContrastMark(
                len(marks) + 1, box, tag, float(region["ratio"]), str(region.get("text", "")),
                str(region.get("figure", "")), str(region.get("ground", "")),
            )
        )  # fmt: skip
    return marks


def _tag_for(box: Box, taken: list[Box], height: float) -> Box:
    """Beside the box's top left corner, or the nearest place after it that no number takes.

    The search goes right, then line by line; a slide has room for more numbers than it has marks.
    """
    left, top = box.left - _TAG.width - 4, box.top - 4
    if left < 0:
        left, top = box.left, box.top - _TAG.height
    lowest = max(0.0, height - _TAG.height)
    left, top = min(left, FRAME_WIDTH - _TAG.width), min(max(0.0, top), lowest)
    for _ in range(_MOST_PLACES):
        tag = Box(left, top, left + _TAG.width, top + _TAG.height)
        if not any(tag.intersection(other).area for other in taken):
            break
        left += _TAG.width + 2
        if left > FRAME_WIDTH - _TAG.width:
            left, top = 0.0, top + _TAG.height if top < lowest else 0.0
            top = min(top, lowest)
    return tag
