"""Which of several decks a model prefers: scores of each, and an arena of pairs.

Paper 002, section 3.2 and appendix N.
"""
