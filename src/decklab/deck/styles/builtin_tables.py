"""The table styles that every PowerPoint knows, which decks name without defining them.

Ids and families are those of [MS-OI29500] and of the Open XML SDK's documentation ("table style
ids"). What the parts look like was read from the definitions that PowerPoint writes into decks
for Themed Style 1, Light Styles 1 and 2, Medium Styles 1 and 2 and No Style, Table Grid; for the
other families from what LibreOffice draws for them and from PowerPoint's gallery.
"""

from collections.abc import Mapping
from functools import cache

from decklab.ooxml.xml import NAMESPACES, Element, parse_xml

_FAMILIES = {
    "Themed Style 1": (
        "2D5ABB26-0587-4C30-8999-92F81FD0307C", "3C2FFA5D-87B4-456A-9821-1D502468CF0F",
        "284E427A-3D55-4303-BF80-6455036E1DE7", "69C7853C-536D-4A76-A0AE-DD22124D55A5",
        "775DCB02-9BB8-47FD-8907-85C794F793BA", "35758FB7-9AC5-4552-8A53-C91805E547FA",
        "08FB837D-C827-4EFA-A057-4D05807E0F7C",
    ),
    "Themed Style 2": (
        "5940675A-B579-460E-94D1-54222C63F5DA", "D113A9D2-9D6B-4929-AA2D-F23B5EE8CBE7",
        "18603FDC-E32A-4AB5-989C-0864C3EAD2B8", "306799F8-075E-4A3A-A7F6-7FBC6576F1A4",
        "E269D01E-BC32-4049-B463-5C60D7B0CCD2", "327F97BB-C833-4FB7-BDE5-3F7075034690",
        "638B1855-1B75-4FBE-930C-398BA8C253C6",
    ),
    "Light Style 1": (
        "9D7B26C5-4107-4FEC-AEDC-1716B250A1EF", "3B4B98B0-60AC-42C2-AFA5-B58CD77FA1E5",
        "0E3FDE45-AF77-4B5C-9715-49D594BDF05E", "C083E6E3-FA7D-4D7B-A595-EF9225AFEA82",
        "D27102A9-8310-4765-A935-A1911B00CA55", "5FD0F851-EC5A-4D38-B0AD-8093EC10F338",
        "68D230F3-CF80-4859-8CE7-A43EE81993B5",
    ),
    "Light Style 2": (
        "7E9639D4-E3E2-4D34-9284-5A2195B3D0D7", "69012ECD-51FC-41F1-AA8D-1B2483CD663E",
        "72833802-FEF1-4C79-8D5D-14CF1EAF98D9", "F2DE63D5-997A-4646-A377-4702673A728D",
        "17292A2E-F333-43FB-9621-5CBBE7FDCDCB", "5A111915-BE36-4E01-A7E5-04B1672EAD32",
        "912C8C85-51F0-491E-9774-3900AFEF0FD7",
    ),
    "Light Style 3": (
        "616DA210-FB5B-4158-B5E0-FEB733F419BA", "BC89EF96-8CEA-46FF-86C4-4CE0E7609802",
        "5DA37D80-6434-44D0-A028-1B22A696006F", "8799B23B-EC83-4686-B30A-512413B5E67A",
        "ED083AE6-46FA-4A59-8FB0-9F97EB10719F", "BDBED569-4797-4DF1-A0F4-6AAB3CD982D8",
        "E8B1032C-EA38-4F05-BA0D-38AFFFC7BED3",
    ),
    "Medium Style 1": (
        "793D81CF-94F2-401A-BA57-92F5A7B2D0C5", "B301B821-A1FF-4177-AEE7-76D212191A09",
        "9DCAF9ED-07DC-4A11-8D7F-57B35C25682E", "1FECB4D8-DB02-4DC6-A0A2-4F2EBAE1DC90",
        "1E171933-4619-4E11-9A3F-F7608DF75F80", "FABFCF23-3B69-468F-B69F-88F6DE6A72F2",
        "10A1B5D5-9B99-4C35-A422-299274C87663",
    ),
    "Medium Style 2": (
        "073A0DAA-6AF3-43AB-8588-CEC1D06C72B9", "5C22544A-7EE6-4342-B048-85BDC9FD1C3A",
        "21E4AEA4-8DFA-4A89-87EB-49C32662AFE0", "F5AB1C69-6EDB-4FF4-983F-18BD219EF322",
        "00A15C55-8517-42AA-B614-E9B94910E393", "7DF18680-E054-41AD-8BC1-D1AEF772440D",
        "93296810-A885-4BE3-A3E7-6D5BEEA58F35",
    ),
    "Medium Style 3": (
        "8EC20E35-A176-4012-BC5E-935CFFF8708E", "6E25E649-3F16-4E02-A733-19D2CDBF48F0",
        "85BE263C-DBD7-4A20-BB59-AAB30ACAA65A", "EB344D84-9AFB-497E-A393-DC336BA19D2E",
        "EB9631B5-78F2-41C9-869B-9F39066F8104", "74C1A8A3-306A-4EB7-A6B1-4F7E0EB9C5D6",
        "2A488322-F2BA-4B5B-9748-0D474271808F",
    ),
    "Medium Style 4": (
        "D7AC3CCA-C797-4891-BE02-D94E43425B78", "69CF1AB2-1976-4502-BF36-3FF5EA218861",
        "8A107856-5554-42FB-B03E-39F5DBC370BA", "0505E3EF-67EA-436B-97B2-0124C06EBD24",
        "C4B1156A-380E-4F78-BDF5-A606A8083BF9", "22838BEF-8BB2-4498-84A7-C5851F593DF1",
        "16D9F66E-5EB9-4882-86FB-DCBF35E3C3E4",
    ),
    "Dark Style 1": (
        "E8034E78-7F5D-4C2E-B375-FC64B27BC917", "125E5076-3810-47DD-B79F-674D7AD40C01",
        "37CE84F3-28C3-443E-9E96-99CF82512B78", "D03447BB-5D67-496B-8E87-E561075AD55C",
        "E929F9F4-4A8F-4326-A1B4-22849713DDAB", "8FD4443E-F989-4FC4-A0C8-D5A2AF1F390B",
        "AF606853-7671-496A-8E4F-DF71F8EC918B",
    ),
    "Dark Style 2": (
        "5202B0CA-FC54-4496-8BCA-5EF66A818D29", "0660B408-B3CF-4A94-85FC-2B1E0A45F4A2",
        "", "91EBBBCC-DAD2-459C-BE2E-F6DE35CF9A28", "", "46F890A9-2807-4EBB-B81D-B2AA78EC7F39", "",
    ),
}  # fmt: skip
"""Family to ids: without an accent, then with accents 1 to 6. Dark Style 2 has every other one."""

