import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from decklab.core.results import NotScored
from decklab.metrics.element_estimates import parse_rates, quantile_edges


def test_the_bins_are_those_of_figure_6_and_one_for_blank_slides() -> None:
    labels = [row.label for row in parse_rates([])]
    assert labels == [
        "all", "0", "(0, 1]", "(1, 2]", "(2, 4]", "(4, 8]", "(8, 16]", "(16, 32]", "more than 32",
    ]  # fmt: skip


def test_each_reply_falls_into_the_bin_of_its_slide() -> None:
    replies = [(0, True), (1, True), (2, False), (8, True), (9, True), (32, False), (33, True)]
    found = {row.label: (row.parsed, row.n) for row in parse_rates(replies) if row.n}
    assert found == {
        "all": (5, 7), "0": (1, 1), "(0, 1]": (1, 1), "(1, 2]": (0, 1), "(4, 8]": (1, 1),
        "(8, 16]": (1, 1), "(16, 32]": (0, 1), "more than 32": (1, 1),
    }  # fmt: skip


def test_rates_have_wilson_intervals() -> None:
    overall = parse_rates([(5, True)] * 44 + [(5, False)] * 22)[0]
    wanted = binomtest(44, 66).proportion_ci(method="wilson")
    assert overall.rate == pytest.approx(44 / 66)
    assert overall.interval == pytest.approx((wanted.low, wanted.high))


def test_bins_without_slides_say_so() -> None:
    row = parse_rates([(5, True)])[-1]
    assert isinstance(row.rate, NotScored) and isinstance(row.interval, NotScored)


@given(st.lists(st.integers(0, 200), min_size=1), st.integers(1, 8))
def test_quantile_bins_hold_every_slide_and_none_is_empty(counts: list[int], bins: int) -> None:
    edges = quantile_edges(counts, bins)
    assert len(edges) <= bins and edges[-1] == max(counts)
    rows = parse_rates([(count, True) for count in counts], edges=edges)
    assert sum(row.n for row in rows[1:]) == len(counts)
    assert all(row.n for row in rows[1:-1]) and rows[-1].n == 0


def test_no_slides_make_one_bin() -> None:
    assert quantile_edges([], 4) == (math.inf,)


def by_hand(decks: dict[str, tuple[int, int]]) -> tuple[float, float]:
    """The percentiles over every way to draw as many decks, each way as likely as the other."""
    drawn = [
        sum(decks[name][0] for name in names) / sum(decks[name][1] for name in names)
        for names in itertools.product(decks, repeat=len(decks))
    ]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return float(low), float(high)


def test_the_bootstrap_draws_whole_decks() -> None:
    decks = {"a": (9, 10), "b": (2, 10), "c": (5, 5), "d": (0, 3), "e": (7, 9)}
    replies = [(5, at < good) for good, n in decks.values() for at in range(n)]
    names = [name for name, (_, n) in decks.items() for _ in range(n)]
    overall = parse_rates(replies, decks=names)[0]
    assert (overall.parsed, overall.n) == (23, 37)
    assert overall.bootstrap == pytest.approx(by_hand(decks), abs=0.02)
    assert parse_rates(replies, decks=names)[0] == overall
    assert parse_rates(replies)[0].interval == overall.interval


def test_a_bootstrap_needs_decks_to_draw() -> None:
    replies = [(5, True), (5, False), (40, True)]
    assert isinstance(parse_rates(replies)[0].bootstrap, NotScored)
    assert isinstance(parse_rates(replies, decks=["a"] * 3)[0].bootstrap, NotScored)
    rows = {row.label: row for row in parse_rates(replies, decks=["a", "b", "b"])}
    assert isinstance(rows["(0, 1]"].bootstrap, NotScored)
    # Only one deck has so many elements: a quarter of the resamples lack it.
    assert isinstance(rows["more than 32"].bootstrap, NotScored)
    assert parse_rates([], decks=[])[0].n == 0
    with pytest.raises(ValueError):
        parse_rates(replies, decks=["a"])
