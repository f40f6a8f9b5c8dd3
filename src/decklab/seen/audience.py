"""Slides as an audience reads them: without the slides, texts and graphics that cannot be seen."""

from collections.abc import Collection, Sequence

from decklab.deck.model.shapes import Chart, Diagram, Element, Table, Text
from decklab.deck.model.slide import KINDS, SlideElements
from decklab.deck.model.text import Paragraph
from decklab.deck.views.drawn import bare
from decklab.rendering.model import TextSpan
from decklab.seen.seen_slide import PieceKind, SeenPiece, SeenSlide

_Key = tuple[int, PieceKind, tuple[int | str, ...], str]
"""Shape, kind, place in the shape, and words of a piece."""


def audience_slides(
    slides: Sequence[SlideElements], seen: Sequence[SeenSlide]
) -> tuple[SlideElements, ...]:
    """The slides that the show reaches, each without what ``seen`` says cannot be seen.

    ``seen`` has each of the slides. Runs that are not seen are missing from their paragraphs;
    a shape of which nothing is left is missing from the slide. Areas and lines stay.
    """
    by_number = {slide.number: slide for slide in seen}
    return tuple(
        _seen_part(slide, by_number[slide.number])
        for slide in slides
        if not by_number[slide.number].left_out
    )


def readable_spans(spans: Sequence[TextSpan], slide: SeenSlide) -> list[TextSpan]:
    """The drawn spans of a slide without those whose characters are only in texts that cannot be
    seen."""
    lost = [bare(piece.text) for piece in slide.unseen_text]
    kept = [bare(piece.text) for piece in slide.pieces if piece.text and piece.reason is None]

    def is_lost(shown: str) -> bool:
        return any(shown in text for text in lost) and not any(shown in text for text in kept)

    return [span for span in spans if not lost or not is_lost(bare(span.text))]


def _seen_part(slide: SlideElements, seen: SeenSlide) -> SlideElements:
    lost = {_key(piece) for piece in seen.unseen if piece.kind != "shape"}
    if not lost:
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
    """A shape without what is lost of it; None where nothing is left."""
    if (element.id, "graphic", (), "") in lost:
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
        one.model_copy(
            update={
                "name": None if ("series", (one.name or "").strip()) in words else one.name,
                "categories": tuple(
                    "" if ("categories", name.strip()) in words else name for name in one.categories
                ),
            }
        )
        for one in chart.series
    )
    title = None if ("title", (chart.title or "").strip()) in words else chart.title
    return chart.model_copy(update={"series": series, "title": title})
