"""Where the text of elements was drawn: which element each drawn span belongs to.

A span belongs to an element by its text and its place. Texts are compared without
spaces and letter case.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from math import hypot
from typing import Protocol

from decklab.core.geometry import FRAME_HEIGHT, Box, BoxIndex
from decklab.deck.model.shapes import (
    Chart,
    Diagram,
    Drawn,
    Element,
    Other,
    Table,
    Text,
    Tight,
    box_of,
)
from decklab.deck.model.slide import SlideElements


@lru_cache(maxsize=4096)  # rules ask for the same texts again and again
def squeezed(text: str) -> str:
    """The characters of a text without spaces, in one letter case and one Unicode form.

    >>> squeezed("Ofﬁce  365")
    'office365'
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in plain if not c.isspace() and unicodedata.category(c)[0] != "C")


@lru_cache(maxsize=4096)
def bare(text: str) -> str:
    """The letters, digits and symbols of a text; the punctuation if it has nothing else.

    >>> bare("Well, well!"), bare("?!")
    ('wellwell', '?!')
    """
    inked = squeezed(text)
    return "".join(c for c in inked if unicodedata.category(c)[0] != "P") or inked


_FAR = 240.0
"""Px from its box beyond which a span does not belong to a text: a quarter of the slide's width.
Ours; text that overflows is seldom drawn farther away."""
_REACHES = (0.0, 15.0, 60.0, _FAR)
"""Px; ours: elements farther than each are looked at only for spans that no nearer one has."""
_BULLET = re.compile(r"\S{1,6}\s|\(?\w{1,5}[.):]")
"""The number of a list item, such as ``(viii)``: before a space, or right before its words."""
_ANY_WORDS = 3.0
"""Px added to the distance of a frame whose text is not known, such as a chart."""


class Span(Protocol):
    """Characters on one line, drawn in one size and colour."""

    @property
    def text(self) -> str:
        """The characters."""

    @property
    def box(self) -> Box:
        """Tight around the ink, in the 960x540 frame."""

    @property
    def size_pt(self) -> float:
        """Effective size as drawn."""

    @property
    def color(self) -> str:
        """``#RRGGBB``; empty if not known."""

    @property
    def font(self) -> str:
        """Name of the font drawn; empty if not known."""

    @property
    def line(self) -> int:
        """The number of its line on the slide."""


@dataclass
class SpanClaim:
    """An element that shows text, and the spans it was found to show."""

    element: Element
    box: Box
    words: str | None
    """Its characters that count; None if unknown, so that any span inside may belong to it."""
    spans: list[Span] = field(default_factory=list)
    free: list[bool] = field(default_factory=list)
    """Which of its characters belong to no span yet."""
    edges: frozenset[int] = frozenset()
    """Where the texts of a table's cells begin and end among its characters."""

    @property
    def matched(self) -> float:
        """Share of its characters that its spans contain; 1 if the characters are not known."""
        return 1 - sum(self.free) / len(self.free) if self.free else 1.0

    def distance(self, span: Span, shown: str) -> float | None:
        """Px from it to a span; None if the span's characters ``shown`` cannot belong to it."""
        if self.words is not None and shown not in self.words:
            return None
        x, y = span.box.middle
        away = hypot(
            max(self.box.left - x, 0, x - self.box.right),
            max(self.box.top - y, 0, y - self.box.bottom),
        )
        if self.words is None:
            return _ANY_WORDS if not away else None
        return away if away <= _FAR else None

    def take(self, span: Span, shown: str) -> bool:
        """Assign a span with these characters to it, if no other span has them: those of a cell
        rather than the end of one and the beginning of the next."""
        if self.words is not None:
            places = [
                at for at in _occurrences(shown, self.words) if all(self.free[at : at + len(shown)])
            ]
            if not places:
                return False
            at = min(places, key=lambda at: len({at, at + len(shown)} - self.edges))
            self.free[at : at + len(shown)] = [False] * len(shown)
        self.spans.append(span)
        return True


def claim(element: Element) -> SpanClaim | None:
    """The claim of an element, by its text and place; None if it lacks one of them."""
    box, words = box_of(element), _words(element)
    if box is None or element.hidden or words == "":
        return None
    if isinstance(element, Table):  # its rows grow with their text, past its frame
        box = box._replace(bottom=max(box.bottom, FRAME_HEIGHT))
    free = [] if words is None else [True] * len(words)
    return SpanClaim(element, box, words, free=free, edges=_edges(element, words))


def _occurrences(text: str, words: str) -> Iterator[int]:
    at = words.find(text)
    while at >= 0:
        yield at
        at = words.find(text, at + 1)


