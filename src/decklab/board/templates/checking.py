"""Uses and faults of a template, before a deck is made with it."""

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

from decklab.board.slots.measuring import look_of
from decklab.board.templates.places import (
    DeckTemplate,
    LayoutPlace,
    LevelLook,
    TemplateLayout,
    levels_of,
)
from decklab.board.templates.reading import read_template
from decklab.board.templates.uses import USES, Use, UseTable, use_table, uses_of
from decklab.board.themes import LEAST_PT, READABLE
from decklab.board.typography import Face, line_pitch, text_width
from decklab.core.colors import contrast_ratio
from decklab.deck.styles.themes import family_without_style, plain_family
from decklab.rendering.font_report import METRIC_COMPATIBLE
from decklab.rendering.fonts import installed_families

FaultCode = Literal[
    "no-title", "off-slide", "overlap", "small-text", "low-contrast", "duplicate", "unused",
    "font-missing", "no-size", "sample-text", "no-place",
]  # fmt: skip

_RUNNING = ("text", "object", "subtitle", "title")
_OFF = 2.0
_OVERLAP = 0.05
_LONGEST_PROMPT = 80
_SAMPLE = re.compile(
    r"lorem ipsum|dolor sit|sample text|your (text|name|company|logo)|insert |placeholder|xxx+"
    r"|click to (add|edit)|beispieltext|mustertext",
    re.IGNORECASE,
)
_MEASURE: Final = "the harbour earned more than it ever did before and the new crane paid for it"
"""Words of common lengths, for how many a place holds."""

_INSTEAD: Final[dict[Use, str]] = {
    "title": "the opening slide stands on a section, closing or title-only layout",
    "section": "section slides stand on the title layout",
    "contents": "contents stand on the layout for text",
    "body": "text stands in text boxes below the title",
    "two_columns": "two columns stand as text boxes side by side",
    "three_columns": "three columns stand as text boxes side by side",
    "comparison": "headings of columns are the first line of each column",
    "picture_text": "picture and text stand free where the text would be",
    "picture": "pictures stand free where the text would be",
    "chart": "charts stand free where the text would be",
    "table": "tables stand free where the text would be",
    "quote": "quotations stand on the layout for text",
    "closing": "the ending stands on the title layout",
    "title_only": "cards, steps, numbers and code stand on the layout for text, without its text",
}


@dataclass(frozen=True)
class PlaceRoom:
    """A placeholder of a layout, and what it holds at the template's size.

    ``size`` is in points; ``lines`` and ``words`` are None where no text is meant.
    """

    kind: str
    name: str
    box: tuple[float, float, float, float]
    """Left, top, right, bottom in points."""
    size: float
    lines: int | None
    words: int | None


@dataclass(frozen=True)
class LayoutCheck:
    """The uses of one layout."""

    number: int
    name: str
    master: int
    uses: tuple[Use, ...]
    places: tuple[PlaceRoom, ...]


@dataclass(frozen=True)
class TemplateFault:
    """Faults: ``layout`` is the number of the layout, 0 for the whole template."""

    code: FaultCode
    layout: int
    text: str


@dataclass(frozen=True)
class MissingUse:
    """A use for which the template has no layout, and what is done instead."""

    use: Use
    instead: str


@dataclass(frozen=True)
class TemplateCheck:
    """A template as ``decklab template check`` shows it. ``chosen`` is the layout for each use."""

    path: Path
    size: tuple[float, float]
    """Of the slides, in points."""
    master: str
    """The master that decks are made with."""
    slides: int
    """Slides of its own, which no deck takes over."""
    layouts: tuple[LayoutCheck, ...]
    chosen: dict[Use, int]
    missing: tuple[MissingUse, ...]
    faults: tuple[TemplateFault, ...]

    def as_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {**asdict(self), "path": str(self.path)}


def check_template(path: str | Path) -> TemplateCheck:
    """Say what the layouts of a template can be used for and what is wrong with it.

    Raises DeckError where the file cannot be read or has no layout, OSError where it is not there,
    Unavailable where uharfbuzz or fontconfig is missing.
    """
    template = read_template(path)
    table = use_table(template)
    layouts = tuple(
        LayoutCheck(
            layout.number,
            layout.name,
            layout.master,
            tuple(use for use in USES if use in uses_of(layout)),
            tuple(_room(place) for place in layout.places),
        )
        for layout in template.layouts
    )
    chosen = {use: found[0].number for use in USES if (found := table.of_master(use))}
    missing = tuple(
        MissingUse(use, _INSTEAD[use]) for use in USES if use in _INSTEAD and use not in chosen
    )
    return TemplateCheck(
        template.path,
        template.size,
        template.masters[table.master - 1] if template.masters else "",
        template.slides,
        layouts,
        chosen,
        missing,
        tuple(_faults(template, table)),
    )


def _room(place: LayoutPlace) -> PlaceRoom:
    look = look_of(place, 0)
    box = tuple(round(edge, 1) for edge in place.box)
    lines = words = None
    if place.kind in _RUNNING and not place.vertical:
        lines, words = _holds(place, look)
    left, top, right, bottom = box
    return PlaceRoom(place.kind, place.name, (left, top, right, bottom), look.size, lines, words)


