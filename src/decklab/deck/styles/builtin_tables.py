"""PowerPoint's built-in table styles, which decks name without defining them.

Ids and families are those of [MS-OI29500] and of the Open XML SDK's documentation ("table style
ids"). What the parts look like was read from the definitions that PowerPoint writes into decks
for Themed Style 1, Light Styles 1 and 2, Medium Styles 1 and 2 and No Style, Table Grid; for the
other families from what LibreOffice draws for them and from PowerPoint's gallery.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from decklab.ooxml.xml import NAMESPACES, Element, parse_xml

_FAMILIES: Mapping[str, Mapping[str, Any]] = json.loads(
    files(__package__).joinpath("builtin_tables.json").read_text(encoding="utf-8")
)
"""Family to ids, without an accent and then with accents 1 to 6 (Dark Style 2 has every other one),
and to parts: the color of their text, their area and the lines at their sides, as ``_part`` reads
them. ``{color}`` stands for the accent, ``{next}`` for the one after it; a style without an accent
has the parts ``plain``, where its family has them."""

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
    """One part of a style. ``fill`` is a color, ``none`` or ``ref`` and a color; with an
    ``effect`` (the table's background), both are references to the theme."""
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
