"""Scores of products beside the rankings that people gave them, topic by topic; and strengths of
products from judgements of pairs: Bradley-Terry and Elo, fitted by evalica.

Paper 002, section 3.2 and table 2 (Spearman's rho by topic, identical ratio), table 3 (ablation);
paper 004, appendix A-A (pairwise agreement).

A ranking may have ties and may leave products out. Where several people ranked a topic, their order
is that of ``consensus``.

Paper 002, section 3.2 (the arena and its Elo rating), after Zheng et al. (2023).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, pstdev
from typing import Any, Final, Literal

import numpy as np

from decklab.core.lazy import extra_module
from decklab.core.results import NotScored, by_key, scored, scored_mean
from decklab.metrics.statistics import (
    RESAMPLES,
    SEED,
    Floats,
    Interval,
    cluster_draws,
    mean_ranks,
    percentile_interval,
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


def best_first(rows: Iterable[RankAgreement]) -> list[RankAgreement]:
    """The rows by their rho, the highest first; those without one last."""
    return sorted(rows, key=lambda row: 2.0 if isinstance(row.rho, NotScored) else -row.rho)


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
        if (others := len(ranking.ranks) - 1) < 1:
            continue
        places_from_last = mean_ranks([-rank for rank in ranking.ranks.values()])
        for product, at in zip(ranking.ranks, places_from_last, strict=True):
            shares.setdefault(product, []).append((float(at) - 1) / others)
    return {product: fmean(ranks) for product, ranks in shares.items()}


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
    # Means of the same shares differ in their last digits by the order of the sum.
    ours, theirs = [scores[p] for p in products], [round(agreed[p], 9) for p in products]
    right, judged = 0.0, 0
    for ranking in rankings:
        judgement, pairs = _judgements(scores, ranking.ranks)
        right, judged = right + judgement, judged + pairs
    pairs_of_places = zip(places(ours), places(theirs), strict=True)
    alike = [abs(a - b) < _SAME for a, b in pairs_of_places] if len(products) > 1 else []
    same = scored_mean(alike, "fewer than two products have a score and a rank")
    topic = rankings[0].topic if rankings else ""
    return TopicAgreement(topic, len(products), spearman_rho(theirs, ours), same, right, judged)


def _judgements(scores: Mapping[str, float], ranks: Mapping[str, float]) -> tuple[float, int]:
    """How many of an annotator's pairs the scores put in the same order, and how many there are."""
    right, judged = 0.0, 0
    for first, other in combinations([product for product in ranks if product in scores], 2):
        if not (better := ranks[other] - ranks[first]):
            continue
        judged += 1
        apart = scores[first] - scores[other]
        right += 0.5 if abs(apart) < _SAME else float((apart > 0) == (better > 0))
    return right, judged


def shared_rho(first: Mapping[str, float], second: Mapping[str, float]) -> float | NotScored:
    """Spearman's rho of two orders of the products that both have."""
    shared = [product for product in first if product in second]
    return spearman_rho([first[p] for p in shared], [second[p] for p in shared])


def by_topic(rankings: Iterable[Ranking]) -> dict[str, list[Ranking]]:
    """The rankings of each topic, in the order of their first."""
    return by_key(rankings, lambda ranking: ranking.topic)


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
    rhos = scored(topic.rho for topic in topics)
    same = [part for part in topics if not isinstance(part.identical, NotScored)]
    judged = [(part.right, part.judged) for part in topics if part.judged]
    total = sum(pairs for _, pairs in judged)
    unranked = "no topic has two products with a score and a rank"
    return RankAgreement(
        metric=metric,
        topics=topics,
        rho=scored_mean(rhos, "no topic has a rank correlation"),
        deviation=pstdev(rhos) if len(rhos) > 1 else NotScored("one topic has no deviation"),
        interval=interval_of_ratio([(rho, 1.0) for rho in rhos], resamples),
        identical=scored_mean((part.identical for part in same), unranked),
        chance=scored_mean((1 / part.products for part in same), unranked),
        pairwise=sum(right for right, _ in judged) / total if total else NotScored(unranked),
        pairwise_interval=interval_of_ratio(judged, resamples),
    )


