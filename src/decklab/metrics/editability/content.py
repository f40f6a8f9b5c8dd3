"""What counts as content of a slide: the definitions that every gate uses."""

from collections.abc import Iterable, Sequence

import numpy as np

from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.deck.model.outline import DeckOutline, OutlinePicture, OutlineShape, OutlineSlide

MOSTLY = 0.5
"""A deck is judged by most of its slides: one bad slide must not fail forty good ones, and one good
slide must not pass a bad deck. Used for raster slides, reflow, blurred graphics, layouts and data
graphics, always on the share strictly above (or, for what must hold, at least) one half."""

FULL_SLIDE = 0.85
"""Share of the slide from which a picture is the slide: leaves room for a thin frame or a title
strip of about 80 pixels, while a half-bleed photograph (0.5 to 0.7) stays a picture."""

PASTED_SHARE = 0.8
"""Share of slides that hold the same object at the same place before it counts as pasted
background: title and closing slides are usually dressed differently."""

MIN_PASTED_SLIDES = 4
"""Number of slides below which repetition means nothing."""

FURNITURE = frozenset({"dt", "ftr", "hdr", "sldNum"})
"""Placeholder types for numbers, dates and footers, which are no content."""

CELL = 10
"""Side of the square cells, in frame pixels, in which covered area is counted."""


def judged_slides(outline: DeckOutline) -> tuple[OutlineSlide, ...]:
    """The slides of the show; all slides where every one of them is hidden."""
    shown = tuple(slide for slide in outline.slides if not slide.hidden)
    return shown or outline.slides


def is_furniture(shape: OutlineShape) -> bool:
    """True for slide numbers, dates, headers and footers."""
    return shape.placeholder in FURNITURE


def content_shapes(slide: OutlineSlide) -> tuple[OutlineShape, ...]:
    """Visible shapes that are no furniture; members of groups, but not the groups."""
    return tuple(
        shape
        for shape in slide.shapes
        if shape.kind != "group" and not shape.hidden and not is_furniture(shape)
    )


def has_text(shape: OutlineShape) -> bool:
    """True where the shape holds a character that prints."""
    return shape.text is not None and bool(shape.text.text.strip())


def paints(shape: OutlineShape) -> bool:
    """True where the shape shows something by itself, apart from its text."""
    if shape.kind in ("shape", "unknown"):
        return shape.filled or shape.outlined or shape.picture is not None
    return shape.kind != "group"


def characters(shape: OutlineShape) -> int:
    """Printing characters of the shape's text."""
    return 0 if shape.text is None else len("".join(shape.text.text.split()))


def filled_slides(outline: DeckOutline) -> tuple[OutlineSlide, ...]:
    """Judged slides with anything on them: text, a painted shape or an own background picture."""
    return tuple(
        slide
        for slide in judged_slides(outline)
        if background_picture(slide) is not None
        or any(has_text(shape) or paints(shape) for shape in content_shapes(slide))
    )


def background_picture(slide: OutlineSlide) -> OutlinePicture | None:
    """The picture that the slide itself sets as its background; None if it sets none."""
    return slide.background.picture if slide.background is not None else None


def on_frame(box: Box) -> Box:
    """The part of a box that lies on the slide."""
    return box.intersection(FRAME)


def coverage(boxes: Iterable[Box]) -> float:
    """Share of the slide that the boxes cover together, 0 to 1, counted in 10-pixel cells.

    >>> coverage([Box(0, 0, 960, 270), Box(0, 0, 480, 540)])
    0.75
    """
    grid = np.zeros((FRAME_HEIGHT // CELL, FRAME_WIDTH // CELL), bool)
    for box in boxes:
        part = on_frame(box)
        if part.area > 0:
            rows = slice(round(part.top / CELL), round(part.bottom / CELL))
            grid[rows, round(part.left / CELL) : round(part.right / CELL)] = True
    return float(grid.mean())


def points_to_pixels(outline: DeckOutline) -> float:
    """Frame pixels per point of font size, by the height of the slide."""
    emu_per_point = 12_700
    return FRAME_HEIGHT * emu_per_point / outline.size_emu[1]


def percent(part: int, whole: int) -> str:
    """A share as evidence texts give it: ``3 of 12 (25 %)``; ``0 of 0`` without a percentage."""
    return f"{part} of {whole} ({round(100 * part / whole)} %)" if whole else "0 of 0"


def slides_named(numbers: Sequence[int], most: int = 8) -> str:
    """Slide numbers for a sentence: ``slides 1, 2 and 5``; long lists end in ``and 9 more``.

    >>> slides_named([3]), slides_named([1, 2, 5]), slides_named(list(range(1, 7)), most=3)
    ('slide 3', 'slides 1, 2 and 5', 'slides 1, 2, 3 and 3 more')
    """
    shown = [str(number) for number in numbers[:most]]
    if len(numbers) > most:
        return f"slides {', '.join(shown)} and {len(numbers) - most} more"
    if len(shown) == 1:
        return f"slide {shown[0]}"
    return f"slides {', '.join(shown[:-1])} and {shown[-1]}"
