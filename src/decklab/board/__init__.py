"""Composing slides: content in a plan becomes absolute boxes, and these a native deck and HTML.

``compose`` lays out a ``DeckPlan`` in a ``DesignTheme``; ``write_pptx`` and ``write_html`` write
what it gives, so that both say the same words at the same places. No model is asked.
"""
