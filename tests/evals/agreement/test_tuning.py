"""Parameters fitted on rankings whose cause is known."""

import numpy as np
import pytest

from decklab.core.results import NotScored
from decklab.evals.agreement.rankings import Ranking
from decklab.evals.agreement.tuning import AestheticsParameters, DeckSlides, aesthetics_of, tune

PRODUCTS = "abcdef"


def decks_and_rankings(topics, quality):
    """Random decks, and rankings by a quality of a deck."""
    rng = np.random.default_rng(7)
    decks, rankings = {}, []
    for topic in range(topics):
        for product in PRODUCTS:
            decks[str(topic), product] = DeckSlides(
                tuple(np.abs(rng.normal(0.5, 0.5, 8))), tuple(rng.uniform(10, 90, 8)),
                tuple(rng.uniform(0.3, 1.0, 8)), tuple(rng.normal(3.9, 0.7, 8)),
            )  # fmt: skip

        def worth(product: str, topic: str = str(topic)) -> float:
            return -quality(decks[topic, product], rng)

        order = sorted(PRODUCTS, key=worth)
        ranks = {product: place for place, product in enumerate(order, 1)}
        rankings.append(Ranking(str(topic), "ann", ranks))
    return decks, rankings


def test_the_total_by_hand():
    # Harmony 5 * 1 - 0; engagement 10 * (0.5 * 0.5 + 0.5 * e^0): spread 11.28 is the target;
    # usability 10 * 0.5; rhythm 10 * mean(1, 1) + 10 * 0.
    slides = DeckSlides((0.0, 0.0), (38.72, 61.28), (0.4, 0.6), (3.878, 3.878))
    assert aesthetics_of(slides, AestheticsParameters()) == pytest.approx(5 + 7.5 + 5 + 10)
    other = AestheticsParameters(
        level_share=1.0, rhythm="eq17", target=0.1, harmony_weight=0.0, usability_weight=2.0
    )
    # Eq 17: 100 * (1 - 0.1 / 0.2), no three slides; a fifth of it.
    assert aesthetics_of(slides, other) == pytest.approx(5 + 10 + 0.2 * 50)


def test_a_part_that_cannot_be_had_leaves_no_score():
    grey = DeckSlides((), (1.0, 2.0), (0.5,), (3.0, 3.0))
    assert isinstance(aesthetics_of(grey, AestheticsParameters()), NotScored)


def test_a_known_cause_is_found_and_holds_on_topics_not_seen():
    by_contrast = decks_and_rankings(12, lambda deck, _: np.mean(deck.contrast))
    found = tune(*by_contrast)
    assert found.before < 0.6
    assert found.held_out > 0.9
    assert found.gain[0] > 0
    assert found.parameters.usability_weight > 1
    assert {change.name for change in found.changes} >= {"usability_weight"}
    assert (found.topics, found.decks, found.left_out) == (12, 72, 0)
    assert tune(*by_contrast) == found


def test_rankings_at_random_are_fitted_and_do_not_hold():
    found = tune(*decks_and_rankings(12, lambda _, rng: rng.random()))
    assert found.trained > found.before + 0.1
    assert found.held_out < found.trained - 0.1
    assert found.gain[0] < 0.05


def test_too_little_is_not_tuned():
    decks, rankings = decks_and_rankings(1, lambda deck, _: deck.contrast[0])
    assert isinstance(tune(decks, rankings), NotScored)
    assert isinstance(tune({}, []), NotScored)
