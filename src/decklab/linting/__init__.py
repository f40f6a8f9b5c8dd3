"""Faults of decks: rules, and the job that applies them to a file."""
