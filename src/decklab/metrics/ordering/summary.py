"""Orders of many decks: mean, spread and interval of each measure (paper 000, F.3)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from decklab.metrics.catalogue import measured
from decklab.metrics.intervals import RESAMPLES, SEED, Interval, cluster_draws, percentile_interval
from decklab.metrics.ordering.scores import OrderScore
from decklab.results import Measurement, NotScored


@dataclass(frozen=True)
class OrderEstimate:
    """One measure over all decks."""

    measure: str
    """Name in the catalogue, such as ``ordering.kendall_tau``."""
    value: float | NotScored
    """Mean over decks; runs of one deck are averaged first."""
    std: float | NotScored
    """Sample standard deviation over decks."""
    decks: int
    """Decks with at least one reply that was scored."""
    interval: Interval | NotScored
    """95%, from resampled decks."""
    replies: int
    """All replies, scored or not."""
    unscored: Mapping[str, int]
    """Replies without a value, by reason."""


def order_estimates(
    scores: Mapping[str, Sequence[OrderScore]], *, resamples: int = RESAMPLES, seed: int = SEED
) -> tuple[OrderEstimate, ...]:
    """Length ratio, tau, rho and exact match over decks; ``scores`` holds each deck's replies.

    With ``resamples`` 0 there are no intervals, and they say so.

    >>> from decklab.metrics.ordering.scores import score_order
    >>> found = order_estimates({"a": [score_order("ab", "ab")], "b": [score_order("ab", "ba")]})
    >>> [(row.measure, row.value) for row in found][1]
    ('ordering.kendall_tau', 0.0)
    """
    return tuple(_estimate(field.name, scores, resamples, seed) for field in fields(OrderScore))


def _estimate(
    name: str, scores: Mapping[str, Sequence[OrderScore]], resamples: int, seed: int
) -> OrderEstimate:
    means: list[float] = []
    unscored: Counter[str] = Counter()
    for replies in scores.values():
        outcomes: list[float | NotScored] = [getattr(reply, name) for reply in replies]
        values = [value for value in outcomes if not isinstance(value, NotScored)]
        unscored.update(value.reason for value in outcomes if isinstance(value, NotScored))
        if values:
            means.append(sum(values) / len(values))
    total = sum(map(len, scores.values()))
    nothing = NotScored(_why_not(unscored))
    spread = float(np.std(means, ddof=1)) if len(means) > 1 else NotScored("fewer than two decks")
    return OrderEstimate(
        f"ordering.{name}", float(np.mean(means)) if means else nothing, spread, len(means),
        _interval(np.array(means), resamples, seed), total, dict(unscored),
    )  # fmt: skip


def _why_not(unscored: Counter[str]) -> str:
    if not unscored:
        return "there are no replies"
    reason, count = unscored.most_common(1)[0]
    return f"no reply was scored; of {unscored.total()}, {count}: {reason}"


def _interval(
    means: np.ndarray[tuple[int], np.dtype[np.float64]], resamples: int, seed: int
) -> Interval | NotScored:
    drawn = [np.zeros(0)]
    if len(means) > 1:
        draws = cluster_draws(len(means), resamples=resamples, seed=seed)
        drawn += [block @ means / len(means) for block in draws]
    return percentile_interval(np.concatenate(drawn), len(means))


def ordering_rows(estimates: Sequence[OrderEstimate]) -> list[Measurement]:
    """One result row a measure, with spread, interval and what was left out as evidence.

    >>> ordering_rows(order_estimates({}))[1].reason
    'there are no replies'
    """
    return [measured(each.measure, each.value, evidence=_evidence(each)) for each in estimates]


def _evidence(estimate: OrderEstimate) -> dict[str, Any]:
    return {
        "std": None if isinstance(estimate.std, NotScored) else estimate.std,
        "decks": estimate.decks,
        "interval": (None if isinstance(estimate.interval, NotScored) else list(estimate.interval)),
        "replies": estimate.replies,
        "unscored": dict(estimate.unscored),
    }
