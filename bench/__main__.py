"""All budgets in one go: ``python -m bench``."""

import sys

from bench import aesthetics, diffing, folder, incremental, reading, slideeval_scale, startup

PARTS = {
    "Aesthetics of one slide image against plain references": aesthetics,
    "A folder of decks against LibreOffice's own conversion": folder,
    "Drawing again after an edit against drawing the whole deck": incremental,
    "Comparing two decks against an evaluator's way of doing it": diffing,
    "Matching and scoring 1,000 extracted slides": slideeval_scale,
    "Reading PDF documents against pdfplumber's words of them": reading,
    "The command line against importing typer and rich": startup,
}

missed = 0
for title, part in PARTS.items():
    print(f"\n{title}", flush=True)
    missed |= part.main([])
sys.exit(missed)
