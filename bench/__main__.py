"""All budgets in one go: ``python -m bench``."""

import sys

from bench import aesthetics, folder

print("Aesthetics of one slide image against plain references")
missed = aesthetics.main([])
print("\nA folder of decks against LibreOffice's own conversion")
missed |= folder.main([])
sys.exit(missed)
