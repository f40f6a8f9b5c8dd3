"""Results of one deck: its scores, why others are missing, and the evidence for them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from decklab.core.files import write_whole
from decklab.core.results import DeckResult, NotScored, reason_of, scored_by_name
from decklab.evals.slidesgen.instructions import Richness
from decklab.models.asking import Usage
from decklab.pages.wording import rule_title
from decklab.scoring.reports.advice import FLAW_WORDS

DECK_METRICS: Final[Mapping[str, str]] = {
    "aesthetics": "aesthetics.total",
    "usability": "usability.score",
    "engagement": "engagement.score",
    "harmony": "harmony.score",
    "rhythm": "rhythm.score",
    "level": "editability.level",
    "quality": "quality.score",
}
"""The measures that ``decklab score`` takes, by the names they have in tables of paper 002."""
DECK_MEASURES: Final = ("content", *DECK_METRICS, "seconds", "tokens", "dollars")
"""Everything a row may have. ``content`` is a share, 0 to 1; ``level`` 0 to 5; ``quality`` 0 to
100; ``seconds``, ``tokens`` and ``dollars`` are what writing the deck cost, less is better; the
rest is in the units of paper 002, more is better."""
LOWER_BETTER: Final = frozenset({"seconds", "tokens", "dollars"})
MOST_COSTS: Final = 6
_LEAST_COST: Final = 1.0
"""Points of quality below which a flaw of a slide is not shown. Ours."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class MissedQuestion(_Part):
    """A question that the deck did not answer rightly."""

    number: int
    kind: str
    question: str
    right: str
    """The right option in words."""
    answered: str
    """The chosen option in words, "insufficient information", or why there is no answer."""
    mistake: str = ""
    """Its class in table 17; empty if nothing was answered."""
    reason: str = ""
    quote: str
    """Quote from the source."""
    place: str = ""
    """Document and page of the quote."""


class SlideCost(_Part):
    """A flaw that costs a slide or the whole deck points of quality, or a finding of lint."""

    slide: int | None
    """None for the deck as a whole."""
    words: str
    points: float | None = None
    """Points of quality that the slide would gain without it; None of a finding."""


class Thumbnail(_Part):
    """A small picture of a slide: a ``data:`` address and its size in pixels."""

    uri: str
    width: int
    height: int


class SlidesgenRow(_Part):
    """One deck of one system."""

    system: str
    topic: str
    title: str = ""
    purpose: str
    richness: Richness | None = None
    deck: str = ""
    """Its path; empty if it has none."""
    absent: bool = False
    """Whether the system was never said to have a deck about the topic; then no mean counts it."""
    slides: int = 0
    values: dict[str, float] = Field(default={})
    """Values of ``DECK_MEASURES``."""
    reasons: dict[str, str] = Field(default={})
    """Why there is no value, for every other measure."""
    questions: int = 0
    """Of which the answer could be read."""
    proxy: bool = False
    """Whether a program made the questions or answered them."""
    examinee: str = ""
    missed: tuple[MissedQuestion, ...] = ()
    costs: tuple[SlideCost, ...] = ()
    told: tuple[str, ...] = ()
    """Further remarks, a line each."""
    page: str = ""
    """The path of the deck's own page in the folder of the run; empty if it has none."""
    pictures: tuple[Thumbnail, ...] = ()
    judge_tokens: int = 0
    again: bool = False
    """Whether another run may get what this one could not, such as from a model that was busy."""

    def value(self, measure: str) -> float | NotScored:
        """One of ``DECK_MEASURES``, or why there is none."""
        known = self.values.get(measure)
        if known is not None:
            return known
        return NotScored(self.reasons.get(measure, "it was not measured"))

    def to_json(self) -> dict[str, Any]:
        """Plain JSON without the pictures; null for unknown values."""
        row_json = self.model_dump(mode="json", exclude={"pictures", "values", "again"})
        return row_json | {"values": {name: self.values.get(name) for name in DECK_MEASURES}}


_UNTIMED: Final = NotScored("nobody timed it")
_UNPRICED: Final = NotScored("nobody told what it cost")
_UNCOUNTED: Final = NotScored("nobody counted them")


@dataclass(frozen=True)
class MadeCost:
    """Cost of writing a deck."""

    seconds: float | NotScored = _UNTIMED
    dollars: float | NotScored = _UNPRICED
    tokens: int | NotScored = _UNCOUNTED

    @classmethod
    def of(cls, seconds: float, usage: Usage, dollars: float | None) -> Self:
        """The cost of a deck that was written here; ``dollars`` None if prices are not known."""
        unpriced = 0.0 if usage == Usage() else NotScored("prices are not known")
        tokens = usage.input_tokens + usage.output_tokens
        untold = NotScored("the provider told no tokens")
        spent = unpriced if dollars is None else dollars
        return cls(seconds, spent, untold if usage.untold else tokens)

    @property
    def measures(self) -> dict[str, float | NotScored]:
        """The three by their names in ``DECK_MEASURES``."""
        return {"seconds": self.seconds, "dollars": self.dollars, "tokens": self.tokens}


def split_measures(measures: Mapping[str, float | NotScored]) -> dict[str, Any]:
    """Measures as ``values`` and ``reasons`` of a row."""
    reasons = {name: reason_of(cell) for name, cell in measures.items() if reason_of(cell)}
    return {"values": scored_by_name(measures), "reasons": reasons}


def slide_costs_of(result: DeckResult) -> tuple[SlideCost, ...]:
    """Worst faults of a deck: errors of lint, then flaws by points, the worst first, a few."""
    errors = [
        SlideCost(slide=finding.slide, words=f"{rule_title(finding.rule)}: {finding.message}")
        for finding in result.findings
        if finding.severity == "error"
    ]
    flaws = [
        SlideCost(slide=row.slide, words=FLAW_WORDS.get(flaw, rule_title(flaw)), points=points)
        for row in result.measurements
        if row.metric in ("quality.slide", "quality.score")
        for flaw, points in row.evidence.get("gains", {}).items()
        if points >= _LEAST_COST and (row.slide is not None or flaw.startswith("deck."))
    ]
    flaws.sort(key=lambda cost: (-(cost.points or 0), cost.slide or 0, cost.words))
    return (*errors[: MOST_COSTS // 2], *flaws)[:MOST_COSTS]


def write_row(row: SlidesgenRow, path: Path, key: str) -> None:
    """Store a row under a key, whole or not at all."""
    data = {"key": key, "row": row.model_dump(mode="json")}
    write_whole(path, json.dumps(data, ensure_ascii=False).encode())


def read_row(path: Path, key: str) -> SlidesgenRow | None:
    """The row that was stored under the same key and needs no other try; None if none was."""
    try:
        data = json.loads(path.read_bytes())
        row = SlidesgenRow.model_validate(data["row"]) if data["key"] == key else None
    except (OSError, ValueError, KeyError, TypeError, ValidationError):
        return None
    return None if row is None or row.again else row
