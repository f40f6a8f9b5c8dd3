"""Scores decks and writes results and reports, over several processes; a run can be resumed."""