BUILTIN_TABLE_STYLES: Mapping[str, tuple[str, int]] = {
    f"{{{id}}}": (family, accent)
    for family, ids in _FAMILIES.items()
    for accent, id in enumerate(ids)
    if id
}
"""Id to family and accent, 0 for none."""

_NOT_BOLD = frozenset({"wholeTbl", "band1H", "band2H", "band1V", "band2V"})
_SIDES = ("left", "right", "top", "bottom", "insideH", "insideV")


@cache
def builtin_table_style(id: str) -> Element | None:
    """The definition of a built-in style as an ``a:tblStyle`` element; None for other ids."""
    family, accent = BUILTIN_TABLE_STYLES.get(id.upper(), ("", 0))
    if not family:
        return None
    parts = _PLAIN[family]() if family in _PLAIN and not accent else _parts(family, accent)
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
        return f'<a:lnRef idx="{second}">{_color(color)}</a:lnRef>'
    fill = f"<a:solidFill>{_color(color)}</a:solidFill>"
    return f'<a:ln w="{kind}" cmpd="{second}">{fill}</a:ln>'


def _part(name: str, text: str = "", fill: str = "", **lines: str) -> str:
    """One part of a style. ``fill`` is a color, ``none`` or ``ref`` and a color."""
    font = f'<a:fontRef idx="minor"/>{_color(text)}' if text else ""
    on = "" if name in _NOT_BOLD else ' b="on"'
    borders = "".join(f"<a:{side}>{_line(line)}</a:{side}>" for side, line in lines.items())
    if fill == "none":
        area = "<a:fill><a:noFill/></a:fill>"
    elif fill.startswith("ref "):
        area = f'<a:fillRef idx="1">{_color(fill[4:])}</a:fillRef>'
    else:
        area = f"<a:fill><a:solidFill>{_color(fill)}</a:solidFill></a:fill>" if fill else ""
    cell = f"<a:tcStyle><a:tcBdr>{borders}</a:tcBdr>{area}</a:tcStyle>"
    return f"<a:{name}><a:tcTxStyle{on}>{font}</a:tcTxStyle>{cell}</a:{name}>"


