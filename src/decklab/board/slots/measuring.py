"""Text measured in a template's placeholders, with the fonts, sizes and indents that they have."""

from dataclasses import dataclass, replace
from typing import Final

from decklab.board.slots.parts import page_scale
from decklab.board.templates.places import LayoutPlace, LevelLook, TemplateLayout
from decklab.board.themes import LEAST_PT
from decklab.board.typography import Face, lines_height, widest_word, wrap
from decklab.core.geometry import Box

STEPS: Final = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3)
"""Shares of the template's sizes that are tried, the largest first."""

_HANG, _MARK_HANG = 1.5, 0.9
"""Shares of the size from a number and from a mark to its text, where the template has no room for
one. Ours."""

_TOLERANCE = 1.0
_LEAST_LEVEL = 0.75
"""Share of the size of the outermost paragraphs that deeper ones have at least. Ours."""
_LEAST_GAP = 0.35
_AIRY = 0.85
_MOST_AIR = 1.0
"""Share of a place that text is spread over, and the most between two paragraphs, as a share of
their size. Ours."""
_ADDED_GAP = 0.5
"""Space between paragraphs without bullets, as shares of their size."""


@dataclass(frozen=True)
class PlaceLine:
    """A paragraph in a placeholder; all that is not stated is left to the template."""

    text: str
    level: int = 0
    bare: bool = False
    """Without the bullet that its level has."""
    marked: bool = False
    """A point among others, which has a bullet even where its level has none."""
    bold: bool = False
    number: int = 0
    """The number before it; 0 for none."""
    soft: bool = False
    """In the softer colour of text."""


@dataclass(frozen=True)
class PlaceText:
    """The text of a placeholder, and the share of the template's sizes that it is set at."""

    name: str
    place: LayoutPlace
    lines: tuple[PlaceLine, ...]
    factor: float = 1.0
    box: Box | None = None
    """Where it stands, if not where its layout puts it."""
    air: float = 0.0
    """Points added between its outermost paragraphs, which would leave much of it empty."""

    @property
    def room(self) -> Box:
        """The box without the insets of its text."""
        left, top, right, bottom = self.box or self.place.box
        inset = self.place.insets
        return Box(left + inset.left, top + inset.top, right - inset.right, bottom - inset.bottom)

    @property
    def size(self) -> float:
        """Size of its outermost paragraphs in points."""
        return set_size(look_of(self.place, 0), self.factor)


def text_box(name: str, box: Box, layout: TemplateLayout, size: float) -> LayoutPlace:
    """A place for text where a layout has no placeholder, in the layout's font and text colour."""
    look = plain_look(layout.body_font, size, least=LEAST_PT * page_scale(layout.size))
    return LayoutPlace("text", name, (), box, Box(0, 0, 0, 0), (look,), ground=layout.ground)


def plain_look(
    family: str, size: float, *, bold: bool = False, least: float = LEAST_PT
) -> LevelLook:
    """How text is set where no placeholder says how."""
    return LevelLook(
        size=size, family=family, bold=bold, caps=False, color="#000000", slot="tx1",
        bulleted=False, margin=0.0, indent=0.0, letter_spacing=0.0, line_share=1.0,
        line_points=0.0, before=0.0, after=0.0, sized=True, least=least,
    )  # fmt: skip


def look_of(place: LayoutPlace, level: int) -> LevelLook:
    """How a placeholder sets a level, never larger than the outermost nor far smaller; for deeper
    ones than it has the last."""
    look, most = place.levels[min(level, len(place.levels) - 1)], place.levels[0].size
    size = min(max(look.size, float(round(_LEAST_LEVEL * most))), most)
    return look if look.size == size else replace(look, size=size, sized=False)


def set_size(look: LevelLook, factor: float) -> float:
    """Whole points at a share of the template's size, but never below the least."""
    if factor == 1.0:
        return max(look.size, look.least)
    return max(float(int(look.size * factor + 0.001)), look.least)


