"""Hungarian matching behind a gate (paper 000, appendix C, algorithm 1)."""

from dataclasses import dataclass

from scipy.optimize import linear_sum_assignment

from decklab.deck.model.plain import PlainSlide
from decklab.metrics.matching.constants import TAU, WEIGHTS, Weights
from decklab.metrics.matching.cost import Floats, Terms, blend, slide_terms
from decklab.metrics.matching.families import FAMILIES, Family


@dataclass(frozen=True)
class Match:
    """A truth and the prediction it was matched with, by their places in the slide's lists."""

    truth: int
    prediction: int
    cost: float
    """Blended, 0 to tau."""
    iou_error: float
    """1 - IoU."""
    center_error: float
    """Share of the frame's diagonal."""
    size_error: float
    """Relative to the truth, at most 1."""
    similarity: float | None
    """Of content, 0 to 1; None for elements that have none."""


@dataclass(frozen=True)
class Matching:
    """The outcome for one family on one slide."""

    matches: tuple[Match, ...]
    """Accepted pairs, in the order of the truth."""
    missed: tuple[int, ...]
    """False negatives: places of truth that nothing was matched with."""
    extra: tuple[int, ...]
    """False positives: places of predictions that match nothing."""


def accepted(cost: Floats, tau: float = TAU) -> list[tuple[int, int]]:
    """Pairs (row, column) of the assignment of least total cost whose own cost is at most tau.

    ``cost`` has the shape (m, n). A pair over tau is dropped after the assignment, as printed, so
    that it may keep two others from being matched.

    >>> import numpy as np
    >>> accepted(np.array([[0.1, 0.2], [0.15, 0.9]]), tau=0.5)
    [(0, 1), (1, 0)]
    """
    rows, columns = linear_sum_assignment(cost)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if cost[i, j] <= tau]


def match_elements(terms: Terms, weights: Weights = WEIGHTS, tau: float = TAU) -> Matching:
    """Match the elements of one family; ``terms`` holds their pairwise terms."""
    cost = blend(terms, weights)
    pairs = accepted(cost, tau)
    truths, predictions = {i for i, _ in pairs}, {j for _, j in pairs}
    return Matching(
        tuple(_match(terms, cost, i, j) for i, j in pairs),
        tuple(i for i in range(cost.shape[0]) if i not in truths),
        tuple(j for j in range(cost.shape[1]) if j not in predictions),
    )


def _match(terms: Terms, cost: Floats, i: int, j: int) -> Match:
    alike = None if terms.content is None else 1 - float(terms.content[i, j])
    return Match(
        i, j, float(cost[i, j]),
        float(terms.iou[i, j]), float(terms.center[i, j]), float(terms.size[i, j]), alike,
    )  # fmt: skip


def match_slide(
    truth: PlainSlide,
    prediction: PlainSlide,
    *,
    weights: Weights = WEIGHTS,
    tau: float = TAU,
    autojunk: bool = True,
) -> dict[Family, Matching]:
    """Match what was predicted of a slide with what is on it, family by family.

    ``weights`` and ``tau`` are those of algorithm 1, ``autojunk`` as in ``similarity``.

    >>> blank = PlainSlide.model_validate({
    ...     "size": {"w": 960.0, "h": 540.0}, "background": "#FFFFFF",
    ...     "texts": [], "rects": [], "lines": [], "images": [], "tables": []})
    >>> picture = {"x": 0.0, "y": 0.0, "w": 96.0, "h": 54.0}
    >>> seen = PlainSlide.model_validate(blank.model_dump() | {"images": [picture]})
    >>> match_slide(seen, blank)["images"].missed, match_slide(blank, seen)["images"].extra
    ((0,), (0,))
    """
    return {
        family: match_elements(
            slide_terms(truth, prediction, family, autojunk=autojunk), weights, tau
        )
        for family in FAMILIES
    }
