"""Accessibility: what readers who do not see or hear a deck would miss, from its elements.

Rules follow Microsoft's Accessibility Checker and WCAG 2.2; ``rules`` gives both names,
``thresholds`` every number with its reason.
"""
