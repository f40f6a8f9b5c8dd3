"""The cases of the starter set, two for each of the sixteen edit types."""

from generate.pptarena.cases.arrangement import LAYOUT, STYLING
from generate.pptarena.cases.behaviour import INTERACTIVITY, STRUCTURE
from generate.pptarena.cases.content import CONTENT
from generate.pptarena.cases.objects import OBJECTS

RECIPES = (*CONTENT, *OBJECTS, *LAYOUT, *STYLING, *INTERACTIVITY, *STRUCTURE)
"""In the order of table 1."""