def margin_of(text: PlaceText, line: PlaceLine) -> tuple[float, float]:
    """Indent of a paragraph and of its first line against it, in points."""
    look = look_of(text.place, line.level)
    size = set_size(look, text.factor)
    if line.number:
        hang = max(-look.indent, _HANG * size)
        return max(look.margin, hang), -hang
    if line.bare:
        return 0.0, 0.0
    if line.marked and not look.bulleted:
        hang = max(-look.indent, _MARK_HANG * size)
        return max(look.margin, hang * (line.level + 1)), -hang
    return look.margin, look.indent


def gap_of(text: PlaceText, line: PlaceLine) -> float:
    """Points above a paragraph that stands further apart than in the template; 0 for its own."""
    look = look_of(text.place, line.level)
    marked = line.number or (look.bulleted and not line.bare)
    running = text.place.kind in ("text", "object") and len(text.lines) > 1
    apart = look.before + look.after >= _LEAST_GAP * look.size
    none = marked or not running or apart or line.level
    gap = 0.0 if none else round(_ADDED_GAP * set_size(look, text.factor))
    if not text.air or line.level:
        return gap
    return round(max(gap, look.before * set_size(look, text.factor) / look.size) + text.air)


def measured(text: PlaceText, language: str) -> tuple[float, list[int]]:
    """Height of a text in points, and how many lines each of its paragraphs takes."""
    high, counts = 0.0, []
    for place, line in enumerate(text.lines):
        look = look_of(text.place, line.level)
        size = set_size(look, text.factor)
        face = Face(look.family or "Arial", look.bold or line.bold, language)
        margin, _hang = margin_of(text, line)
        words = line.text.upper() if look.caps else line.text
        spread = 1 + max(look.letter_spacing, 0.0) / (size / 2)
        lines = wrap(words, face, size, max(text.room.width - margin, size) / spread)
        counts.append(len(lines))
        if look.line_points:
            high += look.line_points * len(lines)
        else:
            high += lines_height(lines, face, size) * look.line_share
        scale = size / look.size
        above = gap_of(text, line) or look.before * scale
        high += look.after * scale + (above if place else 0.0)
    return high, counts


def fits(text: PlaceText, language: str, most_lines: int | None = None) -> bool:
    """Whether a text stays in its placeholder, in at most so many lines.

    A single line always has the height it needs: placeholders for titles are often a little lower.
    """
    high, counts = measured(text, language)
    if most_lines is not None and (sum(counts) > most_lines or _breaks_words(text, language)):
        return False
    return sum(counts) == 1 or high <= text.room.height + _TOLERANCE


def air_of(text: PlaceText, height: float, language: str) -> float:
    """Points to add between the outermost paragraphs of a text that leaves a height empty."""
    gaps = sum(not line.level for line in text.lines) - 1
    if gaps < 1:
        return 0.0
    spare = _AIRY * height - measured(text, language)[0]
    return float(int(min(max(spare, 0.0) / gaps, _MOST_AIR * text.size)))


def _breaks_words(text: PlaceText, language: str) -> bool:
    """Whether a word is wider than the place, and would go on in the next line."""
    look = look_of(text.place, 0)
    size = set_size(look, text.factor)
    face = Face(look.family or "Arial", look.bold, language)
    said = " ".join(line.text for line in text.lines)
    wide = widest_word(said.upper() if look.caps else said, face, size)
    return wide > text.room.width + _TOLERANCE


def fitted(
    text: PlaceText,
    language: str,
    *,
    least: float = 0.0,
    most_lines: int | None = None,
    start: float = 1.0,
) -> tuple[PlaceText, bool]:
    """A text at the largest share of the template's sizes at which it fits, and whether it does.

    The first share tried is ``start``. Its outermost paragraphs are never set below ``least``
    points, nor below the least of the template.
    """
    full = look_of(text.place, 0).size
    least = max(least, look_of(text.place, 0).least)
    factors = [one for one in STEPS if one < start and full * one >= least]
    tried = text
    for factor in (start, *factors, min(least / full, start)):
        tried = replace(text, factor=factor)
        if fits(tried, language, most_lines):
            return tried, True
    return tried, False
