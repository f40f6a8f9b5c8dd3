"""Whether two scales agree: an isotonic link between them (paper 000, section 4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from decklab.metrics.sensitivity.ratings import SCALES, Degraded
from decklab.metrics.statistics import SEED
from decklab.results import NotScored

PERMUTATIONS: Final = 999
"""Ours: the least p that 999 shuffles can give is 0.001, the one that section 4 prints."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ScaleLink:
    """The rising step function that maps one scale's y* to the other's best."""

    model: str
    r2: float | NotScored
    """Share of variance explained, 0 to 1, higher is better."""
    rmse: float | NotScored
    """Root mean square error in y*, lower is better."""
    p: float | NotScored
    """Share of shuffles whose R2 is as high; the data count as one shuffle."""
    n: int
    """Slides, each axis and severity by itself, rated on both scales."""
    link: tuple[tuple[float, float], ...]
    """y* of the coarse scale and the y* of the fine scale that it is mapped to."""


def scale_links(
    rated: Sequence[Degraded], *, permutations: int = PERMUTATIONS, seed: int = SEED
) -> tuple[ScaleLink, ...]:
    """The link from the 5-point to the 100-point scale for each judge, over all axes together."""
    by_model = groupby(sorted(rated), key=lambda each: each.model)
    return tuple(
        isotonic_link(_pairs(list(group)), model=model, permutations=permutations, seed=seed)
        for model, group in by_model
    )


def isotonic_link(
    pairs: Sequence[tuple[float, float]],
    *,
    model: str = "",
    permutations: int = PERMUTATIONS,
    seed: int = SEED,
) -> ScaleLink:
    """Fit y* of the fine scale on y* of the coarse one by isotonic least squares.

    Equal coarse values are mapped to one value. p is the permutation test of R2: the fine values
    are shuffled over the slides, (1 + shuffles at least as good) / (1 + shuffles).

    >>> link = isotonic_link([(0.0, 0.1), (0.0, 0.3), (0.5, 0.4), (1.0, 0.8)], permutations=9)
    >>> link.link
    ((0.0, 0.2), (0.5, 0.4), (1.0, 0.8))
    >>> round(link.r2, 4), round(link.rmse, 4)
    (0.9231, 0.0707)
    """
    reason = _why_not(pairs)
    if reason:
        nothing = NotScored(reason)
        return ScaleLink(model, nothing, nothing, nothing, len(pairs), ())
    coarse, fine = np.array(pairs, float).T
    levels, place, counts = np.unique(coarse, return_inverse=True, return_counts=True)
    fitted = _fit(fine, place, counts)
    total = float(np.sum((fine - fine.mean()) ** 2))
    missed = float(np.sum((fine - fitted[place]) ** 2))
    rng = np.random.default_rng(seed)
    explained = _explained(fitted, counts)
    as_good = sum(
        _explained(_fit(rng.permutation(fine), place, counts), counts) >= explained - 1e-12
        for _ in range(permutations)
    )
    return ScaleLink(
        model, 1 - missed / total, sqrt(missed / len(fine)),
        (1 + as_good) / (1 + permutations), len(fine),
        tuple((float(x), float(y)) for x, y in zip(levels, fitted, strict=True)),
    )  # fmt: skip


def _why_not(pairs: Sequence[tuple[float, float]]) -> str:
    if len(pairs) < 3:
        return "fewer than three slides were rated on both scales"
    if len({fine for _, fine in pairs}) < 2:
        return "all slides have the same score on the fine scale"
    return ""


def _fit(fine: Floats, place: NDArray[np.intp], counts: NDArray[np.intp]) -> Floats:
    means = np.bincount(place, weights=fine) / counts
    return np.asarray(isotonic_regression(means, weights=counts).x)


def _explained(fitted: Floats, counts: NDArray[np.intp]) -> float:
    """The sum of squares that the fit accounts for; it rises with R2, as the total is fixed."""
    mean = float(np.average(fitted, weights=counts))
    return float(np.sum(counts * (fitted - mean) ** 2))


def _pairs(rated: Sequence[Degraded]) -> list[tuple[float, float]]:
    coarse, fine = (
        {(e.axis, e.deck, e.slide, e.severity): e.y for e in rated if e.scale == scale}
        for scale in SCALES
    )
    return [(coarse[key], fine[key]) for key in sorted(coarse.keys() & fine.keys())]
