"""Single edits of an open python-pptx presentation, as functions that are bound to their places.

Each public function gives an ``Edit``: applied to a deck it does one atomic thing, the kind of
thing that paper 003 counts as an operation.
"""
