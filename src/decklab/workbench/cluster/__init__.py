"""Work on decks at any size: sources, one deck's rows, partitions, and what runs them."""
