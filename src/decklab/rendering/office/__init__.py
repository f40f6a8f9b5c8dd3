"""LibreOffice, kept on a short leash: decks in, PDF out."""
