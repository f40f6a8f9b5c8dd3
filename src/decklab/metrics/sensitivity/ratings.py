"""Ratings of perturbed slides, and whether the judged degradation follows severity.

Paper 000, section 3.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from decklab.results import NotScored

SCALES: Final = (5, 100)
"""Best score of each scale; the worst is 1 (E.3)."""

PRINTED_POA: Final = {5: 0.95, 100: 0.80}
"""Adjacent POA of the paper's judges by scale, about (section 3, manipulation check)."""

PRINTED_MACE: Final = 0.34
"""MACE of the paper's judges, overall."""


@dataclass(frozen=True)
class Rating:
    """The score that one judge gave one slide, perturbed with one severity on one axis."""

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
    return [Degraded(*key, sum(scores) / len(scores)) for key, scores in sorted(sums.items())]


Point = tuple[float, float]
"""Severity and y*."""

_SAME = 1e-9
"""Means of runs that differ by rounding only are equal."""


def steps(ladder: Mapping[float, float]) -> tuple[int, int]:
    """Steps of one slide at which y* does not fall, and all steps; severity to y*."""
    values = [ladder[severity] for severity in sorted(ladder)]
    not_falling = sum(after >= before - _SAME for before, after in pairwise(values))
    return not_falling, max(len(values) - 1, 0)


def adjacent_poa(ladders: Iterable[Mapping[float, float]]) -> float | NotScored:
    """POA_adj: share of consecutive severities of a slide at which y* does not fall, 0 to 1.

    Each ladder is one slide's y* by severity; consecutive are the severities that it has. Steps of
    all slides count equally. Higher is better, but a judge who always gives the same score has 1,
    too: compare the rank correlation.

    >>> adjacent_poa([{0.0: 0.1, 0.5: 0.3, 1.0: 0.2}, {0.0: 0.0, 1.0: 0.0}])
    0.6666666666666666
    """
    not_falling = total = 0
    for ladder in ladders:
        good, all_steps = steps(ladder)
        not_falling, total = not_falling + good, total + all_steps
    return not_falling / total if total else NotScored("no slide was rated at two severities")


def mace(points: Sequence[Point], *, pointwise: bool = False) -> float | NotScored:
    """Mean absolute calibration error to y* = s, 0 to 1, lower is better.

    At each severity the mean y* is compared with it, and levels count equally. ``pointwise`` takes
    the mean over single slides instead, which adds their spread. Section 3 does not say which.

    >>> mace([(0.0, 0.1), (1.0, 0.5), (1.0, 0.9)]), mace([(0.0, 0.1), (1.0, 0.5)], pointwise=True)
    (0.2, 0.3)
    """
    if not points:
        return NotScored("there are no ratings")
    if pointwise:
        return sum(abs(y - s) for s, y in points) / len(points)
    levels = [
        (severity, [y for _, y in group])
        for severity, group in groupby(sorted(points), key=lambda point: point[0])
    ]
    gaps: list[float] = [abs(sum(ys) / len(ys) - severity) for severity, ys in levels]
    return sum(gaps) / len(gaps)
