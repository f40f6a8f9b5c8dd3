"""What intervals and tests do on simulated systems whose means are known.

The numbers that the docs state are of these runs.
"""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

from decklab.evals.results.comparing import LEVEL, Correction, corrected_p, sign_flip_p
from decklab.evals.results.means import UNIT_SCALE, interval_of

Draw = Callable[[np.random.Generator, int], np.ndarray]
WORLDS: dict[str, tuple[Draw, float]] = {
    "normal": (lambda rng, n: rng.normal(0.6, 0.15, n), 0.6),
    "skewed": (lambda rng, n: rng.beta(5, 2, n), 5 / 7),
    "two-peaked": (lambda rng, n: rng.beta(0.5, 0.5, n), 0.5),
    "share": (lambda rng, n: (rng.random(n) < 0.7).astype(float), 0.7),
}
ROUNDS = 150
"""Simulations of each kind; a share of 0.95 varies by 0.018 (one standard deviation)."""


@pytest.mark.parametrize(("units", "least"), [(5, 0.88), (20, 0.9), (100, 0.9)])
@pytest.mark.parametrize("world", WORLDS)
def test_intervals_hold_the_mean_in_about_95_of_100_cases(
    world: str, units: int, least: float
) -> None:
    draw, mean = WORLDS[world]
    rng = np.random.default_rng(units)
    held = 0
    for _ in range(ROUNDS):
        values = draw(rng, units)
        ends = interval_of(
            ((str(n), float(value)) for n, value in enumerate(values)),
            None if world == "normal" else UNIT_SCALE,
        )
        held += isinstance(ends, tuple) and ends[0] <= mean <= ends[1]
    assert least <= held / ROUNDS


PAIRS = tuple(combinations(range(4), 2))


def p_values(
    rng: np.random.Generator, units: int, correction: Correction, ahead: float = 0.0
) -> list[float]:
    """Corrected p-values of all pairs of four systems on the same units; the first is ``ahead`` of
    the others, in standard deviations of a difference."""
    scores = rng.normal(0, 1, units) + rng.normal(0, 1, (4, units))
    scores[0] += ahead * np.sqrt(2)
    values = [sign_flip_p((scores[one] - scores[other]).tolist()) for one, other in PAIRS]
    return corrected_p(values, correction)


@pytest.mark.parametrize("correction", ["Holm", "Benjamini-Hochberg"])
@pytest.mark.parametrize("units", [5, 20, 100])
def test_without_a_difference_an_order_is_rarely_found(units: int, correction: Correction) -> None:
    rng = np.random.default_rng(units)
    found = sum(min(p_values(rng, units, correction)) < LEVEL for _ in range(ROUNDS))
    assert found / ROUNDS <= 0.09  # 0.05, and two standard deviations of 150 rounds


@pytest.mark.parametrize(("units", "low", "high"), [(5, 0, 0), (20, 0.6, 0.95), (100, 1, 1)])
def test_an_effect_of_0_8_is_found_as_units_grow(units: int, low: float, high: float) -> None:
    rng = np.random.default_rng(units)
    found = [
        p < LEVEL
        for _ in range(40)
        for (one, _), p in zip(PAIRS, p_values(rng, units, "Holm", 0.8), strict=True)
        if one == 0
    ]
    assert low <= np.mean(found) <= high