def _whole(text: str, fill: str, **lines: str) -> str:
    return _part("wholeTbl", text, fill, **lines)


def _bands(fill: str) -> tuple[str, str]:
    return _part("band1H", fill=fill), _part("band1V", fill=fill)


def _edges(line: str, inside: str = "none") -> dict[str, str]:
    """Border names to one line on the outside and one inside."""
    return {side: inside if side.startswith("inside") else line for side in _SIDES}


def _background(index: int, effect: int, color: str) -> str:
    return (
        f'<a:tblBg><a:fillRef idx="{index}">{_color(color)}</a:fillRef>'
        f'<a:effectRef idx="{effect}">{_color(color)}</a:effectRef></a:tblBg>'
    )


def _parts(family: str, accent: int) -> tuple[str, ...]:
    base = "tx1" if family.startswith("Light") else "dk1"
    color = f"accent{accent}" if accent else base
    if family == "Dark Style 2":
        return _dark_2(color, f"accent{accent + 1}" if accent else "dk1")
    if family == "Dark Style 1":
        return _dark_1(color, plain=not accent)
    return _BY_COLOR[family](color)


def _themed_1(color: str) -> tuple[str, ...]:
    thin, thick = f"ref 1 {color}", f"ref 2 {color}"
    column = {"top": thin, "bottom": thin, "insideH": thin, "insideV": "none"}
    row = {"left": thin, "right": thin, "insideH": "none", "insideV": "none"}
    return (
        _background(2, 1, color),
        _whole("dk1", "none", **_edges(thin, thin)),
        _part("band1H", fill=f"{color} alpha 40000"),
        _part("band1V", fill=f"{color} alpha 40000", top=thin, bottom=thin),
        _part("lastCol", left=thick, right=thin, **column),
        _part("firstCol", left=thin, right=thick, **column),
        _part("lastRow", fill="none", top=thick, bottom=thick, **row),
        _part("firstRow", "lt1", color, top=thin, bottom="ref 2 lt1", **row),
    )


def _themed_2(color: str) -> tuple[str, ...]:
    return (
        _background(3, 3, color),
        _whole("lt1", "none", **_edges(f"ref 1 {color} tint 50000")),
        *_bands("lt1 alpha 20000"),
        _part("lastCol", left="ref 2 lt1"),
        _part("firstCol", right="ref 2 lt1"),
        _part("lastRow", top="ref 2 lt1"),
        _part("firstRow", bottom="ref 3 lt1"),
    )


def _light_1(color: str) -> tuple[str, ...]:
    line = f"12700 sng {color}"
    return (
        _whole("tx1", "none", **{**_edges("none"), "top": line, "bottom": line}),
        *_bands(f"{color} alpha 20000"),
        _part("lastCol"),
        _part("firstCol"),
        _part("lastRow", fill="none", top=line),
        _part("firstRow", fill="none", bottom=line),
    )


def _light_2(color: str) -> tuple[str, ...]:
    line = f"ref 1 {color}"
    return (
        _whole("tx1", "none", **_edges(line)),
        _part("band1H", top=line, bottom=line),
        _part("band1V", left=line, right=line),
        _part("band2V", left=line, right=line),
        _part("lastCol"),
        _part("firstCol"),
        _part("lastRow", top=f"50800 dbl {color}"),
        _part("firstRow", "bg1", f"ref {color}"),
    )


