"""Computational aesthetics of slide pictures: harmony, engagement, usability, visual rhythm.

SlidesGen-Bench (paper 002), section 2.3 and appendices D to H. Pure functions on RGB uint8 arrays
of shape (H, W, 3); :func:`slide_rows` and :func:`deck_rows` turn them into result rows and
:func:`findings` names what to improve.
"""
