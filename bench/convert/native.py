"""What a PPTX is made of, as python-pptx reads it: words, titles, shapes and pictures."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pptx
from pptx.enum.shapes import MSO_SHAPE_TYPE
from pptx.oxml.ns import qn

from bench.convert.words import split_words


@dataclass(frozen=True)
class NativeSlide:
    """One slide."""

    words: tuple[str, ...]
    """Of all its shapes, normalised."""
    title: str
    """The words of its title placeholder; empty without one."""
    shapes: int
    """Shapes that are no groups, and one for its background."""
    pictures: int
    """Uses of raster pictures on it, its layout and its master."""


def native_slides(path: Path) -> list[NativeSlide]:
    """The slides of a PPTX in their order."""
    return [_slide(slide) for slide in pptx.Presentation(str(path)).slides]


def _slide(slide: Any) -> NativeSlide:
    shapes = list(_leaves(slide.shapes))
    title = slide.shapes.title
    words = tuple(word for shape in shapes for text in _texts(shape) for word in split_words(text))
    sheets = (slide, slide.slide_layout, slide.slide_layout.slide_master)
    pictures = sum(len(list(sheet.element.iter(qn("a:blip")))) for sheet in sheets)
    return NativeSlide(
        words, title.text_frame.text if title is not None else "", len(shapes) + 1, pictures
    )


def _leaves(shapes: Iterable[Any]) -> Iterator[Any]:
    for shape in shapes:
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP:
            yield from _leaves(shape.shapes)
        else:
            yield shape


def _texts(shape: Any) -> Iterator[str]:
    if shape.has_text_frame:
        yield shape.text_frame.text
    if getattr(shape, "has_table", False):
        cells = (cell for row in shape.table.rows for cell in row.cells)
        yield from (cell.text_frame.text for cell in cells if not cell.is_spanned)
    if getattr(shape, "has_chart", False):
        chart = shape.chart._chartSpace  # python-pptx gives no other way to all of its words
        yield from (item.text or "" for item in chart.iter(qn("a:t"), qn("c:v")))


def native_share(slides: Iterable[tuple[NativeSlide, int]]) -> float:
    """Share of elements that are no pictures of something else, 0 to 1.

    Each slide comes with the number of raster pictures that the page itself has there. Pictures
    beyond that number stand for something that was not converted.

    >>> native_share([(NativeSlide((), "", 4, 3), 1)])
    0.5
    """
    shapes = pictures = 0
    for slide, own in slides:
        shapes += slide.shapes
        pictures += min(slide.shapes, max(0, slide.pictures - own))
    return 1 - pictures / shapes if shapes else 1.0
