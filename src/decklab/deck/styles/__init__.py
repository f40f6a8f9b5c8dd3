"""Effective styles: the look of every text, area, line and background, and what states it.

Each reader gives a model of ``decklab.deck.model``, whose ``sources`` name the places that state
its values. Until a model is made, ``Effective`` pairs each value with the place that states it.
"""
