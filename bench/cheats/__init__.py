"""Decks that try to get scores for what nobody sees, and what each of them bought."""
