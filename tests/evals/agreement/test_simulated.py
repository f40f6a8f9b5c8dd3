"""Simulated annotators whose noise is known: what was put in comes out, and intervals cover it.

What to expect follows from theory, not from decklab: Spearman's rho of n pairs of normal variables
with correlation r has the mean ((n - 2) * 6 / pi * asin(r / 2) + 3 * 2 / pi * asin(r)) / (n + 1)
(Moran 1948), and W = (1 + (m - 1) * mean rho) / m for m annotators (Kendall).
"""

from itertools import combinations
from math import asin, pi, sqrt
from typing import Any

import numpy as np
import pytest

from decklab.evals.agreement.annotators import annotator_agreement, intraclass_correlations
from decklab.evals.agreement.rankings import Bout, Ranking, rank_agreement, strengths

PRODUCTS = [f"p{number}" for number in range(8)]


def expected_rho(correlation: float, products: int) -> float:
    grade = 6 / pi * asin(correlation / 2)
    return ((products - 2) * grade + 6 / pi * asin(correlation)) / (products + 1)


def ranked(topic: str, annotator: str, quality: np.ndarray) -> Ranking:
    places = (-quality).argsort().argsort() + 1
    return Ranking(topic, annotator, dict(zip(PRODUCTS, places.tolist(), strict=True)))


def covers(interval, truth: float) -> bool:
    return interval[0] <= truth <= interval[1]


@pytest.mark.long
def test_rho_of_a_metric_with_known_noise():
    rng = np.random.default_rng(11)
    correlation, rounds = 0.7, 120
    truth = expected_rho(correlation, len(PRODUCTS))
    covered = 0
    means: list[Any] = []
    for _ in range(rounds):
        scores, people = {}, []
        for number in range(15):
            quality = rng.normal(size=len(PRODUCTS))
            noise = rng.normal(size=len(PRODUCTS))
            seen = correlation * quality + sqrt(1 - correlation**2) * noise
            scores[str(number)] = dict(zip(PRODUCTS, quality.tolist(), strict=True))
            people.append(ranked(str(number), "ann", seen))
        found = rank_agreement("m", scores, people, resamples=300)
        means.append(found.rho)
        covered += covers(found.interval, truth)
    assert np.mean(means) == pytest.approx(truth, abs=0.02)
    assert (
        0.86 <= covered / rounds <= 0.99
    )  # 95% asked for; resampling 15 topics gives a little less


@pytest.mark.long
def test_w_and_rho_of_annotators_with_known_noise():
    rng = np.random.default_rng(12)
    annotators, noise, rounds = 4, 0.8, 60
    rho = expected_rho(1 / (1 + noise**2), len(PRODUCTS))
    truth = (1 + (annotators - 1) * rho) / annotators
    found: list[Any] = []
    for _ in range(rounds):
        people = []
        for number in range(15):
            quality = rng.normal(size=len(PRODUCTS))
            people += [
                ranked(str(number), str(k), quality + rng.normal(0, noise, len(PRODUCTS)))
                for k in range(annotators)
            ]
        found.append(annotator_agreement(people, resamples=200))
    assert np.mean([one.w.value for one in found]) == pytest.approx(truth, abs=0.015)
    assert np.mean([one.rho.value for one in found]) == pytest.approx(rho, abs=0.02)
    for name, value in (("w", truth), ("rho", rho)):
        covered = np.mean([covers(getattr(one, name).interval, value) for one in found])
        assert 0.88 <= covered <= 1.0, name


@pytest.mark.long
def test_icc_with_known_variances():
    rng = np.random.default_rng(13)
    things, raters, rounds = 20, 4, 200
    between, between_raters, error = 1.0, 0.3, 0.6
    truths = {
        "one_way": between / (between + between_raters + error),
        "two_way_random": between / (between + between_raters + error),
        "two_way_fixed": between / (between + error),
        "two_way_fixed_mean": between / (between + error / raters),
    }
    covered = dict.fromkeys(truths, 0)
    for _ in range(rounds):
        quality = rng.normal(0, sqrt(between), (things, 1))
        noise = rng.normal(0, sqrt(error), (things, raters))
        crossed = quality + rng.normal(0, sqrt(between_raters), (1, raters)) + noise
        nested = quality + rng.normal(0, sqrt(between_raters), (things, raters)) + noise
        for name, truth in truths.items():
            found = intraclass_correlations(nested if name == "one_way" else crossed)
            covered[name] += covers(getattr(found, name).interval, truth)
    for name, count in covered.items():
        assert 0.9 <= count / rounds <= 0.99, (name, count)


@pytest.mark.long
def test_bradley_terry_with_known_strengths():
    rng = np.random.default_rng(14)
    truth = {"a": 1200.0, "b": 1050.0, "c": 950.0, "d": 800.0}
    rounds, covered, means = 40, 0, dict.fromkeys(truth, 0.0)
    for _ in range(rounds):
        bouts = []
        for one, other in combinations(truth, 2):
            odds = 1 / (1 + 10 ** ((truth[other] - truth[one]) / 400))
            bouts += [
                Bout(one, other, "first" if won else "second") for won in rng.random(40) < odds
            ]
        for found in strengths(bouts, resamples=100):
            covered += covers(found.interval, truth[found.name])
            means[found.name] += found.rating / rounds
    assert means == pytest.approx(truth, abs=20)
    assert 0.88 <= covered / (4 * rounds) <= 0.99


def test_without_noise_all_is_agreement():
    quality = np.arange(len(PRODUCTS), dtype=float)
    people = [ranked(topic, who, quality) for topic in "xyz" for who in "kl"]
    found = annotator_agreement(people)
    assert found.w.value == pytest.approx(1.0)
    assert found.alpha.value == pytest.approx(1.0)
    assert found.icc.two_way_random.value == pytest.approx(1.0)
