"""Ordering: how well the order of shuffled slides was recovered (paper 000, F.3).

``score_order`` scores one reply for one deck, ``order_estimates`` sums up many decks.
"""

from decklab.metrics.ordering.scores import OrderScore, score_order
from decklab.metrics.ordering.summary import OrderEstimate, order_estimates, ordering_rows

__all__ = ["OrderEstimate", "OrderScore", "order_estimates", "ordering_rows", "score_order"]
