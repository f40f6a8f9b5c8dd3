"""Text that touches a line, a bar or the edge of a shape without crossing it."""

from collections.abc import Iterator
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from decklab.core.geometry import FRAME, Box
from decklab.deck.model.shapes import Text
from decklab.deck.views.drawn import Span
from decklab.linting.rules.page import DrawnSlide, DrawnText, ink_of, is_wordy
from decklab.linting.rules.rule import Rule, words_of
from decklab.linting.rules.sizes import role_of
from decklab.metrics.findings import Occurrence
from decklab.seen.ink import is_seen, pixels_of

TOUCHING_PX: Final = 4.5
"""Ours: letters that near to an edge look as if they touched it; a pixel of a picture of a slide
1280 pixels wide is .75 px."""

OWN_PX: Final = 1.0
"""Ours: beside upright strokes, such as those of an l, their soft edges reach that far."""

FEET_SHARE: Final = 0.25
"""Ours: share of a line's height, from its bottom up, in which an edge runs through the feet of the
letters."""

EDGE_SHARE: Final = 0.85
"""Ours: share of a line's length along which the edge runs; letters of the next line fill half."""

EDGE_RUN_EM: Final = 4.0
"""Ours: an edge that runs along a line for so many times the text's size without a gap counts,
too, where it does not reach to its ends; letters and words have gaps."""

EDGE_DISTANCE: Final = 60.0
"""Ours: difference of a channel from which on an edge is seen."""

PAST_SHARE: Final = 0.4
"""Ours: share of a line's height by which an edge beside it runs on above and below; a bracket does
not."""

_SOFT: Final = 2  # pixels over which an edge is drawn softly

_Side = Literal["below", "above", "to the right of", "to the left of"]

TEXT_TOUCHING = Rule(
    "text.touching",
    "TextTouchesEdge",
    "Text touches a line or an edge.",
    source="decklab",
    severity="warning",
    threshold=f"under {TOUCHING_PX:g} px between letters and an edge that runs along"
    f" {EDGE_SHARE:.0%} of their line, or below {EDGE_RUN_EM:g} times their size of it",
    fix="Move the two apart, or leave more room between text and frame.",
    drawn=True,
    scored=False,
)


def touching_text(view: DrawnSlide) -> Iterator[Occurrence]:
    """Text that stands on a line, bar or frame, hangs from it, or ends at it, as the picture shows.

    Underlined and highlighted text, links, turned text, small print and what is animated are not
    judged.
    """
    if view.image is None:
        return
    for drawn in view.texts:
        text = drawn.element
        if not isinstance(text, Text) or text.id in view.moving or text.rotation:
            continue
        if text.body.direction != "horz" or not drawn.is_whole:
            continue
        if role_of(text) == "small print" or _is_marked(text):
            continue
        touched = _touched(drawn, view.image)
        if touched is not None:
            side, words, box = touched
            finding = TEXT_TOUCHING.finding(
                f"{words_of(words, text, start=True)} touches the edge {side} it, or nearly.",
                view.slide.number,
                text,
                box=box,
                threshold=TOUCHING_PX,
            )
            yield Occurrence(finding, (text.name, side))


def _is_marked(text: Text) -> bool:
    """Whether words are underlined, highlighted or links, which are underlined."""
    fonts = [(run, run.font) for one in text.paragraphs for run in one.runs]
    return any(
        "underscore" in font.style or run.click is not None or font.highlight is not None
        for run, font in fonts
    )


def _touched(drawn: DrawnText, image: NDArray[np.uint8]) -> tuple[_Side, str, Box] | None:
    """A line of a text that touches an edge, and on which side that is."""
    rows = [(row, ink_of(row)) for row in drawn.lines]
    ends: tuple[tuple[_Side, tuple[tuple[Span, ...], Box]], ...] = (
        ("below", rows[-1]),
        ("above", rows[0]),
        ("to the right of", max(rows, key=lambda row: row[1].right)),
        ("to the left of", min(rows, key=lambda row: row[1].left)),
    )
    for side, (row, box) in ends:
        words = " ".join(span.text for span in row)
        if not is_wordy(words) or box.intersection(FRAME).area < box.area:
            continue
        if not all(is_seen(image, span.box, span.color) for span in row):
            continue  # behind something that has edges of its own
        strip, flat = pixels_of(image, _beside(box, side)), side in ("below", "above")
        if not strip.size:
            continue
        run = EDGE_RUN_EM * row[0].size_pt * drawn.px_per_pt * image.shape[1] / FRAME.width
        if _is_edge(strip, flat, run if side == "below" else None):
            return side, words, box
    return None


def _beside(box: Box, side: _Side) -> Box:
    """The strip along one side of a line of text."""
    match side:
        case "below":
            feet = box.bottom - FEET_SHARE * box.height
            return Box(box.left, feet, box.right, box.bottom + TOUCHING_PX)
        case "above":
            return Box(box.left, box.top - TOUCHING_PX, box.right, box.top + TOUCHING_PX / 2)
        case _:
            right = side == "to the right of"
            left = box.right + OWN_PX if right else box.left - OWN_PX - TOUCHING_PX
            past = PAST_SHARE * box.height
            return Box(left, box.top - past, left + TOUCHING_PX, box.bottom + past)


def _is_edge(strip: NDArray[np.uint8], flat: bool, run: float | None) -> bool:
    """Whether the colour changes at once somewhere in a strip, along nearly all of it or for
    ``run`` pixels; that of a gradient or picture changes by and by, or here and there."""
    across = strip if flat else strip.swapaxes(0, 1)
    if len(across) <= _SOFT:
        return False
    pixels = across.astype(np.int16)
    step = np.abs(pixels[_SOFT:] - pixels[:-_SOFT]).max(axis=2) > EDGE_DISTANCE
    if step.mean(axis=1).max() >= EDGE_SHARE:
        return True
    return run is not None and any(_longest(row) >= run for row in step)


def _longest(row: NDArray[np.bool_]) -> int:
    """How many pixels of a row in succession are set at the most."""
    ends = np.flatnonzero(np.diff(np.concatenate(([False], row, [False])).astype(np.int8)))
    return int((ends[1::2] - ends[::2]).max(initial=0))
