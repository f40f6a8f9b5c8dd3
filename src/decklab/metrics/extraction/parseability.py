"""How often a reply fits the schema, by the slide's complexity (paper 000, E.1 and figure 6)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf, isinf
from typing import Final

import numpy as np

from decklab.core.results import Measurement, NotScored
from decklab.metrics.metric import SLIDEEVAL, MetricInfo, evidence_value, measured, register
from decklab.metrics.statistics import (
    RESAMPLES,
    SEED,
    Interval,
    ratio_interval,
    resampled_sums,
    wilson_interval,
)

EDGES: Final = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, inf)
"""Elements per slide at which one bin ends and the next begins: (0, 1], (1, 2] and so on, up to
more than 32 (figure 6). Slides without any element have a lower bin, which the figure lacks."""

register(
    MetricInfo(
        "parseability.rate", "run", "Share of replies that fit the schema.", f"{SLIDEEVAL}, E.1"
    )
)

_NO_DECKS: Final = NotScored("the replies' decks are not told")


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
    bootstrap: Interval | NotScored = _NO_DECKS
    """The paper's 95%: percentiles of resamples, here of whole decks."""

    @property
    def label(self) -> str:
        """``(2, 4]``, ``0`` for slides without elements, ``all``, or ``more than 32``."""
        if self.high == 0:
            return "0"
        if isinf(self.high):
            return "all" if self.low < 0 else f"more than {self.low:g}"
        return f"({max(self.low, 0):g}, {self.high:g}]"


def parse_rates(
    replies: Iterable[tuple[int, bool]],
    *,
    decks: Sequence[str] | None = None,
    edges: Sequence[float] = EDGES,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> tuple[ParseBin, ...]:
    """The rate overall, then in each bin of complexity.

    ``replies`` are pairs of how many elements the slide has and whether the reply fits the schema,
    ``decks`` the deck of each. ``edges`` rise; a slide of at most the first falls into a bin below
    them. There are two intervals. Wilson's takes replies as independent, which runs of one slide
    and slides of one deck are not quite, and is honest at 100%, too. The bootstrap of E.1 draws
    ``resamples`` sets of decks from ``seed``; a set without a slide of a bin does not count for
    that bin, and for a rate of 100% in every deck the interval has no width.

    >>> rows = parse_rates([(1, True), (3, True), (4, False)])
    >>> [(row.label, row.parsed, row.n) for row in rows if row.n]
    [('all', 2, 3), ('(0, 1]', 1, 1), ('(2, 4]', 1, 2)]
    """
    ends = [*edges] if isinf(edges[-1]) else [*edges, inf]
    given = list(replies)
    clusters = [""] * len(given) if decks is None else decks
    place_of = {name: index for index, name in enumerate(sorted(set(clusters)))}
    # Replies and good ones of each deck, overall and in each bin.
    counts = np.zeros((len(place_of), 1 + len(ends), 2), np.int64)
    for (elements, parsed), deck in zip(given, clusters, strict=True):
        place = 1 + int(np.searchsorted(ends, elements, side="left"))
        counts[place_of[deck], [0, place]] += (1, bool(parsed))
    bounds = [(-1.0, inf), *pairwise([-1.0, *ends])]
    bins = tuple(
        _bin(*bound, *count)
        for bound, count in zip(bounds, counts.sum(axis=0).tolist(), strict=True)
    )
    if decks is None:
        return bins
    n, good = np.moveaxis(resampled_sums(counts, resamples=resamples, seed=seed), -1, 0)
    intervals = [ratio_interval(*column, len(counts)) for column in zip(good.T, n.T, strict=True)]
    return tuple(
        replace(row, bootstrap=interval if row.n else row.interval)
        for row, interval in zip(bins, intervals, strict=True)
    )


def quantile_edges(complexities: Sequence[int], bins: int) -> tuple[float, ...]:
    """Edges of bins that hold about as many slides each, for ``parse_rates`` (E.1's K bins).

    Bins that would be empty because slides have equal complexity are left out.

    >>> quantile_edges([1, 2, 3, 4, 5, 6, 7, 8], 4)
    (2.0, 4.0, 6.0, 8.0)
    """
    if not complexities:
        return (inf,)
    shares = [(index + 1) / bins for index in range(bins)]
    edges = np.quantile(complexities, shares, method="inverted_cdf")
    return tuple(float(edge) for edge in np.unique(edges))


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
                "interval": evidence_value(each.interval),
                "bootstrap": evidence_value(each.bootstrap),
            },
        )
        for each in bins
    ]
