"""Matching: which predicted element stands for which true one (paper 000, appendix C).

``match_slide`` assigns by the blended cost of overlap, place, size and content; ``similarity`` is
the likeness of two texts; ``headline_by_weights`` shows what hangs on the weights.
"""
