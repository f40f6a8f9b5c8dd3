"""Source text that runs in the sandbox: what starter rubrics and starter attempts share.

Nothing here is imported by decklab. ``leaves.py`` is cut into functions, of which each leaf of a
starter rubric gets those it uses, so that the leaf stands alone as published ones do; ``edits.py``
goes before every attempt.
"""
