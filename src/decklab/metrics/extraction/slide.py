"""One slide's extraction against its ground truth: counts and sums that can be pooled."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from decklab.deck.model.plain import PlainSlide
from decklab.metrics.extraction.measures import ERRORS, Part, Where
from decklab.metrics.extraction.pairs import applicable, pair_values
from decklab.metrics.matching.assignment import Matching, match_slide
from decklab.metrics.matching.constants import TAU, WEIGHTS, Weights
from decklab.metrics.matching.families import FAMILIES, Family


@dataclass(frozen=True)
class Agreement:
    """What an F1 is made of; sums of them are again one."""

    hits: float = 0.0
    """True positives; for text, the sum of the pairs' similarities."""
    predicted: int = 0
    """Predictions: true and false positives."""
    truth: int = 0
    """True ones: true positives and false negatives."""
    matched: int = 0
    """True ones whose element was matched with a prediction."""


@dataclass(frozen=True)
class Tally:
    """What a mean and its spread are made of; sums of them are again one."""

    n: int = 0
    """Matched pairs that have a value."""
    total: float = 0.0
    squares: float = 0.0
    truth: int = 0
    """True elements that could have one."""


@dataclass(frozen=True)
class SlideScore:
    """One reply for one slide, scored.

    It holds numbers only, a few kilobytes, and survives a trip through JSON: ``as_json`` and
    ``from_json``.
    """

    parsed: bool
    """Whether the reply could be read."""
    agreements: Mapping[Part, Agreement]
    tallies: Mapping[Part, Tally]

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
        """What ``as_json`` gave, back."""
        return cls(
            bool(data["parsed"]),
            {_part(key): Agreement(*values) for key, values in data["agreements"].items()},
            {_part(key): Tally(*values) for key, values in data["tallies"].items()},
        )


def _part(key: str) -> Part:
    name, where = key.split("/")
    return Part(name, cast(Where, where))


def complexity(slide: PlainSlide) -> int:
    """How many elements of all families a slide has (paper 000, E.1)."""
    return sum(len(getattr(slide, family)) for family in FAMILIES)


def score_slide(
    truth: PlainSlide,
    prediction: PlainSlide | None,
    *,
    weights: Weights = WEIGHTS,
    tau: float = TAU,
    autojunk: bool = True,
) -> SlideScore:
    """Match a prediction with the truth and measure it; None is a reply that could not be read.

    ``weights``, ``tau`` and ``autojunk`` as in ``match_slide``.

    >>> blank = PlainSlide.model_validate({
    ...     "size": {"w": 960.0, "h": 540.0}, "background": "#FFFFFF",
    ...     "texts": [], "rects": [], "lines": [], "images": [], "tables": []})
    >>> score_slide(blank, blank).tallies[Part("background_color", "slide")]
    Tally(n=1, total=0.0, squares=0.0, truth=1)
    """
    expected = applicable(truth)
    if prediction is None:
        matchings = {family: _all_missed(truth, family) for family in FAMILIES}
        values: Mapping[Part, Sequence[float]] = {}
    else:
        matchings = match_slide(
            truth, prediction, weights=weights, tau=tau, autojunk=autojunk
        )  # fmt: skip
        values = pair_values(truth, prediction, matchings)
    tallies = {part: _tally(values.get(part, ()), expected.get(part, 0)) for part in _parts(ERRORS)}
    return SlideScore(
        prediction is not None, dict(_agreements(truth, prediction, matchings)), tallies
    )


def _parts(quantities: Mapping[str, Sequence[Where]]) -> Iterator[Part]:
    return (Part(name, where) for name, wheres in quantities.items() for where in wheres)


def _all_missed(truth: PlainSlide, family: Family) -> Matching:
    return Matching((), tuple(range(len(getattr(truth, family)))), ())


def _tally(values: Sequence[float], truth: int) -> Tally:
    return Tally(len(values), float(sum(values)), float(sum(v * v for v in values)), truth)


def _agreements(
    truth: PlainSlide, prediction: PlainSlide | None, matchings: Mapping[Family, Matching]
) -> Iterator[tuple[Part, Agreement]]:
    for family, matching in matchings.items():
        hits = len(matching.matches)
        found = Agreement(hits, hits + len(matching.extra), hits + len(matching.missed), hits)
        yield Part("matching", family), found
    texts = matchings["texts"].matches
    alike = sum(match.similarity or 0.0 for match in texts)
    theirs = prediction.texts if prediction else ()
    yield Part("text", "texts"), Agreement(alike, len(theirs), len(truth.texts), len(texts))
    styled = [bool(text.font.style) for text in truth.texts]
    restyled = [bool(text.font.style) for text in theirs]
    both = sum(styled[match.truth] and restyled[match.prediction] for match in texts)
    matched = sum(styled[match.truth] for match in texts)
    yield Part("any_style", "texts"), Agreement(both, sum(restyled), sum(styled), matched)
