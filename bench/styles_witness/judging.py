"""Whether a drawn span agrees with the effective style, and of which kind it is where not."""

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from skimage.color import deltaE_ciede2000, rgb2lab

from bench.styles_witness.expected import Place, Row, squeezed
from bench.styles_witness.matching import Match, distance
from decklab.deck.model.shapes import Run, RunFont
from decklab.rendering.pictures import TextSpan

__all__ = ["Verdict", "judge", "why_unmatched"]

SIZE_PT = 0.5
COLOR_DELTA = 2.0  # CIEDE2000
_COMPLEX = ("HEBREW", "ARABIC", "SYRIAC", "THAANA", "THAI", "LAO", "KHMER", "DEVANAGARI")
_EAST_ASIAN = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "FULLWIDTH", "IDEOGRAPHIC", "BOPOMOFO")


@dataclass(frozen=True)
class Verdict:
    """One matched span."""

    span: TextSpan
    row: Row
    run: Run
    """That of the first character that disagrees, else of the first character."""
    size: bool
    color: bool
    refitted: bool
    """Whether the text's shape shrinks text on overflow, which LibreOffice does its own way."""
    replaced: bool
    """Whether the span is drawn in another font than the one named."""
    kind: str
    """Class of the disagreement; empty where there is none."""


def judge(match: Match, defaulted: Collection[str]) -> Verdict:
    """Compare a matched span with every character it was drawn for.

    ``defaulted`` are the texts of paragraphs that state ``a:defRPr`` in their own properties.
    """
    span = match.span
    checked = []
    for piece in match.pieces:
        for run in {id(piece.row.runs[i]): piece.row.runs[i] for i in piece.places}.values():
            size = abs(run.font.size - span.size_pt) <= SIZE_PT
            checked.append((size, _alike(run.font, span), piece.row, run))
    size, color, row, run = min(checked, key=lambda item: item[0] + item[1])
    refitted = row.autofit == "shrink"
    agrees = color and (size or refitted)
    return Verdict(
        span, row, run, size, color, refitted,
        _replaced(span, run.font),
        "" if agrees else _kind(row, run, defaulted),
    )  # fmt: skip


def why_unmatched(span: TextSpan, places: Sequence[Place], rows: Sequence[Row]) -> str:
    """Why no paragraph was found for a span."""
    text = squeezed(span.text)
    bullets = {squeezed(row.bullet) for row in rows} - {""}
    number = any(character.isdigit() for character in bullets)
    if text in bullets or (number and text.rstrip(".)").isalnum() and len(text) <= 3):
        return "a bullet or its number"
    if any(
        place.kind == "chart" and distance(span.box, place.box) < NEAR_CHART for place in places
    ):
        return "text of a chart"
    drawn = ("ole", "picture", "media", "unknown", "diagram")
    if any(place.kind in drawn and distance(span.box, place.box) < 1 for place in places):
        return "text inside a picture or object"
    if any(row.right_to_left for row in rows):
        return "marks of right-to-left text"
    if any(row.dated for row in rows):
        return "a date of today"
    return "other"


NEAR_CHART = 15.0  # px; labels stand a little outside a chart's frame


def _alike(font: RunFont, span: TextSpan) -> bool:
    if font.alpha == 0:
        return False
    return _delta(font.color, span.color) <= COLOR_DELTA


@cache
def _delta(one: str, other: str) -> float:
    first, second = (
        rgb2lab(np.array([[[int(text[i : i + 2], 16) / 255 for i in (1, 3, 5)]]]))
        for text in (one, other)
    )
    return float(deltaE_ciede2000(first, second)[0, 0])  # type: ignore[no-untyped-call]


def _replaced(span: TextSpan, font: RunFont) -> bool:
    name = unicodedata.name(squeezed(span.text)[0], "")
    asked = font.name
    if name.startswith(_COMPLEX):
        asked = font.complex_script
    elif name.startswith(_EAST_ASIAN):
        asked = font.east_asian
    return not _plain(span.font).startswith(_plain(asked)) or not asked


def _plain(font: str) -> str:
    return "".join(character for character in font.casefold() if character.isalnum())


def _kind(row: Row, run: Run, defaulted: Collection[str]) -> str:
    if row.right_to_left:
        return "a piece of right-to-left text: which one it is cannot be told for sure"
    if run.click is not None:
        return "a link: PowerPoint paints all in the theme's link colour, LibreOffice not quite"
    if run.font.baseline:
        return "raised or lowered: LibreOffice draws it at 58 % of the size"
    if row.text in defaulted:
        return "a:pPr/a:defRPr: LibreOffice obeys it, PowerPoint does not"
    if run.font.outline is not None:
        return "outlined glyphs: LibreOffice draws them in the colour of the outline"
    if run.kind == "field":
        return "a field: LibreOffice applies its colour's changes twice"
    if row.place.orphan:
        return "a placeholder the layout has no counterpart of: LibreOffice inherits nothing"
    return "other"
