"""The deck model: what a slide holds, read from the package without changing it."""
