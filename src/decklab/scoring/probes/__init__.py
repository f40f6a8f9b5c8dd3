"""The doing behind editability: a pen and a camera, always on a copy of the deck.

What they bring back are the plain facts of ``decklab.metrics.editability``; judging is done there.
"""
