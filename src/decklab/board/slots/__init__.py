"""Places on slides that somebody else designed, and what is drawn in them."""
