"""The colours of an example deck: what lies behind a place, what can be read on it, its accents."""

import colorsys
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from decklab.board.boxes import Token
from decklab.board.native.palette import mixed
from decklab.core.colors import contrast_ratios
from decklab.core.geometry import FRAME, Box
from decklab.deck.model.shapes import Gradient, Rect, Solid, box_of
from decklab.deck.model.slide import DeckElements, SlideElements

_DARK, _LIGHT = "#262626", "#FFFFFF"
_TEXT_CONTRAST: Final = 4.5
_MARK_CONTRAST: Final = 2.5
"""Least contrast of the bars and lines of charts with what is behind them. Ours."""
_TOWARDS_WORDS: Final = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
"""Shares of the words' colour that are mixed into an accent until words can be set in it. Ours."""
_GREYS_ON_LIGHT: Final = ("#7F7F7F", "#A6A6A6", "#595959")
_GREYS_ON_DARK: Final = ("#D9D9D9", "#A6A6A6", "#F2F2F2")
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


def ground_of(areas: Areas, box: Box) -> str:
    """The colour behind most of a place."""
    holding = [color for area, color in areas if area.intersection(box).area > 0.7 * box.area]
    return holding[-1] if holding else areas[0][1]


def readable(ground: str, wanted: Sequence[str]) -> str:
    """The first of some colours that can be read on a ground, else a dark or a light one."""
    options = [*wanted, _DARK, _LIGHT]
    ratios = contrast_ratios(options, [ground] * len(options)).tolist()
    for color, ratio in zip(options, ratios, strict=True):
        if ratio >= _TEXT_CONTRAST:
            return color
    return max(zip(ratios, options, strict=True))[1]


def marks_on(ground: str, accents: Sequence[str]) -> tuple[str, tuple[str, str, str]]:
    """The colour for what stands out in a chart on a ground, and three greys for the rest."""
    ratios = contrast_ratios([*accents, _DARK], [ground] * (len(accents) + 1)).tolist()
    accent = next(
        (color for color, ratio in zip(accents, ratios, strict=False) if ratio >= _MARK_CONTRAST),
        readable(ground, ()),
    )
    light = contrast_ratios([ground], ["#FFFFFF"]).tolist()[0] < 4
    return accent, _GREYS_ON_LIGHT if light else _GREYS_ON_DARK


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


def tokens_on(ground: str, words: str, accents: Sequence[str]) -> dict[Token, str]:
    """The colours of what is drawn on a ground beside the words of an example, by purpose."""
    accent, greys = marks_on(ground, accents)
    surface = mixed(ground, words, 0.06)
    tried = [mixed(accent, words, share) for share in _TOWARDS_WORDS]
    ratios = contrast_ratios(tried, [surface] * len(tried)).tolist()
    accent = next(
        (one for one, ratio in zip(tried, ratios, strict=True) if ratio >= _TEXT_CONTRAST), words
    )
    return {
        "background": readable(accent, (ground,)), "surface": surface,
        "text": words, "muted": words, "accent": accent, "grey1": greys[0], "grey2": greys[1],
        "grey3": greys[2], "line": greys[2], "tint": mixed(ground, accent, 0.12),
    }  # fmt: skip
