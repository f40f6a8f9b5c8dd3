"""How often a reply fits the schema, by how much is on the slide (paper 000, E.1)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, isinf

import numpy as np

from decklab.metrics.catalogue import measured
from decklab.metrics.intervals import Interval, wilson_interval
from decklab.metrics.parseability.constants import EDGES
from decklab.results import Measurement, NotScored

__all__ = ["ParseBin", "parse_rates", "parseability_rows", "quantile_edges"]


@dataclass(frozen=True)
class ParseBin:
    """Replies for slides with more than ``low`` and at most ``high`` elements."""

    low: float
    high: float
    n: int
    """Replies."""
    parsed: int
    """Replies that fit the schema."""
    rate: float | NotScored
    interval: Interval | NotScored
    """Wilson's 95%."""

    @property
    def label(self) -> str:
        """``(2, 4]``, ``0`` for slides without elements, ``all``, or ``more than 32``."""
        if self.high == 0:
            return "0"
        if isinf(self.high):
            return "all" if self.low < 0 else f"more than {self.low:g}"
        return f"({max(self.low, 0):g}, {self.high:g}]"


def parse_rates(
    replies: Iterable[tuple[int, bool]], *, edges: Sequence[float] = EDGES
) -> tuple[ParseBin, ...]:
    """The rate overall, then in each bin of complexity.

    ``replies`` are pairs of how many elements the slide has and whether the reply fits the schema.
    ``edges`` rise; a slide of at most the first falls into a bin below them. Wilson's interval
    stands in for the paper's bootstrap: rates at 100% have an honest one, too. It takes replies as
    independent, which runs of one slide are not quite.

    >>> rows = parse_rates([(1, True), (3, True), (4, False)])
    >>> [(row.label, row.parsed, row.n) for row in rows if row.n]
    [('all', 2, 3), ('(0, 1]', 1, 1), ('(2, 4]', 1, 2)]
    """
    ends = [*edges] if isinf(edges[-1]) else [*edges, inf]
    counts = [[0, 0] for _ in ends]
    for elements, parsed in replies:
        place = int(np.searchsorted(ends, elements, side="left"))
        counts[place][0] += 1
        counts[place][1] += bool(parsed)
    bounds = list(pairwise([-1.0, *ends]))
    overall = _bin(-1.0, inf, sum(n for n, _ in counts), sum(good for _, good in counts))
    return overall, *(_bin(*bound, *count) for bound, count in zip(bounds, counts, strict=True))


def quantile_edges(complexities: Sequence[int], bins: int) -> tuple[float, ...]:
    """Edges of bins that hold about as many slides each, for ``parse_rates`` (E.1's K bins).

    Bins that would be empty because slides are alike are left out.

    >>> quantile_edges([1, 2, 3, 4, 5, 6, 7, 8], 4)
    (2.0, 4.0, 6.0, 8.0)
    """
    if not complexities:
        return (inf,)
    shares = [(index + 1) / bins for index in range(bins)]
    found = np.quantile(complexities, shares, method="inverted_cdf")
    return tuple(float(edge) for edge in np.unique(found))


def _bin(low: float, high: float, n: int, parsed: int) -> ParseBin:
    if not n:
        nothing = NotScored("there are no replies for slides of this complexity")
        return ParseBin(low, high, 0, 0, nothing, nothing)
    return ParseBin(low, high, n, parsed, parsed / n, wilson_interval(parsed, n))


def parseability_rows(bins: Iterable[ParseBin]) -> list[Measurement]:
    """One result row a bin, with the bin, counts and interval as evidence.

    >>> [row.evidence["bin"] for row in parseability_rows(parse_rates([(5, True)])) if row.value]
    ['all', '(4, 8]']
    """
    return [
        measured(
            "parseability.rate",
            each.rate,
            evidence={
                "bin": each.label,
                "n": each.n,
                "parsed": each.parsed,
                "interval": None if isinstance(each.interval, NotScored) else list(each.interval),
            },
        )
        for each in bins
    ]
