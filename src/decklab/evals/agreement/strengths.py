"""How strong products are, from judgements of pairs: Bradley-Terry and Elo, fitted by evalica.

Paper 002, section 3.2 (the arena and its Elo rating), after Zheng et al. (2023).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import combinations
from typing import Any, Final, Literal

import numpy as np

from decklab.core.errors import Unavailable
from decklab.core.lazy import needs_extra
from decklab.core.results import NotScored
from decklab.evals.agreement.rankings import Ranking
from decklab.metrics.statistics import SEED, Floats, Interval, cluster_draws, percentile_interval

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
    if not _connected(names, given):
        return NotScored("some products were never judged beside the others")
    fit = _Fit(names, given)
    ratings = fit.ratings(fit.counts.sum(axis=0))
    drawn = fit.resampled(resamples)
    elos = fit.elos()
    found = [
        Strength(
            name,
            float(ratings[place]),
            percentile_interval(drawn[:, place], len(fit.counts), expanded=True),
            float(elos[place]),
            *_tally(name, given),
        )
        for place, name in enumerate(names)
    ]
    return tuple(sorted(found, key=lambda one: (-one.rating, one.name)))


def check_fitting() -> Any:
    """The module evalica, which fits strengths; raises Unavailable if it is not installed."""
    try:
        return import_module("evalica")
    except ModuleNotFoundError as error:
        raise Unavailable(needs_extra("Bradley-Terry", "evals")) from error


def bouts_of(rankings: Iterable[Ranking]) -> list[Bout]:
    """Pairwise results of people's rankings; a topic is a cluster.

    >>> bouts_of([Ranking("t", "ann", {"a": 1, "b": 2})])
    [Bout(first='a', second='b', winner='first', cluster='t')]
    """
    return [
        Bout(one, other, _better(ranking.ranks[one], ranking.ranks[other]), ranking.topic)
        for ranking in rankings
        for one, other in combinations(ranking.ranks, 2)
    ]


def _better(first: float, second: float) -> Winner:
    if first == second:
        return "tie"
    return "first" if first < second else "second"


def _connected(names: Sequence[str], bouts: Sequence[Bout]) -> bool:
    """Whether a chain of bouts leads from each product to each other one."""
    reached, waiting = {names[0]}, [names[0]]
    met: dict[str, set[str]] = {name: set() for name in names}
    for bout in bouts:
        met[bout.first].add(bout.second)
        met[bout.second].add(bout.first)
    while waiting:
        new = met[waiting.pop()] - reached
        reached |= new
        waiting += new
    return len(reached) == len(names)


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
        kinds = list(dict.fromkeys((one.first, one.second, one.winner) for one in bouts))
        met = dict.fromkeys((min(kind[:2]), max(kind[:2])) for kind in kinds)
        kinds += [(one, other, "tie") for one, other in met]
        self._xs, self._ys = [kind[0] for kind in kinds], [kind[1] for kind in kinds]
        self._winners = [self._winner[kind[2]] for kind in kinds]
        clusters = list(dict.fromkeys(b.cluster or n for n, b in enumerate(bouts)))
        self._prior = np.zeros(len(kinds))
        self._prior[len(kinds) - len(met) :] = PRIOR
        place_of = {kind: place for place, kind in reversed(list(enumerate(kinds)))}
        row_of = {cluster: row for row, cluster in enumerate(clusters)}
        self.counts = np.zeros((len(clusters), len(kinds)))
        """How often each kind of bout is in each cluster, (clusters, kinds)."""
        for number, bout in enumerate(bouts):
            kind = place_of[bout.first, bout.second, bout.winner]
            self.counts[row_of[bout.cluster or number], kind] += 1

    def ratings(self, weights: Floats) -> Floats:
        """Ratings of all products, in the order of their names."""
        found = self._evalica.bradley_terry(
            self._xs, self._ys, self._winners, weights=(weights + self._prior).tolist(),
            limit=_ITERATIONS, tolerance=_TOLERANCE,
        ).scores  # fmt: skip
        logs = RATING_SCALE * np.log10(found.reindex(self._names).to_numpy(float))
        return np.asarray(RATING_MEAN + logs - logs.mean())

    def resampled(self, resamples: int) -> Floats:
        """Ratings in each resample, (resamples, products); none for a single cluster."""
        if len(self.counts) < 2 or not resamples:
            return np.empty((0, len(self._names)))
        blocks = cluster_draws(len(self.counts), resamples=resamples, seed=SEED)
        weights = np.concatenate([block @ self.counts for block in blocks])
        different, place = np.unique(weights, axis=0, return_inverse=True)
        return np.stack([self.ratings(row) for row in different])[place.ravel()]

    def elos(self) -> Floats:
        """Elo ratings, the mean over shuffled orders."""
        rng = np.random.default_rng(SEED)
        found = []
        for _ in range(_SHUFFLES):
            order = [self._bouts[place] for place in rng.permutation(len(self._bouts))]
            scores = self._evalica.elo(
                [one.first for one in order], [one.second for one in order],
                [self._winner[one.winner] for one in order],
                initial=RATING_MEAN, scale=RATING_SCALE, k=_K,
            ).scores  # fmt: skip
            found.append(scores.reindex(self._names).to_numpy(float))
        return np.asarray(np.mean(found, axis=0))
