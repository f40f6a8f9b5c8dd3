"""Whether judges agree on which slides are worse, by severity (paper 000, figure 3b)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from decklab.metrics.sensitivity.constants import BUCKETS, LEAST_COMMON
from decklab.metrics.sensitivity.measures import rank_correlation
from decklab.metrics.sensitivity.ratings import Degraded
from decklab.results import NotScored

_Key = tuple[str, str, float]


@dataclass(frozen=True)
class ModelAgreement:
    """Two judges on one axis and scale, for severities over ``low`` and up to ``high``."""

    models: tuple[str, str]
    axis: str
    scale: int
    low: float
    """Below 0 for the bucket of clean slides."""
    high: float
    n: int
    """Slides that both rated."""
    rho: float | NotScored
    """Spearman's rho of their y*, -1 to 1, higher is better."""


def model_agreement(
    rated: Sequence[Degraded], *, edges: Sequence[float] = BUCKETS
) -> tuple[ModelAgreement, ...]:
    """Every pair of judges on every axis, scale and bucket of severity, sorted.

    ``edges`` are the buckets' upper ends, rising; the first bucket has no lower one.

    >>> rated = [Degraded(m, "text", 5, "a", str(i), 0.1, i / 5) for m in "kl" for i in range(5)]
    >>> [(each.models, each.high, each.rho) for each in model_agreement(rated) if each.n]
    [(('k', 'l'), 0.2, 1.0)]
    """
    found: dict[tuple[str, int], dict[str, dict[_Key, float]]] = {}
    for each in rated:
        models = found.setdefault((each.axis, each.scale), {})
        models.setdefault(each.model, {})[each.deck, each.slide, each.severity] = each.y
    bounds = list(zip((-1.0, *edges), edges, strict=False))
    return tuple(
        _agreement((first, second), group, bound, (models[first], models[second]))
        for group, models in sorted(found.items())
        for first, second in combinations(sorted(models), 2)
        for bound in bounds
    )


def _agreement(
    models: tuple[str, str],
    group: tuple[str, int],
    bound: tuple[float, float],
    sides: tuple[dict[_Key, float], dict[_Key, float]],
) -> ModelAgreement:
    low, high = bound
    common = sorted(key for key in sides[0].keys() & sides[1].keys() if low < key[2] <= high)
    rho: float | NotScored = NotScored(f"fewer than {LEAST_COMMON} slides were rated by both")
    if len(common) >= LEAST_COMMON:
        rho = rank_correlation([(sides[0][key], sides[1][key]) for key in common])
    return ModelAgreement(models, *group, low, high, len(common), rho)
