"""Trial edits on copies of a deck, for the facts that ``decklab.metrics.editability`` judges."""
