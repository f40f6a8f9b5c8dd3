"""Elements: what is on every slide, in the 960x540 slide frame, with all inherited values.

``read_elements`` reads a deck, ``read_slides`` some of its slides; ``model`` says what elements
are; ``slide_schema`` gives their JSON schema; ``plain_slide`` reduces a slide to the schema of
paper 000; ``merge_layout`` adds where and how large its text was drawn.
"""

from decklab.deck.elements.extraction.deck import (
    read_elements,
    read_part_of_deck,
    read_slides,
)
from decklab.deck.elements.layout import LaidOut, merge_layout
from decklab.deck.elements.matching import Span
from decklab.deck.elements.model.deck import DeckElements
from decklab.deck.elements.model.paths import path_in_frame
from decklab.deck.elements.model.plain import PlainSlide
from decklab.deck.elements.model.slide import SlideElements
from decklab.deck.elements.schema import plain_slide, slide_schema

__all__ = [
    "DeckElements",
    "LaidOut",
    "PlainSlide",
    "SlideElements",
    "Span",
    "merge_layout",
    "path_in_frame",
    "plain_slide",
    "read_elements",
    "read_part_of_deck",
    "read_slides",
    "slide_schema",
]
