"""Decks drawn again after an edit: LibreOffice draws only the slides that may look different."""
