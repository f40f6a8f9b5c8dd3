"""The forms that a model fills in when it writes a deck.

Class names, field names and docstrings are part of the JSON schemas that a model gets.
"""

from typing import Literal

from pydantic import Field

from decklab.board.blueprint import ChartKind
from decklab.board.library import LayoutName
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
    """What one page should say, what to look for in the sources, and what it shows."""

    title: str = Field(min_length=1)
    points: tuple[str, ...]
    queries: tuple[str, ...]
    visual: str
    """The name of the figure or table that the page shows, such as T2; empty for none."""


class OutlinedDeck(StrictForm):
    """All pages of the plan, in its order."""

    pages: tuple[OutlinedPage, ...]


class WrittenPoint(StrictForm):
    """One part of a page, and the words of the evidence that prove it."""

    text: str = Field(min_length=1)
    label: str
    """What stands out beside the text, as the layout has it; empty for none."""
    group: str
    """The heading of the column, option, lane or group that it is in; empty for none."""
    level: int = Field(ge=0, le=2)
    """0, or how deep it stands below the point before it."""
    quote: str
    evidence: int
    """The number of the evidence; 0 for none."""
    formula: str
    """How a number of the text follows from numbers of the evidence; several are parted by
    semicolons; empty for none."""


class AskedChart(StrictForm):
    """Which rows and columns of the page's table are drawn, by their names, how, and which row or
    column stands out (empty for none). The kind table shows them as cells."""

    kind: ChartKind | Literal["table"]
    rows: tuple[str, ...] = Field(min_length=1)
    columns: tuple[str, ...] = Field(min_length=1)
    accent: str


class WrittenPage(StrictForm):
    """One page as it will be shown."""

    title: str = Field(min_length=1)
    title_quote: str
    title_evidence: int
    layout: LayoutName
    subtitle: str
    points: tuple[WrittenPoint, ...]
    accent: int
    """The number of the point that stands out, from 1; 0 for none."""
    chart: AskedChart | None
    """How the page's table is drawn; null as a program finds best, and where there is none."""
    html: str
    """With the layout free the page's HTML below its title; else empty."""
    notes: str


class PageRemark(StrictForm):
    """What should be changed on one page."""

    page: int
    change: str = Field(min_length=1)


class DeckRemarks(StrictForm):
    """What a reader of the whole deck would change; no remarks where it is good as it is."""

    remarks: tuple[PageRemark, ...]


class RewrittenPage(StrictForm):
    """The page anew; null where it is better left as it is."""

    page: WrittenPage | None


class BetterPicture(StrictForm):
    """Which of two pictures of a page serves its readers better: 1, 2, or 0 where neither does."""

    better: int = Field(ge=0, le=2)
    reason: str = Field(min_length=1)
