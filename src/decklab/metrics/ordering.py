"""How well the order of a deck's slides was recovered (paper 000, F.3): one reply, many decks."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from decklab.core.results import NotScored, scored, scored_mean
from decklab.metrics.statistics import (
    RESAMPLES,
    Interval,
    kendall_tau_b,
    percentile_interval,
    resampled_sums,
    spearman_rho,
)


@dataclass(frozen=True)
class OrderScore:
    """One reply for one deck."""

    length_ratio: float | NotScored
    """Entries of the reply over slides of the deck; 1 is right."""
    kendall_tau: float | NotScored
    """-1 to 1, higher is better."""
    spearman_rho: float | NotScored
    """-1 to 1, higher is better."""
    exact_match: float | NotScored
    """Share of slides in their own place, 0 to 1."""


def score_order(truth: Sequence[Hashable], reply: Sequence[Hashable] | None) -> OrderScore:
    """Score an order against the true one; entries name slides, each once in ``truth``.

    The reply's order is scored only where it holds every slide once, as the paper looks at decks of
    the right length only; otherwise the reason says what it repeats, lacks or adds. None is a reply
    that could not be read. Raises ValueError where ``truth`` names a slide twice.

    >>> score_order("abcd", "abdc")
    OrderScore(length_ratio=1.0, kendall_tau=0.6666666666666666, spearman_rho=0.8, exact_match=0.5)
    >>> score_order("abcd", "abb").kendall_tau.reason
    'the order repeats 1 slide and lacks 2 of 4'
    """
    position = {slide: index for index, slide in enumerate(truth)}
    if len(position) != len(truth):
        raise ValueError("the true order names a slide twice")
    if reply is None:
        nothing = NotScored("the reply could not be read")
        return OrderScore(nothing, nothing, nothing, nothing)
    ratio = len(reply) / len(truth) if truth else NotScored("the deck has no slides")
    if problem := _problem(position, reply):
        nothing = NotScored(problem)
        return OrderScore(ratio, nothing, nothing, nothing)
    places, order = [position[slide] for slide in reply], range(len(reply))
    exact = sum(place == own for place, own in zip(places, order, strict=True)) / len(places)
    return OrderScore(ratio, kendall_tau_b(order, places), spearman_rho(order, places), exact)


def _problem(position: dict[Hashable, int], reply: Sequence[Hashable]) -> str:
    """Why a reply is no order of the deck's slides; empty where it is one of several slides."""
    if len(position) < 2:
        return f"a deck of {len(position)} slides has but one order".replace("1 slides", "1 slide")
    counts = Counter(reply)
    repeated = sum(count > 1 for slide, count in counts.items() if slide in position)
    lacking = sum(slide not in counts for slide in position)
    added = sum(slide not in position for slide in counts)
    problems = [
        f"repeats {repeated} slide{'s'[: repeated > 1]}" if repeated else "",
        f"lacks {lacking} of {len(position)}" if lacking else "",
        f"names {added} that the deck does not have" if added else "",
    ]
    faults = [problem for problem in problems if problem]
    return "the order " + " and ".join(faults) if faults else ""


@dataclass(frozen=True)
class OrderEstimate:
    """One measure over all decks."""

    measure: str
    """Its name, such as ``ordering.kendall_tau``."""
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
    scores: Mapping[str, Sequence[OrderScore]], *, resamples: int = RESAMPLES
) -> tuple[OrderEstimate, ...]:
    """Length ratio, tau, rho and exact match over decks; ``scores`` holds each deck's replies.

    With ``resamples`` 0 each interval is NotScored.

    >>> found = order_estimates({"a": [score_order("ab", "ab")], "b": [score_order("ab", "ba")]})
    >>> [(row.measure, row.value) for row in found][1]
    ('ordering.kendall_tau', 0.0)
    """
    return tuple(_estimate(field.name, scores, resamples) for field in fields(OrderScore))


def _estimate(
    name: str, scores: Mapping[str, Sequence[OrderScore]], resamples: int
) -> OrderEstimate:
    every = [getattr(reply, name) for replies in scores.values() for reply in replies]
    unscored = Counter(value.reason for value in every if isinstance(value, NotScored))
    means = scored(
        scored_mean((getattr(reply, name) for reply in replies), "there are no replies")
        for replies in scores.values()
    )
    drawn = resampled_sums(np.array(means), resamples=resamples) / max(len(means), 1)
    nothing = NotScored(_why_not(unscored))
    spread = float(np.std(means, ddof=1)) if len(means) > 1 else NotScored("fewer than two decks")
    return OrderEstimate(
        f"ordering.{name}", float(np.mean(means)) if means else nothing, spread, len(means),
        percentile_interval(drawn, len(means)), len(every), dict(unscored),
    )  # fmt: skip


def _why_not(unscored: Counter[str]) -> str:
    if not unscored:
        return "there are no replies"
    reason, count = unscored.most_common(1)[0]
    return f"no reply was scored; of {unscored.total()}, {count}: {reason}"
