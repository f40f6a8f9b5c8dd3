"""From where on something counts as not seen: reasons and numbers of the whole room."""

from typing import Final, Literal

VisibilityFault = Literal[
    "gone", "slide", "hidden", "empty", "off the slide", "animation", "symbols", "upside down",
    "small", "faint", "not drawn", "covered", "edge-on",
]  # fmt: skip
"""Why something is not seen."""

ENOUGH: Final = 0.9
"""Share of a text's characters that must be seen. Ours: drawing loses a few to ligatures and
hyphens."""
PART: Final = 0.5
"""Share of a picture's, chart's or shape's ink that must be seen, and of its box that must lie on
the slide. Ours: things may overlap a little."""
LEAST_SIDE: Final = 4.0
"""Px of the 960x540 frame under which a thing is too small to see. Ours."""
LEAST_SHOWN_MS: Final = 1000
"""Least time to read a slide. Ours."""
LATEST_MS: Final = 60_000
"""Delay after which nobody waits for a thing to appear. Ours."""
FAINT: Final = 0.1
"""Opacity of text under which it counts as transparent. Ours."""
LEAST_LEFT: Final = 0.02
"""Share of a picture's width and height that must remain after cropping. Ours."""
LEAST_CONTRAST: Final = 2.0
"""Ours: WCAG 2.2 contrast from which letters stand out from their ground. WCAG 2.2 asks 3:1 of
large text; grey #B4B4B4 on white has 2:1."""
LEAST_DISTANCE: Final = 27.0
LEAST_DISTANCE_LARGE: Final = 20.0
"""Ours: ``color_distance`` from which letters stand out all the same, such as white on pink, and
from which text from ``LARGE`` or, if bold, ``LARGE_BOLD`` points on does. A grey that is 27 from
white or from black has 2:1 with it; 20 from white is #C6C6C6, 1.7:1. Real decks set white titles
on light orange, 1.4:1 and 21 apart: badly legible, but seen."""
YELLOW_BLUE: Final = 1 / 3
"""Ours: weight of b* in ``color_distance``. Eyes make out little detail between yellow and blue
alone: pale yellow letters on white are lost."""
LARGE: Final = 18.0
LARGE_BOLD: Final = 14.0
"""Points on a slide of 960 by 540 points from which on WCAG 2.2 calls text, and bold text,
large."""
SCRIPT: Final = 2 / 3
"""Share of its size in which raised and lowered text is set (PowerPoint and LibreOffice: about
two thirds)."""
LEAST_SIZE: Final = 6.0
"""Ours: points on a slide of 960 by 540 points under which nobody reads text that is shown: half
of what Microsoft and others call the least for notes at the foot of a slide."""
CROWDED: Final = 0.35
"""Share of its size by which letters may be moved together: they are about half as wide as their
size, so that seven tenths of each would lie on the one before. Ours."""
HEAP: Final = 3
"""Texts that lie on each other, from which on none of them can be read. Ours: two are a slip."""
LEAST_LIGHT: Final = 0.25
"""Share of what lies behind that see-through things in front must let through. Ours: a white plate
that lets a quarter through leaves black text on white a contrast of 1.8."""
OPAQUE: Final = 0.9
"""From this opacity on nothing can be read through a fill. Ours."""
EDGE_ON: Final = 0.1
"""Share of its width or height under which a thing turned in space is seen from its edge. Ours:
84 degrees."""
SYMBOL_FONTS: Final = frozenset(
    ("wingdings", "wingdings 2", "wingdings 3", "webdings", "symbol", "zapf dingbats",
     "zapfdingbats", "marlett", "mt extra", "opensymbol", "bookshelf symbol 7", "ms outlook",
     "wp typographic symbols", "monotype sorts")
)  # fmt: skip
"""Typefaces that have no letters: letters set in them are drawn as signs."""
