"""Loose shapes that belong together: drawings that scatter when one clicks them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from decklab.deck.model.outline import Shape, Slide
from decklab.geometry import Box
from decklab.metrics.editability.content import FRAME, content_shapes, has_text, paints
from decklab.metrics.editability.thresholds import (
    CLUSTER_GAP,
    COMPLEX_GROUP,
    HUNDREDS,
    ICON_EXTENT,
    ICON_PIECES,
    LOOSE_PIECES,
    PIECE_AREA,
)


@dataclass(frozen=True)
class LooseCluster:
    """Ungrouped pieces of one slide that touch each other."""

    slide: int
    pieces: tuple[Shape, ...]
    box: Box

    @property
    def hundreds(self) -> bool:
        """True where the pieces are so many that the cluster fails the gate by itself."""
        return len(self.pieces) >= HUNDREDS


def _pieces(slide: Slide) -> list[tuple[Shape, Box]]:
    """Loose, textless vector shapes that are neither placeholders nor panels."""
    found = []
    for shape in content_shapes(slide):
        glued = any(end is not None for end in shape.connects)
        drawing = shape.kind in ("shape", "connector") and paints(shape) and not glued
        loose = not shape.groups and shape.placeholder is None and shape.picture is None
        if not drawing or not loose or shape.box is None or has_text(shape):
            continue
        if shape.box.area <= PIECE_AREA * FRAME.area:
            found.append((shape, shape.box))
    return found


def _touching(boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
    left, top, right, bottom = (boxes[:, index] for index in range(4))
    apart_x = left[:, None] > right[None, :] + CLUSTER_GAP
    apart_y = top[:, None] > bottom[None, :] + CLUSTER_GAP
    touching: NDArray[np.bool_] = ~(apart_x | apart_x.T | apart_y | apart_y.T)
    return touching


def _connected(touching: NDArray[np.bool_]) -> Iterator[NDArray[np.intp]]:
    """The members of each set of pieces that hang together, by a symmetric (n, n) matrix."""
    left = np.ones(len(touching), bool)
    while left.any():
        members = np.zeros(len(touching), bool)
        newest = members.copy()
        newest[left.argmax()] = True
        while newest.any():
            members |= newest
            newest = touching[newest].any(axis=0) & ~members
        left &= ~members
        yield np.flatnonzero(members)


def loose_clusters(slide: Slide) -> list[LooseCluster]:
    """Clusters of a slide that should be groups: an icon in pieces, or a drawing of many shapes."""
    pieces = _pieces(slide)
    if len(pieces) < ICON_PIECES:
        return []
    boxes = np.array([box for _, box in pieces], float)
    found = []
    for members in _connected(_touching(boxes)):
        shapes = tuple(pieces[index][0] for index in members)
        extent = Box(
            *(float(value) for value in boxes[members, :2].min(axis=0)),
            *(float(value) for value in boxes[members, 2:].max(axis=0)),
        )
        if _should_be_group(shapes, extent):
            found.append(LooseCluster(slide.number, shapes, extent))
    return found


def _should_be_group(shapes: tuple[Shape, ...], extent: Box) -> bool:
    compact = (
        extent.width <= ICON_EXTENT * FRAME.width and extent.height <= ICON_EXTENT * FRAME.height
    )
    return len(shapes) >= (ICON_PIECES if compact else LOOSE_PIECES)


def complex_groups(slide: Slide) -> int:
    """Number of outermost groups with enough members to be a complex graphic."""
    members: dict[int, int] = {}
    for shape in slide.shapes:
        if shape.groups and shape.kind != "group":
            members[shape.groups[0]] = members.get(shape.groups[0], 0) + 1
    return sum(count >= COMPLEX_GROUP for count in members.values())
