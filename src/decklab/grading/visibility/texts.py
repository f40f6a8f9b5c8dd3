"""What is seen of the texts of one slide, from its layers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from decklab.deck.model.shapes import Element, Table, Text
from decklab.deck.model.slide import SlideElements
from decklab.deck.spelling import bare
from decklab.deck.views.drawn import claim, match
from decklab.geometry import Box
from decklab.grading.visibility.declared import ENOUGH, PART, SMALL, VisibilityFault
from decklab.metrics.ink import LEAST_CONTRAST, LEAST_SIZE
from decklab.rendering.model import LayeredSpan

_PIECE = 4
"""Least characters of a span that count as part of a text where the text lacks the others. Ours."""


@dataclass(frozen=True)
class TextVisibility:
    """What is seen of one text."""

    share: float
    """Share of its characters that are seen and can be read, 0 to 1."""
    fault: VisibilityFault | None
    """The main reason why the rest is not visible; None where ``share`` is enough."""
    detail: str = ""
    place: Box | None = None
    """The box around its drawing, in the 960x540 frame."""


@dataclass(frozen=True)
class LegibleSpan:
    """A drawn span, and the share of it that can be read."""

    layered: LayeredSpan
    share: float
    contrast: float

    @property
    def fault(self) -> VisibilityFault | None:
        """The fault that makes it unreadable."""
        if self.layered.size_shown < LEAST_SIZE:
            return "small"
        if self.share < PART:
            return "faint" if 1 < self.contrast < LEAST_CONTRAST else "covered"
        return None


class SlideTexts:
    """The texts of one slide, and the drawn spans of each."""

    def __init__(self, slide: SlideElements, spans: Sequence[LegibleSpan]) -> None:
        frames: tuple[Element, ...] = (*slide.tables, *slide.charts, *slide.diagrams, *slide.others)
        self._claims = [one for item in (*slide.texts, *frames) if (one := claim(item)) is not None]
        self._legible = {id(one.layered.span): one for one in spans}
        match(self._claims, [one.layered.span for one in spans])

    def __iter__(self) -> Iterator[tuple[Element, str]]:
        """Every text and table with its words."""
        for one in self._claims:
            if isinstance(one.element, Text | Table) and one.words:
                yield one.element, one.words

    def sight(self, id: int, words: str | None = None) -> TextVisibility:
        """What is seen of the text of shape ``id``, or of some of its words."""
        claims = [item for item in self._claims if item.element.id == id]
        if not claims:
            return TextVisibility(0.0, "empty", "it has no text that is shown")
        wanted = bare(words) if words is not None else "".join(item.words or "" for item in claims)
        spans = [self._legible[_key(span)] for item in claims for span in item.spans]
        in_rows = words is not None and any(isinstance(item.element, Table) for item in claims)
        whole = wanted == "".join(item.words or "" for item in claims)
        return _sight(wanted, spans, in_rows=in_rows and not whole)


def _key(span: object) -> int:
    return id(span)


def _sight(wanted: str, spans: Sequence[LegibleSpan], *, in_rows: bool) -> TextVisibility:
    """What is seen of some characters in the spans of their element; with ``in_rows`` all must be
    on one line with the longest span among them, like the cells of a table's row."""
    left, seen = wanted, 0.0
    lost: dict[VisibilityFault, int] = {}
    place: Box | None = None
    for span, text in _showing(wanted, spans, in_rows=in_rows):
        left = left.replace(text, "\n", 1)
        box = span.layered.span.box
        place = box if place is None else place.union(box)
        if span.fault is None:
            seen += len(text) * span.share
        else:
            lost[span.fault] = lost.get(span.fault, 0) + len(text)
    share = min(1.0, seen / len(wanted)) if wanted else 1.0
    if missing := len(left.replace("\n", "")):
        lost["not drawn"] = missing
    if share >= ENOUGH:
        return TextVisibility(share, None, place=place)
    worst = max(lost, key=lambda name: lost[name]) if lost else "covered"
    return TextVisibility(share, worst, _TEXT_WORDS[worst], place)


def _showing(
    wanted: str, spans: Sequence[LegibleSpan], *, in_rows: bool
) -> Iterator[tuple[LegibleSpan, str]]:
    """The spans that show some of ``wanted``, each with the characters it shows, none twice."""
    left = wanted
    row: Box | None = None
    waiting = sorted(spans, key=lambda span: -len(bare(span.layered.span.text)))
    for whole in (True, False):  # spans that are wanted whole come first
        unused = []
        for span in waiting:
            box, text = span.layered.span.box, bare(span.layered.span.text)
            shown = (text if text in left else "") if whole else _part_of(text, left)
            if not shown or (row is not None and not _level(box, row)):
                unused.append(span)
                continue
            row = box if in_rows and row is None else row
            left = left.replace(shown, "\n", 1)
            yield span, shown
        waiting = unused


_TEXT_WORDS: Final[dict[VisibilityFault, str]] = {
    "small": SMALL,
    "faint": f"its text stands off from what is behind it by less than {LEAST_CONTRAST:g}:1",
    "covered": "its text is covered, cut off or in the colour of what is behind it",
    "not drawn": "its text is not drawn",
}


def _level(first: Box, second: Box) -> bool:
    shared = min(first.bottom, second.bottom) - max(first.top, second.top)
    return shared >= PART * min(first.height, second.height)


def _part_of(text: str, left: str) -> str:
    """The longest of the remaining pieces that a span contains, or else of the span's beginnings
    and ends that they contain; none of less than ``_PIECE`` characters."""
    inside = [piece for piece in left.split("\n") if len(piece) >= _PIECE and piece in text]
    if inside:
        return max(inside, key=len)
    for length in range(len(text) - 1, _PIECE - 1, -1):
        for part in (text[:length], text[-length:]):
            if part in left:
                return part
    return ""
