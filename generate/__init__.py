"""Programs that make the content which decklab ships: sample decks and starter sets.

``python -m generate`` writes the data files below ``src/decklab``; ``python -m generate --check``
makes them anew elsewhere and names those that differ. decklab itself imports nothing of this.
"""
