"""Integrity: what is wrong with a deck's layout, from its elements and its slides as drawn.

Text past its shape or the slide, texts over each other or hidden, objects off the slide or off
their row, sizes nobody can read, pictures that are not there, placeholders left over, titles that
jump. ``rules`` names the rules, ``thresholds`` holds every number with its reason.
"""
