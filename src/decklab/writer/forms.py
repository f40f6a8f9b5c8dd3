"""The forms that a model fills in when it writes a deck.

Class names, field names and docstrings are part of the JSON schemas that a model gets.
"""

from typing import Literal

from pydantic import Field

from decklab.models.asking import StrictForm
from decklab.writer.outline import PageRole


class PlannedPage(StrictForm):
    """One page of the story."""

    role: PageRole
    section: str
    title: str = Field(min_length=1)
    purpose: str = Field(min_length=1)


class StoryPlan(StrictForm):
    """The story of a deck, page by page, and the deck's own title."""

    title: str = Field(min_length=1)
    subtitle: str
    pages: tuple[PlannedPage, ...]


class OutlinedPage(StrictForm):
    """What one page should say, and what to look for in the sources."""

    title: str = Field(min_length=1)
    points: tuple[str, ...]
    queries: tuple[str, ...]


class OutlinedDeck(StrictForm):
    """All pages of the plan, in its order."""

    pages: tuple[OutlinedPage, ...]


class WrittenPoint(StrictForm):
    """One point, and the words of the evidence that prove it."""

    text: str = Field(min_length=1)
    quote: str
    evidence: int
    """The number of the evidence; 0 for none."""


class WrittenPage(StrictForm):
    """One page as it will be shown."""

    title: str = Field(min_length=1)
    title_quote: str
    title_evidence: int
    points: tuple[WrittenPoint, ...]
    form: Literal["points", "timeline", "numbers"]
    labels: tuple[str, ...]
    """For timeline and numbers the date or number of each point; else empty."""
    notes: str


class ShownVisual(StrictForm):
    """What was found fit to be shown on a page, best first, and why."""

    page: int
    ranked: tuple[str, ...]
    reason: str


class VisualsOfPages(StrictForm):
    """What was chosen for the pages that had a choice."""

    pages: tuple[ShownVisual, ...]
