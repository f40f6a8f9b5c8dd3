"""Mutated files of every kind that decklab reads: is each taken, or refused in one line in time?"""