def interval_of_ratio(parts: Sequence[tuple[float, float]], resamples: int) -> Interval | NotScored:
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
                    {product: -rank for product, rank in part.ranks.items()},
                    [other for other in some if other is not part],
                )
                for part in some
            ]
            topics.append(_mean_topic(topic, each))
    if not topics:
        return NotScored("no topic was ranked by two people")
    return summed("people", tuple(topics), resamples=resamples)


def _mean_topic(topic: str, each: Sequence[TopicAgreement]) -> TopicAgreement:
    missing = "no annotator can be compared with the others"
    return TopicAgreement(
        topic=topic,
        products=max(part.products for part in each),
        rho=scored_mean(scored(part.rho for part in each), missing),
        identical=scored_mean(scored(part.identical for part in each), missing),
        right=sum(part.right for part in each),
        judged=sum(part.judged for part in each),
    )


RATING_MEAN: Final = 1000.0
RATING_SCALE: Final = 400.0
"""Elo's: 400 points more are odds of ten to one."""

PRIOR: Final = 0.5
"""Ours: a tie of this weight for each pair that met, so that a product that won every time has a
bounded strength."""

STRENGTH_RESAMPLES: Final = 1000
"""Ours: each is a fit of its own, of about a millisecond."""

_SHUFFLES: Final = 100
"""Ours: orders of the judgements over which Elo is averaged."""
_K: Final = 4.0
"""Points that a judgement moves in Elo, as in Zheng et al. (2023)."""
_ITERATIONS: Final = 10_000
_TOLERANCE: Final = 1e-8

Winner = Literal["first", "second", "tie"]


@dataclass(frozen=True)
class Bout:
    """One judgement of two products.

    Bouts of one ``cluster``, such as a topic, are drawn together when intervals are made; a bout
    without one stands for itself.
    """

    first: str
    second: str
    winner: Winner
    cluster: str = ""


@dataclass(frozen=True)
class Strength:
    """One product's strength."""

    name: str
    rating: float
    """Bradley-Terry on Elo's scale, 1000 on average; higher is stronger."""
    interval: Interval | NotScored
    """95% of ``rating``, from resampled clusters."""
    elo: float
    """Elo, which begins at 1000, as the mean over many orders of the judgements."""
    won: int
    lost: int
    tied: int


def strengths(
    bouts: Iterable[Bout], *, resamples: int = STRENGTH_RESAMPLES
) -> tuple[Strength, ...] | NotScored:
    """Strengths of products from judgements of pairs, the strongest first; a tie is half a win.

    NotScored without a bout, and where products fall into groups that never met. Raises Unavailable
    without evalica.

    ::

        strengths([Bout("a", "b", "first"), Bout("b", "a", "tie")])
    """
    given = list(bouts)
    names = sorted({name for bout in given for name in (bout.first, bout.second)})
    if not given:
        return NotScored("there is no judgement of two products")
    check_fitting()
    if not _connected(names, given):
        return NotScored("some products were never judged beside the others")
    fit = _Fit(names, given)
    ratings = fit.ratings(fit.counts.sum(axis=0))
    drawn = fit.resampled(resamples)
    elos = fit.elos()
    rated = [
        Strength(
            name,
            float(ratings[index]),
            percentile_interval(drawn[:, index], len(fit.counts), expanded=True),
            float(elos[index]),
            *_tally(name, given),
        )
        for index, name in enumerate(names)
    ]
    return tuple(sorted(rated, key=lambda strength: (-strength.rating, strength.name)))


def check_fitting() -> Any:
    """The module evalica, which fits strengths; raises Unavailable if it is not installed."""
    return extra_module("evalica", "Bradley-Terry", "evals")


def bouts_of(rankings: Iterable[Ranking]) -> list[Bout]:
    """Pairwise results of people's rankings; a topic is a cluster.

    >>> bouts_of([Ranking("t", "ann", {"a": 1, "b": 2})])
    [Bout(first='a', second='b', winner='first', cluster='t')]
    """
    return [
        Bout(first, other, _better(ranking.ranks[first], ranking.ranks[other]), ranking.topic)
        for ranking in rankings
        for first, other in combinations(ranking.ranks, 2)
    ]


