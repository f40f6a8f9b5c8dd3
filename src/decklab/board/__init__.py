"""Composing slides: a plan becomes pages that a browser lays out, and these native slides.

``pages.writing.write_deck`` writes a ``DeckPlan`` in a ``DesignTheme`` as .pptx and HTML, which say
the same words at the same places. No model is asked.
"""
