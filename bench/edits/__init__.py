"""Edits without a model on real decks: exactly what was asked, and how long it takes.

``python -m bench.edits [FOLDER ...]`` prints two tables; without folders the first one takes the
decks of ``../shared/decks/real``. ``--random N [--seed S]`` draws N requests over the decks in
place of the ten of ``requests``; ``--stages`` prints the second table only, ``--exact`` the first.
"""
