"""Fixes of findings: planned from a deck, applied to a copy, and checked by lint and by diff."""
