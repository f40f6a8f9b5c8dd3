"""What the damage itself reaches on a ladder, and the manipulation check (paper 000, section 3).

No judge can be asked to climb where the damage does not: its adjacent POA, rank correlation and
MACE are read beside those of the damage on the same slides.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from decklab.metrics.intervals import RESAMPLES, SEED, Interval
from decklab.metrics.sensitivity.constants import SCALES
from decklab.metrics.sensitivity.frontier import (
    FrontierPoint,
    consistency_fidelity,
    deck_draws,
    ladders_of,
    poa_interval,
)
from decklab.metrics.sensitivity.measures import adjacent_poa, mace
from decklab.metrics.sensitivity.ratings import Degraded
from decklab.results import NotScored

_AXES = ("geometry", "text", "style")


@dataclass(frozen=True)
class ManipulationCheck:
    """Whether y* rises with severity, and in proportion, for all judges together or the damage."""

    of: Literal["judges", "damage"]
    axis: str
    """``all`` for every slide on every axis."""
    scale: int | None
    """None for both scales, and for the damage, which has none."""
    poa: float | NotScored
    """Adjacent POA, 0 to 1."""
    interval: Interval | NotScored
    """Its 95%, from resampled decks."""
    mace: float | NotScored
    """Mean absolute calibration error to y* = severity."""
    n: int
    """Ratings, or damaged slides."""


def relative_damage(damage: Iterable[Degraded]) -> list[Degraded]:
    """Damage over its mean at the highest severity, for each judge, axis and scale by itself.

    ``damage`` has what ``slide_damage`` gives as y. That mean becomes 1, so that y* = severity
    stands for damage in proportion; a slide that is damaged more than the mean has more than 1.
    Where nothing is damaged, all is 0.

    >>> both = [Degraded("m", "text", 5, "a", "1", s, d) for s, d in ((0.0, 0.0), (1.0, 0.4))]
    >>> [each.y for each in relative_damage(both)]
    [0.0, 1.0]
    """
    groups: dict[tuple[str, str, int], list[Degraded]] = defaultdict(list)
    for each in damage:
        groups[each[:3]].append(each)
    found = []
    for group in groups.values():
        highest = max(each.severity for each in group)
        top = [each.y for each in group if each.severity == highest]
        mean = sum(top) / len(top)
        found += [each._replace(y=each.y / mean if mean else 0.0) for each in group]
    return sorted(found)


def damage_ceilings(damage: Iterable[Degraded]) -> tuple[FrontierPoint, ...]:
    """What the damage would reach as a judge, for each judge, axis and scale; no intervals.

    ``damage`` has what ``slide_damage`` gives as y for every slide that the judge rated.
    """
    return consistency_fidelity(relative_damage(damage), resamples=0)


def manipulation_check(
    rated: Sequence[Degraded],
    damage: Sequence[Degraded] = (),
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> tuple[ManipulationCheck, ...]:
    """Adjacent POA and MACE of all judges together, by axis and scale, and of the damage.

    ``rated`` as ``averaged`` gives them; ``damage`` as for ``damage_ceilings``. Slides that
    several judges rated, or one judge on both scales, have their damage counted once.

    >>> rated = [Degraded("m", "text", 5, "a", "1", s, s / 2) for s in (0.0, 0.5, 1.0)]
    >>> [(row.axis, row.scale, row.poa, row.mace) for row in manipulation_check(rated)][:1]
    [('text', 5, 1.0, 0.25)]
    """
    once = relative_damage({each._replace(model="", scale=0) for each in damage})
    checked: list[tuple[Literal["judges", "damage"], int | None, Sequence[Degraded]]] = [
        *(("judges", scale, [each for each in rated if each.scale == scale]) for scale in SCALES),
        ("judges", None, rated),
        ("damage", None, once),
    ]
    return tuple(
        _check(of, axis, scale, rated=group, resamples=resamples, seed=seed)
        for of, scale, found in checked
        for axis, group in _by_axis(found)
    )


def _by_axis(rated: Sequence[Degraded]) -> Iterator[tuple[str, list[Degraded]]]:
    """The ratings of each axis that has any, then of all where there are several."""
    axes = [axis for axis in _AXES if any(each.axis == axis for each in rated)]
    for axis in axes:
        yield axis, [each for each in rated if each.axis == axis]
    if len(axes) > 1:
        yield "all", list(rated)


def _check(
    of: Literal["judges", "damage"],
    axis: str,
    scale: int | None,
    *,
    rated: Sequence[Degraded],
    resamples: int,
    seed: int,
) -> ManipulationCheck:
    ladders = ladders_of(sorted(rated))
    poa = adjacent_poa(ladder for _, ladder in ladders)
    drawn = deck_draws([deck for deck, _ in ladders], resamples, seed)
    return ManipulationCheck(
        of, axis, scale, poa,
        poa if isinstance(poa, NotScored) else poa_interval(ladders, *drawn),
        mace([(each.severity, each.y) for each in rated]), len(rated),
    )  # fmt: skip
