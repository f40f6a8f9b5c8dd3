"""Titles so long that autofit sets them too small for a title."""

from collections.abc import Iterator
from math import sqrt
from typing import Final

from decklab.deck.model.shapes import Text, box_of
from decklab.linting.rules.limits import LEAST_TITLE_PT
from decklab.linting.rules.page import LINE_HEIGHT, DrawnSlide, DrawnText
from decklab.linting.rules.rule import Rule
from decklab.linting.rules.titles import title_of
from decklab.metrics.findings import Occurrence, quoted

SHRUNK_SHARE: Final = 0.95
"""Ours: a title drawn under this share of its size was shrunk, not just rounded."""

LEAST_FOUND: Final = 0.3
"""Ours: from this share of a title's letters on the page its length can be reckoned."""

TITLE_SHRUNK = Rule(
    "title.shrunk",
    "ShrunkTitle",
    "A title is so long that it shrinks to be unreadable.",
    source="decklab",
    severity="warning",
    threshold=f"shrunk under {LEAST_TITLE_PT:g} pt, on a slide 7.5 inches high",
    fix="Shorten the title; move what it says beside its point to the body or the notes.",
    drawn=True,
)


def shrunk_titles(view: DrawnSlide) -> Iterator[Occurrence]:
    """A title that is set in at least the least size and shrinks under it to fit its box.

    Programs shrink such a title when they draw it, or when it is edited next: where it was drawn
    in its full size and leaves its box, the size that would fit is reckoned.
    """
    title = title_of(view.slide)
    drawn = next((one for one in view.texts if title and one.element.id == title.id), None)
    if title is None or drawn is None or title.body.autofit != "shrink" or not drawn.spans:
        return
    full = title.font.size / title.body.font_scale
    size = _fitting(title, drawn, full) * drawn.px_per_pt
    least = view.limits.title_pt
    if size >= least or full * drawn.px_per_pt < least:
        return
    stand = view.stand_in(drawn)
    is_wider = stand is not None and stand.least_wider > 1
    finding = TITLE_SHRUNK.finding(
        f"{quoted(title.text)} has {len(title.text):,} characters and shrinks from {full:g} pt to"
        f" about {size / drawn.px_per_pt:.0f} pt.{stand.note if stand and is_wider else ''}",
        view.slide.number,
        title,
        severity="info" if is_wider else "warning",
        measured=round(size, 1),
        threshold=least,
    )
    yield Occurrence(finding, (title.text,))


def _fitting(title: Text, drawn: DrawnText, full: float) -> float:
    """The size in points that a title has or would have when it fits its box."""
    if drawn.size_pt < SHRUNK_SHARE * full:
        return drawn.size_pt
    box = box_of(title)
    if box is None or not box.area or drawn.matched < LEAST_FOUND:
        return drawn.size_pt
    along = sum(max(s.box.right for s in row) - min(s.box.left for s in row) for row in drawn.lines)
    height = LINE_HEIGHT * full * drawn.px_per_pt
    if len(drawn.lines) / drawn.matched * height <= box.height + height / 2:
        return drawn.size_pt
    # Length and height of a line both go with the size, so that the area does with its square.
    return full * min(1.0, sqrt(box.area / (along / drawn.matched * height)))
