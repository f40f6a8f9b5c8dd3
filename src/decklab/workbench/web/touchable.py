"""The shapes of a slide as its page knows them: where they are, and what people may change."""

from typing import Any

from decklab.deck.model.base import Boxed
from decklab.deck.model.shapes import Chart, Element, Image, Line, Rect, Table, Text
from decklab.deck.model.slide import SlideElements


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
