"""Bins of scene complexity. Paper: VLM-SlideEval (paper 000)."""

from math import inf
from typing import Final

EDGES: Final = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, inf)
"""Elements per slide at which one bin ends and the next begins: (0, 1], (1, 2] and so on, up to
more than 32 (figure 6). Slides without any element have a bin below, which the figure lacks."""
