"""Decks drawn again after an edit: only the slides that may look different go to LibreOffice."""
