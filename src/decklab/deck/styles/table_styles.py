"""Table styles: which parts apply to a cell, and what they state for it.

PowerPoint's built-in table styles, which decks name without defining them.

Ids and families are those of [MS-OI29500] and of the Open XML SDK's documentation ("table style
ids"). The looks of the parts were read from the definitions that PowerPoint writes into decks for
Themed Style 1, Light Styles 1 and 2, Medium Styles 1 and 2 and No Style, Table Grid; for the other
families from what LibreOffice draws for them and from PowerPoint's gallery.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from decklab.deck.model.base import Effective, stated_values
from decklab.deck.styles.characters import reference_run, typefaces_in
from decklab.deck.styles.fills import Fill, fill_in, fill_style, solid_fill, stated_line
from decklab.deck.styles.themes import MappedTheme, Reference
from decklab.ooxml.xml import NAMESPACES, Element, flag, parse_int, parse_xml, qn

_FAMILIES: Mapping[str, Mapping[str, Any]] = json.loads(
    files(__package__).joinpath("builtin_tables.json").read_text(encoding="utf-8")
)
"""Family to ids, without an accent and then with accents 1 to 6 (Dark Style 2 has every other one),
and to parts: the color of their text, their area and the lines at their sides, as ``_part`` reads
them. ``{color}`` stands for the accent, ``{next}`` for the one after it; a style without an accent
has the parts ``plain``, if its family has them."""

BUILTIN_TABLE_STYLES: Mapping[str, tuple[str, int]] = {
    f"{{{id}}}": (family, accent)
    for family, held in _FAMILIES.items()
    for accent, id in enumerate(held["ids"])
    if id
}
"""Id to family and accent, 0 for none."""

_NOT_BOLD = frozenset({"wholeTbl", "band1H", "band2H", "band1V", "band2V"})


@cache
def builtin_table_style(id: str) -> Element | None:
    """The definition of a built-in style as an ``a:tblStyle`` element; None for other ids."""
    family, accent = BUILTIN_TABLE_STYLES.get(id.upper(), ("", 0))
    if not family:
        return None
    family_parts = _FAMILIES[family]
    rows = family_parts["parts"] if accent else family_parts.get("plain", family_parts["parts"])
    plain = "tx1" if family.startswith("Light") else "dk1"
    color, after = (f"accent{accent}", f"accent{accent + 1}") if accent else (plain, "dk1")
    parts = (
        _part(**{key: value.format(color=color, next=after) for key, value in row.items()})
        for row in rows
    )
    text = (
        f'<a:tblStyle xmlns:a="{NAMESPACES["a"]}" styleId="{id}" styleName="{family}">'
        f"{''.join(parts)}</a:tblStyle>"
    )
    return parse_xml(text.encode(), path="built-in table style", part=id)


def _color(text: str) -> str:
    """``accent1`` or ``accent1 tint 20000`` as an element."""
    name, *change = text.split()
    inner = f'<a:{change[0]} val="{change[1]}"/>' if change else ""
    return f'<a:schemeClr val="{name}">{inner}</a:schemeClr>'


def _line(text: str) -> str:
    """``none``, ``ref 1 accent1`` (a line of the theme), or ``12700 sng accent1`` as an element."""
    if text == "none":
        return "<a:ln><a:noFill/></a:ln>"
    kind, second, color = text.split(maxsplit=2)
    if kind == "ref":
        return _reference("lnRef", f"{second} {color}")
    fill = f"<a:solidFill>{_color(color)}</a:solidFill>"
    return f'<a:ln w="{kind}" cmpd="{second}">{fill}</a:ln>'


def _reference(name: str, text: str) -> str:
    """``1 accent1`` as a reference to the theme's format scheme."""
    index, color = text.split(maxsplit=1)
    return f'<a:{name} idx="{index}">{_color(color)}</a:{name}>'


