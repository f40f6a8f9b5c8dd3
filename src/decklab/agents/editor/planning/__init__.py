"""What an edit will be, before anything is edited: paper 003, appendix G.1.

``outline`` makes a deck short enough to be told; ``answers`` holds the forms that a model fills in;
``routing`` asks which path to take on which slides, ``planning`` what will change.
"""

from decklab.agents.editor.planning.answers import EditPlan, PlannedChange, Review, Route, Step
from decklab.agents.editor.planning.outline import deck_outline, named_slides, slides_in_full
from decklab.agents.editor.planning.planning import make_plan
from decklab.agents.editor.planning.routing import Paths, find_route

__all__ = [
    "EditPlan",
    "Paths",
    "PlannedChange",
    "Review",
    "Route",
    "Step",
    "deck_outline",
    "find_route",
    "make_plan",
    "named_slides",
    "slides_in_full",
]
