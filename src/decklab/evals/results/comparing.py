"""Systems compared pair by pair over the units that both have.

The test is a paired randomisation test: the sign of each unit's difference is flipped, in all ways
for up to twelve units and in 9,999 random ones otherwise (Fisher 1935; Edgington 1980). P-values
are corrected for the number of pairs, by Holm (1979) or by Benjamini and Hochberg (1995). A system
is ahead of another only where the corrected value is below 0.05.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, count
from statistics import fmean
from typing import Final, Literal

import numpy as np

from decklab.core.results import SAME, NotScored, by_key, scored
from decklab.evals.results.means import Observation, by_system, interval_of
from decklab.metrics.statistics import SEED, Floats, Interval, distributions

Correction = Literal["Holm", "Benjamini-Hochberg"]
LEVEL: Final = 0.05
EXACT: Final = 12
"""Most units of which every combination of signs is tried: 4,096."""
DRAWS: Final = 9999


@dataclass(frozen=True)
class SystemDifference:
    """The first system minus the second in one metric, over the units that both have."""

    metric: str
    first: str
    second: str
    mean: float | NotScored
    interval: Interval | NotScored
    units: int
    p: float | NotScored
    corrected: float | NotScored
    """The p-value, corrected for all pairs of the metric."""

    @property
    def significant(self) -> bool:
        """Whether one of both is ahead."""
        return not isinstance(self.corrected, NotScored) and self.corrected < LEVEL

    def ahead(self, *, lower_better: bool = False) -> str:
        """The system that is ahead; empty if neither is."""
        if not self.significant or isinstance(self.mean, NotScored):
            return ""
        return self.first if (self.mean > 0) is not lower_better else self.second


def compared(
    observations: Iterable[Observation], *, correction: Correction = "Holm"
) -> list[SystemDifference]:
    """Every pair of systems in one metric, with p-values corrected for all these pairs.

    Units count once, with the mean of their values. Pairs that share fewer than two units are not
    compared, and say so.
    """
    rows = list(observations)
    metric = rows[0].metric if rows else ""
    values = {name: _by_unit(own) for name, own in by_system(rows).items()}
    pairs = [_pair(metric, one, other, values) for one, other in combinations(values, 2)]
    corrected = iter(corrected_p(scored(pair.p for pair in pairs), correction))
    return [
        pair if isinstance(pair.p, NotScored) else replace(pair, corrected=next(corrected))
        for pair in pairs
    ]


def _by_unit(rows: Iterable[Observation]) -> dict[str, float]:
    known = [(row.unit, row.value) for row in rows if not isinstance(row.value, NotScored)]
    units = by_key(known, lambda pair: pair[0])
    return {unit: fmean(value for _, value in pairs) for unit, pairs in units.items()}


def _pair(
    metric: str, first: str, second: str, values: Mapping[str, Mapping[str, float]]
) -> SystemDifference:
    shared = [unit for unit in values[first] if unit in values[second]]
    if len(shared) < 2:
        cause = NotScored(f"they share {len(shared)} scored units, and a test needs two")
        return SystemDifference(metric, first, second, cause, cause, len(shared), cause, cause)
    differences = [values[first][unit] - values[second][unit] for unit in shared]
    return SystemDifference(
        metric, first, second, fmean(differences),
        interval_of(zip(shared, differences, strict=True)), len(shared),
        p := sign_flip_p(differences), p,
    )  # fmt: skip


def sign_flip_p(differences: Sequence[float]) -> float:
    """The two-sided p-value of a mean difference, by flipping the signs of differences.

    It is exact for up to ``EXACT`` differences. Differences that are all 0 give 1.

    >>> sign_flip_p([1.0, 2.0, 3.0])
    0.25
    """
    values = np.asarray(differences, float)
    observed = abs(values.sum()) - SAME
    exact = len(values) <= EXACT
    signs = _every_sign(len(values)) if exact else _drawn_signs(len(values))
    hits = int((np.abs(signs @ values) >= observed).sum())
    return hits / len(signs) if exact else (hits + 1) / (DRAWS + 1)


def least_units(pairs: int) -> int:
    """The fewest units with which the smallest possible p-value of so many pairs is significant.

    >>> least_units(1), least_units(6)
    (6, 8)
    """
    return next(units for units in count(2) if pairs * 2 / 2**units < LEVEL)


def _every_sign(units: int) -> Floats:
    return np.where(np.arange(2**units)[:, None] >> np.arange(units) & 1, -1.0, 1.0)


@lru_cache(maxsize=2)
def _drawn_signs(units: int) -> Floats:
    return np.random.default_rng(SEED).choice([-1.0, 1.0], size=(DRAWS, units))


def corrected_p(values: Sequence[float], correction: Correction) -> list[float]:
    """P-values corrected for their number, in their order.

    >>> [round(p, 2) for p in corrected_p([0.01, 0.04, 0.03], "Holm")]
    [0.03, 0.06, 0.06]
    """
    if not values:
        return []
    if correction == "Benjamini-Hochberg":
        return [float(p) for p in distributions().false_discovery_control(values)]
    order = np.argsort(values, kind="stable")
    steps = np.asarray(values)[order] * np.arange(len(values), 0, -1)
    corrected = np.empty(len(values))
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return [float(p) for p in corrected]


def places(
    systems: Iterable[str], differences: Iterable[SystemDifference], *, lower_better: bool = False
) -> dict[str, tuple[int, int]]:
    """The best and the worst place that each system can have, from 1: as many places lie before it
    as systems are ahead of it, and as many after it as it is ahead of."""
    names = list(systems)
    better = dict.fromkeys(names, 0)
    worse = dict.fromkeys(names, 0)
    for pair in differences:
        if (ahead := pair.ahead(lower_better=lower_better)) in better:
            behind = pair.second if ahead == pair.first else pair.first
            worse[ahead] += 1
            better[behind] += 1
    return {name: (1 + better[name], len(names) - worse[name]) for name in names}
