"""Native decks from what a browser measured of HTML pages: the way from the drawing board to PPTX."""
