"""Paired tests and corrections against SciPy and formulas by hand."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from decklab.core.results import NotScored
from decklab.evals.results.comparing import (
    SystemDifference,
    compared,
    corrected_p,
    places,
    sign_flip_p,
)
from decklab.evals.results.means import Observation


def observed(**systems: list[float | NotScored]) -> list[Observation]:
    return [
        Observation(name, f"t{n}", "m", value)
        for name, values in systems.items()
        for n, value in enumerate(values)
    ]


@pytest.mark.parametrize("values", [[0.3, -0.1, 0.4, 0.2, 0.6], [1.0, 1.0, 1.0], [0.5, -0.5, 0.25]])
def test_few_differences_are_tested_with_every_sign(values: list[float]) -> None:
    total = abs(sum(values))
    signs = list(product((1, -1), repeat=len(values)))
    hits = sum(
        abs(sum(sign * value for sign, value in zip(way, values, strict=True))) >= total - 1e-9
        for way in signs
    )
    assert sign_flip_p(values) == pytest.approx(hits / len(signs))


def test_many_differences_are_tested_as_scipy_tests_them() -> None:
    values = np.random.default_rng(5).normal(0.25, 1, 40)
    theirs = stats.permutation_test(
        (values, np.zeros(40)), lambda a, b, axis: np.mean(a - b, axis=axis),
        permutation_type="samples", n_resamples=9999, vectorized=True, rng=2,
    )  # fmt: skip
    assert sign_flip_p(values.tolist()) == pytest.approx(theirs.pvalue, abs=0.02)


def test_no_difference_at_all_is_no_evidence() -> None:
    assert sign_flip_p([0.0, 0.0, 0.0]) == 1.0
    assert sign_flip_p([0.0] * 40) == 1.0


def test_holm_multiplies_by_the_number_of_tests_that_are_left() -> None:
    # 4 x 0.005; 3 x 0.01; 2 x 0.03; and the last not below the one before.
    assert corrected_p([0.01, 0.04, 0.03, 0.005], "Holm") == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert corrected_p([0.9, 0.8], "Holm") == [1.0, 1.0]
    assert corrected_p([], "Holm") == []


def test_benjamini_and_hochberg_by_hand() -> None:
    # In order 0.005, 0.01, 0.03, 0.04 of 4: times 4/1, 4/2, 4/3, 4/4; each not above the next.
    made = corrected_p([0.01, 0.04, 0.03, 0.005], "Benjamini-Hochberg")
    assert made == pytest.approx([0.02, 0.04, 0.04, 0.02])


def test_pairs_are_compared_over_the_units_that_both_have() -> None:
    none = NotScored("no reply")
    [pair] = compared(observed(a=[1.0, 2.0, 3.0, none], b=[0.0, 0.5, none, 9.0]))
    assert (pair.units, pair.mean) == (2, 1.25)
    [apart] = compared(observed(a=[1.0, none], b=[none, 1.0]))
    assert isinstance(apart.p, NotScored)
    assert not apart.significant
    assert apart.ahead() == ""


def test_five_units_cannot_tell_systems_apart() -> None:
    # Of 2^5 signs two are as extreme: p = 0.0625 at best.
    [pair] = compared(observed(a=[5.0] * 5, b=[1.0, 1.1, 1.2, 1.3, 1.4]))
    assert pair.p == 0.0625
    assert places(["a", "b"], [pair]) == {"a": (1, 2), "b": (1, 2)}


def test_places_are_what_the_tests_leave_open() -> None:
    def pair(first: str, second: str, mean: float, p: float) -> SystemDifference:
        return SystemDifference("m", first, second, mean, NotScored(""), 9, p, p)

    known = [pair("a", "b", 1.0, 0.01), pair("a", "c", 2.0, 0.01), pair("b", "c", 1.0, 0.2)]
    assert places("abc", known) == {"a": (1, 1), "b": (2, 3), "c": (2, 3)}
    assert places("abc", known, lower_better=True) == {"a": (3, 3), "b": (1, 2), "c": (1, 2)}
    assert places([], []) == {}
