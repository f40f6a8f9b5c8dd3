"""Slides that show too much or too little."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.deck.model.shapes import Element, Media, Rect, Text, box_of
from decklab.linting.rules.page import CARD_SHARE, DrawnSlide, visible
from decklab.linting.rules.rule import Rule, called
from decklab.linting.rules.sizes import role_of
from decklab.linting.rules.titles import is_title
from decklab.metrics.findings import Occurrence
from decklab.seen.ink import is_flat

WORDS_A_SLIDE: Final = 110
WORDS_A_TEXT: Final = 80
LINES_A_TEXT: Final = 12
FULL_LINES: Final = 11
FULL_HEIGHT: Final = 0.75
"""Ours: from so many words on a slide, and words or lines in one text, people read instead of
listening; 110 words take most of a minute. A text of some lines fewer is a wall, too, if it takes
half of the slide's width and this share of its height."""

EMPTY_SHARE: Final = 0.6
"""Ours: share of the slide's height, from its lower edge, that nothing is drawn on."""

_CAUSE: Final = re.compile(r"\d+%")  # one cause, however much is empty

DENSITY_CROWDED = Rule(
    "density.crowded",
    "WallOfText",
    "A slide holds more words than anybody reads.",
    threshold=f"{WORDS_A_SLIDE} words on the slide, or {WORDS_A_TEXT} words on at least"
    f" {LINES_A_TEXT} lines in one text, or {FULL_LINES} over {FULL_HEIGHT:.0%} of its height",
    fix="Cut it to what is said aloud, split the slide, or move the rest to the notes.",
    drawn=True,
    scored=False,
)

DENSITY_EMPTY = Rule(
    "density.empty",
    "EmptySlide",
    "A slide shows next to nothing.",
    threshold=f"a title at the top and nothing else, no word and no picture, or"
    f" {EMPTY_SHARE:.0%} of the slide empty below all else",
    fix="Fill the slide, or delete it; give a few words the middle of the slide.",
    drawn=True,
    scored=False,
)


def crowded(view: DrawnSlide) -> Iterator[Occurrence]:
    """Slides with so many words that people read instead of listening; titles, small print, tables
    and charts are not counted.
    """
    counts = [
        (sum(len(word) > 1 for word in drawn.element.text.split()), drawn)
        for drawn in view.texts
        if isinstance(drawn.element, Text)
        and not is_title(drawn.element)
        and role_of(drawn.element) != "small print"
    ]
    words = sum(count for count, _drawn in counts)
    most, longest = max(counts, key=lambda item: item[0], default=(0, None))
    if longest is None:
        return
    lines = len(longest.lines)
    wall = most >= WORDS_A_TEXT and lines >= LINES_A_TEXT
    full = longest.ink.height >= FULL_HEIGHT * FRAME_HEIGHT and longest.ink.width >= FRAME_WIDTH / 2
    wall = wall or (lines >= FULL_LINES and full)
    if words < WORDS_A_SLIDE and not wall:
        return
    yield Occurrence(
        DENSITY_CROWDED.finding(
            f"The slide has {words} words, {most} of them in {called(longest.element)}.",
            view.slide.number,
            longest.element,
            box=longest.ink,
            measured=float(words),
            threshold=float(WORDS_A_SLIDE),
        ),
        "crowded",
    )


def empty(view: DrawnSlide) -> Iterator[Occurrence]:
    """Slides that show only a title at their top, neither words nor a picture, or nothing in their
    lower part.

    Titles in the middle, as those of sections, and titles beside a picture are not judged.
    """
    if view.image is None:
        return
    shown = [(item, box) for item in _contents(view) if (box := _place(item, view)) is not None]
    bottom = max((box.bottom for _item, box in shown), default=0.0)
    free = Box(0.0, bottom + 4, FRAME_WIDTH, FRAME_HEIGHT)
    share = free.height / FRAME_HEIGHT
    said = _said([item for item, _box in shown], share, free, view)
    if said is not None:
        message = said
        element = next((item for item, _box in shown), None)
        finding = DENSITY_EMPTY.finding(
            message, view.slide.number, element, box=free,
            measured=round(share, 2), threshold=EMPTY_SHARE,
        )  # fmt: skip
        yield Occurrence(finding, _CAUSE.sub("", message))


def _said(shown: Sequence[Element], share: float, free: Box, view: DrawnSlide) -> str | None:
    """What is told of a slide of which a share below all else is free."""
    if _is_wordless(shown, view):
        return "The slide shows neither words nor a picture."
    if share < EMPTY_SHARE or not _is_blank(free, view):
        return None
    if all(map(is_title, shown)):
        return "The slide shows nothing but its title."
    return f"The lower {share:.0%} of the slide is empty."


def _is_wordless(shown: Sequence[Element], view: DrawnSlide) -> bool:
    """Whether nothing is shown but painted areas, on the slide and behind it."""
    worded = (*view.texts, *view.contents, *view.template)
    pictured = any(sheet.images for sheet in view.behind)
    return not worded and not pictured and all(isinstance(item, Rect) for item in shown)


def _contents(view: DrawnSlide) -> Iterator[Element]:
    """What the slide itself shows: words, pictures, painted areas that are no ground."""
    for item in visible(view.slide.elements()):
        if isinstance(item, Text):
            if item.text.strip() and role_of(item) != "small print":
                yield item
        elif isinstance(item, Rect):
            box = box_of(item)
            painted = item.paint.kind != "none" or item.stroke is not None
            if painted and box and box.area < CARD_SHARE * FRAME_WIDTH * FRAME_HEIGHT:
                yield item
        elif not (isinstance(item, Media) and item.medium == "audio"):
            yield item


def _place(item: Element, view: DrawnSlide) -> Box | None:
    """Where an element is drawn, as far as that is on the slide."""
    drawn = view.drawn(item)
    box = drawn.ink if drawn is not None else box_of(item)
    part = None if box is None else box.intersection(FRAME)
    return part if part is not None and part.area else None


def _is_blank(free: Box, view: DrawnSlide) -> bool:
    """Whether nothing is drawn there but what layouts have at a slide's foot."""
    assert view.image is not None
    if any(free.top < span.box.top < free.bottom - 60 for span in view.spans):
        return False
    inner = Box(free.left + 40, free.top, free.right - 40, max(free.top, free.bottom - 60))
    return is_flat(view.image[::3, ::3], inner)  # every third pixel shows what there is
