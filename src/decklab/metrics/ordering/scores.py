"""How well the order of a deck's slides was recovered (paper 000, F.3)."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from decklab.results import NotScored


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

    The reply's order is scored only where it holds every slide once, as the paper looks at decks
    of the right length only; whatever it repeats, lacks or adds is the reason otherwise. None is
    a reply that could not be read. Raises ValueError where ``truth`` names a slide twice.

    >>> score_order("abcd", "abdc")
    OrderScore(length_ratio=1.0, kendall_tau=0.6666666666666667, spearman_rho=0.8, exact_match=0.5)
    >>> score_order("abcd", "abb").kendall_tau.reason
    'the order repeats 1 slide and lacks 2 of 4'
    """
    place = {slide: index for index, slide in enumerate(truth)}
    if len(place) != len(truth):
        raise ValueError("the true order names a slide twice")
    if reply is None:
        nothing = NotScored("the reply could not be read")
        return OrderScore(nothing, nothing, nothing, nothing)
    ratio = len(reply) / len(truth) if truth else NotScored("the deck has no slides")
    problem = _problem(place, reply)
    if problem:
        nothing = NotScored(problem)
        return OrderScore(ratio, nothing, nothing, nothing)
    places = np.array([place[slide] for slide in reply])
    exact = float(np.mean(places == np.arange(len(places))))
    return OrderScore(ratio, _kendall(places), _spearman(places), exact)


def _problem(place: dict[Hashable, int], reply: Sequence[Hashable]) -> str:
    """Why a reply is no order of the deck's slides; empty where it is one of several."""
    if len(place) < 2:
        return f"a deck of {len(place)} slides has but one order".replace("1 slides", "1 slide")
    counts = Counter(reply)
    repeated = sum(count > 1 for slide, count in counts.items() if slide in place)
    lacking = sum(slide not in counts for slide in place)
    added = sum(slide not in place for slide in counts)
    problems = [
        f"repeats {repeated} slide{'s'[: repeated > 1]}" if repeated else "",
        f"lacks {lacking} of {len(place)}" if lacking else "",
        f"names {added} that the deck does not have" if added else "",
    ]
    told = [problem for problem in problems if problem]
    return "the order " + " and ".join(told) if told else ""


def _kendall(places: np.ndarray[tuple[int], np.dtype[np.int_]]) -> float:
    """Pairs in order less pairs out of order, over all pairs; there are no ties."""
    n = len(places)
    before = places[:, None] > places[None, :]
    inversions = int(np.count_nonzero(np.triu(before, 1)))
    return 1 - 4 * inversions / (n * (n - 1))


def _spearman(places: np.ndarray[tuple[int], np.dtype[np.int_]]) -> float:
    """1 - 6 sum d^2 / (n (n^2 - 1)); there are no ties."""
    n = len(places)
    moved = places - np.arange(n)
    return 1 - 6 * int(np.sum(moved * moved)) / (n * (n * n - 1))
