"""Scores that decks must reach, such as ``quality.score=60``."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import isfinite
from typing import Final

from decklab.core.errors import UnknownName
from decklab.core.results import SAME, DeckResult, NotScored
from decklab.metrics.catalogue import METRICS

SHORT_NAMES: Final = {"total": "aesthetics.total", "level": "editability.level"}
"""Short names of metrics; others are ``X`` for ``X.score``."""


@dataclass(frozen=True)
class ScoreLimit:
    """The value that a deck's metric must reach; of metrics where less is better, at most have."""

    metric: str
    value: float

    @property
    def at_most(self) -> bool:
        """Whether greater values miss the limit."""
        return METRICS[self.metric].direction == "lower"

    def missed_by(self, value: float) -> bool:
        """Whether ``value`` misses the limit; the limit itself is good enough."""
        return value > self.value + SAME if self.at_most else value < self.value - SAME


@dataclass(frozen=True)
class MissedLimit:
    """A deck that misses a limit; ``value`` is None if it was not scored, for ``reason``."""

    deck: str
    limit: ScoreLimit
    value: float | None
    reason: str = ""

    def __str__(self) -> str:
        found = f"not scored ({self.reason})" if self.value is None else f"{self.value:.2f}"
        word = "most" if self.limit.at_most else "least"
        return f"{self.deck}: {self.limit.metric} is {found}; at {word} {self.limit.value:g} wanted"


def parse_limit(text: str) -> ScoreLimit:
    """A limit from ``METRIC=VALUE``.

    The metric is one of whole decks, by its registered name or in short: ``quality`` for
    ``quality.score``, ``total`` and ``level``. Raises ValueError for other text, for unknown
    metrics, and for those of which neither more nor less is better.

    >>> parse_limit("quality=60")
    ScoreLimit(metric='quality.score', value=60.0)
    """
    name, equals, number = (part.strip() for part in text.partition("="))
    if not name or not equals:
        raise ValueError(f"{text!r} is no METRIC=VALUE, such as quality=60")
    metric = _registered(name)
    try:
        value = float(number)
    except ValueError:
        raise ValueError(f"{text!r}: {number!r} is no number") from None
    if not isfinite(value):
        raise ValueError(f"{text!r}: {number!r} is no number")
    return ScoreLimit(metric, value)


def _registered(name: str) -> str:
    for candidate in (name, SHORT_NAMES.get(name, ""), f"{name}.score"):
        try:
            info = METRICS[candidate]
        except UnknownName:
            continue
        if info.level != "deck":
            raise ValueError(f"{candidate} is measured of a {info.level}, not of a deck")
        if info.direction == "neutral":
            raise ValueError(f"{candidate}: neither more nor less of it is better")
        return candidate
    metrics = [one for one in METRICS if METRICS[one].level == "deck"]
    short = [metric.removesuffix(".score") for metric in metrics if metric.endswith(".score")]
    known = [*SHORT_NAMES, *short, *metrics]
    near = get_close_matches(name, known, 1)
    told = f"; is it {near[0]}?" if near else f"; known are {', '.join(sorted(known))}"
    raise ValueError(f"there is no metric {name!r} of decks{told}")


def missed_limits(
    results: Iterable[DeckResult], limits: Sequence[ScoreLimit]
) -> Iterator[MissedLimit]:
    """The limits that decks miss, in order; a deck without the score, or that failed, misses it."""
    for result in results:
        for limit in limits:
            value = result.value(limit.metric)
            if isinstance(value, NotScored):
                yield MissedLimit(result.deck, limit, None, value.reason)
            elif limit.missed_by(value):
                yield MissedLimit(result.deck, limit, value)
