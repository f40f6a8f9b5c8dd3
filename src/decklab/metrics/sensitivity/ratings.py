"""Ratings of perturbed slides on one axis of degradation (paper 000, section 3)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class Rating:
    """What one judge said of one slide, perturbed by so much on one axis."""

    model: str
    axis: str
    """``geometry``, ``text`` or ``style``: both what was perturbed and what was asked for."""
    scale: int
    """Best score of the scale, 5 or 100."""
    deck: str
    slide: str
    severity: float
    """0 to 1."""
    score: float
    """1 to ``scale``, higher is better."""


class Degraded(NamedTuple):
    """The mean of all runs of one judge on one perturbed slide."""

    model: str
    axis: str
    scale: int
    deck: str
    slide: str
    severity: float
    y: float
    """Normalised degradation y*, 0 for the best score and 1 for the worst."""


def degradation(score: float, scale: int) -> float:
    """Normalised degradation y* of a score on 1 to ``scale``: 0 (best) to 1 (worst).

    Raises ValueError for a score off the scale.

    >>> degradation(5, 5), degradation(3, 5), degradation(1, 100)
    (0.0, 0.5, 1.0)
    """
    if not 1 <= score <= scale:
        raise ValueError(f"a score of {score:g} is not on the scale 1..{scale}")
    return (scale - score) / (scale - 1)


def averaged(ratings: Iterable[Rating]) -> list[Degraded]:
    """One entry per judge, axis, scale, slide and severity, the mean of its runs, sorted."""
    sums: dict[tuple[str, str, int, str, str, float], list[float]] = {}
    for each in ratings:
        severity = round(each.severity, 9)  # 0.1 + 0.2 is the level 0.3
        key = (each.model, each.axis, each.scale, each.deck, each.slide, severity)
        sums.setdefault(key, []).append(degradation(each.score, each.scale))
    return [Degraded(*key, sum(found) / len(found)) for key, found in sorted(sums.items())]
