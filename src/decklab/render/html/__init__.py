"""HTML decks, shown in the system's Chromium without a network (needs ``decklab[html]``)."""

from decklab.render.html.deck import HtmlDeck
from decklab.render.html.probe import (
    GraphicFacts,
    HtmlFacts,
    HtmlSlideFacts,
    TextBlockFacts,
    probe_html,
)

__all__ = [
    "GraphicFacts",
    "HtmlDeck",
    "HtmlFacts",
    "HtmlSlideFacts",
    "TextBlockFacts",
    "probe_html",
]
