"""What ``decklab.board`` can do: a plan with every layout, and a picture of all themes."""
