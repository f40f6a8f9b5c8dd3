"""The main job: decks in, results and reports out, resumable, over several processes."""

from decklab.scoring.inputs import find_decks
from decklab.scoring.run import Run, score

__all__ = ["Run", "find_decks", "score"]
