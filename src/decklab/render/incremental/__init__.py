"""Decks drawn again after an edit: only the slides that may look different go to LibreOffice."""

from decklab.render.incremental.deck import IncrementalDeck
from decklab.render.incremental.keys import SlideKeys
from decklab.render.incremental.opening import open_incremental

__all__ = ["IncrementalDeck", "SlideKeys", "open_incremental"]
