"""All accessibility rules over a deck."""

from collections.abc import Callable, Iterator
from statistics import fmean

from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.metrics.accessibility.alt_text import deck_alt_text
from decklab.metrics.accessibility.language import unmarked_language, wrong_language
from decklab.metrics.accessibility.links import links
from decklab.metrics.accessibility.media import captions
from decklab.metrics.accessibility.reading_order import ReadingOrder, reading_order, wrong_order
from decklab.metrics.accessibility.tables import tables
from decklab.metrics.accessibility.titles import duplicate_titles, missing_titles
from decklab.metrics.findings import Occurrence, merge_by_cause
from decklab.results import Finding, NotScored

_RULES: tuple[Callable[[SlideElements], Iterator[Occurrence]], ...] = (
    wrong_order, tables, links, wrong_language, captions,
)  # fmt: skip


def accessibility_findings(deck: DeckElements) -> list[Finding]:
    """What readers who do not see or hear a deck would miss, by slide.

    Low contrast is not among them: the aesthetics metrics measure it in the picture.
    """
    occurrences = [*deck_alt_text(deck)]
    occurrences += [item for slide in deck.slides for rule in _RULES for item in rule(slide)]
    found = [*missing_titles(deck), *duplicate_titles(deck), *unmarked_language(deck)]
    return sorted([*found, *merge_by_cause(occurrences)], key=lambda finding: finding.slide or 0)


def reading_order_score(deck: DeckElements) -> float | NotScored:
    """Mean share of texts read aloud in the order they are seen, 0 to 1, higher is better.

    Slides on which nothing is clearly before anything else are left out; NotScored where all are.
    """
    orders = [reading_order(slide) for slide in deck.slides]
    scores = [order.score for order in orders if isinstance(order, ReadingOrder)]
    return fmean(scores) if scores else NotScored("no slide has texts in a clear order")
