"""The way from the drawing board to native decks: what a browser measured of HTML, as PPTX."""