def _light_3(color: str) -> tuple[str, ...]:
    line = f"12700 sng {color}"
    return (
        _whole("tx1", "none", **_edges(line, line)),
        *_bands(f"{color} alpha 20000"),
        _part("lastCol"),
        _part("firstCol"),
        _part("lastRow", fill="none", top=f"50800 dbl {color}"),
        _part("firstRow", color, "none", bottom=f"25400 sng {color}"),
    )


def _medium_1(color: str) -> tuple[str, ...]:
    line = f"12700 sng {color}"
    return (
        _whole("dk1", "lt1", **{**_edges(line), "insideH": line}),
        *_bands(f"{color} tint 20000"),
        _part("lastCol"),
        _part("firstCol"),
        _part("lastRow", fill="lt1", top=f"50800 dbl {color}"),
        _part("firstRow", "lt1", color),
    )


def _medium_2(color: str) -> tuple[str, ...]:
    return (
        _whole("dk1", f"{color} tint 20000", **_edges("12700 sng lt1", "12700 sng lt1")),
        *_bands(f"{color} tint 40000"),
        _part("lastCol", "lt1", color),
        _part("firstCol", "lt1", color),
        _part("lastRow", "lt1", color, top="38100 sng lt1"),
        _part("firstRow", "lt1", color, bottom="38100 sng lt1"),
    )


def _medium_3(color: str) -> tuple[str, ...]:
    line = "25400 sng dk1"
    return (
        _whole("dk1", "lt1", **{**_edges("none"), "top": line, "bottom": line}),
        *_bands("dk1 tint 20000"),
        _part("lastCol", "lt1", color),
        _part("firstCol", "lt1", color),
        _part("lastRow", "dk1", "lt1", top="50800 dbl dk1"),
        _part("firstRow", "lt1", color, bottom=line),
    )


def _medium_4(color: str) -> tuple[str, ...]:
    line = f"12700 sng {color}"
    return (
        _whole("dk1", f"{color} tint 20000", **_edges(line, line)),
        *_bands(f"{color} tint 40000"),
        _part("lastCol"),
        _part("firstCol"),
        _part("lastRow", fill=f"{color} tint 20000", top=f"25400 sng {color}"),
        _part("firstRow", color, f"{color} tint 20000"),
    )


def _dark_1(color: str, *, plain: bool) -> tuple[str, ...]:
    """The accents get darker in steps; without one, the dark colour gets lighter."""
    whole, band, column, last = (
        (f"{color} tint 20000", f"{color} tint 40000", f"{color} tint 60000", f"{color} tint 60000")
        if plain
        else (color, f"{color} shade 60000", f"{color} shade 60000", f"{color} shade 40000")
    )
    return (
        _whole("lt1", whole, **_edges("none")),
        *_bands(band),
        _part("lastCol", fill=column, left="25400 sng lt1"),
        _part("firstCol", fill=column, right="25400 sng lt1"),
        _part("lastRow", fill=last, top="25400 sng lt1"),
        _part("firstRow", "lt1", "dk1", bottom="25400 sng lt1"),
    )


def _dark_2(color: str, head: str) -> tuple[str, ...]:
    return (
        _whole("dk1", f"{color} tint 20000", **_edges("none")),
        *_bands(f"{color} tint 40000"),
        _part("lastCol"),
        _part("firstCol"),
        _part("lastRow", fill=f"{color} tint 20000", top="50800 dbl dk1"),
        _part("firstRow", "lt1", head),
    )


def _no_grid() -> tuple[str, ...]:
    return (_whole("tx1", "none", **_edges("none")),)


def _grid() -> tuple[str, ...]:
    return (_whole("tx1", "none", **_edges("12700 sng tx1", "12700 sng tx1")),)


_BY_COLOR = {
    "Themed Style 1": _themed_1,
    "Themed Style 2": _themed_2,
    "Light Style 1": _light_1,
    "Light Style 2": _light_2,
    "Light Style 3": _light_3,
    "Medium Style 1": _medium_1,
    "Medium Style 2": _medium_2,
    "Medium Style 3": _medium_3,
    "Medium Style 4": _medium_4,
}
_PLAIN = {"Themed Style 1": _no_grid, "Themed Style 2": _grid}
"""Named No Style, No Grid and No Style, Table Grid."""
