"""The order of least cost: neighbours alike, evidence of what comes first respected."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Order = NDArray[np.intp]

_LONGEST = 6
"""Ours: slides that are moved together at most; sections longer than that move piece by piece."""
_SWEEPS = 12
_SETTLED = 1e-9


def path_cost(order: Order, alike: Floats, evidence: Floats) -> float:
    """What an order costs: 1 - likeness of neighbours, and all evidence that it goes against.

    ``alike`` and ``evidence`` have the shape (n, n); ``evidence[i, j]`` is what it costs to put j
    before i.

    >>> path_cost(np.array([1, 0]), np.array([[1, 0.25], [0.25, 1]]), np.array([[0, 2.0], [0, 0]]))
    2.75
    """
    steps = 1 - alike[order[:-1], order[1:]]
    against = np.tril(evidence[np.ix_(order, order)], -1)
    return float(steps.sum() + against.sum())


def best_path(alike: Floats, evidence: Floats) -> list[int]:
    """An order of low cost: the better of two starts, improved by moving runs of slides.

    The starts are the order that the evidence alone suggests, and that of the Fiedler vector of
    the likeness, which lays out slides by topic. Gives the indices in their order.
    """
    starts = (_by_evidence(evidence), _by_topic(alike, evidence))
    improved = [_improved(start, alike, evidence) for start in starts]
    best = min(improved, key=lambda order: path_cost(order, alike, evidence))
    return [int(index) for index in best]


def _by_evidence(evidence: Floats) -> Order:
    return np.argsort((evidence.T - evidence).sum(axis=1), kind="stable")


def _by_topic(alike: Floats, evidence: Floats) -> Order:
    weights = alike + 0.01
    np.fill_diagonal(weights, 0)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    _values, vectors = np.linalg.eigh(laplacian)
    order = np.argsort(vectors[:, min(1, len(alike) - 1)], kind="stable")
    ways = (order, order[::-1].copy())
    return min(ways, key=lambda one: path_cost(one, alike, evidence))


def _improved(order: Order, alike: Floats, evidence: Floats) -> Order:
    """The order with runs of slides moved, and turned round, as long as that helps."""
    cost = path_cost(order, alike, evidence)
    for _sweep in range(_SWEEPS):
        before = cost
        for length in range(1, min(_LONGEST, len(order) - 1) + 1):
            for start in range(len(order) - length + 1):
                order, cost = _moved(order, (start, length), cost, alike, evidence)
        if cost > before - _SETTLED:
            break
    return order


def _moved(
    order: Order, where: tuple[int, int], cost: float, alike: Floats, evidence: Floats
) -> tuple[Order, float]:
    """The order with one run of slides, from a place on so many, where it costs least; its cost."""
    start, length = where
    run = order[start : start + length]
    rest = np.concatenate([order[:start], order[start + length :]])
    places = np.arange(len(rest) + 1)
    kept = path_cost(rest, alike, evidence) if len(rest) else 0.0
    best = order
    for piece in (run, run[::-1]) if length > 1 else (run,):
        costs = kept + path_cost(piece, alike, evidence) + _joints(rest, piece, alike, evidence)
        place = int(places[np.argmin(costs)])
        if costs[place] < cost - _SETTLED:
            best = np.concatenate([rest[:place], piece, rest[place:]])
            cost = float(costs[place])
    return best, cost


def _joints(rest: Order, piece: Order, alike: Floats, evidence: Floats) -> Floats:
    """What it costs, place by place, to put a piece between the slides of the rest."""
    steps = 1 - alike
    n = len(rest)
    costs = np.zeros(n + 1)
    costs[1:] += steps[rest, piece[0]]
    costs[:-1] += steps[piece[-1], rest]
    if n > 1:
        costs[1:-1] -= steps[rest[:-1], rest[1:]]
    before = evidence[np.ix_(piece, rest)].sum(axis=0)  # paid by each slide put before the piece
    after = evidence[np.ix_(rest, piece)].sum(axis=1)  # paid by each slide put after it
    costs += np.concatenate([[0], np.cumsum(before)])
    costs += np.concatenate([np.cumsum(after[::-1])[::-1], [0]])
    return costs
