"""Laid-out truth: where a slide's texts were drawn, and how large."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, radians, sin
from typing import Protocol

from decklab.deck.elements.model.shapes import Drawn, Text, Tight
from decklab.deck.elements.model.slide import SlideElements
from decklab.geometry import Box

__all__ = ["LaidOut", "Span", "merge_layout"]

_FAR = 240.0
"""Px from its box beyond which text is taken for another's: a quarter of the slide's width. Ours;
text that overflows is seldom drawn farther away."""

_LONGEST_BULLET = 6
"""Characters of a number that counts lines, such as ``(viii)``."""


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
        """``#RRGGBB``; empty where not known."""


@dataclass(frozen=True)
class LaidOut:
    """A slide with ``drawn`` set on every text that was found on its page."""

    slide: SlideElements
    share_of_text: float | None
    """Share of the characters of the slide's visible texts that were found on the page; None
    where there are none."""
    share_of_spans: float | None
    """Share of the page's characters that belong to those texts; the rest are text of tables,
    charts, diagrams, layouts and masters. None where the page shows none."""


def merge_layout(slide: SlideElements, spans: Sequence[Span]) -> LaidOut:
    """The slide's texts with tight boxes and effective sizes, matched by text and place.

    Spaces, punctuation, letter case and compatibility forms (ligatures) do not count, and a
    number or letter that is drawn before a line as its bullet is left aside. Of several texts
    that hold the characters of a span, the one whose box is nearest has it; beyond a quarter of
    the slide's width from its box no text has any.
    """
    texts = [item for item in slide.texts if item.placed and not item.hidden]
    wanted = [_bare(item.text) for item in texts]
    places = [_bounds(item) for item in texts]
    shown = [_without_bullet(span.text, wanted) for span in spans]
    owners = [_owner(span, bare, wanted, places) for span, bare in zip(spans, shown, strict=True)]
    drawn: dict[int, Drawn] = {}
    found = 0
    for index, text in enumerate(texts):
        mine = [i for i, owner in enumerate(owners) if owner == index]
        taken = _taken(wanted[index], [shown[i] for i in mine])
        kept = [spans[i] for i, keep in zip(mine, taken, strict=True) if keep]
        if kept:
            matched = sum(len(shown[i]) for i, keep in zip(mine, taken, strict=True) if keep)
            found += matched
            drawn[id(text)] = _drawn(kept, matched / len(wanted[index]))
    merged = tuple(item.model_copy(update={"drawn": drawn.get(id(item))}) for item in slide.texts)
    total, page = sum(map(len, wanted)), sum(map(len, shown))
    return LaidOut(
        slide.model_copy(update={"texts": merged}),
        found / total if total else None,
        found / page if page else None,
    )


def _bare(text: str) -> str:
    """Characters that count: letters, digits and symbols, in one case and one form.

    Of a text that is nothing but punctuation, all that is not space.
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    inked = [c for c in plain if not c.isspace() and unicodedata.category(c)[0] != "C"]
    return "".join(c for c in inked if unicodedata.category(c)[0] != "P") or "".join(inked)


def _without_bullet(text: str, wanted: Sequence[str]) -> str:
    """The characters of a span that count, less a bullet that none of the texts holds."""
    bare = _bare(text)
    bullet, _, rest = text.strip().partition(" ")
    if len(bullet) > _LONGEST_BULLET or any(bare in item for item in wanted):
        return bare
    left = _bare(rest)
    return left if left and any(left in item for item in wanted) else bare


def _owner(span: Span, bare: str, wanted: Sequence[str], places: Sequence[Box]) -> int | None:
    """Which text a span belongs to: the nearest of those that hold its characters."""
    if not bare:
        return None
    x, y = (span.box.left + span.box.right) / 2, (span.box.top + span.box.bottom) / 2
    near = [
        (_outside(x, y, places[i]), _from_center(x, y, places[i]), i)
        for i, text in enumerate(wanted)
        if bare in text
    ]
    best = min(near, default=None)
    return None if best is None or best[0] > _FAR else best[2]


def _taken(text: str, pieces: Sequence[str]) -> list[bool]:
    """Which pieces a text is made of, each character used once: in order first, then anywhere."""
    free = [True] * len(text)
    cursor = 0
    taken: list[bool] = []
    for piece in pieces:
        at = _free_place(text, piece, cursor, free)
        if at is None:
            at = _free_place(text, piece, 0, free)
        taken.append(at is not None)
        if at is not None:
            cursor = at + len(piece)
            free[at:cursor] = [False] * len(piece)
    return taken


def _free_place(text: str, piece: str, start: int, free: Sequence[bool]) -> int | None:
    at = text.find(piece, start)
    while at >= 0:
        if all(free[at : at + len(piece)]):
            return at
        at = text.find(piece, at + 1)
    return None


def _drawn(spans: Sequence[Span], matched: float) -> Drawn:
    box = spans[0].box
    sizes: Counter[float] = Counter()
    colors: Counter[str] = Counter()
    for span in spans:
        box = box.union(span.box)
        sizes[round(span.size_pt, 2)] += len(span.text)
        colors[span.color.upper()] += len(span.text)
    return Drawn(
        box=Tight(
            x=round(box.left, 2), y=round(box.top, 2), w=round(box.width, 2), h=round(box.height, 2)
        ),
        size=sizes.most_common(1)[0][0],
        color=colors.most_common(1)[0][0] or None,
        matched=min(matched, 1.0),
    )


def _bounds(text: Text) -> Box:
    """The upright rectangle around a text's turned box."""
    turn = radians(text.rotation)
    width = abs(text.w * cos(turn)) + abs(text.h * sin(turn))
    height = abs(text.w * sin(turn)) + abs(text.h * cos(turn))
    x, y = text.x + text.w / 2, text.y + text.h / 2
    return Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def _outside(x: float, y: float, box: Box) -> float:
    """Distance of a point from a box; 0 inside."""
    return hypot(max(box.left - x, 0, x - box.right), max(box.top - y, 0, y - box.bottom))


def _from_center(x: float, y: float, box: Box) -> float:
    return hypot(x - (box.left + box.right) / 2, y - (box.top + box.bottom) / 2)
