"""Slides, and copies of decks, as an audience sees them: without what cannot be seen.

LibreOffice plays no effects, turns nothing in space, and fits text into its shape anew. A metric
of pictures that draws the deck itself would measure what PowerPoint does not show.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import hypot
from pathlib import Path
from typing import Final

from decklab.core.geometry import FRAME, Box
from decklab.deck.model.outline import DeckOutline, OutlineSlide
from decklab.deck.model.shapes import (
    Chart,
    Diagram,
    Element,
    Line,
    Paragraph,
    Rect,
    Table,
    Text,
    box_of,
)
from decklab.deck.model.slide import KINDS, SlideElements
from decklab.deck.views.drawn import bare
from decklab.ooxml.package import Package, write_package
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.xml import Element as Xml
from decklab.ooxml.xml import qn, serialize_xml, shape_id
from decklab.rendering.pictures import TextSpan
from decklab.seen.seen_slide import LEAST_SIZE, PieceKind, SeenPiece, SeenSlide

_SHAPES = tuple(
    qn(f"p:{name}") for name in ("sp", "pic", "graphicFrame", "cxnSp", "contentPart", "grpSp")
)


def needs_shown_copy(slides: Iterable[SeenSlide]) -> bool:
    """Whether LibreOffice draws anything of the slides that an audience does not see."""
    return any(map(_is_changed, slides))


def write_shown_copy(package: Package, slides: Iterable[SeenSlide], path: Path) -> Path:
    """Write a copy of a deck without the pieces of slides that are ``drawn`` though not seen.

    A shape of which nothing else is left goes as a whole; of others the words of these runs go, and
    so do the effects of these slides, which no drawing shows.
    Raises DeckError where the deck cannot be read.
    """
    parts = {entry.number: entry.part for entry in slide_entries(package)}
    changed = {}
    for slide in slides:
        if _is_changed(slide):
            root = package.xml(parts[slide.number])
            _remove(root, _by_shape(slide.pieces))
            for effects in root.findall(qn("p:timing")):  # they name shapes that are gone
                root.remove(effects)
            changed[parts[slide.number]] = serialize_xml(root)
    return write_package(package, path, replace=changed)


def _is_changed(slide: SeenSlide) -> bool:
    return not slide.left_out and any(piece.drawn for piece in slide.pieces)


def _by_shape(pieces: Iterable[SeenPiece]) -> Mapping[int, Sequence[SeenPiece]]:
    shapes: dict[int, list[SeenPiece]] = defaultdict(list)
    for piece in pieces:
        shapes[piece.id].append(piece)
    return shapes


def _remove(root: Xml, shapes: Mapping[int, Sequence[SeenPiece]]) -> None:
    for shape in list(root.iter(*_SHAPES)):
        pieces = shapes.get(shape_id(shape), ())
        parent = shape.getparent()
        if pieces and parent is not None and all(piece.drawn for piece in pieces):
            parent.remove(shape)
        else:
            _blank(shape, {(piece.path[0], piece.text) for piece in pieces if _is_run(piece)})


def _is_run(piece: SeenPiece) -> bool:
    return piece.drawn and piece.kind == "text"


def _blank(shape: Xml, runs: Collection[tuple[int | str, str]]) -> None:
    """Take the words of some runs away, each named by its paragraph and its text."""
    if (body := shape.find(qn("p:txBody"))) is None or not runs:
        return
    for row, paragraph in enumerate(body.iterfind(qn("a:p"))):
        for text in paragraph.iter(qn("a:t")):
            if (row, (text.text or "").strip()) in runs:
                text.text = ""


_Key = tuple[int, PieceKind, tuple[int | str, ...], str]
"""Shape, kind, place in the shape, and words of a piece."""


def audience_slides(
    slides: Sequence[SlideElements], seen: Sequence[SeenSlide]
) -> tuple[SlideElements, ...]:
    """The slides that the show reaches, each without what ``seen`` says cannot be seen.

    ``seen`` has each of the slides. Runs that are not seen are missing from their paragraphs;
    a shape of which nothing is left is missing from the slide.
    """
    by_number = {slide.number: slide for slide in seen}
    return tuple(
        _seen_part(slide, by_number[slide.number])
        for slide in slides
        if not by_number[slide.number].left_out
    )


def readable_spans(
    spans: Sequence[TextSpan], slide: SeenSlide, *, faint: bool = False
) -> list[TextSpan]:
    """The drawn spans of a slide without those of texts that cannot be seen.

    A span belongs to the text with its characters that is nearest to it. With ``faint``, text that
    only stands off too little is kept, for who measures contrast: paler ink must not pay.

    Of a slide with unseen text all that is drawn finer than ``FINEST`` is missing: so fine, letters
    lie on each other and are read as other words.
    """
    if not slide.unseen_text:
        return list(spans)
    texts = [(bare(piece.text), piece) for piece in slide.pieces if piece.text]

    def is_lost(span: TextSpan) -> bool:
        if span.size_pt < FINEST:
            return True
        shown = bare(span.text)
        own = [piece for text, piece in texts if shown in text]
        nearest = min(own, key=lambda piece: _distance(span.box, piece.box), default=None)
        if nearest is None or nearest.reason is None:
            return False
        return not (faint and nearest.reason == "faint")

    return [span for span in spans if not is_lost(span)]


def _distance(span: Box, text: Box | None) -> tuple[float, float]:
    """How far the middle of a span is from a text, and from the text's middle; px."""
    if text is None:
        return float("inf"), float("inf")
    x, y = (span.left + span.right) / 2, (span.top + span.bottom) / 2
    across = max(text.left - x, x - text.right, 0.0)
    down = max(text.top - y, y - text.bottom, 0.0)
    middle = hypot(x - (text.left + text.right) / 2, y - (text.top + text.bottom) / 2)
    return hypot(across, down), middle


