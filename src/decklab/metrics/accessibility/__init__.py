"""Accessibility: what readers who do not see or hear a deck would miss, from its elements.

Rules follow Microsoft's Accessibility Checker and WCAG 2.2; ``rules`` gives both names,
``thresholds`` every number with its reason.
"""

from decklab.metrics.accessibility.findings import accessibility_findings, reading_order_score
from decklab.metrics.accessibility.reading_order import ReadingOrder, reading_order
from decklab.metrics.accessibility.rules import ACCESSIBILITY_RULES

__all__ = [
    "ACCESSIBILITY_RULES",
    "ReadingOrder",
    "accessibility_findings",
    "reading_order",
    "reading_order_score",
]
