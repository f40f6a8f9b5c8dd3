"""LibreOffice under limits: decks in, PDF out."""
