"""What a model says of decks: verdicts with reasons, never numbers of its own making."""
