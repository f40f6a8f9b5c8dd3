"""Slides and shapes of an open deck, by number and name."""

from collections.abc import Callable
from typing import Any

from pptx.dml.color import RGBColor
from pptx.presentation import Presentation as Deck
from pptx.slide import Slide

Edit = Callable[[Deck], None]


def slide_of(deck: Deck, number: int) -> Slide:
    """The slide of a 1-based number."""
    slide: Slide = deck.slides[number - 1]
    return slide


def shape_on(deck: Deck, number: int, name: str) -> Any:
    """The shape of that name on a slide; ``title`` is the title placeholder.

    Raises LookupError where there is none: a case and its deck do not fit.
    """
    slide = slide_of(deck, number)
    if name == "title" and slide.shapes.title is not None:
        return slide.shapes.title
    for shape in slide.shapes:
        if shape.name == name:
            return shape
    raise LookupError(f"slide {number} has no shape named {name!r}")


def rgb(value: str) -> RGBColor:
    """The colour of ``RRGGBB``."""
    red, green, blue = bytes.fromhex(value)
    return RGBColor(red, green, blue)  # type: ignore[no-untyped-call]
