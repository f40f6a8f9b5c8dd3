"""Matching: which predicted element stands for which true one (paper 000, appendix C).

``match_slide`` assigns by the blended cost of overlap, place, size and content; ``similarity`` is
the likeness of two texts; ``headline_by_weights`` shows what hangs on the weights.
"""

from decklab.metrics.matching.assignment import Match, Matching, match_slide
from decklab.metrics.matching.constants import TAU, WEIGHTS, Weights
from decklab.metrics.matching.content import normalized, similarity
from decklab.metrics.matching.families import FAMILIES, Family
from decklab.metrics.matching.weighing import HeadlineShift, headline_by_weights

__all__ = [
    "FAMILIES",
    "TAU",
    "WEIGHTS",
    "Family",
    "HeadlineShift",
    "Match",
    "Matching",
    "Weights",
    "headline_by_weights",
    "match_slide",
    "normalized",
    "similarity",
]
