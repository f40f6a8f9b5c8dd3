"""Edited decks graded against their originals with rubric trees."""
