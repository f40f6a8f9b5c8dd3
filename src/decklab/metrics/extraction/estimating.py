"""What all pooled slides say together, with intervals clustered by deck."""

from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np

from decklab.metrics.extraction.measures import ALL, MEASURES, Kind, Measure, Part, Where
from decklab.metrics.extraction.pooling import PLACES, Floats, Pool
from decklab.metrics.extraction.slide import SlideScore
from decklab.metrics.intervals import RESAMPLES, SEED, Interval, cluster_draws, percentile_interval
from decklab.results import NotScored

Scope = Literal["end_to_end", "parsed_only"]
"""Whether slides whose reply could not be read count, or are left out (paper 000, E.1)."""

SCOPES: tuple[Scope, ...] = ("end_to_end", "parsed_only")


@dataclass(frozen=True)
class Estimate:
    """What all pooled slides say of one measure."""

    measure: str
    """Name in the catalogue, such as ``extraction.matching_f1``."""
    where: Where
    """A family, or ``all``."""
    scope: Scope
    value: float | NotScored
    """Micro average: from sums over all slides and runs."""
    std: float | NotScored
    """Sample standard deviation over the pairs; ratios of sums have none."""
    n: int
    """Pairs behind a mean; true and predicted elements behind an F1, precision or recall."""
    coverage: float | NotScored
    """Share of the true elements that the measure is about which were matched and had a value."""
    interval: Interval | NotScored
    """95%, from resampled decks."""


def estimates(pool: Pool, *, resamples: int = RESAMPLES, seed: int = SEED) -> tuple[Estimate, ...]:
    """Every measure over all pooled slides, end to end and parsed only, per family and overall.

    A measure that looks at one family only has one line, for ``all``. ``resamples`` decks-worth of
    slides are drawn from ``seed`` for the intervals; with 0 there are none.

    >>> from decklab.metrics.extraction.slide import Agreement
    >>> pool = Pool()
    >>> pool.add("a", SlideScore(True, {Part("matching", "texts"): Agreement(3, 4, 4, 3)}, {}))
    >>> pool.add("a", SlideScore(False, {Part("matching", "texts"): Agreement(truth=4)}, {}))
    >>> [round(row.value, 2) for row in estimates(pool)
    ...  if row.measure == "extraction.matching_f1" and row.where == "all"]
    [0.5, 0.75]
    """
    sums = pool.sums()
    drawn = _drawn(sums, resamples, seed)
    total = sums.sum(axis=0)[None]
    return tuple(
        _estimate(measure, where, scope, total, (drawn, len(sums)))
        for measure in MEASURES
        for where in ((ALL, *measure.wheres) if len(measure.wheres) > 1 else (ALL,))
        for scope in SCOPES
    )


def slide_values(score: SlideScore) -> dict[str, float | NotScored]:
    """Every measure of a single reply, by name in the catalogue, overall and end to end."""
    pool = Pool()
    pool.add("", score)
    total = pool.sums()
    return {
        f"extraction.{measure.name}": _value(measure, _columns(measure, ALL, total), "end_to_end")
        for measure in MEASURES
    }


def _drawn(sums: Floats, resamples: int, seed: int) -> Floats:
    """Sums of resampled decks, shape (resamples, 2, parts, 4)."""
    decks = len(sums)
    if decks < 2 or not resamples:
        return np.empty((0, *sums.shape[1:]))
    flat = sums.reshape(decks, -1)
    blocks = [block @ flat for block in cluster_draws(decks, resamples=resamples, seed=seed)]
    return np.concatenate(blocks).reshape(-1, *sums.shape[1:])


def _columns(measure: Measure, where: Where, sums: Floats) -> Floats:
    """The four numbers, parsed and failed, over the families meant: shape (2, 4, rows)."""
    wheres = measure.wheres if where == ALL else (where,)
    places = [PLACES[Part(measure.of, each)] for each in wheres]
    return np.moveaxis(sums[:, :, places].sum(axis=2), 0, -1)


def _ratio(kind: Kind, columns: Floats, scope: Scope) -> tuple[Floats, Floats]:
    """Numerator and denominator of a measure, shape (rows,) each."""
    first, second, third = columns[0, :3]
    failed = columns[1] if scope == "end_to_end" else np.zeros_like(columns[1])
    match kind:
        case "precision":
            return first, second
        case "recall":
            return first, third + failed[2]
        case "f1":
            return 2 * first, second + third + failed[2]
        case "error":
            return second, first
        case "accuracy":
            return second, first + failed[3]


def _estimate(
    measure: Measure, where: Where, scope: Scope, total: Floats, resampled: tuple[Floats, int]
) -> Estimate:
    columns = _columns(measure, where, total)
    value = _value(measure, columns, scope)
    drawn, decks = resampled
    interval: Interval | NotScored
    if isinstance(value, NotScored):
        interval = value
    else:
        above, below = _ratio(measure.kind, _columns(measure, where, drawn), scope)
        defined = np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)
        interval = percentile_interval(defined, decks)
    return Estimate(
        f"extraction.{measure.name}", where, scope, value,
        _std(measure, columns, scope), _n(measure, columns, scope),
        _coverage(measure, columns, scope), interval,
    )  # fmt: skip


def _value(measure: Measure, columns: Floats, scope: Scope) -> float | NotScored:
    above, below = (float(side[0]) for side in _ratio(measure.kind, columns, scope))
    return above / below if below else NotScored(_why_not(measure, columns, scope))


def _why_not(measure: Measure, columns: Floats, scope: Scope) -> str:
    """Why there is nothing to divide by."""
    true = _true(measure, columns, scope)
    if measure.kind == "precision":
        return "nothing was predicted"
    if measure.kind == "f1":
        return "there is nothing of the kind, in truth or prediction"
    if not true:
        return "no true element is of the kind"
    return "no true element that it is about was matched with one that has it, too"


def _true(measure: Measure, columns: Floats, scope: Scope) -> float:
    place = 3 if measure.kind in ("error", "accuracy") else 2
    failed = columns[1, place, 0] if scope == "end_to_end" else 0.0
    return float(columns[0, place, 0] + failed)


def _coverage(measure: Measure, columns: Floats, scope: Scope) -> float | NotScored:
    place = 0 if measure.kind in ("error", "accuracy") else 3
    true = _true(measure, columns, scope)
    return (
        float(columns[0, place, 0]) / true if true else NotScored("no true element is of the kind")
    )


def _n(measure: Measure, columns: Floats, scope: Scope) -> int:
    if measure.kind in ("error", "accuracy"):
        return int(_ratio(measure.kind, columns, scope)[1][0])
    predicted = columns[0, 1, 0] if measure.kind != "recall" else 0.0
    true = _true(measure, columns, scope) if measure.kind != "precision" else 0.0
    return int(predicted + true)


def _std(measure: Measure, columns: Floats, scope: Scope) -> float | NotScored:
    if measure.kind not in ("error", "accuracy"):
        return NotScored("a ratio of sums has no spread of its own")
    n, total, squares = _n(measure, columns, scope), columns[0, 1, 0], columns[0, 2, 0]
    if n < 2:
        return NotScored("fewer than two pairs")
    return sqrt(max(squares - total * total / n, 0.0) / (n - 1))
