"""The order in which a slide is read aloud, against the order in which it is seen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from decklab.core.geometry import FRAME, Box
from decklab.core.results import NotScored, Occurrence, quoted
from decklab.deck.model.shapes import Element, Table, Text, box_of
from decklab.deck.model.slide import SlideElements
from decklab.linting.rules.legibility import FOOTERS
from decklab.linting.rules.page import is_wordy, share_inside
from decklab.linting.rules.rule import MICROSOFT, WCAG, Rule, called
from decklab.linting.rules.titles import LEAD_SIZE, is_title

READING_TOLERANCE_PX: Final = 6.0
"""Ours: what overlaps by less along an axis stands clearly before or after along that axis."""

READING_PAIRS: Final = 3
READING_SCORE: Final = 0.5
"""Ours: an order is wrong from so many clearly ordered pairs on, if most are read the wrong way
round. A title alone that is read late counts by itself."""

LATE_TITLE_TEXTS: Final = 2
"""Ours: texts read before the title from which on it comes too late."""


@dataclass(frozen=True)
class ReadingOrder:
    """How well reading aloud follows the slide."""

    score: float
    """Share of the pairs that are read in the order they are seen, 0 to 1, higher is better."""
    pairs: int
    """Pairs of texts of which one is clearly seen before the other."""
    inversions: tuple[tuple[Element, Element], ...]
    """Pairs read the wrong way round: the one read first, the one seen first."""


MOST_TEXTS = 1_000
"""On a slide, whose pairs are half a million then; ours."""


def reading_order(slide: SlideElements) -> ReadingOrder | NotScored:
    """The order of a slide's texts and tables, read aloud from back to front.

    One clearly comes before another where it stands above it in the same column; a title comes
    before everything. Within a row no order is required, since slides are also read column by
    column. Of a slide without a title, the text in the largest type may be read at any time: it
    leads the slide wherever it stands. Footers, single letters and what is hidden or off the slide
    do not count. NotScored where no pair is clear, and of more than ``MOST_TEXTS`` texts.
    """
    read = _read(slide)
    if len(read) > MOST_TEXTS:
        return NotScored(f"more than {MOST_TEXTS:,} texts, so that not all pairs are looked at")
    lead = _lead([item for item, _box in read])
    read = [(item, box) for item, box in read if item is not lead]
    wrong = []
    pairs = 0
    for index, (earlier, first) in enumerate(read):
        for later, second in read[index + 1 :]:
            order = _seen_first((earlier, first), (later, second))
            pairs += order != 0
            if order > 0:
                wrong.append((earlier, later))
    if not pairs:
        return NotScored("no text clearly comes before another")
    return ReadingOrder(1 - len(wrong) / pairs, pairs, tuple(wrong))


def _read(slide: SlideElements) -> list[tuple[Element, Box]]:
    items: list[tuple[Element, Box]] = []
    for item in slide.elements():
        box = box_of(item)
        worded = isinstance(item, Table) or (isinstance(item, Text) and is_wordy(item.text))
        footer = item.placeholder is not None and item.placeholder.type in FOOTERS
        if box is None or not worded or footer or item.hidden or item.decorative:
            continue
        if share_inside(box, FRAME) > 0:
            items.append((item, box))
    return items


def _lead(items: Sequence[Element]) -> Text | None:
    """The text that stands for a title by its size; None if there is a title or no such text."""
    if any(map(is_title, items)):
        return None
    texts = [item for item in items if isinstance(item, Text)]
    texts.sort(key=lambda item: -item.font.size)
    if len(texts) < 2 or texts[0].font.size < LEAD_SIZE * texts[1].font.size:
        return None
    return texts[0]


def _seen_first(earlier: tuple[Element, Box], later: tuple[Element, Box]) -> int:
    """-1 where one clearly comes first, 1 where the other does, 0 where it is not clear."""
    (item, first), (after, second) = earlier, later
    if is_title(item) or is_title(after):
        return -1 if is_title(item) else 1
    near = READING_TOLERANCE_PX
    same_column = min(first.right, second.right) - max(first.left, second.left) > near
    same_row = min(first.bottom, second.bottom) - max(first.top, second.top) > near
    if same_column and not same_row:
        return -1 if first.top < second.top else 1
    return 0


READING_ORDER = Rule(
    "accessibility.reading-order",
    "ReadingOrder",
    "The order of reading aloud is not that of the slide.",
    source=f"{MICROSOFT}; {WCAG} 1.3.2",
    severity="info",
    threshold=f"{LATE_TITLE_TEXTS} texts before the title, or at least {READING_PAIRS} clear"
    f" pairs with under {READING_SCORE:.0%} in order",
    fix="Put the objects in the order of reading in the Reading Order or Selection pane.",
    why="Screen readers read objects in their order in the file; out of order, the sentences of a "
    "slide make no sense.",
)


def wrong_order(slide: SlideElements) -> Iterator[Occurrence]:
    """A slide whose title is read late, or whose texts are mostly read in another order."""
    order = reading_order(slide)
    if isinstance(order, NotScored) or not order.inversions:
        return
    late = _late_title(order)
    if late is None and (order.pairs < READING_PAIRS or order.score >= READING_SCORE):
        return
    first, seen = order.inversions[0] if late is None else late
    many = len(order.inversions)
    finding = READING_ORDER.finding(
        f"{_named(first)} is read aloud before {_named(seen)}, which comes first"
        f" ({many} of {order.pairs} pairs are the wrong way round).",
        slide.number,
        seen,
        measured=round(order.score, 2),
        threshold=READING_SCORE,
    )
    yield Occurrence(finding, "order")


def _late_title(order: ReadingOrder) -> tuple[Element, Element] | None:
    late = [pair for pair in order.inversions if is_title(pair[1])]
    return late[0] if len(late) >= LATE_TITLE_TEXTS else None


def _named(item: Element) -> str:
    return quoted(item.text) if isinstance(item, Text) else called(item)
