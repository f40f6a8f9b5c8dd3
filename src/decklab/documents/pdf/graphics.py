"""Drawings of a PDF page beside text: rules, and areas that may be figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from decklab.core.geometry import Box
from decklab.documents.pdf.objects import SeenObjects
from decklab.documents.pdf.words import shown_boxes

RULE_WIDTH = 2.5
"""Ours: points; a thicker rule is an area."""
_REACH = 9.0  # ours: points between parts of one drawing, such as its ticks and their axis
_CELL = 3.0


@dataclass(frozen=True)
class DrawnArea:
    """Drawings and pictures that stand together. ``rasters``, ``forms`` and ``paths`` count its
    parts."""

    box: Box
    rasters: int
    forms: int
    paths: int


@dataclass(frozen=True)
class PageGraphics:
    """The rules of a page and everything drawn that is none, in points of the page as shown."""

    horizontal: tuple[Box, ...] = ()
    vertical: tuple[Box, ...] = ()
    shapes: tuple[tuple[Box, int], ...] = ()
    """Boxes with pdfium's kind of page object."""


def page_graphics(page: Any) -> PageGraphics:
    """The drawings of a loaded page (raw handle); what covers nearly all of it is its ground."""
    width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    found = list(SeenObjects().drawn(page))
    if not found:
        return PageGraphics()
    kinds = [kind for _, kind in found]
    boxes = shown_boxes(page, np.array([bounds for bounds, _ in found]))
    np.clip(boxes, 0, [width, height, width, height], out=boxes)
    sizes = boxes[:, 2:] - boxes[:, :2]
    paths = np.array(kinds) == pdfium.FPDF_PAGEOBJ_PATH
    ground = (sizes[:, 0] > 0.9 * width) & (sizes[:, 1] > 0.9 * height) & paths
    horizontal = paths & (sizes[:, 1] <= RULE_WIDTH) & (sizes[:, 0] > 12)
    vertical = paths & (sizes[:, 0] <= RULE_WIDTH) & (sizes[:, 1] > 5)
    others = ~(ground | horizontal | vertical) & (sizes.max(axis=1) > 0.5)
    shapes = tuple((Box(*boxes[i].tolist()), kinds[i]) for i in np.flatnonzero(others).tolist())
    return PageGraphics(
        _merged_rules([Box(*row) for row in boxes[horizontal].tolist()]),
        tuple(
            _turned(rule)
            for rule in _merged_rules([_turned(Box(*row)) for row in boxes[vertical].tolist()])
        ),
        shapes,
    )


def _turned(box: Box) -> Box:
    return Box(box.top, box.left, box.bottom, box.right)


def _merged_rules(rules: Sequence[Box]) -> tuple[Box, ...]:
    """Horizontal rules with those on one level that touch as one, from top to bottom."""
    merged: list[Box] = []
    for rule in sorted(rules, key=lambda box: (round(box.top), box.left)):
        last = merged[-1] if merged else None
        if last and abs(last.top - rule.top) < 1.5 and rule.left <= last.right + 3:
            merged[-1] = last.union(rule)
        else:
            merged.append(rule)
    return tuple(merged)


def drawn_areas(
    graphics: PageGraphics, size: tuple[float, float], *, without: Sequence[Box] = ()
) -> list[DrawnArea]:
    """Drawings that stand together as areas, top to bottom; ``without`` what tables have taken.

    Rules belong to an area where they touch other drawings.
    """
    rules = [(rule, 0) for rule in (*graphics.horizontal, *graphics.vertical)]
    kept = [
        (box, kind)
        for box, kind in (*graphics.shapes, *rules)
        if not any(_inside(box, table) for table in without)
    ]
    if not any(kind for _, kind in kept):
        return _of_rules_only(kept, size)
    labels = _labels([box for box, _ in kept], size)
    areas: dict[int, list[tuple[Box, int]]] = {}
    for label, item in zip(labels, kept, strict=True):
        areas.setdefault(label, []).append(item)
    found = [_area(items) for items in areas.values()]
    return sorted(found, key=lambda area: (area.box.top, area.box.left))


def _of_rules_only(kept: Sequence[tuple[Box, int]], size: tuple[float, float]) -> list[DrawnArea]:
    """A plot may be nothing but straight lines: many of them that touch are an area."""
    if len(kept) < 8:
        return []
    labels = _labels([box for box, _ in kept], size)
    areas = [
        [item for at, item in zip(labels, kept, strict=True) if at == label]
        for label in sorted(set(labels))
    ]
    return [_area(items) for items in areas if len(items) >= 8]


def _inside(box: Box, other: Box) -> bool:
    return (
        box.left >= other.left - 3
        and box.right <= other.right + 3
        and box.top >= other.top - 3
        and box.bottom <= other.bottom + 3
    )


def _labels(boxes: Sequence[Box], size: tuple[float, float]) -> list[int]:
    """For each box the number of the group of boxes that it stands with."""
    shape = int(size[1] / _CELL) + 2, int(size[0] / _CELL) + 2
    grid = np.zeros(shape, np.uint8)
    cells = [
        (
            int(box.top / _CELL),
            int(box.bottom / _CELL) + 1,
            int(box.left / _CELL),
            int(box.right / _CELL) + 1,
        )
        for box in boxes
    ]
    for top, bottom, left, right in cells:
        grid[top:bottom, left:right] = 1
    reach = int(_REACH / _CELL)
    kernel: NDArray[np.uint8] = np.ones((reach, reach), np.uint8)
    _count, numbers = cv2.connectedComponents(cv2.dilate(grid, kernel))
    return [int(numbers[top, left]) for top, _, left, _ in cells]


def _area(items: Sequence[tuple[Box, int]]) -> DrawnArea:
    box = Box.around(box for box, _ in items)
    assert box is not None
    kinds = [kind for _, kind in items]
    return DrawnArea(
        box,
        kinds.count(pdfium.FPDF_PAGEOBJ_IMAGE),
        kinds.count(pdfium.FPDF_PAGEOBJ_FORM),
        kinds.count(pdfium.FPDF_PAGEOBJ_PATH)
        + kinds.count(pdfium.FPDF_PAGEOBJ_SHADING)
        + kinds.count(0),
    )
