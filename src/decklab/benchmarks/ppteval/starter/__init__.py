"""The starter set: tasks over decklab's own sample decks, with rubrics and attempts, all made here.

A task is one TOML file in ``tasks``: the goal, the deck, the leaves of its rubric (``done`` are
critical, ``kept`` are not) as Python that reads ``ppt_diff`` and both decks, and attempts at each
level of completion as Python that edits one. `write_starter` turns them into the published format.
"""
