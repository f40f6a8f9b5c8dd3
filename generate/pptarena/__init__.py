"""The starter set of PPTArena: cases on the sample decks, their truths and flawed attempts.

Every truth and every flawed attempt is the original with small edits applied in code (``edits``),
so that what was done is known exactly. ``cases`` holds the cases by category.
"""
