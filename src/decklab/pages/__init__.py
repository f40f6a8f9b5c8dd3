"""The furniture of decklab's own pages: frame, words, pictures, charts, marks, tables as files."""
