"""Which differences a program makes by only saving a deck."""
