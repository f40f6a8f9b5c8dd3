"""Two decks compared for people: changes in words, and slides as pictures."""
