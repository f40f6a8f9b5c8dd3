"""Which slides and shapes of two decks are the same ones."""
