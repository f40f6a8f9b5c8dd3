"""Icons on cards, steps and numbers of a slide, where words have one and there is room."""

from dataclasses import replace
from typing import Final

from decklab.board.boxes import ComposedSlide, GroupBox, IconBox, Item, TextBox
from decklab.board.compose import Composed
from decklab.board.fitting import Fitter
from decklab.board.icons.library import icon_for
from decklab.board.languages import primary_language
from decklab.board.typography import text_width
from decklab.core.geometry import Box

LAYOUTS: Final = frozenset({"cards", "process", "big_numbers"})
_SIDE: Final = 32.0
_SMALL: Final = 24.0
"""Sides in pixels of icons below the text and beside its first line. Ours."""
_GAP: Final = 8.0
_LEAST_SIZE: Final = 14.0
"""Of a first line, in points, below which the second one would run into an icon beside it."""


def with_icons(composed: Composed) -> Composed:
    """A composed deck with an icon on each card, step and number of a slide.

    A slide gets icons where every card has one, no two the same, and all have room below their
    text or beside its first line; else none, so that no row is half decorated. Words are looked
    up in English: a deck in another language stays as it is.
    """
    if primary_language(composed.plan.language) != "en":
        return composed
    fitter = Fitter(composed.theme, composed.plan.language)
    slides = tuple(_decorated(slide, composed.plan.title, fitter) for slide in composed.slides)
    return replace(composed, slides=slides)


def _decorated(slide: ComposedSlide, topic: str, fitter: Fitter) -> ComposedSlide:
    if slide.layout not in LAYOUTS:
        return slide
    cards = [card for item in slide.items if (card := _card(item)) is not None]
    chosen = [icon_for(_words(card), topic=topic) for card in cards]
    icons = [icon for icon in chosen if icon is not None]
    for place in (_below, _beside):
        found = [place(card, fitter) for card in cards]
        boxes = [box for box in found if box is not None]
        if len(boxes) == len(cards):
            break
    if not cards or len(icons) < len(cards) or len(boxes) < len(cards):
        return slide
    if len({icon.name for icon in icons}) < len(icons):
        return slide
    made = (
        IconBox(f"{card.name} icon", box, icon.path, "accent")
        for card, icon, box in zip(cards, icons, boxes, strict=True)
    )
    return replace(slide, items=(*slide.items, *made))


def _words(card: TextBox) -> str:
    return " ".join(paragraph.text for paragraph in card.paragraphs)


def _card(item: Item) -> TextBox | None:
    """The text of a card; of a group the text in it."""
    if isinstance(item, GroupBox):
        return next((one for one in item.items if isinstance(one, TextBox)), None)
    drawn = isinstance(item, TextBox) and (item.fill is not None or item.line is not None)
    return item if isinstance(item, TextBox) and drawn and item.slot is None else None


def _below(card: TextBox, fitter: Fitter) -> Box | None:
    """The lower corner of a card at the beginning of its lines; None where text stands there."""
    inner = card.inner
    top = inner.bottom - _SIDE
    if card.style.anchor != "top" or inner.top + fitter.height(card) + _GAP > top:
        return None
    return Box(inner.left, top, inner.left + _SIDE, inner.bottom)


def _beside(card: TextBox, fitter: Fitter) -> Box | None:
    """The upper corner of a card at the end of its first line; None where that is too long."""
    inner, first = card.inner, card.paragraphs[0]
    lines = fitter.lines(card)[0]
    style = replace(
        card.style,
        size=first.size or card.style.size,
        bold=card.style.bold if first.bold is None else first.bold,
        heading=card.style.heading if first.heading is None else first.heading,
    )
    if card.style.anchor != "top" or len(lines) > 1 or style.size < _LEAST_SIZE:
        return None
    width = text_width(lines[0].rstrip(), fitter.face(style), style.size)
    left = inner.right - _SMALL
    if inner.left + width + 2 * _GAP > left:
        return None
    return Box(left, inner.top - 1, inner.right, inner.top - 1 + _SMALL)
