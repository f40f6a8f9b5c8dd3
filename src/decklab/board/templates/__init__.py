"""Decks made in a company's template: what its layouts can be used for, and slides in them."""
