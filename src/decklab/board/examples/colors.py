"""The colours of an example deck: its filled areas, and its accents."""

import colorsys
from collections import Counter
from collections.abc import Iterable
from typing import Final

from decklab.core.geometry import FRAME, Box
from decklab.deck.model.shapes import Gradient, Rect, Solid, box_of
from decklab.deck.model.slide import DeckElements, SlideElements

_SATURATED: Final = 0.3

_COMMON_ACCENTS: Final = (
    "#4F81BD", "#4472C4", "#5B9BD5", "#156082", "#4285F4", "#0F6FC6", "#1CADE4",
)  # fmt: skip
"""First accents of the themes that office programs give to new decks."""

Areas = tuple[tuple[Box, str], ...]
"""Filled areas from the back to the front, with their colours."""


def areas_of(slide: SlideElements) -> Areas:
    """The background of a slide and its larger filled areas, from the back to the front."""
    found = [(FRAME, slide.background)]
    for rect in sorted(slide.rects, key=lambda one: one.z or 0):
        box, color = box_of(rect), _color_of(rect)
        if box is not None and color is not None and box.area > 0.02 * FRAME.area:
            found.append((box, color))
    return tuple(found)


def _color_of(rect: Rect) -> str | None:
    paint = rect.paint
    if isinstance(paint, Solid):
        return paint.color if paint.alpha > 0.6 else None
    if isinstance(paint, Gradient):
        return paint.stops[len(paint.stops) // 2].color if paint.stops else None
    return None


def accents_of(deck: DeckElements) -> tuple[str, ...]:
    """The strong colours of a deck, its main one first.

    That is the first accent of its theme, unless it is one of an office program's own themes, which
    many decks carry and never use; then the colours on the largest areas. A deck without any strong
    colour has those of its theme.
    """
    weights: Counter[str] = Counter()
    for slide in deck.slides:
        for rect in slide.rects:
            box, color = box_of(rect), _color_of(rect)
            small = box is not None and box.area < 0.5 * FRAME.area
            if box is not None and small and color is not None and _is_strong(color):
                weights[color] += round(box.intersection(FRAME).area)
        for text in slide.texts:
            for paragraph in text.paragraphs:
                for run in paragraph.runs:
                    if _is_strong(run.font.color):
                        weights[run.font.color] += round(
                            len(run.text) * run.font.size * run.font.size
                        )
    theme = deck.themes[0].colors if deck.themes else {}
    named = [theme[f"accent{number}"] for number in range(1, 7) if f"accent{number}" in theme]
    used = [color for color, _weight in weights.most_common(12)]
    own = named[:1] if named and named[0] not in _COMMON_ACCENTS and _is_strong(named[0]) else []
    return tuple(_distinct([*own, *used])) or tuple(named)


def _is_strong(color: str) -> bool:
    red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    _hue, light, saturation = colorsys.rgb_to_hls(red, green, blue)
    return saturation > _SATURATED and 0.15 < light < 0.85


def _distinct(colors: Iterable[str]) -> list[str]:
    found: list[str] = []
    for color in colors:
        if color not in found:
            found.append(color)
    return found