def _part(part: str, text: str = "", fill: str = "", effect: str = "", **lines: str) -> str:
    """One part of a style; ``fill`` is a colour, ``none`` or ``ref``, as is ``effect``."""
    if effect:
        return (
            f"<a:{part}>{_reference('fillRef', fill)}{_reference('effectRef', effect)}</a:{part}>"
        )
    font = f'<a:fontRef idx="minor"/>{_color(text)}' if text else ""
    on = "" if part in _NOT_BOLD else ' b="on"'
    borders = "".join(f"<a:{side}>{_line(line)}</a:{side}>" for side, line in lines.items())
    if fill == "none":
        area = "<a:fill><a:noFill/></a:fill>"
    elif fill.startswith("ref "):
        area = _reference("fillRef", f"1 {fill[4:]}")
    else:
        area = f"<a:fill><a:solidFill>{_color(fill)}</a:solidFill></a:fill>" if fill else ""
    cell = f"<a:tcStyle><a:tcBdr>{borders}</a:tcBdr>{area}</a:tcStyle>"
    return f"<a:{part}><a:tcTxStyle{on}>{font}</a:tcTxStyle>{cell}</a:{part}>"


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
        """The style of an id; None if neither the deck nor PowerPoint knows it."""
        if (key := id.upper()) not in self._read:
            if (element := self.defined.get(key)) is None:
                element = builtin_table_style(key)
            self._read[key] = None if element is None else TableStyle.read(element)
        return self._read[key]


def read_table_styles(root: Element | None) -> TableStyles:
    """The styles in the root of a table styles part."""
    if root is None:
        return TableStyles()
    items = root.iterfind(qn("a:tblStyle"))
    return TableStyles({(item.get("styleId") or "").upper(): item for item in items})


def parts_at(at: CellPlace, flags: TableFlags) -> tuple[str, ...]:
    """Names of the parts that apply to a cell; later ones override earlier ones.

    The order of precedence is the one that WordprocessingML states (ISO/IEC 29500-1, 17.7.6). Bands
    start after the first row and column, and leave the last ones out.
    """
    first_row = flags.first_row and at.row == 0
    last_row = flags.last_row and at.row + at.row_span >= at.rows and not first_row
    first_column = flags.first_column and at.column == 0
    last_column = (
        flags.last_column and at.column + at.column_span >= at.columns and not first_column
    )
    parts = ["wholeTbl"]
    if flags.column_bands and not (first_column or last_column):
        odd = (at.column - flags.first_column) % 2
        parts.append("band2V" if odd else "band1V")
    if flags.row_bands and not (first_row or last_row):
        odd = (at.row - flags.first_row) % 2
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
        if (text := None if part is None else part.find(qn("a:tcTxStyle"))) is not None:
            values |= _text_style(text, look)
    return values


def style_fill(
    style: TableStyle, parts: Sequence[str], look: MappedTheme
) -> Effective[Fill] | None:
    """The fill that the parts of a style state for a cell; None if they state none."""
    for name in reversed(parts):
        part = style.parts.get(name)
        cell = None if part is None else part.find(qn("a:tcStyle"))
        if (fill := None if cell is None else _area(cell, look)) is not None:
            return Effective(fill, "table_style")
    background = style.parts.get("tblBg")
    fill = None if background is None else _area(background, look)
    return None if fill is None else Effective(fill, "table_style")


def style_border(
    style: TableStyle, parts: Sequence[str], side: str, at: CellPlace, look: MappedTheme
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
        if (border := borders.find(qn(f"a:{_edge(name, side, at)}"))) is not None:
            values |= _border(border, look)
    return values


def _edge(part: str, side: str, at: CellPlace) -> str:
    """The border of a part that a cell's side lies on: an outer or an inner border."""
    whole_width = part in ("wholeTbl", "firstRow", "lastRow", "band1H", "band2H")
    whole_height = part in ("wholeTbl", "firstCol", "lastCol", "band1V", "band2V")
    inner = {
        "left": whole_width and at.column > 0,
        "right": whole_width and at.column + at.column_span < at.columns,
        "top": whole_height and at.row > 0,
        "bottom": whole_height and at.row + at.row_span < at.rows,
    }
    if not inner.get(side, False):
        return side
    return "insideV" if side in ("left", "right") else "insideH"


def _border(border: Element, look: MappedTheme) -> dict[str, Effective[Any]]:
    if (line := border.find(qn("a:ln"))) is not None:
        return stated_line(line, "table_style", look, None)
    reference = border.find(qn("a:lnRef"))
    index = 0 if reference is None else parse_int(reference.get("idx")) or 0
    if not 0 < index <= len(look.theme.lines):
        return {}
    styled = look.theme.lines[index - 1]
    color = look.color(reference)
    return stated_line(styled, "table_style", look, look.theme.source, color)


def _area(holder: Element, look: MappedTheme) -> Fill | None:
    if (fill := holder.find(qn("a:fill"))) is not None:
        return fill_in(fill, look, None)
    if (reference := holder.find(qn("a:fillRef"))) is None:
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
