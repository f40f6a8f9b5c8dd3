"""The starter set of PPT-Eval: one TOML file a task, from which rubrics and attempts are made.

A task has a goal, a deck, the leaves of its rubric (``done`` are critical, ``kept`` are not) as
Python that reads ``ppt_diff`` and both decks, and attempts at each level of completion as Python
that edits one deck.
"""
