"""Building a deck from elements: read, predicted or changed elements become a .pptx.

``build_deck`` writes every effective value on the shape, paragraph or run itself, so that reading
the deck gives the same elements with any template. ``BuiltDeck.left_out`` lists the rest.
"""