def _holds(place: LayoutPlace, look: LevelLook) -> tuple[int, int]:
    """Lines and words that a place holds at the template's size."""
    face = Face(look.family or "Arial", look.bold, "en")
    inset = place.insets
    pitch = look.line_points or line_pitch("x", face) * look.size * (look.line_share or 1.0)
    height = place.box.height - inset.top - inset.bottom
    width = place.box.width - inset.left - inset.right - look.margin
    lines = max(int(height / pitch + 0.05), 0)
    word = text_width(f"{_MEASURE} ", face, look.size) / len(_MEASURE.split())
    return lines, lines * max(int(width / word), 0)


def _faults(template: DeckTemplate, table: UseTable) -> Iterator[TemplateFault]:
    yield from _missing_fonts(template)
    looks: dict[tuple[Any, ...], TemplateLayout] = {}
    for layout in template.layouts:
        number = layout.number
        if layout.title is None and any(place.kind in _RUNNING for place in layout.places):
            yield TemplateFault("no-title", number, "it has text, but no title placeholder")
        for name in layout.unplaced:
            yield TemplateFault("no-place", number, f"{name!r} has no place and size anywhere")
        yield from _off_slide(layout)
        yield from _overlaps(layout)
        yield from _drawn_over(layout)
        for place in layout.places:
            yield from _text_faults(number, place)
        for words in layout.words:
            if _SAMPLE.search(words):
                yield TemplateFault("sample-text", number, f"it shows the words “{_short(words)}”")
        key = _likeness(layout)
        if key in looks:
            first = looks[key]
            text = f"it has the places of layout {first.number} ({first.name!r})"
            yield TemplateFault("duplicate", number, text)
        looks.setdefault(key, layout)
    yield from _unused(template, table)


def _likeness(layout: TemplateLayout) -> tuple[Any, ...]:
    places = tuple((place.kind, tuple(map(round, place.box))) for place in layout.places)
    fixed = tuple(tuple(map(round, box)) for box in layout.fixed)
    return layout.master, layout.ground, places, fixed


def _unused(template: DeckTemplate, table: UseTable) -> Iterator[TemplateFault]:
    """Layouts that neither slides of the file nor any use of decklab would take."""
    for layout in template.layouts:
        used = any(layout in layouts for layouts in table.layouts.values())
        if not used and not layout.shown_by:
            text = "decklab has no use for it, and no slide of the file shows it"
            yield TemplateFault("unused", layout.number, text)


def _off_slide(layout: TemplateLayout) -> Iterator[TemplateFault]:
    width, height = layout.size
    for place in layout.places:
        left, top, right, bottom = place.box
        if min(left, top) < -_OFF or right > width + _OFF or bottom > height + _OFF:
            text = f"{place.name!r} reaches over the edge of the slide"
            yield TemplateFault("off-slide", layout.number, text)


def _overlaps(layout: TemplateLayout) -> Iterator[TemplateFault]:
    places = [place for place in layout.places if place.kind not in ("date", "other")]
    for index, first in enumerate(places):
        for second in places[index + 1 :]:
            shared = first.box.intersection(second.box).area
            smaller = min(first.box.area, second.box.area)
            pictured = "picture" in (first.kind, second.kind)
            if smaller and shared > _OVERLAP * smaller and not pictured:
                text = f"{first.name!r} and {second.name!r} overlap"
                yield TemplateFault("overlap", layout.number, text)


def _drawn_over(layout: TemplateLayout) -> Iterator[TemplateFault]:
    for place in layout.collisions:
        text = f"a drawing of the layout or master runs into {place.name!r}"
        yield TemplateFault("overlap", layout.number, text)


def _text_faults(number: int, place: LayoutPlace) -> Iterator[TemplateFault]:
    if place.kind not in _RUNNING:
        return
    look = place.levels[0]
    small = [one for one in place.levels if one.size < LEAST_PT]
    if small:
        text = f"{place.name!r} sets text at {small[0].size:g} pt; decklab takes {LEAST_PT:g} pt"
        yield TemplateFault("small-text", number, text)
    if not look.sized:
        text = f"{place.name!r} states no size of text; programs choose {look.size:g} pt"
        yield TemplateFault("no-size", number, text)
    if place.ground is not None:
        ratio = contrast_ratio(levels_of(look.color), levels_of(place.ground))
        if ratio < READABLE:
            text = (
                f"{place.name!r} sets {look.color} on {place.ground}: a contrast of {ratio:.1f}:1, "
                f"at least {READABLE:g}:1 is needed"
            )
            yield TemplateFault("low-contrast", number, text)
    if len(place.prompt) > _LONGEST_PROMPT and re.search(r"lorem ipsum|dolor sit", place.prompt):
        yield TemplateFault("sample-text", number, f"{place.name!r} asks with “Lorem ipsum”")


def _missing_fonts(template: DeckTemplate) -> Iterator[TemplateFault]:
    here = {name.casefold() for name in installed_families()}
    found: dict[str, int] = {}
    for layout in template.layouts:
        for place in layout.places:
            if place.kind in _RUNNING and place.levels[0].family:
                found.setdefault(place.levels[0].family, layout.number)
    for family in found:
        plain = plain_family(family)
        names = {plain.casefold(), family_without_style(plain).casefold()}
        names |= {twin for name in names for twin in METRIC_COMPATIBLE.get(name, frozenset())}
        if not names & here:
            text = f"the font {family!r} is not installed here; text is measured in a stand-in"
            yield TemplateFault("font-missing", 0, text)


def _short(words: str) -> str:
    return words if len(words) <= 60 else f"{words[:59].rstrip()}…"