FINEST: Final = 0.75 * LEAST_SIZE
"""Points on the page: nobody reads them on a page 720 points wide, nor on a wider one."""
BUILT_AREA: Final = 0.005
"""Ours: share of the slide from which on an area without text is something to bring in."""
SHOWS_MS: Final = 100
"""Ours: an effect that is over sooner, and waits for no click, is not noticed."""


def audience_outline(
    outline: DeckOutline, slides: Sequence[SlideElements], seen: Sequence[SeenSlide]
) -> DeckOutline:
    """The outline of a deck in which all that an audience does not see is hidden: slides that the
    show does not reach, and shapes of which nothing is seen.

    ``animated`` has only what entrances and exits bring in or take away before the eyes of the
    audience. ``slides`` and ``seen`` have each slide of the outline.
    """
    read = {slide.number: slide for slide in slides}
    by_number = {slide.number: slide for slide in seen}
    shown = (
        _seen_outline(slide, read[slide.number], by_number[slide.number])
        if slide.number in read
        else slide
        for slide in outline.slides
    )
    return replace(outline, slides=tuple(shown))


def _seen_outline(outline: OutlineSlide, slide: SlideElements, seen: SeenSlide) -> OutlineSlide:
    there = {piece.id for piece in seen.pieces if piece.reason is None}
    gone = {piece.id for piece in seen.pieces} - there
    shapes = tuple(
        replace(shape, hidden=True) if shape.id in gone else shape for shape in outline.shapes
    )
    builds = tuple(dict.fromkeys(_builds(slide, seen)))
    return replace(outline, hidden=bool(seen.left_out), shapes=shapes, animated=builds)


def _builds(slide: SlideElements, seen: SeenSlide) -> Iterator[int]:
    """The shapes that an audience sees come or go, in order of play."""
    there = {piece.id for piece in seen.pieces if piece.reason is None}
    counted = {
        piece.id
        for piece in seen.pieces
        if piece.reason is None and (bare(piece.text) or piece.kind == "graphic")
    }
    large = {
        element.id
        for element in slide.elements()
        if element.id in there
        and (box := box_of(element)) is not None
        and box.area >= BUILT_AREA * FRAME.area
    }
    shapes = [element for element in slide.elements() if element.id in counted | large]
    built = {id for element in shapes for id in (element.id, *element.groups)}
    for effect in sorted(slide.animations, key=lambda e: e.order):
        clicked = effect.trigger in ("on_click", "on_shape_click")
        lasts = effect.delay_ms + (effect.duration_ms or 0) >= SHOWS_MS
        dead = effect.trigger_shape is not None and effect.trigger_shape not in there
        shows = effect.kind in ("entrance", "exit") and (clicked or lasts) and not dead
        if shows and effect.shape is not None and effect.shape in built:
            yield effect.shape


