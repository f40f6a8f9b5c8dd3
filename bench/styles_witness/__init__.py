"""Effective styles against what LibreOffice draws, span by span.

``python -m bench.styles_witness [FOLDER ...]``; without folders, the real decks and the feature
decks of ``../shared/decks``.
"""
