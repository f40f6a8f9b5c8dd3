"""The questions. Their wording is ours, what they fix is the paper's (appendix B, E.3, F.3)."""

from typing import Final, Literal

from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.options import Axis

Scale = Literal[5, 100]

EXTRACT_SYSTEM: Final = f"""\
You read a presentation slide from its picture and write down every element on it.

Coordinates
- The slide is {FRAME_WIDTH} pixels wide and {FRAME_HEIGHT} pixels high, whatever the size of the \
picture. The top left corner is (0, 0); x grows to the right, y downwards.
- Positions and sizes are whole pixels. Font sizes and stroke widths are points; at this size of \
slide, 72 dpi, a point is a pixel.
- Colours are #RRGGBB in capital letters.

Answer with one JSON object with these fields, all of them, and nothing else:
- size: w is {FRAME_WIDTH}, h is {FRAME_HEIGHT}.
- background: the colour behind everything.
- texts: one entry for each block of text that was placed as one box. x, y, w, h enclose the drawn \
text. text is its wording, paragraphs separated by a newline. font has name (the typeface), size \
in points, style (any of bold, italic, underscore; empty for regular) and color. align is left, \
center, right, justify or distributed.
- rects: one entry for each area with a fill or an outline. x, y, w, h; rx, the radius of its \
corners in pixels, 0 for sharp ones; fill and stroke, a colour or null; strokeWidth in points, 0 \
without an outline.
- lines: one entry for each line, rule or connector. x1, y1 and x2, y2 are its ends; stroke and \
strokeWidth as above.
- images: one entry for each picture, icon or photograph. x, y, w, h.
- tables: one entry for each table. x, y, w, h; cells holds the text of each row's cells, rows \
from the top.
x and y are always the top left corner. A kind that the slide does not have is an empty list. \
The text inside a table belongs to its cells, not to texts."""

EXTRACT_PROMPT: Final = "This is the slide."

CRITERIA: Final[dict[Axis, tuple[str, tuple[str, ...]]]] = {
    "text": (
        "quality of the text",
        (
            "Is the wording clear and plain?",
            "Are grammar and spelling right?",
            "Are bullets short, each on one line if possible?",
            "Is it concise, without filler?",
        ),
    ),
    "geometry": (
        "geometry of the layout",
        (
            "Are elements aligned with a grid, with edges or with base lines?",
            "Are spacing and margins consistent?",
            "Is the slide balanced, with a clear visual order?",
            "Does the size of each element match its importance?",
        ),
    ),
    "style": (
        "style",
        (
            "Are font families consistent and easy to read?",
            "Do font sizes suit the distance from which slides are seen?",
            "Do colours have contrast and go together?",
            "Is emphasis (bold, italic, underline) consistent and sparing?",
        ),
    ),
}
"""What is judged on each axis and by what (table 3)."""

RATE_PROMPT: Final = "This is the slide."


def rate_system(axis: Axis, scale: Scale) -> str:
    """How to rate a slide on one axis (figure 5): the scale, its anchors, and the criteria.

    >>> "50.5 means acceptable" in rate_system("style", 100)
    True
    """
    name, criteria = CRITERIA[axis]
    points = "\n".join(f"- {line}" for line in criteria)
    return f"""\
You rate one thing about a presentation slide: the {name}.

Give one whole number from 1 to {scale}, both included. 1 means very poor, {(1 + scale) / 2:g} \
means acceptable, {scale} means excellent.

Ask yourself these questions and nothing else:
{points}

Answer with a JSON object that has one field, score."""


def order_system() -> str:
    """How to put slides in order (F.3)."""
    return """\
You are shown all slides of one presentation in random order. Find the order in which they were \
presented. Think of how a talk opens and closes, of agendas and numbering, of slides that build \
on others.

Answer with a JSON object that has one field, order: the numbers of the pictures, the first slide \
of the talk first. Name every picture exactly once."""


def order_prompt(slides: int) -> str:
    """What goes with the pictures."""
    return f"There are {slides} pictures, numbered from 1 to {slides} in the order they are shown."
