"""Extractions scored against the ground truth: one slide, slides pooled, estimates with intervals;
and how often a reply fits the schema, by the slide's complexity (E.1 and figure 6).

A pool keeps one row of sums per deck, so that its memory grows with decks, not with slides or
elements, and adding a slide always takes the same time. Intervals are clustered by deck. Paper 000,
E.2 and table 4.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf, isinf, sqrt
from typing import Any, Final, Literal, cast

import numpy as np
from numpy.typing import NDArray

from decklab.core.results import NotScored
from decklab.deck.model.base import PlainSlide
from decklab.metrics.element_matching import FAMILIES, Family, Matching, match_slide
from decklab.metrics.element_measures import (
    AGREEMENTS,
    ALL,
    ERRORS,
    MEASURES,
    Kind,
    Measure,
    Quantity,
    Where,
    applicable,
    pair_values,
)
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

_NO_DECKS: Final = NotScored("the replies' decks are not known")


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
) -> tuple[ParseBin, ...]:
    """The rate overall, then in each bin of complexity.

    ``replies`` are pairs of how many elements the slide has and whether the reply fits the schema,
    ``decks`` the deck of each. ``edges`` rise; a slide of at most the first falls into a bin below
    them. There are two intervals. Wilson's takes replies as independent, which runs of one slide
    and slides of one deck are not quite, and is honest at 100%, too. The bootstrap of E.1 draws
    sets of decks; a set without a slide of a bin does not count for
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
        bin = 1 + int(np.searchsorted(ends, elements, side="left"))
        counts[place_of[deck], [0, bin]] += (1, bool(parsed))
    bounds = [(-1.0, inf), *pairwise([-1.0, *ends])]
    bins = tuple(
        _bin(*bound, *count)
        for bound, count in zip(bounds, counts.sum(axis=0).tolist(), strict=True)
    )
    if decks is None:
        return bins
    n, good = np.moveaxis(resampled_sums(counts), -1, 0)
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


@dataclass(frozen=True)
class Counts:
    """The counts of an F1; they can be added."""

    hits: float = 0.0
    """True positives; for text, the sum of the pairs' similarities."""
    predicted: int = 0
    """Predictions: true and false positives."""
    truth: int = 0
    """True elements: true positives and false negatives."""
    matched: int = 0
    """True elements that were matched with a prediction."""


@dataclass(frozen=True)
class Moments:
    """The sums of a mean and its spread; they can be added."""

    n: int = 0
    """Matched pairs that have a value."""
    total: float = 0.0
    squares: float = 0.0
    truth: int = 0
    """True elements that could have one."""


