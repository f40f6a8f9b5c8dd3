"""The doing behind editability: a pen and a camera, always on a copy of the deck.

What they bring back are the plain facts of ``decklab.metrics.editability``; judging is done there.
"""

from decklab.scoring.probes.deck import DeckProbes
from decklab.scoring.probes.web import web_facts

__all__ = ["DeckProbes", "web_facts"]
