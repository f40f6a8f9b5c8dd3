"""HTML decks, shown in the system's Chromium without a network (needs ``decklab[html]``)."""
