"""Text regions of a slide that stand out too little, as marks on its picture."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.results import Finding

__all__ = ["MINIMUM_RATIO", "ContrastMark", "contrast_marks"]

MINIMUM_RATIO: Final = 4.5
"""Contrast that text needs where nothing else is stated (WCAG 2.1, success criterion 1.4.3)."""

_FRAME = Box(0, 0, FRAME_WIDTH, FRAME_HEIGHT)
_TAG = Box(0, 0, 38, 34)


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


def contrast_marks(
    evidence: Mapping[str, Any], findings: Iterable[Finding], height: float
) -> list[ContrastMark]:
    """Marks for the regions of ``usability.contrast`` that lack contrast, worst first.

    A region lacks contrast below its own ``threshold``, else below the threshold that a contrast
    finding on the slide states, else below MINIMUM_RATIO. ``findings`` are the slide's; ``height``
    is that of the drawing whose width is FRAME_WIDTH. Regions off the slide are left out.
    """
    stated = [f.threshold for f in findings if f.rule.startswith("contrast") and f.threshold]
    default = max(stated, default=MINIMUM_RATIO)
    weak = [r for r in evidence.get("worst", ()) if r["ratio"] < r.get("threshold", default)]
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
    """Beside the box's top left corner, moved right until it covers no other number."""
    top = min(max(0.0, box.top - 4), max(0.0, height - _TAG.height))
    left = box.left - _TAG.width - 4
    if left < 0:
        left, top = box.left, max(0.0, box.top - _TAG.height)
    while True:
        tag = Box(left, top, left + _TAG.width, top + _TAG.height)
        if tag.right > FRAME_WIDTH or not any(tag.intersection(other).area for other in taken):
            return tag
        left += _TAG.width + 2