def _edges(element: Element, words: str | None) -> frozenset[int]:
    """Where the cells of a table begin and end among its ``words``; none of bare signs."""
    if not isinstance(element, Table) or words is None:
        return frozenset()
    lengths = [len(bare(text)) for row in element.cells for text in row]
    ends = frozenset(accumulate(lengths, initial=0))
    return ends if max(ends) == len(words) else frozenset()


def _words(element: Element) -> str | None:
    match element:
        case Text():
            return bare(element.text)
        case Table():
            return bare("".join(text for row in element.cells for text in row))
        case Diagram():
            return bare("".join(node.text for node in element.nodes))
        case Chart() | Other():
            return None
        case _:
            return ""


def match(claims: Sequence[SpanClaim], spans: Sequence[Span]) -> None:
    """Assign every span to the nearest claim that has its characters, each character once.

    Nearer pairs come first, among equally near ones longer spans. Spaces, punctuation, letter case
    and compatibility forms (ligatures) do not count, and a number or letter drawn before a line as
    its bullet is ignored.
    """
    # No text has a null character, so that none is found across two of them.
    words = "\0".join(item.words for item in claims if item.words is not None)
    shown = [_without_bullet(span.text, words) for span in spans]
    places = BoxIndex(item.box for item in claims)
    anywhere = any(item.words is None for item in claims)
    waiting = [i for i, text in enumerate(shown) if text and (anywhere or text in words)]
    nearer = -1.0
    for reach in _REACHES:
        pairs = []
        for index in waiting:
            span, text = spans[index], shown[index]
            x, y = span.box.middle
            for rank in places.near(Box(x, y, x, y).grown(reach)):
                item = claims[rank]
                if (away := item.distance(span, text)) is not None and nearer < away <= reach:
                    pairs.append((away, -len(text), _off_centre(span, item), index, rank))
        given: set[int] = set()
        for *_order, index, rank in sorted(pairs):
            if index not in given and claims[rank].take(spans[index], shown[index]):
                given.add(index)
        waiting = [index for index in waiting if index not in given]
        nearer = reach
    order = {id(span): index for index, span in enumerate(spans)}
    for item in claims:
        item.spans.sort(key=lambda span: order[id(span)])


def _without_bullet(text: str, words: str) -> str:
    """The characters of a span that count, without a bullet that no claim has."""
    whole, bullet = bare(text), _BULLET.match(text.strip())
    if bullet is None or whole in words:
        return whole
    left = bare(text.strip()[bullet.end() :])
    return left if left and left in words else whole


def _off_centre(span: Span, item: SpanClaim) -> float:
    x, y = span.box.middle
    middle, centre = item.box.middle
    return hypot(x - middle, y - centre)


@dataclass(frozen=True)
class LaidOut:
    """A slide with ``drawn`` set on every text that was found on its page."""

    slide: SlideElements
    share_of_text: float | None
    """Share of the characters of the slide's visible texts that the page shows; None if it has no
    text."""


def merge_layout(slide: SlideElements, spans: Sequence[Span]) -> LaidOut:
    """The slide's texts with tight boxes and effective sizes, matched by text and place.

    Spans of tables, charts, diagrams and other frames are not assigned to texts. Of several
    elements with the characters of a span, the nearest gets it, each character once; no element
    gets a span farther from its box than a quarter of the slide's width.
    """
    frames: tuple[Element, ...] = (*slide.tables, *slide.charts, *slide.diagrams, *slide.others)
    each = (claim(item) for item in (*slide.texts, *frames))
    claims = [item for item in each if item is not None]
    match(claims, spans)
    texts = {id(item.element): item for item in claims if isinstance(item.element, Text)}
    merged = tuple(
        item.model_copy(update={"drawn": _drawn(texts[id(item)]) if id(item) in texts else None})
        for item in slide.texts
    )
    total = sum(len(item.free) for item in texts.values())
    matched = total - sum(sum(item.free) for item in texts.values())
    return LaidOut(slide.model_copy(update={"texts": merged}), matched / total if total else None)


def _drawn(item: SpanClaim) -> Drawn | None:
    if not item.spans:
        return None
    box = item.spans[0].box
    sizes: Counter[float] = Counter()
    colors: Counter[str] = Counter()
    for span in item.spans:
        box = box.union(span.box)
        sizes[round(span.size_pt, 2)] += len(span.text)
        colors[span.color.upper()] += len(span.text)
    return Drawn(
        box=Tight(
            x=round(box.left, 2), y=round(box.top, 2), w=round(box.width, 2), h=round(box.height, 2)
        ),
        size=sizes.most_common(1)[0][0],
        color=colors.most_common(1)[0][0] or None,
        matched=min(item.matched, 1.0),
    )
