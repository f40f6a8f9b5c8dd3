"""Decks of every kind as ordered pictures of slides with their laid-out text."""
