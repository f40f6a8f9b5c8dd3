"""Two decks held against each other for people: changes in words, and slides as pictures."""
