"""Views of a deck that was read: its outline, its snapshot, plain slides, where text was drawn."""
