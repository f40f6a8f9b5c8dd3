"""What an audience sees of a slide: shapes, texts, and what the file itself hides."""
