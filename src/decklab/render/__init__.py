"""Decks of every kind as ordered pictures of slides with their laid-out text."""

from decklab.render.cache import Cache
from decklab.render.model import RenderedDeck, RenderedSlide, TextSpan
from decklab.render.office import Office, RecordedOffice
from decklab.render.opening import DECK_SUFFIXES, deck_kind, open_rendered

__all__ = [
    "DECK_SUFFIXES",
    "Cache",
    "Office",
    "RecordedOffice",
    "RenderedDeck",
    "RenderedSlide",
    "TextSpan",
    "deck_kind",
    "open_rendered",
]
