"""Drawn spans and the paragraphs they belong to, found by text and place."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.styles_witness.expected import Place, Row, squeezed
from decklab.core.geometry import Box
from decklab.rendering.pictures import TextSpan

__all__ = ["Match", "Piece", "distance", "match_spans"]

NEAR = 40.0  # px of the 960x540 frame: how far from its shape a word or two may be drawn
FAR = 400.0  # px; long text that LibreOffice lets run off its shape, above or below
SHORT = 4  # characters
NOWHERE = 30.0  # px; the cost of a shape whose place is not known
_NUMBER = re.compile(r"\(?(?:\d{1,3}|[A-Za-z]{1,4})[.)]\s*")


@dataclass(frozen=True)
class Piece:
    """Characters of one paragraph."""

    row: Row
    places: tuple[int, ...]
    """Positions in the row's text."""


@dataclass(frozen=True)
class Match:
    """A drawn span, and what it was drawn for; no pieces where nothing fits."""

    span: TextSpan
    pieces: tuple[Piece, ...]


@dataclass
class _Paragraph:
    """A paragraph, and which of its characters were found already."""

    row: Row
    used: list[bool] = field(init=False)
    letters: list[int] = field(init=False)
    cursor: int = 0

    def __post_init__(self) -> None:
        self.used = [False] * len(self.row.text)
        self.letters = [i for i, c in enumerate(self.row.text) if _is_letter(c)]

    def free(self, text: str) -> tuple[int, ...]:
        """Where the text stands, from the cursor on, else anywhere not used yet."""
        found = self._in(self.row.text, range(len(self.row.text)), text)
        if found or not self.row.right_to_left:
            return found
        plain = "".join(self.row.text[i] for i in self.letters)
        if text and all(_is_letter(c) for c in text):
            return self._in(plain, self.letters, text)
        return self._in(self.row.text, range(len(self.row.text)), text[::-1])

    def _in(self, text: str, places: Sequence[int], wanted: str) -> tuple[int, ...]:
        start = next((i for i, place in enumerate(places) if place >= self.cursor), 0)
        for begin in (start, 0):
            at = text.find(wanted, begin)
            while at >= 0:
                found = tuple(places[at : at + len(wanted)])
                if not any(self.used[place] for place in found):
                    return found
                at = text.find(wanted, at + 1)
        return ()

    def take(self, places: Sequence[int]) -> None:
        for place in places:
            self.used[place] = True
        self.cursor = max(places) + 1


@dataclass(frozen=True)
class _Page:
    paragraphs: Sequence[_Paragraph]
    charts: Sequence[Box]

    def in_chart(self, span: TextSpan) -> bool:
        """Whether a span stands in a chart, whose own text is not among the paragraphs."""
        return any(distance(span.box, chart) < 1 for chart in self.charts)


def match_spans(
    spans: Sequence[TextSpan], rows: Sequence[Row], places: Sequence[Place]
) -> list[Match]:
    """Each span with the paragraph that holds its text, nearest in place, then next in order.

    Longer spans choose first, so that a lone letter never takes the place of a word; marks
    without letters choose last, and stay with the paragraph of their line. Lines of right-to-left
    text are drawn in pieces, letters and marks apart. A span that runs over several shapes in a
    row is matched word by word.
    """
    charts = [place.box for place in places if place.kind == "chart" and place.box is not None]
    page = _Page([_Paragraph(row) for row in rows], charts)
    texts = [squeezed(span.text) for span in spans]
    matches: dict[int, Match] = {}
    lines: dict[int, list[Piece]] = {}
    for index in sorted(range(len(spans)), key=lambda i: (*_rank(texts[i]), i)):
        span = spans[index]
        line = lines.setdefault(span.line, [])
        piece = _piece(span, texts[index], page, line)
        pieces = (piece,) if piece is not None else _by_words(span, page, line)
        matches[index] = Match(span, pieces)
        line.extend(pieces)
    return [matches[index] for index in range(len(spans))]


def _rank(text: str) -> tuple[bool, int]:
    return not any(_is_letter(character) for character in text), -min(len(text), SHORT)


def _by_words(span: TextSpan, page: _Page, line: Sequence[Piece]) -> tuple[Piece, ...]:
    words = span.text.split()
    if len(words) < 2:
        return ()
    found = [_piece(span, squeezed(word), page, line) for word in words]
    pieces = tuple(piece for piece in found if piece is not None)
    return pieces if len(pieces) == len(words) else ()


def _piece(span: TextSpan, text: str, page: _Page, line: Sequence[Piece]) -> Piece | None:
    best: tuple[tuple[bool, float, bool, int], _Paragraph, tuple[int, ...]] | None = None
    in_chart = page.in_chart(span)
    small = len(text) < SHORT or not any(_is_letter(character) for character in text)
    for number, paragraph in enumerate(page.paragraphs):
        found = _found(text, span, paragraph)
        away = distance(span.box, paragraph.row.place.box)
        if not found or away > (NEAR if len(text) < SHORT else FAR) or (in_chart and away >= 1):
            continue
        elsewhere = bool(line) and all(piece.row is not paragraph.row for piece in line)
        apart = round(away) if away >= 1 else 0.0
        cost = (elsewhere and small, apart, found[0] != paragraph.cursor, number)
        if best is None or cost < best[0]:
            best = cost, paragraph, found
    if best is None:
        return None
    best[1].take(best[2])
    return Piece(best[1].row, best[2])


def _found(text: str, span: TextSpan, paragraph: _Paragraph) -> tuple[int, ...]:
    """Where the text stands in a paragraph, at first as it is, then without the bullet before."""
    if not text:
        return ()
    found = paragraph.free(text)
    bullet = paragraph.row.bullet
    if found or not bullet:
        return found
    number = _NUMBER.match(span.text)
    rest = squeezed(span.text[number.end() :]) if number else text[1:]
    if not rest or (number is None and text[0].isalnum()):
        return ()
    return paragraph.free(rest)


def distance(span: Box, shape: Box | None) -> float:
    """From the middle of the span to the nearest edge of the shape; 0 inside."""
    if shape is None:
        return NOWHERE
    x, y = (span.left + span.right) / 2, (span.top + span.bottom) / 2
    across = max(shape.left - x, x - shape.right, 0.0)
    down = max(shape.top - y, y - shape.bottom, 0.0)
    return float((across**2 + down**2) ** 0.5)


def _is_letter(character: str) -> bool:
    return unicodedata.category(character)[0] in "LM"
