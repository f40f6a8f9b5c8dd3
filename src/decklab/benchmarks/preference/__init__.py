"""Preference as a task of Inspect AI: a thin shell around ``decklab.judges.preference``."""
