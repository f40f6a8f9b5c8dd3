"""Extraction: how well the elements read from a slide agree with the true ones (paper 000, E.2).

``score_slide`` scores one reply for one slide, a ``Pool`` adds up any number of them, ``estimates``
gives every measure end to end and parsed only with intervals.
"""
