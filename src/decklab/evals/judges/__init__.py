"""Judgements of decks by a model: verdicts with reasons, never numbers of its own making."""
