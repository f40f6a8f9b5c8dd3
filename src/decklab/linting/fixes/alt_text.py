"""Fixes of missing alternative texts: the caption's words, or the mark of a decorative picture."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.deck.model.shapes import Chart, Element, Image, Text, box_of
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.editing.mending import mark_decorative
from decklab.editing.texts import set_alt_text
from decklab.linting.fixes.fix import Fix
from decklab.linting.rules.alt_text import MISSING_ALT_TEXT, lacking_alt_text
from decklab.linting.rules.page import visible
from decklab.linting.rules.rule import label
from decklab.linting.rules.sizes import role_of
from decklab.linting.rules.titles import is_title
from decklab.metrics.findings import SAME_CAUSE_SLIDES, quoted

CAPTION_GAP: Final = 16.0
"""Ours, in px: a caption stands this near under its picture."""
CAPTION_LONGEST: Final = 140
"""Ours, in characters: longer text is a paragraph of its own."""
CAPTION_WIDER: Final = 1.3
"""Ours: a caption is at most this many times as wide as its picture, and centred as well."""
ORNAMENT_SHARE: Final = 0.003
"""Ours: a picture that takes less of the slide is an ornament or icon (a square of 39 px)."""
GROUND_SHARE: Final = 0.95
"""Ours: a picture that covers so much of a slide, with text in front of it, is its ground."""
_NEAR = 4.0

Repeated = Mapping[tuple[str, int, int], int]
"""On how many slides a picture stands at one place, by its content and place."""


def repeated_pictures(deck: DeckElements) -> Repeated:
    """On how many slides each picture stands at its place."""
    return Counter(
        key for slide in deck.slides for key in {_key(item) for item in slide.images} if key[0]
    )


def _key(item: Image) -> tuple[str, int, int]:
    return (item.sha256 or "", round(item.x / _NEAR), round(item.y / _NEAR))


def missing_alt_texts(slide: SlideElements, repeated: Repeated) -> Iterator[Fix]:
    """For each object without a text: the caption under it, a chart's own title, or the mark of an
    ornament. What needs words that are not on the slide is left to people."""
    for item in lacking_alt_text(slide):
        words = _own_words(item, slide)
        if words:
            says = f"{label(item)} is described as {quoted(words)}, as its caption says"
            way = partial(set_alt_text, slide=slide.number, shape=item.id, text=words)
        elif isinstance(item, Image) and (why := _ornament(item, slide, repeated)):
            says = f"{label(item)} is marked as decorative: {why}"
            way = partial(mark_decorative, slide=slide.number, shape=item.id)
        else:
            continue
        yield Fix(
            MISSING_ALT_TEXT.id, slide.number, says, frozenset({"alt text"}), (way,), shape=item.id
        )


def _own_words(item: Element, slide: SlideElements) -> str:
    if isinstance(item, Chart) and item.title and item.title.strip():
        return " ".join(item.title.split())
    caption = caption_of(item, slide)
    return "" if caption is None else " ".join(caption.text.split())


def caption_of(item: Element, slide: SlideElements) -> Text | None:
    """The short text right under an object, in the middle of it or within its width; None without
    one, or where another object is as near."""
    place = box_of(item)
    if place is None:
        return None
    found = [text for text in visible(slide.texts) if _is_caption(text, place)]
    if len(found) != 1:
        return None
    caption = box_of(found[0])
    others = [box for other in slide.images if other.id != item.id and (box := box_of(other))]
    shared = caption is not None and any(_is_caption(found[0], box) for box in others)
    return None if shared else found[0]


def _is_caption(text: Text, place: Box) -> bool:
    box, words = box_of(text), " ".join(text.text.split())
    if box is None or is_title(text) or role_of(text) == "small print" or text.rotation:
        return False
    if not 3 <= len(words) <= CAPTION_LONGEST or len(text.paragraphs) > 2:
        return False
    under = -CAPTION_GAP / 2 <= box.top - place.bottom <= CAPTION_GAP
    middle = abs((box.left + box.right) - (place.left + place.right)) / 2
    within = box.left >= place.left - _NEAR and box.right <= place.right + _NEAR
    centred = middle <= place.width / 10 and box.width <= CAPTION_WIDER * place.width
    return under and (within or centred)


def _ornament(item: Image, slide: SlideElements, repeated: Repeated) -> str:
    """Why a picture is no content; empty where it may be."""
    place = box_of(item)
    if place is None:
        return ""
    share = place.area / (FRAME_WIDTH * FRAME_HEIGHT)
    count = repeated.get(_key(item), 0)
    if count >= SAME_CAUSE_SLIDES:
        return f"it stands at this place on {count} slides"
    if share < ORNAMENT_SHARE:
        return "it is as small as an icon"
    front = any((text.z or 0) > (item.z or 0) and text.text.strip() for text in slide.texts)
    if share >= GROUND_SHARE and front:
        return "it is the ground on which the slide's text stands"
    return ""