def _seen_part(slide: SlideElements, seen: SeenSlide) -> SlideElements:
    if not (lost := {_key(piece) for piece in seen.unseen}):
        return slide
    left = {
        kind: tuple(part for item in getattr(slide, kind) if (part := _seen_shape(item, lost)))
        for kind in KINDS
    }
    titles = [
        item.text
        for item in left["texts"]
        if isinstance(item, Text)
        and item.placeholder is not None
        and item.placeholder.type in ("title", "ctrTitle")
    ]
    title = None if slide.title is None else next(iter(titles), None)
    return slide.model_copy(update={**left, "title": title})


def _key(piece: SeenPiece) -> _Key:
    return piece.id, piece.kind, piece.path, piece.text


def _seen_shape(element: Element, lost: Collection[_Key]) -> Element | None:
    """A shape without what is lost of it; None if nothing is left."""
    kind: PieceKind = "shape" if isinstance(element, Rect | Line) else "graphic"
    if (element.id, kind, (), "") in lost:
        return None
    match element:
        case Text():
            paragraphs = _seen_paragraphs(element, "text", element.paragraphs, (), lost)
            text = "\n".join(paragraph.text for paragraph in paragraphs)
            if not text.strip() and element.text.strip():
                return None
            return element.model_copy(update={"paragraphs": paragraphs, "text": text})
        case Table():
            return _seen_table(element, lost)
        case Chart():
            return _seen_chart(element, lost)
        case Diagram():
            nodes = tuple(
                node
                for row, node in enumerate(element.nodes)
                if (element.id, "diagram text", (row,), node.text.strip()) not in lost
            )
            return element.model_copy(update={"nodes": nodes})
        case _:
            return element


def _seen_paragraphs(
    element: Text | Table,
    kind: PieceKind,
    paragraphs: Sequence[Paragraph],
    path: tuple[int, ...],
    lost: Collection[_Key],
) -> tuple[Paragraph, ...]:
    def is_seen(row: int, number: int, text: str) -> bool:
        return (element.id, kind, (*path, row, number), text.strip()) not in lost

    return tuple(
        paragraph.model_copy(
            update={
                "runs": tuple(
                    run
                    for number, run in enumerate(paragraph.runs)
                    if is_seen(row, number, run.text)
                )
            }
        )
        for row, paragraph in enumerate(paragraphs)
    )


def _seen_table(table: Table, lost: Collection[_Key]) -> Table:
    rows = []
    for row, cells in enumerate(table.rows):
        left = []
        for column, cell in enumerate(cells):
            own = _seen_paragraphs(table, "cell", cell.paragraphs, (row, column), lost)
            text = "\n".join(paragraph.text for paragraph in own)
            changed = own != cell.paragraphs
            left.append(
                cell.model_copy(update={"paragraphs": own, "text": text}) if changed else cell
            )
        rows.append(tuple(left))
    texts = tuple(tuple(cell.text for cell in cells) for cells in rows)
    return table.model_copy(update={"rows": tuple(rows), "cells": texts})


def _seen_chart(chart: Chart, lost: Collection[_Key]) -> Chart:
    words = {(part[0], text) for id, kind, part, text in lost if id == chart.id and part}
    series = tuple(
        item.model_copy(
            update={
                "name": None if ("series", (item.name or "").strip()) in words else item.name,
                "categories": tuple(
                    "" if ("categories", name.strip()) in words else name
                    for name in item.categories
                ),
            }
        )
        for item in chart.series
    )
    title = None if ("title", (chart.title or "").strip()) in words else chart.title
    return chart.model_copy(update={"series": series, "title": title})
