"""From ratings to the frontier, the link between scales, and judges in pairs."""

import random

import numpy as np
import pytest
from scipy.optimize import isotonic_regression

from decklab.core.results import NotScored
from decklab.metrics.ratings import (
    Degraded,
    Rating,
    averaged,
    degradation,
    isotonic_link,
    scale_links,
)
from decklab.metrics.sensitivity import (
    consistency_fidelity,
    manipulation_check,
    model_agreement,
    relative_damage,
)
from decklab.metrics.statistics import rank_correlation

SEVERITIES = [level / 10 for level in range(11)]


def judged(model: str, *, scale: int = 100, noise: float = 0.0, axis: str = "text", seed: int = 0):
    """A judge whose scores follow severity but for noise, on four decks of three slides."""
    rng = random.Random(f"{model}{scale}{seed}")
    for deck in "abcd":
        for slide in "123":
            for s in SEVERITIES:
                y = min(max(s + rng.gauss(0, noise), 0), 1)
                score = round(scale - y * (scale - 1))
                yield Rating(model, axis, scale, deck, slide, s, score)


def test_scores_become_degradation() -> None:
    assert [degradation(score, 5) for score in (5, 4, 1)] == [0, 0.25, 1]
    assert degradation(50.5, 100) == 0.5


@pytest.mark.parametrize("score", [0, 6, float("nan")])
def test_a_score_off_the_scale_is_refused(score: float) -> None:
    with pytest.raises(ValueError, match=r"1\.\.5"):
        degradation(score, 5)


def test_runs_are_averaged_and_levels_survive_rounding() -> None:
    ratings = [
        Rating("m", "text", 5, "a", "1", 0.1 + 0.2, 5),
        Rating("m", "text", 5, "a", "1", 0.3, 3),
        Rating("m", "text", 100, "a", "1", 0.3, 1),
    ]
    assert averaged(ratings) == [
        Degraded("m", "text", 5, "a", "1", 0.3, 0.25),
        Degraded("m", "text", 100, "a", "1", 0.3, 1.0),
    ]


def test_a_judge_who_follows_severity_is_perfect() -> None:
    rated = [Degraded("m", "text", 100, d, "1", s, s) for d in "ab" for s in SEVERITIES]
    (point,) = consistency_fidelity(rated)
    assert (point.consistency, point.fidelity, point.mace) == (1.0, 1.0, 0.0)
    assert point.consistency_interval == (1.0, 1.0)
    assert point.fidelity_interval == pytest.approx((1.0, 1.0))
    assert point.curve == tuple((s, s) for s in SEVERITIES)


def test_a_judge_who_always_says_the_same_is_consistent_and_has_no_fidelity() -> None:
    rated = [Degraded("m", "text", 5, "a", "1", s, 0.5) for s in SEVERITIES]
    (point,) = consistency_fidelity(rated)
    assert point.consistency == 1
    assert isinstance(point.fidelity, NotScored) and isinstance(point.fidelity_interval, NotScored)
    assert not point.on_frontier


def test_noise_costs_consistency_and_fidelity_and_leaves_the_frontier() -> None:
    ratings = [*judged("calm", noise=0.05), *judged("wild", noise=0.5)]
    calm, wild = consistency_fidelity(averaged(ratings))
    assert calm.consistency > wild.consistency and calm.fidelity > wild.fidelity
    assert (calm.on_frontier, wild.on_frontier) == (True, False)
    for point in (calm, wild):
        assert point.n == 4 * 3 * 11
        assert not isinstance(point.fidelity_interval, NotScored)
        low, high = point.fidelity_interval
        assert low <= point.fidelity <= high
        assert not isinstance(point.consistency_interval, NotScored)
        low, high = point.consistency_interval
        assert low <= point.consistency <= high


def test_a_coarse_scale_can_trade_fidelity_for_consistency_and_both_stay_on_the_frontier() -> None:
    flat = [Degraded("m", "text", 5, "a", "1", s, float(s == 1)) for s in SEVERITIES]
    jumpy = [
        Degraded("m", "text", 100, "a", "1", s, s - 0.15 * (i % 2))
        for i, s in enumerate(SEVERITIES)
    ]
    coarse, fine = consistency_fidelity(flat + jumpy)
    assert coarse.consistency > fine.consistency and coarse.fidelity < fine.fidelity
    assert coarse.on_frontier and fine.on_frontier


def test_axes_do_not_compete() -> None:
    ratings = [*judged("calm", noise=0.05), *judged("wild", noise=0.5, axis="style")]
    assert all(point.on_frontier for point in consistency_fidelity(averaged(ratings)))


def test_the_link_is_scipys_isotonic_fit_and_its_r2_the_textbooks() -> None:
    rng = np.random.default_rng(2)
    coarse = rng.integers(0, 5, 80) / 4
    fine = np.clip(coarse + rng.normal(0, 0.2, 80), 0, 1)
    link = isotonic_link(list(zip(coarse.tolist(), fine.tolist(), strict=True)))
    # Without ties each coarse value is free; with them the mean of its group is fitted.
    order = np.lexsort((-fine, coarse))
    fitted = isotonic_regression(fine[order]).x
    means = np.array([fitted[coarse[order] == x].mean() for x in np.unique(coarse)])
    assert [y for _, y in link.link] == pytest.approx(means.tolist())
    residual = fine - np.array([dict(link.link)[x] for x in coarse.tolist()])
    assert link.rmse == pytest.approx(np.sqrt(np.mean(residual**2)))
    assert link.r2 == pytest.approx(1 - np.sum(residual**2) / np.sum((fine - fine.mean()) ** 2))
    assert link.p == 0.001


