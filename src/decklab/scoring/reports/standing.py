"""Scores in words: good, fair or poor among the reference decks, and the scale they are on."""

from dataclasses import dataclass
from typing import Final, Literal

from decklab.core.results import Measurement

Verdict = Literal["good", "fair", "poor"]

FAIR: Final = 35
GOOD: Final = 65
"""Ours: percentiles from which a score is fair and good; below, in and above the middle third."""

LEVEL_VERDICTS: Final[tuple[Verdict, ...]] = ("poor", "poor", "fair", "good", "good", "good")
"""Of the levels L0 to L5: from L3 on a deck counts as editable (paper 002, section 3.2)."""


def verdict(percentile: float) -> Verdict:
    """A percentile, 0 to 100 of a score of which more is better, as a word.

    >>> verdict(10), verdict(50), verdict(90)
    ('poor', 'fair', 'good')
    """
    if percentile < FAIR:
        return "poor"
    return "fair" if percentile < GOOD else "good"


@dataclass(frozen=True)
class Standing:
    """The place of a score among ``decks`` reference decks; ``percentile`` of them have less."""

    percentile: int
    decks: int
    least: float | None
    greatest: float | None

    @property
    def word(self) -> Verdict:
        """Good, fair or poor."""
        return verdict(self.percentile)

    @property
    def place(self) -> str:
        """The place in words.

        >>> Standing(40, 18, 1.0, 2.0).place
        'better than 40% of 18 reference decks'
        """
        among = f"{self.decks} reference decks"
        if self.percentile <= 0:
            return f"below all {among}"
        if self.percentile >= 100:
            return f"above all {among}"
        return f"better than {self.percentile}% of {among}"


def standing_of(row: Measurement | None) -> Standing | None:
    """The standing that scoring found; None if it found none, or less is better."""
    found = row.evidence.get("standing") if row is not None else None
    if row is None or row.direction == "lower" or not found:
        return None
    least, _, greatest = found.get("range", (None, None, None))
    return Standing(int(found["percentile"]), int(found["decks"]), least, greatest)
