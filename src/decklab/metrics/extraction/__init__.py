"""Extraction: how well what was read off a slide agrees with what is on it (paper 000, E.2).

``score_slide`` scores one reply for one slide, a ``Pool`` adds up any number of them, ``estimates``
gives every measure end to end and parsed only with intervals, ``extraction_rows`` makes result
rows of them. ``dataset_statistics`` and ``font_counts`` say what a set of decks holds.
"""
