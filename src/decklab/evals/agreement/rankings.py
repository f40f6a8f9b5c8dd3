"""Scores of products beside the rankings that people gave them, topic by topic.

Paper 002, section 3.2 and table 2 (Spearman's rho by topic, identical ratio), table 3 (ablation);
paper 004, appendix A-A (pairwise agreement).

A ranking may have ties and may leave products out. Where several people ranked a topic, their order
is that of ``consensus``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, pstdev
from typing import Final

import numpy as np

from decklab.core.results import NotScored
from decklab.metrics.statistics import (
    RESAMPLES,
    Interval,
    mean_ranks,
    ratio_interval,
    resampled_sums,
    spearman_rho,
)

_SAME: Final = 1e-9
"""Numbers nearer than this are a tie: sums of a few floats differ by less."""

TopicScores = Mapping[str, Mapping[str, float]]
"""Scores by topic and product; higher is better."""


@dataclass(frozen=True)
class Ranking:
    """How one annotator ranked products of one topic.

    ``ranks`` has a rank for each product that was ranked; lower is better, equal ranks are ties.
    Only their order counts.
    """

    topic: str
    annotator: str
    ranks: Mapping[str, float]


@dataclass(frozen=True)
class TopicAgreement:
    """One metric on one topic, beside the people's order."""

    topic: str
    products: int
    """Products that have both a score and a rank."""
    rho: float | NotScored
    """Spearman's rho, -1 to 1."""
    identical: float | NotScored
    """Share of the products that the metric puts at the very place where people put them."""
    right: float
    """Pairs in the order that an annotator gave them; pairs that the metric ties count half."""
    judged: int
    """Pairs that an annotator put in an order."""


@dataclass(frozen=True)
class RankAgreement:
    """A metric over all topics: the columns of paper 002's table 2, and pairwise agreement."""

    metric: str
    topics: tuple[TopicAgreement, ...]
    rho: float | NotScored
    """Mean of the topics' rho."""
    deviation: float | NotScored
    """Standard deviation of the topics' rho, divided by their number."""
    interval: Interval | NotScored
    """95% of ``rho``, from resampled topics."""
    identical: float | NotScored
    """Mean of the topics' identical ratio, 0 to 1. Chance is one over the number of products."""
    chance: float | NotScored
    """The value of ``identical`` for an order at random: the mean of 1 / products."""
    pairwise: float | NotScored
    """Share of people's judgements of pairs that the metric gives too, 0 to 1; chance is 0.5."""
    pairwise_interval: Interval | NotScored
    """95% of ``pairwise``, from resampled topics."""

    @property
    def undefined(self) -> tuple[TopicAgreement, ...]:
        """Topics without a rho; they count in no mean, and never as 0."""
        return tuple(topic for topic in self.topics if isinstance(topic.rho, NotScored))


def places(values: Sequence[float]) -> list[float]:
    """The places of values, 1 for the highest; ties share the mean of their places.

    >>> places([0.2, 0.9, 0.2])
    [2.5, 1.0, 2.5]
    """
    return [float(rank) for rank in mean_ranks([-value for value in values])]


def consensus(rankings: Iterable[Ranking]) -> dict[str, float]:
    """How people together order the products of one topic: a number each, higher is better.

    It is the mean, over the annotators who ranked a product, of the share of the others in their
    ranking that they put behind it, a tie counting half. With complete rankings this is the order
    of mean ranks (Borda). An annotator who ranked one product alone says nothing.

    >>> ann = Ranking("t", "ann", {"a": 1, "b": 2, "c": 3})
    >>> consensus([ann, Ranking("t", "bob", {"b": 1, "a": 2})])
    {'a': 0.5, 'b': 0.75, 'c': 0.0}
    """
    shares: dict[str, list[float]] = {}
    for ranking in rankings:
        others = len(ranking.ranks) - 1
        if others < 1:
            continue
        for product, place in zip(
            ranking.ranks, places([-rank for rank in ranking.ranks.values()]), strict=True
        ):
            shares.setdefault(product, []).append((others + 1 - place) / others)
    return {product: fmean(found) for product, found in shares.items()}


def topic_agreement(scores: Mapping[str, float], rankings: Sequence[Ranking]) -> TopicAgreement:
    """One metric's scores (higher is better) of one topic's products, beside its rankings.

    Products without a score, and those that nobody ranked, are left out. NotScored as in
    ``spearman_rho``.

    >>> ranked = [Ranking("t", "ann", {"a": 1, "b": 2, "c": 3})]
    >>> found = topic_agreement({"a": 9.0, "b": 4.0, "c": 5.0}, ranked)
    >>> found.rho, round(found.identical, 3), found.right, found.judged
    (0.5, 0.333, 2.0, 3)
    """
    agreed = consensus(rankings)
    products = [product for product in agreed if product in scores]
    ours, theirs = [scores[p] for p in products], [_rounded(agreed[p]) for p in products]
    right, judged = 0.0, 0
    for ranking in rankings:
        found, pairs = _judgements(scores, ranking.ranks)
        right, judged = right + found, judged + pairs
    same: float | NotScored = NotScored("fewer than two products have a score and a rank")
    if len(products) > 1:
        same = fmean(abs(a - b) < _SAME for a, b in zip(places(ours), places(theirs), strict=True))
    topic = rankings[0].topic if rankings else ""
    rho = spearman_rho(theirs, ours)
    return TopicAgreement(topic, len(products), rho, same, right, judged)


