"""Scores in tables beside rankings in files: how far each score agrees with people."""
