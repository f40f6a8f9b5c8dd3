"""Which slides, shapes and items of lists correspond in two decks."""