def _rounded(value: float) -> float:
    """Means of the same shares differ in their last digits by the order of the sum."""
    return round(value, 9)


def _judgements(scores: Mapping[str, float], ranks: Mapping[str, float]) -> tuple[float, int]:
    """How many of an annotator's pairs the scores put in the same order, and how many there are."""
    right, judged = 0.0, 0
    for one, other in combinations([product for product in ranks if product in scores], 2):
        better = ranks[other] - ranks[one]
        if not better:
            continue
        judged += 1
        apart = scores[one] - scores[other]
        right += 0.5 if abs(apart) < _SAME else float((apart > 0) == (better > 0))
    return right, judged


def by_topic(rankings: Iterable[Ranking]) -> dict[str, list[Ranking]]:
    """The rankings of each topic, in the order of their first."""
    found: dict[str, list[Ranking]] = {}
    for ranking in rankings:
        found.setdefault(ranking.topic, []).append(ranking)
    return found


def rank_agreement(
    metric: str, scores: TopicScores, rankings: Iterable[Ranking], *, resamples: int = RESAMPLES
) -> RankAgreement:
    """A metric's scores beside people's rankings, over all topics that were ranked.

    ``scores`` are by topic and product, higher is better. The identical ratio counts products, not
    whole orders: in tables 2 and 3 of paper 002 the weakest metric has 14.8% with nine products,
    which is near chance for products (11%) and out of reach for whole orders.

    >>> ranked = [Ranking(t, "ann", {"a": 1, "b": 2, "c": 3}) for t in ("one", "two")]
    >>> scores = {"one": {"a": 3, "b": 2, "c": 1}, "two": {"a": 2, "b": 3, "c": 1}}
    >>> found = rank_agreement("m", scores, ranked, resamples=100)
    >>> found.rho, found.deviation, round(found.identical, 3), round(found.pairwise, 3)
    (0.75, 0.25, 0.667, 0.833)
    """
    topics = tuple(
        topic_agreement(scores.get(topic, {}), some) for topic, some in by_topic(rankings).items()
    )
    return summed(metric, topics, resamples=resamples)


def summed(
    metric: str, topics: tuple[TopicAgreement, ...], *, resamples: int = RESAMPLES
) -> RankAgreement:
    """The means over topics, with intervals from resampled topics."""
    rhos = [topic.rho for topic in topics if not isinstance(topic.rho, NotScored)]
    same = [
        (one.identical, 1 / one.products)
        for one in topics
        if not isinstance(one.identical, NotScored)
    ]
    judged = [(one.right, one.judged) for one in topics if one.judged]
    total = sum(pairs for _, pairs in judged)
    none = NotScored("no topic has a rank correlation")
    unranked = NotScored("no topic has two products with a score and a rank")
    return RankAgreement(
        metric=metric,
        topics=topics,
        rho=fmean(rhos) if rhos else none,
        deviation=pstdev(rhos) if len(rhos) > 1 else NotScored("one topic has no deviation"),
        interval=_ratio([(rho, 1.0) for rho in rhos], resamples),
        identical=fmean(share for share, _ in same) if same else unranked,
        chance=fmean(chance for _, chance in same) if same else unranked,
        pairwise=sum(right for right, _ in judged) / total if total else unranked,
        pairwise_interval=_ratio(judged, resamples),
    )


def _ratio(parts: Sequence[tuple[float, float]], resamples: int) -> Interval | NotScored:
    """The interval of a ratio of two sums over topics."""
    if len(parts) < 2:
        return NotScored("an interval over topics needs at least two topics")
    sums = resampled_sums(np.array(parts, float), resamples=resamples)
    return ratio_interval(sums[:, 0], sums[:, 1], len(parts), expanded=True)


def leave_one_out(
    rankings: Iterable[Ranking], *, resamples: int = RESAMPLES
) -> RankAgreement | NotScored:
    """Each annotator beside the consensus of the others: people's level (table 2, last row).

    The values of a topic are the means over its annotators. NotScored if no topic was ranked by
    two people.

    >>> found = leave_one_out([Ranking("t", name, {"a": 1, "b": 2}) for name in ("ann", "bob")])
    >>> found.rho, found.pairwise
    (1.0, 1.0)
    """
    topics = []
    for topic, some in by_topic(rankings).items():
        if len(some) > 1:
            each = [
                topic_agreement(
                    {product: -rank for product, rank in one.ranks.items()},
                    [other for other in some if other is not one],
                )
                for one in some
            ]
            topics.append(_mean_topic(topic, each))
    if not topics:
        return NotScored("no topic was ranked by two people")
    return summed("people", tuple(topics), resamples=resamples)


def _mean_topic(topic: str, each: Sequence[TopicAgreement]) -> TopicAgreement:
    rhos = [agreement.rho for agreement in each if not isinstance(agreement.rho, NotScored)]
    same = [one.identical for one in each if not isinstance(one.identical, NotScored)]
    missing = NotScored("no annotator can be compared with the others")
    return TopicAgreement(
        topic=topic,
        products=max(one.products for one in each),
        rho=fmean(rhos) if rhos else missing,
        identical=fmean(same) if same else missing,
        right=sum(one.right for one in each),
        judged=sum(one.judged for one in each),
    )
