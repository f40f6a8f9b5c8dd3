"""The three sample decks: a plain one, a rich one and a bad one."""
