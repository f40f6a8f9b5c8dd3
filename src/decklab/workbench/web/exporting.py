"""Work of a worker on a deck for its pages: files in other formats (PDF, pictures, a page that is
complete in itself, Markdown), the rows of its scores, and the shapes that people can touch."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import RenderFailed
from decklab.core.files import scratch_folder, write_whole
from decklab.core.results import DeckResult, Measurement
from decklab.deck.deck import open_deck
from decklab.deck.model.base import Boxed
from decklab.deck.model.shapes import Chart, Element, Image, Line, Rect, Table, Text
from decklab.deck.model.slide import SlideElements
from decklab.metrics.catalogue import metric_labels
from decklab.pages.page import write_page
from decklab.pages.pictures import SlidePicture
from decklab.pages.wording import FULL_SCALES, LEVEL_MEANINGS
from decklab.rendering.job import Pictures, SavedDeck, draw_decks
from decklab.rendering.renderer import Renderer
from decklab.scoring.reports.leaderboard_page import COLUMNS
from decklab.scoring.reports.standing import LEVEL_VERDICTS, standing_of

EXPORTS: Final[Mapping[str, str]] = {
    "pdf": "PDF", "png": "Pictures (PNG)", "html": "HTML", "md": "Markdown",
}  # fmt: skip
"""Formats of exports, in words."""
SUFFIXES: Final[Mapping[str, str]] = {"png": ".zip"}
"""Of files, by format, where it is not the name of the format."""
_SHARP = Pictures(size=(1920, 1080), format="png")
_ON_PAGES = Pictures(size=(1280, 720), format="webp")


def export_deck(deck: Path, out: Path, format: str, name: str, renderer: Renderer) -> None:
    """Write a deck in one of ``EXPORTS`` to ``out``; raises DeckError and RenderError."""
    if format == "pdf":
        write_whole(out, renderer.pdf(deck))
    elif format == "md":
        with open_deck(deck) as opened:
            write_whole(out, opened.markdown().encode())
    else:
        with scratch_folder("export") as room:
            saved = _drawn(
                deck, room / "slides", _SHARP if format == "png" else _ON_PAGES, renderer
            )
            if format == "png":
                zipped = shutil.make_archive(str(room / "all"), "zip", room / "slides")
                shutil.move(zipped, out)
            else:
                write_page(out, "show.html", "show.js", package="decklab.workbench.web", name=name,
                           slides=_shown_slides(deck, saved))  # fmt: skip


def _drawn(deck: Path, folder: Path, wanted: Pictures, renderer: Renderer) -> SavedDeck:
    (drawn,) = draw_decks({deck: folder}, wanted, renderer=renderer)
    if drawn.saved is None or drawn.errors:
        raise RenderFailed(str(deck), "; ".join(dict.fromkeys(drawn.errors)))
    return drawn.saved


def _shown_slides(deck: Path, saved: SavedDeck) -> list[dict[str, Any]]:
    """Slides that a show does not skip: number, title, words for those who do not see, picture."""
    with open_deck(deck) as opened:
        read = {slide.number: slide for slide in opened.elements.slides}
    return [
        {"number": drawn.number, "title": read[drawn.number].title or "",
         "words": " ".join(text.text for text in read[drawn.number].texts if not text.hidden),
         "picture": SlidePicture(drawn.picture.read_bytes(), drawn.width, drawn.height)}
        for drawn in saved.slides
        if drawn.picture is not None and not drawn.hidden and drawn.number in read
    ]  # fmt: skip


def score_rows(result: DeckResult) -> list[dict[str, Any]]:
    """Metric, label, value or its reason, most, and standing of each main score of a deck."""
    labels = metric_labels()
    rows = {row.metric: row for row in result.measurements if row.slide is None}
    return [
        {"metric": name, "label": labels.get(name, name), "value": rows[name].value,
         "reason": rows[name].reason, "most": FULL_SCALES.get(name), **_standing(rows[name])}
        for name in COLUMNS
        if name in rows
    ]  # fmt: skip


def _standing(row: Measurement) -> dict[str, str]:
    """A score in a word, and what the word rests on; nothing if neither is known."""
    if (standing := standing_of(row)) is not None:
        return {"word": standing.word, "rank": standing.rank}
    if row.metric == "editability.level" and row.value is not None:
        level = int(row.value)
        return {"word": LEVEL_VERDICTS[level], "rank": LEVEL_MEANINGS[level]}
    return {}


def slide_shapes(slide: SlideElements, scale: float = 1.0) -> list[dict[str, Any]]:
    """The shapes of a slide in drawing order: id, name, box in the 960x540 frame, and what people
    may change of it.

    ``scale`` is pixels of that frame down for a point. Several elements of one shape are one;
    shapes that are hidden or have no place are left out.
    """
    shapes: dict[int, dict[str, Any]] = {}
    for item in slide.elements():
        box = _box(item)
        if item.id and box and item.placed and not item.hidden:
            known = shapes.setdefault(
                item.id, {"id": item.id, "name": item.name, "box": box, "turn": item.rotation}
            )
            known.update(_contents(item, scale))
    return list(shapes.values())


def _contents(element: Element, scale: float) -> dict[str, Any]:
    """The properties of an element that people may change beside its place."""
    match element:
        case Text():
            look = element.font
            return {
                "text": element.text, "align": element.align, "size": look.size * scale,
                "bold": "bold" in look.style,
                "indent": max((line.margin_left for line in element.paragraphs[:1]), default=0.0)
                * scale,
                "color": look.color, "font": look.name, "anchor": element.body.anchor,
            }  # fmt: skip
        case Rect():
            return {"text": ""}
        case Image():
            return {"picture": True}
        case Table():
            return {
                "columns": element.columns, "heights": element.heights,
                "cells": [[None if cell.covered else cell.text for cell in row]
                          for row in element.rows],
            }  # fmt: skip
        case Chart():
            return {"chart": _grid(element)}
    return {}


def _grid(chart: Chart) -> list[list[str | float | None]]:
    """The numbers of a chart under the names of its series, a row for each category; no rows if
    its series have other categories each."""
    series = chart.series
    names = [item.name for item in series]
    if len({item.categories for item in series}) != 1 or len({*names}) < len(names):
        return []
    rows = [list(row) for row in zip(series[0].categories, *(item.values for item in series),
                                     strict=False)]  # fmt: skip
    return [["", *(name or "" for name in names)], *rows]


def _box(element: Element) -> list[float] | None:
    """Left, top, width and height; None without a box."""
    if isinstance(element, Line):
        left, right = sorted((element.x1, element.x2))
        top, bottom = sorted((element.y1, element.y2))
        return [left, top, right - left, bottom - top]
    if isinstance(element, Boxed):
        return [element.x, element.y, element.w, element.h]
    return None
