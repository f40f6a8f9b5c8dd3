"""The starter set: cases that decklab makes itself, from its own sample decks.

Every truth and every flawed attempt is the original with small edits applied in code (``edits``),
so that what was done is known exactly. ``cases`` holds the cases by category, ``writing`` puts
them on disk in the published format.
"""
