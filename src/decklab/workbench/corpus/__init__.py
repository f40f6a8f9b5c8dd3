"""Corpora of decks: contents of a data set, duplicates in it, and benchmarks made from it."""
