"""Table styles: which parts apply to a cell, and what they state for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from decklab.deck.model.base import Effective, stated_values
from decklab.deck.styles.builtin_tables import builtin_table_style
from decklab.deck.styles.characters import reference_run, typefaces_in
from decklab.deck.styles.fills import Fill, fill_in, fill_style, solid_fill
from decklab.deck.styles.lines import stated_line
from decklab.deck.styles.themes import MappedTheme, Reference
from decklab.ooxml.units import flag, parse_int
from decklab.ooxml.xml import Element, qn


@dataclass(frozen=True)
class TableFlags:
    """Which parts of its style a table uses."""

    first_row: bool = False
    last_row: bool = False
    first_column: bool = False
    last_column: bool = False
    row_bands: bool = False
    column_bands: bool = False


@dataclass(frozen=True)
class CellPlace:
    """The place of a cell, counted from 0; spans are the merged cells it covers."""

    row: int
    column: int
    rows: int
    """Number of rows of the table."""
    columns: int
    row_span: int = 1
    column_span: int = 1


@dataclass(frozen=True, eq=False)
class TableStyle:
    """One table style; parts by name (``wholeTbl``, ``firstRow`` ...)."""

    id: str
    name: str
    parts: Mapping[str, Element]

    @classmethod
    def read(cls, element: Element) -> "TableStyle":
        """The style in an ``a:tblStyle`` or ``a:tableStyle`` element."""
        parts = {str(part.tag).rpartition("}")[2]: part for part in element}
        return cls(element.get("styleId") or "", element.get("styleName") or "", parts)


@dataclass
class TableStyles:
    """A deck's table styles by id, and those built into PowerPoint."""

    defined: Mapping[str, Element] = field(default_factory=dict)
    _read: dict[str, TableStyle | None] = field(default_factory=dict)

    def get(self, id: str) -> TableStyle | None:
        """The style of an id; None where neither the deck nor PowerPoint knows it."""
        key = id.upper()
        if key not in self._read:
            element = self.defined.get(key)
            if element is None:
                element = builtin_table_style(key)
            self._read[key] = None if element is None else TableStyle.read(element)
        return self._read[key]


def read_table_styles(root: Element | None) -> TableStyles:
    """The styles in the root of a table styles part."""
    if root is None:
        return TableStyles()
    items = root.iterfind(qn("a:tblStyle"))
    return TableStyles({(item.get("styleId") or "").upper(): item for item in items})


def parts_at(place: CellPlace, flags: TableFlags) -> tuple[str, ...]:
    """Names of the parts that apply to a cell; later ones override earlier ones.

    The order of precedence is the one that WordprocessingML states (ISO/IEC 29500-1, 17.7.6). Bands
    start after the first row and column, and leave the last ones out.
    """
    first_row = flags.first_row and place.row == 0
    last_row = flags.last_row and place.row + place.row_span >= place.rows and not first_row
    first_column = flags.first_column and place.column == 0
    last_column = (
        flags.last_column and place.column + place.column_span >= place.columns and not first_column
    )
    parts = ["wholeTbl"]
    if flags.column_bands and not (first_column or last_column):
        odd = (place.column - flags.first_column) % 2
        parts.append("band2V" if odd else "band1V")
    if flags.row_bands and not (first_row or last_row):
        odd = (place.row - flags.first_row) % 2
        parts.append("band2H" if odd else "band1H")
    parts += ["firstRow"] * first_row + ["lastRow"] * last_row
    parts += ["firstCol"] * first_column + ["lastCol"] * last_column
    if (first_row or last_row) and (first_column or last_column):
        parts.append(f"{'n' if first_row else 's'}{'w' if first_column else 'e'}Cell")
    return tuple(parts)


def style_run(
    style: TableStyle, parts: Sequence[str], look: MappedTheme
) -> dict[str, Effective[Any]]:
    """The values that the parts of a style state for a cell's text, by the names that
    ``stated_run`` gives."""
    values: dict[str, Effective[Any]] = {}
    for name in parts:
        part = style.parts.get(name)
        text = None if part is None else part.find(qn("a:tcTxStyle"))
        if text is not None:
            values |= _text_style(text, look)
    return values


def style_fill(
    style: TableStyle, parts: Sequence[str], look: MappedTheme
) -> Effective[Fill] | None:
    """The fill that the parts of a style state for a cell; None where they state none."""
    for name in reversed(parts):
        part = style.parts.get(name)
        cell = None if part is None else part.find(qn("a:tcStyle"))
        fill = None if cell is None else _area(cell, look)
        if fill is not None:
            return Effective(fill, "table_style")
    background = style.parts.get("tblBg")
    fill = None if background is None else _area(background, look)
    return None if fill is None else Effective(fill, "table_style")


def style_border(
    style: TableStyle, parts: Sequence[str], side: str, place: CellPlace, look: MappedTheme
) -> dict[str, Effective[Any]]:
    """The values that the parts of a style state for one side (``left`` ...) of a cell, by the
    names that ``stated_line`` gives.

    Where the side lies inside a part, the part's inner lines count.
    """
    values: dict[str, Effective[Any]] = {}
    for name in parts:
        part = style.parts.get(name)
        borders = None if part is None else part.find(f"{qn('a:tcStyle')}/{qn('a:tcBdr')}")
        if borders is None:
            continue
        border = borders.find(qn(f"a:{_edge(name, side, place)}"))
        if border is not None:
            values |= _border(border, look)
    return values


def _edge(part: str, side: str, place: CellPlace) -> str:
    """The border of a part that a cell's side lies on: an outer or an inner border."""
    whole_width = part in ("wholeTbl", "firstRow", "lastRow", "band1H", "band2H")
    whole_height = part in ("wholeTbl", "firstCol", "lastCol", "band1V", "band2V")
    inner = {
        "left": whole_width and place.column > 0,
        "right": whole_width and place.column + place.column_span < place.columns,
        "top": whole_height and place.row > 0,
        "bottom": whole_height and place.row + place.row_span < place.rows,
    }
    if not inner.get(side, False):
        return side
    return "insideV" if side in ("left", "right") else "insideH"


def _border(border: Element, look: MappedTheme) -> dict[str, Effective[Any]]:
    line = border.find(qn("a:ln"))
    if line is not None:
        return stated_line(line, "table_style", look, None)
    reference = border.find(qn("a:lnRef"))
    index = 0 if reference is None else parse_int(reference.get("idx")) or 0
    if not 0 < index <= len(look.theme.lines):
        return {}
    styled = look.theme.lines[index - 1]
    color = look.color(reference)
    return stated_line(styled, "table_style", look, look.theme.source, color)


def _area(holder: Element, look: MappedTheme) -> Fill | None:
    fill = holder.find(qn("a:fill"))
    if fill is not None:
        return fill_in(fill, look, None)
    reference = holder.find(qn("a:fillRef"))
    if reference is None:
        return None
    return fill_style(parse_int(reference.get("idx")) or 0, look.color(reference), look)


def _text_style(element: Element, look: MappedTheme) -> dict[str, Effective[Any]]:
    reference = element.find(qn("a:fontRef"))
    values: dict[str, Effective[Any]] = {}
    if reference is not None:
        font = Reference(0, look.color(reference), reference.get("idx"))
        values |= reference_run(font, "table_style")
    faces, color = element.find(qn("a:font")), look.color(element)
    return values | stated_values(
        "table_style",
        **({} if faces is None else typefaces_in(faces)),
        color=None if color is None else solid_fill(color),
        bold=flag(element.get("b")),
        italic=flag(element.get("i")),
    )
