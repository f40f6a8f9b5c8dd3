"""The effective styles of a whole deck."""

from collections.abc import Iterator
from dataclasses import dataclass

from decklab.deck.measures import flag
from decklab.deck.model.base import Effective
from decklab.deck.part import Notes
from decklab.deck.sheets import Sheet, SheetKind, Sheets
from decklab.deck.styles.backgrounds import effective_background
from decklab.deck.styles.fills import Fill
from decklab.deck.styles.shapes import StyledShape, read_styled_shapes
from decklab.ooxml.package import Package
from decklab.ooxml.xml import qn


@dataclass(frozen=True, slots=True)
class SheetStyles:
    """A slide, layout or master as it takes effect."""

    part: str
    parent: str | None
    """Part name of a slide's layout or a layout's master; None where it has none."""
    background: Effective[Fill]
    shows_parent: bool
    """Whether the shapes of what it inherits from show behind its own."""
    shapes: tuple[StyledShape, ...]
    """In drawing order, members of a group right after the group."""


@dataclass(frozen=True)
class DeckStyles:
    """The effective styles of a deck."""

    slides: tuple[SheetStyles, ...]
    """In the order of the show."""
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

    A damaged part is noted in ``problems`` and the rest is read. Raises MissingPart,
    MalformedPart or TruncatedDeck where there is no readable presentation part, and LimitExceeded
    where any part breaks the package's limits.
    """
    root = package.xml(package.main_part)
    sheets = Sheets(package, Notes())
    found: dict[SheetKind, dict[str, SheetStyles]] = {"slide": {}, "layout": {}, "master": {}}
    slides = []
    for item in root.iterfind(f"{qn('p:sldIdLst')}/{qn('p:sldId')}"):
        part = sheets.main.linked_part(item)
        if part is None:
            sheets.notes.add(sheets.main.part, f"slide {item.get('id')} leads to no part")
            continue
        slides.append(_read(sheets.sheet(part, "slide"), sheets, found))
    tables = (
        shape.table
        for kind in found.values()
        for sheet in kind.values()
        for shape in sheet.shapes
        if shape.table is not None
    )
    unknown = {table.style_id or "" for table in tables if not table.style_known}
    return DeckStyles(
        slides=tuple(slides),
        layouts=tuple(found["layout"].values()),
        masters=tuple(found["master"].values()),
        unknown_table_styles=tuple(sorted(unknown)),
        problems=tuple(sheets.notes.problems),
    )


def shown_shapes(deck: DeckStyles, slide: SheetStyles) -> Iterator[tuple[str, StyledShape]]:
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


def _read(
    sheet: Sheet, sheets: Sheets, found: dict[SheetKind, dict[str, SheetStyles]]
) -> SheetStyles:
    """The styles of a sheet, with those of what it inherits from read on the way."""
    known = found[sheet.kind]
    part = sheet.source.part
    if part not in known:
        if sheet.parent is not None:
            _read(sheet.parent, sheets, found)
        shows = None if sheet.root is None else flag(sheet.root.get("showMasterSp"))
        known[part] = SheetStyles(
            part=part,
            parent=None if sheet.parent is None else sheet.parent.source.part,
            background=effective_background(sheet),
            shows_parent=sheet.parent is not None and shows is not False,
            shapes=tuple(read_styled_shapes(sheet, sheets)),
        )
    return known[part]
