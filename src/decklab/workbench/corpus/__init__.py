"""Corpora of decks: what a data set holds, what it repeats, and benchmarks made from it."""
