"""Ordering: how well the order of shuffled slides was recovered (paper 000, F.3).

``score_order`` scores one reply for one deck, ``order_estimates`` sums up many decks.
"""
