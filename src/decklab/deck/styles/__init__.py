"""Effective styles: what every text, area, line and background looks like, and what states it.

Each reader gives a model of ``deck.model``, whose ``sources`` name the places that state its
values. Until a model is made, ``Effective`` pairs each value with the place that states it.
"""
