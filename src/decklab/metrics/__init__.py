"""Numbers from decks, elements and pictures: pure functions, and the catalogue that names them."""
