"""Reading a deck: what its slides hold, from the package, which is never changed.

``reading`` takes a package and returns elements, an outline, or both. ``sheets`` holds slides,
layouts and masters with what they inherit, ``shapes`` walks the shapes on them, ``styles`` computes
effective styles. ``model`` is what comes out; ``views`` are forms of it: outline, snapshot, plain
slides.
"""
