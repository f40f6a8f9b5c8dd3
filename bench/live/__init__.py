"""Small open models, served on this machine and asked all that decklab asks: ``make live``."""
