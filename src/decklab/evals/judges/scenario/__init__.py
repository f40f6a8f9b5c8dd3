"""Does a deck do what its task asks: shared metrics, and those of each of four input settings.

Paper 004, section IV and appendices A and B (UniPPTEval).
"""
