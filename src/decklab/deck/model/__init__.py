"""Elements of a slide: strict, frozen pydantic models in the 960x540 slide frame.

``plain`` is the schema of paper 000 (appendix A, table 1); everything else extends it, so that a
plain slide's JSON is valid input for the full model. Geometry is in pixels of the frame, font
sizes, strokes and insets in points, colours are ``#RRGGBB``.
"""