def _better(first: float, second: float) -> Winner:
    if first == second:
        return "tie"
    return "first" if first < second else "second"


def _connected(names: Sequence[str], bouts: Sequence[Bout]) -> bool:
    """Whether a chain of bouts leads from each product to each other one."""
    from scipy.cluster.hierarchy import DisjointSet  # noqa: PLC0415  # not in the base install

    groups = DisjointSet(names)
    for bout in bouts:
        groups.merge(bout.first, bout.second)
    return bool(groups.n_subsets == 1)


def _tally(name: str, bouts: Sequence[Bout]) -> tuple[int, int, int]:
    mine = [bout for bout in bouts if name in (bout.first, bout.second)]
    tied = sum(bout.winner == "tie" for bout in mine)
    won = sum(
        bout.winner != "tie" and (bout.winner == "first") == (bout.first == name) for bout in mine
    )
    return won, len(mine) - won - tied, tied


class _Fit:
    """Bouts as counts of each cluster over the kinds of bout that there are."""

    def __init__(self, names: Sequence[str], bouts: Sequence[Bout]) -> None:
        self._evalica = check_fitting()
        winners = self._evalica.Winner
        self._names, self._bouts = list(names), list(bouts)
        self._winner = {"first": winners.X, "second": winners.Y, "tie": winners.Draw}
        kinds = list(dict.fromkeys((entry.first, entry.second, entry.winner) for entry in bouts))
        met = dict.fromkeys((min(kind[:2]), max(kind[:2])) for kind in kinds)
        kinds += [(entry, other, "tie") for entry, other in met]
        self._xs, self._ys = [kind[0] for kind in kinds], [kind[1] for kind in kinds]
        self._winners = [self._winner[kind[2]] for kind in kinds]
        clusters = list(dict.fromkeys(b.cluster or n for n, b in enumerate(bouts)))
        self._prior = np.zeros(len(kinds))
        self._prior[len(kinds) - len(met) :] = PRIOR
        place_of = {kind: index for index, kind in reversed(list(enumerate(kinds)))}
        row_of = {cluster: row for row, cluster in enumerate(clusters)}
        self.counts = np.zeros((len(clusters), len(kinds)))
        """How often each kind of bout is in each cluster, (clusters, kinds)."""
        for number, bout in enumerate(bouts):
            kind = place_of[bout.first, bout.second, bout.winner]
            self.counts[row_of[bout.cluster or number], kind] += 1

    def ratings(self, weights: Floats) -> Floats:
        """Ratings of all products, in the order of their names."""
        ratings = self._evalica.bradley_terry(
            self._xs, self._ys, self._winners, weights=(weights + self._prior).tolist(),
            limit=_ITERATIONS, tolerance=_TOLERANCE,
        ).scores  # fmt: skip
        logs = RATING_SCALE * np.log10(ratings.reindex(self._names).to_numpy(float))
        return np.asarray(RATING_MEAN + logs - logs.mean())

    def resampled(self, resamples: int) -> Floats:
        """Ratings in each resample, (resamples, products); none for a single cluster."""
        if len(self.counts) < 2 or not resamples:
            return np.empty((0, len(self._names)))
        blocks = cluster_draws(len(self.counts), resamples=resamples, seed=SEED)
        weights = np.concatenate([block @ self.counts for block in blocks])
        different, index = np.unique(weights, axis=0, return_inverse=True)
        return np.stack([self.ratings(row) for row in different])[index.ravel()]

    def elos(self) -> Floats:
        """Elo ratings, the mean over shuffled orders."""
        rng = np.random.default_rng(SEED)
        elos = []
        for _ in range(_SHUFFLES):
            order = [self._bouts[index] for index in rng.permutation(len(self._bouts))]
            first, second = [bout.first for bout in order], [bout.second for bout in order]
            winners = [self._winner[bout.winner] for bout in order]
            fitted = self._evalica.elo(
                first, second, winners, initial=RATING_MEAN, scale=RATING_SCALE, k=_K
            )
            elos.append(fitted.scores.reindex(self._names).to_numpy(float))
        return np.asarray(np.mean(elos, axis=0))
