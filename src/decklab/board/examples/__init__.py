"""Decks written in the design of an example deck: its slides sorted, chosen, cloned and filled."""
