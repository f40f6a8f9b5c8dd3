"""HTML decks converted to PPTX, measured beside what the browser shows."""
