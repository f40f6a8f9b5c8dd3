"""``python -m decklab`` is the command ``decklab``."""

from decklab.cli import main

main()