@dataclass(frozen=True)
class SlideScore:
    """One reply for one slide, scored.

    It holds numbers only, a few kilobytes, and can be stored as JSON: ``as_json`` and
    ``from_json``.
    """

    parsed: bool
    """Whether the reply could be read."""
    agreements: Mapping[Quantity, Counts]
    tallies: Mapping[Quantity, Moments]

    def as_json(self) -> dict[str, Any]:
        """Plain lists under ``name/where``."""
        return {
            "parsed": self.parsed,
            "agreements": {
                "/".join(part): [a.hits, a.predicted, a.truth, a.matched]
                for part, a in self.agreements.items()
            },
            "tallies": {
                "/".join(part): [t.n, t.total, t.squares, t.truth]
                for part, t in self.tallies.items()
            },
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "SlideScore":
        """The score from the result of ``as_json``."""
        return cls(
            bool(data["parsed"]),
            {_quantity(key): Counts(*values) for key, values in data["agreements"].items()},
            {_quantity(key): Moments(*values) for key, values in data["tallies"].items()},
        )


def _quantity(key: str) -> Quantity:
    name, where = key.split("/")
    return Quantity(name, cast(Where, where))


def score_slide(truth: PlainSlide, prediction: PlainSlide | None) -> SlideScore:
    """Match a prediction with the truth and measure it; None is a reply that could not be read.

    >>> blank = PlainSlide.model_validate({
    ...     "size": {"w": 960.0, "h": 540.0}, "background": "#FFFFFF",
    ...     "texts": [], "rects": [], "lines": [], "images": [], "tables": []})
    >>> score_slide(blank, blank).tallies[Quantity("background_color", "slide")]
    Moments(n=1, total=0.0, squares=0.0, truth=1)
    """
    expected = applicable(truth)
    if prediction is None:
        matchings = {family: _all_missed(truth, family) for family in FAMILIES}
        values: Mapping[Quantity, Sequence[float]] = {}
    else:
        matchings = match_slide(truth, prediction)
        values = pair_values(truth, prediction, matchings)
    tallies = {
        part: _moments(values.get(part, ()), expected.get(part, 0)) for part in _quantities(ERRORS)
    }
    return SlideScore(prediction is not None, dict(_counts(truth, prediction, matchings)), tallies)


def _quantities(quantities: Mapping[str, Sequence[Where]]) -> Iterator[Quantity]:
    return (Quantity(name, where) for name, wheres in quantities.items() for where in wheres)


def _all_missed(truth: PlainSlide, family: Family) -> Matching:
    return Matching((), tuple(range(len(getattr(truth, family)))), ())


def _moments(values: Sequence[float], truth: int) -> Moments:
    return Moments(len(values), float(sum(values)), float(sum(v * v for v in values)), truth)


def _counts(
    truth: PlainSlide, prediction: PlainSlide | None, matchings: Mapping[Family, Matching]
) -> Iterator[tuple[Quantity, Counts]]:
    for family, matching in matchings.items():
        hits = len(matching.matches)
        counts = Counts(hits, hits + len(matching.extra), hits + len(matching.missed), hits)
        yield Quantity("matching", family), counts
    texts = matchings["texts"].matches
    alike = sum(match.similarity or 0.0 for match in texts)
    theirs = prediction.texts if prediction else ()
    yield Quantity("text", "texts"), Counts(alike, len(theirs), len(truth.texts), len(texts))
    styled = [bool(text.font.style) for text in truth.texts]
    restyled = [bool(text.font.style) for text in theirs]
    both = sum(styled[match.truth] and restyled[match.prediction] for match in texts)
    matched = sum(styled[match.truth] for match in texts)
    yield Quantity("any_style", "texts"), Counts(both, sum(restyled), sum(styled), matched)


Floats = NDArray[np.float64]

_QUANTITIES = tuple(
    Quantity(name, where)
    for quantities in (AGREEMENTS, ERRORS)
    for name, wheres in quantities.items()
    for where in wheres
)
PLACES = {part: index for index, part in enumerate(_QUANTITIES)}
"""Index of each part in a pool's sums."""

_SUMS = 4
"""Numbers stored for each quantity: those of Counts or of Moments."""


class Pool:
    """Sums over slides, per deck.

    >>> pool = Pool()
    >>> pool.add("talk.pptx", SlideScore(False, {}, {}))
    >>> pool.decks, pool.slides, pool.parsed
    (('talk.pptx',), 1, 0)
    """

    def __init__(self) -> None:
        self._decks: dict[str, Floats] = {}
        self._slides: dict[str, list[int]] = {}

    def add(self, deck: str, score: SlideScore) -> None:
        """Add one reply for one slide of a deck; several runs of one slide are added one by one."""
        sums = self._sums(deck)[0 if score.parsed else 1]
        for part, agreement in score.agreements.items():
            sums[PLACES[part]] += (
                agreement.hits,
                agreement.predicted,
                agreement.truth,
                agreement.matched,
            )
        for part, tally in score.tallies.items():
            sums[PLACES[part]] += (tally.n, tally.total, tally.squares, tally.truth)
        self._slides[deck][0 if score.parsed else 1] += 1

    @property
    def decks(self) -> tuple[str, ...]:
        """Names of the decks, in the order they were added."""
        return tuple(self._decks)

    @property
    def slides(self) -> int:
        """Replies pooled, read or not."""
        return sum(map(sum, self._slides.values()))

    @property
    def parsed(self) -> int:
        """Replies that could be read."""
        return sum(counts[0] for counts in self._slides.values())

    def sums(self) -> Floats:
        """Sums by deck, parsed or failed, part and number: shape (decks, 2, parts, 4)."""
        shape = (0, 2, len(_QUANTITIES), _SUMS)
        return np.stack(list(self._decks.values())) if self._decks else np.empty(shape)

    def _sums(self, deck: str) -> Floats:
        if deck not in self._decks:
            self._decks[deck] = np.zeros((2, len(_QUANTITIES), _SUMS))
            self._slides[deck] = [0, 0]
        return self._decks[deck]


Scope = Literal["end_to_end", "parsed_only"]
"""Whether slides whose reply could not be read count, or are left out (paper 000, E.1)."""

SCOPES: tuple[Scope, ...] = ("end_to_end", "parsed_only")


@dataclass(frozen=True)
class Estimate:
    """One measure, estimated from all pooled slides."""

    measure: str
    """Its name, such as ``extraction.matching_f1``."""
    where: Where
    """A family, or ``all``."""
    scope: Scope
    value: float | NotScored
    """Micro average: from sums over all slides and runs."""
    std: float | NotScored
    """Sample standard deviation over the pairs; ratios of sums have none."""
    n: int
    """Pairs in a mean; true and predicted elements in an F1, precision or recall."""
    coverage: float | NotScored
    """Share of the true elements in the measure's scope that were matched and had a value."""
    interval: Interval | NotScored
    """95%, from resampled decks."""


def estimates(pool: Pool, *, resamples: int = RESAMPLES, seed: int = SEED) -> tuple[Estimate, ...]:
    """Every measure over all pooled slides, end to end and parsed only, per family and overall.

    A measure that looks at one family only has one line, for ``all``. ``resamples`` decks-worth of
    slides are drawn from ``seed`` for the intervals; with 0 there are none.

    >>> pool = Pool()
    >>> pool.add("a", SlideScore(True, {Quantity("matching", "texts"): Counts(3, 4, 4, 3)}, {}))
    >>> pool.add("a", SlideScore(False, {Quantity("matching", "texts"): Counts(truth=4)}, {}))
    >>> [round(row.value, 2) for row in estimates(pool)
    ...  if row.measure == "extraction.matching_f1" and row.where == "all"]
    [0.5, 0.75]
    """
    sums = pool.sums()
    drawn = resampled_sums(sums, resamples=resamples, seed=seed)
    total = sums.sum(axis=0)[None]
    return tuple(
        _estimate(measure, where, scope, total, (drawn, len(sums)))
        for measure in MEASURES
        for where in ((ALL, *measure.wheres) if len(measure.wheres) > 1 else (ALL,))
        for scope in SCOPES
    )


def slide_values(score: SlideScore) -> dict[str, float | NotScored]:
    """Every measure of a single reply by its name, overall and end to end."""
    pool = Pool()
    pool.add("", score)
    total = pool.sums()
    return {
        f"extraction.{measure.name}": _value(measure, _columns(measure, ALL, total), "end_to_end")
        for measure in MEASURES
    }


def _columns(measure: Measure, where: Where, sums: Floats) -> Floats:
    """The four numbers, parsed and failed, over the families in scope: shape (2, 4, rows)."""
    wheres = measure.wheres if where == ALL else (where,)
    places = [PLACES[Quantity(measure.of, each)] for each in wheres]
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
        ratios = _ratio(measure.kind, _columns(measure, where, drawn), scope)
        interval = ratio_interval(*ratios, decks)
    return Estimate(
        f"extraction.{measure.name}", where, scope, value,
        _std(measure, columns, scope), _n(measure, columns, scope),
        _coverage(measure, columns, scope), interval,
    )  # fmt: skip


def _value(measure: Measure, columns: Floats, scope: Scope) -> float | NotScored:
    above, below = (float(side[0]) for side in _ratio(measure.kind, columns, scope))
    return above / below if below else NotScored(_why_not(measure, columns, scope))


def _why_not(measure: Measure, columns: Floats, scope: Scope) -> str:
    """Why the denominator is 0."""
    true = _true(measure, columns, scope)
    if measure.kind == "precision":
        return "nothing was predicted"
    if measure.kind == "f1":
        return "there is nothing of the kind, in truth or prediction"
    if not true:
        return "no true element is of the kind"
    return "no true element that it is about was matched with one that has it, too"


def _true(measure: Measure, columns: Floats, scope: Scope) -> float:
    column = 3 if measure.kind in ("error", "accuracy") else 2
    failed = columns[1, column, 0] if scope == "end_to_end" else 0.0
    return float(columns[0, column, 0] + failed)


def _coverage(measure: Measure, columns: Floats, scope: Scope) -> float | NotScored:
    column = 0 if measure.kind in ("error", "accuracy") else 3
    true = _true(measure, columns, scope)
    return (
        float(columns[0, column, 0]) / true if true else NotScored("no true element is of the kind")
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
