"""How good a deck is by what can be measured of it: flaws, and a score made of them."""
