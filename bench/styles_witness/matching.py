"""Drawn spans and the paragraphs they belong to, found by text and place."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.styles_witness.expected import Row, squeezed
from decklab.geometry import Box
from decklab.render.model import TextSpan

__all__ = ["Match", "match_spans"]

NEAR = 40.0  # px of the 960x540 frame: text that overflows its shape is drawn beside it
FAR = 400.0  # px; text that LibreOffice lets run off its shape, above or below


@dataclass(frozen=True)
class Match:
    """A drawn span, and the characters of a paragraph it was drawn for; no row where none fits."""

    span: TextSpan
    row: Row | None
    start: int = 0


@dataclass
class _Paragraph:
    row: Row
    used: list[bool] = field(init=False)
    cursor: int = 0

    def __post_init__(self) -> None:
        self.used = [False] * len(self.row.text)

    def free(self, text: str) -> int | None:
        """Where the text stands next, from the cursor on, else anywhere not used yet."""
        for begin in (self.cursor, 0):
            at = self.row.text.find(text, begin)
            while at >= 0:
                if not any(self.used[at : at + len(text)]):
                    return at
                at = self.row.text.find(text, at + 1)
        return None

    def take(self, at: int, length: int) -> None:
        self.used[at : at + length] = [True] * length
        self.cursor = at + length


def match_spans(spans: Sequence[TextSpan], rows: Sequence[Row]) -> list[Match]:
    """Each span with the paragraph that holds its text, nearest in place, then next in order.

    Longer spans choose first, so that a lone letter never takes the place of a word.
    """
    paragraphs = [_Paragraph(row) for row in rows]
    matches: dict[int, Match] = {}
    order = sorted(range(len(spans)), key=lambda i: (-min(len(squeezed(spans[i].text)), 4), i))
    for index in order:
        matches[index] = _match(spans[index], paragraphs)
    return [matches[index] for index in range(len(spans))]


def _match(span: TextSpan, paragraphs: Sequence[_Paragraph]) -> Match:
    text = squeezed(span.text)
    best: tuple[tuple[float, bool, int], _Paragraph, int] | None = None
    for number, paragraph in enumerate(paragraphs):
        at = paragraph.free(text) if text else None
        if at is None:
            continue
        away = _distance(span.box, paragraph.row.place.box)
        if away > (NEAR if len(text) < 4 else FAR):
            continue
        cost = (0.0 if away < 1 else round(away), at != paragraph.cursor, number)
        if best is None or cost < best[0]:
            best = cost, paragraph, at
    if best is None:
        return Match(span, None)
    best[1].take(best[2], len(text))
    return Match(span, best[1].row, best[2])


def _distance(span: Box, shape: Box | None) -> float:
    """From the middle of the span to the nearest edge of the shape; 0 inside."""
    if shape is None:
        return 0.0
    x, y = (span.left + span.right) / 2, (span.top + span.bottom) / 2
    across = max(shape.left - x, x - shape.right, 0.0)
    down = max(shape.top - y, y - shape.bottom, 0.0)
    return float((across**2 + down**2) ** 0.5)
