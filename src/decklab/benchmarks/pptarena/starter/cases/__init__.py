"""The cases of the starter set, two for each of the sixteen edit types."""

from decklab.benchmarks.pptarena.starter.cases.arrangement import LAYOUT, STYLING
from decklab.benchmarks.pptarena.starter.cases.behaviour import INTERACTIVITY, STRUCTURE
from decklab.benchmarks.pptarena.starter.cases.content import CONTENT
from decklab.benchmarks.pptarena.starter.cases.objects import OBJECTS

__all__ = ["RECIPES"]

RECIPES = (*CONTENT, *OBJECTS, *LAYOUT, *STYLING, *INTERACTIVITY, *STRUCTURE)
"""In the order of table 1."""
