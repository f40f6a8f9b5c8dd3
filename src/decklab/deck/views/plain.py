"""The JSON schema of a slide, and slides reduced to the schema of paper 000."""

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from decklab.deck.model.plain import (
    FRAME_SIZE,
    PlainImage,
    PlainLine,
    PlainRect,
    PlainSlide,
    PlainTable,
    PlainText,
)
from decklab.deck.model.shapes import Element, Image, Line, Media, Rect, Table, Text
from decklab.deck.model.slide import SlideElements

T = TypeVar("T", bound=Element)


def slide_schema(*, full: bool = False) -> dict[str, Any]:
    """The JSON schema of one slide.

    By default it is that of paper 000 (appendix A, table 1): every field is required, no other is
    allowed, and there are no defaults, as strict structured output needs. ``full`` gives the schema
    of all elements, with provenance; JSON that fits the plain schema fits it too.
    """
    model = SlideElements if full else PlainSlide
    return model.model_json_schema()


def plain_slide(slide: SlideElements) -> PlainSlide:
    """The visible contents of a slide, in the schema of paper 000.

    Left out are hidden shapes, those without a position, texts without characters, areas and
    lines that are not painted, and the kinds that the schema does not have. A text whose layout
    is known has the box and size it was drawn with, as the paper's ground truth.
    """
    return PlainSlide(
        size=FRAME_SIZE,
        background=slide.background,
        texts=tuple(_text(item) for item in _visible(slide.texts) if item.text.strip()),
        rects=tuple(_rect(item) for item in _visible(slide.rects) if item.fill or item.stroke),
        lines=tuple(_line(item) for item in _visible(slide.lines) if item.stroke),
        images=tuple(_image(item) for item in _pictures(slide)),
        tables=tuple(_table(item) for item in _visible(slide.tables)),
    )


def _visible(items: Iterable[T]) -> Iterator[T]:
    return (item for item in items if item.placed and not item.hidden)


def _text(item: Text) -> PlainText:
    drawn = item.drawn
    place = item if drawn is None else drawn.box
    font = item.font if drawn is None else item.font.model_copy(update={"size": drawn.size})
    return PlainText(
        x=place.x, y=place.y, w=place.w, h=place.h, text=item.text, font=font, align=item.align
    )


def _rect(item: Rect) -> PlainRect:
    return PlainRect(
        x=item.x, y=item.y, w=item.w, h=item.h,
        rx=item.rx, fill=item.fill, stroke=item.stroke, strokeWidth=item.strokeWidth,
    )  # fmt: skip


def _line(item: Line) -> PlainLine:
    return PlainLine(
        x1=item.x1, y1=item.y1, x2=item.x2, y2=item.y2,
        stroke=item.stroke, strokeWidth=item.strokeWidth,
    )  # fmt: skip


def _pictures(slide: SlideElements) -> list[Image | Media]:
    """Images, and the posters of media, which look the same, in drawing order."""
    pictures: list[Image | Media] = [*_visible(slide.images), *_visible(slide.media)]
    return sorted(pictures, key=lambda item: (item.z is None, item.z or 0))


def _image(item: Image | Media) -> PlainImage:
    return PlainImage(x=item.x, y=item.y, w=item.w, h=item.h)


def _table(item: Table) -> PlainTable:
    return PlainTable(x=item.x, y=item.y, w=item.w, h=item.h, cells=item.cells)
