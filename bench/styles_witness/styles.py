"""The effective styles of a whole deck, for comparison with what is drawn of it."""

from collections.abc import Iterator
from dataclasses import dataclass

from decklab.deck.model.base import Effective
from decklab.deck.model.shapes import Border, Cell, Paint
from decklab.deck.reading import open_reading
from decklab.deck.shapes import ShapeNode, walk_shapes
from decklab.deck.sheets import Sheet, SheetKind, effective_background
from decklab.deck.styles.fills import Fill
from decklab.deck.styles.text import StyledText
from decklab.ooxml.package import Package


@dataclass(frozen=True, slots=True)
class ShapeStyles:
    """A shape of a slide, layout or master, as it takes effect."""

    id: int
    name: str
    groups: tuple[int, ...]
    placeholder: str | None
    fill: Effective[Paint]
    line: Border
    effects: Effective[tuple[str, ...]]
    text: StyledText | None
    table: tuple[tuple[Cell, ...], ...] | None
    """Rows of cells; None where the shape is no table."""
    table_style: str | None
    """Id of the style that a table names."""
    diagram: tuple["ShapeStyles", ...]
    """Shapes of a SmartArt diagram as they were last drawn; empty for all other shapes."""


@dataclass(frozen=True, slots=True)
class SheetStyles:
    """A slide, layout or master as it takes effect."""

    part: str
    parent: str | None
    """Part name of a slide's layout or a layout's master; None where it has none."""
    background: Effective[Paint]
    shows_parent: bool
    """Whether the shapes of what it inherits from show behind its own."""
    shapes: tuple[ShapeStyles, ...]
    """In drawing order, members of a group right after the group."""


@dataclass(frozen=True)
class DeckStyles:
    """The effective styles of a deck."""

    slides: tuple[SheetStyles, ...]
    """In the order of the show; slides that are not there are left out."""
    layouts: tuple[SheetStyles, ...]
    """Those that slides use, and their masters below, in the order met."""
    masters: tuple[SheetStyles, ...]
    unknown_table_styles: tuple[str, ...]
    """Ids that tables name and that neither the deck nor PowerPoint defines."""
    problems: tuple[str, ...]
    """What could not be read and was left out, one line each, naming the part."""

    def sheet(self, part: str | None) -> SheetStyles | None:
        """The layout or master of a part name; None where there is none."""
        return next((item for item in (*self.layouts, *self.masters) if item.part == part), None)


def read_styles(package: Package) -> DeckStyles:
    """The effective styles of everything on the slides of a presentation and what is behind them.

    Raises what ``read_elements`` raises; damaged parts are noted in ``problems``.
    """
    with open_reading(package) as reading:
        found: dict[SheetKind, dict[str, SheetStyles]] = {"slide": {}, "layout": {}, "master": {}}
        parts = [entry.part for entry in reading.slides]
        slides = tuple(_read(reading.sheet(part, "slide"), found) for part in parts)
        sheets = [sheet for kind in found.values() for sheet in kind.values()]
        shapes = [shape for sheet in sheets for shape in sheet.shapes]
        named = {shape.table_style for shape in shapes if shape.table_style is not None}
        unknown = {id for id in named if reading.table_styles.get(id) is None}
        return DeckStyles(
            slides=slides,
            layouts=tuple(found["layout"].values()),
            masters=tuple(found["master"].values()),
            unknown_table_styles=tuple(sorted(unknown)),
            problems=tuple(reading.log.problems),
        )


def shown_shapes(deck: DeckStyles, slide: SheetStyles) -> Iterator[tuple[str, ShapeStyles]]:
    """Part name and shape of all that a slide shows, in drawing order.

    Behind the slide's own shapes come its master's and layout's, without their placeholders.
    """
    behind: list[SheetStyles] = []
    sheet = slide
    while sheet.shows_parent:
        parent = deck.sheet(sheet.parent)
        if parent is None:
            break
        behind.append(parent)
        sheet = parent
    for parent in reversed(behind):
        for shape in parent.shapes:
            if shape.placeholder is None:
                yield parent.part, shape
    for shape in slide.shapes:
        yield slide.part, shape


def _read(sheet: Sheet, found: dict[SheetKind, dict[str, SheetStyles]]) -> SheetStyles:
    """The styles of a sheet, with those of what it inherits from read on the way."""
    known = found[sheet.kind]
    if sheet.part not in known:
        if sheet.parent is not None:
            _read(sheet.parent, found)
        shows = None if sheet.root is None else sheet.root.get("showMasterSp")
        known[sheet.part] = SheetStyles(
            part=sheet.part,
            parent=None if sheet.parent is None else sheet.parent.part,
            background=_painted(effective_background(sheet)),
            shows_parent=sheet.parent is not None and shows not in ("0", "false"),
            shapes=tuple(_shape(node) for node in walk_shapes(sheet)),
        )
    return known[sheet.part]


def _shape(node: ShapeNode) -> ShapeStyles:
    table = node.table or {"rows": None, "style_id": None}
    return ShapeStyles(
        id=node.id,
        name=node.name,
        groups=node.groups,
        placeholder=None if node.placeholder is None else node.placeholder.type,
        fill=_painted(node.fill),
        line=node.line,
        effects=node.effects,
        text=node.text,
        table=table["rows"],
        table_style=table["style_id"],
        diagram=tuple(_shape(drawn) for drawn in node.drawn_shapes),
    )


def _painted(fill: Effective[Fill]) -> Effective[Paint]:
    return Effective(fill.value.paint, fill.source)
