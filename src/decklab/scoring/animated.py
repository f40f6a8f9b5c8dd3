"""Contrast as it can be judged: not under what animations bring in or take away."""

from collections.abc import Iterator, Sequence
from typing import Any

from decklab.deck.model.shapes import Chart, Diagram, Image, Media, Rect, Table, box_of
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.geometry import Box
from decklab.results import Measurement

_PAINTED = (Image, Media, Rect, Chart, Diagram, Table)
_INSIDE = 0.5
"""Ours: share of a text's box in an animated area from which on the picture shows it in a state
that viewers may never see."""


def still_rows(rows: Sequence[Measurement], elements: DeckElements) -> list[Measurement]:
    """Contrast rows without the texts that lie in painted areas that animations play on.

    A picture of a slide shows all its states at once; what covers a text there may come when the
    text has gone. Other rows and all values stay as they are.
    """
    moving = {slide.number: tuple(_moving(slide)) for slide in elements.slides if slide.animations}
    return [
        _still(row, moving[row.slide])
        if row.metric == "usability.contrast" and row.slide in moving
        else row
        for row in rows
    ]


def _moving(slide: SlideElements) -> Iterator[Box]:
    ids = {item.shape for item in slide.animations}
    for item in slide.elements():
        box = box_of(item)
        plain = isinstance(item, Rect) and item.paint.kind == "none"
        plays = item.id in ids or not ids.isdisjoint(item.groups)
        if plays and box is not None and isinstance(item, _PAINTED) and not plain:
            yield box


def _still(row: Measurement, moving: Sequence[Box]) -> Measurement:
    kept = {
        key: [region for region in row.evidence[key] if not _lies_in(region, moving)]
        for key in ("worst", "covered")
    }
    return row.model_copy(update={"evidence": row.evidence | kept})


def _lies_in(region: dict[str, Any], moving: Sequence[Box]) -> bool:
    box = Box(*region["box"])
    return any(box.intersection(area).area > _INSIDE * box.area for area in moving)