def test_scales_that_have_nothing_to_do_with_each_other_are_not_linked() -> None:
    rng = np.random.default_rng(4)
    pairs = list(zip(rng.random(60).round(1).tolist(), rng.random(60).tolist(), strict=True))
    link = isotonic_link(pairs, permutations=199)
    assert link.p > 0.05 and link.r2 < 0.3


def test_the_link_never_falls() -> None:
    link = isotonic_link([(0.0, 0.9), (0.5, 0.1), (1.0, 0.8)], permutations=9)
    assert [y for _, y in link.link] == pytest.approx([0.5, 0.5, 0.8])


@pytest.mark.parametrize(
    "pairs", [[], [(0.0, 0.0), (1.0, 1.0)], [(0.0, 0.5), (0.5, 0.5), (1.0, 0.5)]]
)
def test_too_little_to_link_says_why(pairs: list[tuple[float, float]]) -> None:
    link = isotonic_link(pairs)
    assert isinstance(link.r2, NotScored) and link.r2 == link.rmse == link.p


def test_scales_are_linked_on_slides_rated_on_both() -> None:
    ratings = [*judged("m", scale=5), *judged("m"), *judged("n", scale=5)]
    ratings += judged("m", axis="style")
    with_both, without = scale_links(averaged(ratings), permutations=99)
    assert (with_both.model, with_both.n, with_both.p) == ("m", 132, 0.01)
    assert with_both.r2 > 0.9
    assert (without.model, without.n) == ("n", 0) and isinstance(without.r2, NotScored)


def test_judges_are_compared_on_the_slides_both_saw_bucket_by_bucket() -> None:
    rated = averaged([*judged("k", noise=0.2), *judged("l", noise=0.2)])
    found = {each.high: each for each in model_agreement(rated)}
    assert list(found) == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert [each.n for each in found.values()] == [12, 24, 24, 24, 24, 24]
    pairs = [
        (a.y, b.y)
        for a in rated
        for b in rated
        if (a.model, b.model) == ("k", "l") and a[3:6] == b[3:6] and 0.2 < a.severity <= 0.4
    ]
    assert found[0.4].rho == rank_correlation(pairs)


def test_three_judges_make_three_pairs_and_few_common_slides_none() -> None:
    rated = [Degraded(m, "text", 5, "a", "1", 0.5, 0.5) for m in "klm"]
    found = [each for each in model_agreement(rated) if each.n]
    assert [each.models for each in found] == [("k", "l"), ("k", "m"), ("l", "m")]
    assert all(isinstance(each.rho, NotScored) for each in found)


def test_nothing_rated_gives_nothing() -> None:
    assert (consistency_fidelity([]), scale_links([]), model_agreement([])) == ((), (), ())


def damaged(model: str, severity: float, y: float, *, slide: str = "1", scale: int = 5) -> Degraded:
    return Degraded(model, "text", scale, "a", slide, severity, y)


def test_damage_is_a_share_of_the_mean_at_the_highest_severity() -> None:
    damage = [
        damaged("m", 0.0, 0.0), damaged("m", 0.5, 0.1), damaged("m", 1.0, 0.2),
        damaged("m", 0.0, 0.0, slide="2"), damaged("m", 1.0, 0.6, slide="2"),
        damaged("n", 1.0, 0.0), damaged("m", 1.0, 0.5, scale=100),
    ]  # fmt: skip
    found = {(e.model, e.scale, e.slide, e.severity): e.y for e in relative_damage(damage)}
    assert found == pytest.approx({
        ("m", 5, "1", 0.0): 0, ("m", 5, "1", 0.5): 0.25, ("m", 5, "1", 1.0): 0.5,
        ("m", 5, "2", 0.0): 0, ("m", 5, "2", 1.0): 1.5,  # their mean at 1.0 is 0.4
        ("n", 5, "1", 1.0): 0, ("m", 100, "1", 1.0): 1,
    })  # fmt: skip


def test_the_check_counts_each_scale_by_itself_and_damage_once() -> None:
    rising = [damaged("m", s, s) for s in (0.0, 0.5, 1.0)]
    falling = [damaged("m", s, 1 - s, scale=100) for s in (0.0, 0.5, 1.0)]
    damage = [damaged(model, s, s / 5) for model in "mn" for s in (0.0, 0.5, 1.0)]
    rows = manipulation_check(rising + falling, damage, resamples=0)
    assert [(row.of, row.scale, row.poa, row.n) for row in rows] == [
        ("judges", 5, 1.0, 3),
        ("judges", 100, 0.0, 3),
        ("judges", None, 0.5, 6),
        ("damage", None, 1.0, 3),
    ]
    # |1 - 0|, |0.5 - 0.5| and |0 - 1| at the three severities
    assert rows[1].mace == pytest.approx(2 / 3) and rows[3].mace == pytest.approx(0)


def test_without_resamples_there_are_points_and_no_intervals() -> None:
    rated = [Degraded("m", "text", 5, deck, "1", s, s) for deck in "abc" for s in (0.0, 0.5, 1.0)]
    (point,) = consistency_fidelity(rated, resamples=0)
    assert (point.consistency, point.fidelity) == (1.0, 1.0)
    none = NotScored("no resamples were drawn")
    assert (point.consistency_interval, point.fidelity_interval) == (none, none)


def test_one_deck_has_no_intervals() -> None:
    rated = [Degraded("m", "text", 5, "a", "1", s, s) for s in (0.0, 0.5, 1.0)]
    (point,) = consistency_fidelity(rated)
    assert isinstance(point.consistency_interval, NotScored)
    assert isinstance(point.fidelity_interval, NotScored)
