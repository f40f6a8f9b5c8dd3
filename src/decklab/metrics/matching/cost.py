"""The terms of the blended cost and their blend (paper 000, appendix C, algorithm 1)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from decklab.deck.model.plain import PlainImage, PlainRect, PlainSlide, PlainTable, PlainText
from decklab.metrics.matching.constants import DIAGONAL, LINE_SIDE, MIN_SIDE, WEIGHTS, Weights
from decklab.metrics.matching.content import cell_overlap, similarities
from decklab.metrics.matching.families import Family

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Terms:
    """What the cost of every pair is blended from; rows are truth, columns predictions.

    All arrays have the shape (m, n) and lie on 0 to 1; lower is better.
    """

    iou: Floats
    """1 - IoU."""
    center: Floats
    """Distance between the centres over the frame's diagonal; at most 1."""
    size: Floats
    """Mean difference in width and height, each over the truth's; at most 1."""
    content: Floats | None
    """1 - similarity; None where elements of this family have no content."""


def boxes(slide: PlainSlide, family: Family) -> Floats:
    """Left, top, width and height of a slide's elements of one family, px, shape (n, 4).

    No side is shorter than 1 px. The box of a line holds both ends and is at least 24 px wide and
    high about its middle.
    """
    if family == "lines":
        ends = np.array([(e.x1, e.y1, e.x2, e.y2) for e in slide.lines], float).reshape(-1, 4)
        low = np.minimum(ends[:, :2], ends[:, 2:])
        high = np.maximum(ends[:, :2], ends[:, 2:])
        side = np.maximum(high - low, LINE_SIDE)
        return np.hstack([(low + high - side) / 2, side])
    items: Sequence[PlainText | PlainRect | PlainImage | PlainTable] = getattr(slide, family)
    placed = np.array([(e.x, e.y, e.w, e.h) for e in items], float).reshape(-1, 4)
    return np.hstack([placed[:, :2], np.maximum(placed[:, 2:], MIN_SIDE)])


def geometry_terms(truth: Floats, prediction: Floats) -> tuple[Floats, Floats, Floats]:
    """1 - IoU, centre distance and size difference of every pair, shapes (m, n).

    ``truth`` and ``prediction`` hold left, top, width and height, shapes (m, 4) and (n, 4), with
    no side of 0. Algorithm 1, lines 5 to 7; all on 0 to 1 as E.2 wants them, so a distance beyond
    the diagonal and a box more than twice as large count as 1.

    >>> a, b = np.array([[0, 0, 10, 10.0]]), np.array([[5, 0, 10, 20.0]])
    >>> [round(float(term[0, 0]), 4) for term in geometry_terms(a, b)]
    [0.8, 0.0064, 0.5]
    """
    a, b = truth[:, None, :], prediction[None, :, :]
    low = np.maximum(a[..., :2], b[..., :2])
    high = np.minimum(a[..., :2] + a[..., 2:], b[..., :2] + b[..., 2:])
    common = np.prod(np.maximum(high - low, 0), axis=-1)
    union = np.prod(a[..., 2:], axis=-1) + np.prod(b[..., 2:], axis=-1) - common
    between = (a[..., :2] + a[..., 2:] / 2) - (b[..., :2] + b[..., 2:] / 2)
    center = np.hypot(between[..., 0], between[..., 1]) / DIAGONAL
    size = np.mean(np.abs(a[..., 2:] - b[..., 2:]) / a[..., 2:], axis=-1)
    # Rounding may leave the union of equal boxes a hair from their common part.
    iou = np.clip(1 - common / union, 0, 1)
    return iou, np.minimum(center, 1), np.minimum(size, 1)


def slide_terms(
    truth: PlainSlide, prediction: PlainSlide, family: Family, *, autojunk: bool = True
) -> Terms:
    """The terms of every pair of one family on a slide; ``autojunk`` as in ``similarity``."""
    geometry = geometry_terms(boxes(truth, family), boxes(prediction, family))
    return Terms(*geometry, _content_term(truth, prediction, family, autojunk))


def _content_term(
    truth: PlainSlide, prediction: PlainSlide, family: Family, autojunk: bool
) -> Floats | None:
    if family == "texts":
        theirs, ours = [e.text for e in prediction.texts], [e.text for e in truth.texts]
        return 1 - similarities(theirs, ours, autojunk=autojunk)
    if family == "tables":
        rows = [[cell_overlap(b.cells, a.cells) for b in prediction.tables] for a in truth.tables]
        return 1 - np.array(rows, float).reshape(len(truth.tables), len(prediction.tables))
    return None


def blend(terms: Terms, weights: Weights = WEIGHTS) -> Floats:
    """The cost of every pair, 0 to 1, shape (m, n): the weighted mean of the terms that apply.

    >>> half, zero = np.array([[0.5]]), np.array([[0.0]])
    >>> float(blend(Terms(half, zero, zero, None), Weights(2, 1, 1, 4))[0, 0])
    0.25
    """
    cost = weights.iou * terms.iou + weights.center * terms.center + weights.size * terms.size
    total = weights.iou + weights.center + weights.size
    if terms.content is not None:
        cost = cost + weights.content * terms.content
        total += weights.content
    return cost / total
