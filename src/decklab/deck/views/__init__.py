"""Views of a deck that was read: its snapshot, its plain slides, and where its text was drawn."""
