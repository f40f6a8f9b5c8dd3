"""The deck model: what a slide holds, read from the package without changing it.

``outline`` says what an outline is and ``reading`` makes one; the other modules each read one kind
of thing (shapes, placement, text, pictures, charts ...).
"""
