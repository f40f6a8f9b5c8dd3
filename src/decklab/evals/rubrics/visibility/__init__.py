"""What an audience sees of a slide: visible shapes and texts, and what the file hides."""
