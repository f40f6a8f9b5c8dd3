"""What changed between two decks.

``diff`` compares two snapshots and gives typed changes; ``words`` says them in sentences;
``ppt_diff`` gives the object of paper 001 that rubrics expect; ``visual_diff`` compares pictures.
"""

from decklab.diff.deck import diff
from decklab.diff.model import Change, DeckDiff, ElementRef, Kind, SlideMove, SlideMoves
from decklab.diff.rubric import (
    AnimationEffect,
    PowerPointDiff,
    Slide,
    SlideTransition,
    ppt_diff,
)
from decklab.diff.ssim import ssim
from decklab.diff.tokens import WordEdit, word_edits
from decklab.diff.visual import VisualChange, visual_diff
from decklab.diff.wording import sentence, words

__all__ = [
    "AnimationEffect",
    "Change",
    "DeckDiff",
    "ElementRef",
    "Kind",
    "PowerPointDiff",
    "Slide",
    "SlideMove",
    "SlideMoves",
    "SlideTransition",
    "VisualChange",
    "WordEdit",
    "diff",
    "ppt_diff",
    "sentence",
    "ssim",
    "visual_diff",
    "word_edits",
    "words",
]
