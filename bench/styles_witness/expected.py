"""The text that a deck says its slides show, paragraph by paragraph, with the style of each run."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from bench.styles_witness.styles import DeckStyles, ShapeStyles, SheetStyles, shown_shapes
from decklab.core.geometry import Box
from decklab.deck.model.outline import DeckOutline, OutlineShape
from decklab.deck.model.shapes import Body, Paragraph, Run

__all__ = ["Place", "Row", "slide_places", "slide_rows", "squeezed"]

NO_COUNTERPART = 2**32 - 1  # the index PowerPoint gives placeholders whose layout's was removed
TURNED = 1.0  # degrees; shapes turned more have no upright box worth comparing with


@dataclass(frozen=True)
class Place:
    """Where on the slide an object is, and what kind of object."""

    kind: str
    box: Box | None
    label: str
    orphan: bool
    """Whether it is a placeholder that the layout has no counterpart of."""


@dataclass(frozen=True)
class Row:
    """A paragraph as one string without spaces, and the run that each character belongs to."""

    text: str
    runs: tuple[Run, ...]
    """As long as ``text``."""
    place: Place
    autofit: str
    bullet: str
    """What its bullet could look like; empty without one."""
    right_to_left: bool
    dated: bool
    """Whether it shows the date of the day it is drawn."""


def squeezed(text: str) -> str:
    """Text without white space and invisible characters, ligatures and full-width forms plain."""
    plain = unicodedata.normalize("NFKC", text)
    return "".join(c for c in plain if not c.isspace() and unicodedata.category(c)[0] != "C")


def slide_places(outline: DeckOutline, styles: DeckStyles, number: int) -> list[Place]:
    """All objects that a slide shows, in drawing order."""
    return [place for place, _ in _shown(outline, styles, number)]


def slide_rows(outline: DeckOutline, styles: DeckStyles, number: int) -> list[Row]:
    """All paragraphs that a slide shows, in drawing order."""
    rows: list[Row] = []
    for place, shape in _shown(outline, styles, number):
        for text in _texts(shape):
            rows.extend(_rows(*text, place, number))
    return rows


def _shown(
    outline: DeckOutline, styles: DeckStyles, number: int
) -> Iterator[tuple[Place, ShapeStyles]]:
    slide = styles.slides[number - 1]
    found = {slide.part: outline.slides[number - 1].shapes}
    for sheet in (*outline.layouts, *outline.masters):
        found[sheet.part] = sheet.shapes
    positions = {part: _by_position(styles, slide, part) for part in found}
    for part, shape in shown_shapes(styles, slide):
        plain = found[part][positions[part][id(shape)]]
        if not plain.hidden:
            yield _place(plain), shape


def _by_position(styles: DeckStyles, slide: SheetStyles, part: str) -> dict[int, int]:
    sheet = slide if part == slide.part else styles.sheet(part)
    shapes = () if sheet is None else sheet.shapes
    return {id(shape): index for index, shape in enumerate(shapes)}


def _place(shape: OutlineShape) -> Place:
    kind = "diagram" if shape.kind == "smartart" else shape.kind
    turned = min(shape.rotation, 360 - shape.rotation) > TURNED
    orphan = (shape.placeholder_idx or 0) >= NO_COUNTERPART
    return Place(kind, None if turned else shape.box, shape.label, orphan)


def _texts(shape: ShapeStyles) -> Iterator[tuple[Body, tuple[Paragraph, ...]]]:
    if shape.text is not None:
        yield shape.text.body, shape.text.paragraphs
    for row in shape.table or ():
        yield from ((cell.body, cell.paragraphs) for cell in row if not cell.covered)
    for inner in shape.diagram:
        yield from _texts(inner)


def _rows(
    body: Body, paragraphs: tuple[Paragraph, ...], place: Place, number: int
) -> Iterator[Row]:
    for paragraph in paragraphs:
        characters: list[tuple[str, Run]] = []
        for run in paragraph.runs:
            drawn = str(number) if run.field == "slidenum" else run.text
            drawn = drawn.upper() if run.font.caps in ("all", "small") else drawn
            characters.extend((character, run) for character in squeezed(drawn))
        bullet = paragraph.bullet
        kind = "" if bullet is None else bullet.kind
        mark = {"character": "*", "number": "1"}.get(kind, "")
        if characters:
            yield Row(
                "".join(character for character, _ in characters),
                tuple(run for _, run in characters),
                place,
                body.autofit,
                bullet.character if bullet is not None and kind == "character" else mark,
                paragraph.right_to_left,
                any((run.field or "").startswith("datetime") for run in paragraph.runs),
            )
