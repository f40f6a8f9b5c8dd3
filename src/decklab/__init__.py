"""decklab: a workbench for slide decks and for the agents that judge, edit and write them."""

__version__ = "0.1.0"
