"""Building a deck from elements: what was read, predicted or changed becomes a .pptx again.

``build_deck`` writes every effective value on the shape, paragraph or run itself, so that reading
the deck gives the same elements whatever template stands behind. What it cannot write is said in
``BuiltDeck.left_out``.
"""
