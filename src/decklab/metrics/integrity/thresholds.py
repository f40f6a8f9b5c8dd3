"""Numbers that findings and pictures of ink rest on, and why they are what they are."""

from typing import Final

INK_MIX: Final = 0.35
INK_STRAY: Final = 60.0
INK_SHARE: Final = 0.02
"""Ours: a pixel is ink from this share of the ink's colour on, and within this RGB distance of
the way from ground to ink. Letters of 6 pt are drawn with cores of about 0.5; they fill 8 to 20 %
of their box, thin and widely set ones 4 %."""

INK_APART: Final = 40.0
"""Ours: RGB distance of ink from its ground under which the picture cannot tell them apart."""

FLAT_LEVELS: Final = 8
"""Ours: channels of a region of one colour differ by no more, drawing noise included."""

SAME_CAUSE_SLIDES: Final = 3
"""Ours: from so many slides on one cause is told once for the deck."""
