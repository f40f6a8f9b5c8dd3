"""The layout of paragraphs: alignment, indents, spacing and bullets."""

from collections.abc import Mapping
from typing import Any, Literal

from decklab.deck.frames import rounded
from decklab.deck.model.base import Effective, Origin, effective_values, places_of, stated_values
from decklab.deck.model.text import NOTHING, Bullet, Spacing
from decklab.deck.part import Source
from decklab.deck.styles.themes import MappedTheme
from decklab.ooxml.units import EMU_PER_POINT, flag, parse_emu, parse_int, share
from decklab.ooxml.xml import Element, qn

Distance = tuple[float, Literal["points", "share"]]
"""A number and its unit: points, or shares of a line or of the text's size."""

_POINT_UNIT = 100  # ST_TextSpacingPoint and ST_TextFontSize count hundredths of a point
_ALIGNMENTS = {
    "l": "left", "ctr": "center", "r": "right", "just": "justify", "justLow": "justify_low",
    "dist": "distribute", "thaiDist": "thai_distribute",
}  # fmt: skip
_ALIGNS = {"justify_low": "justify", "distribute": "distributed", "thai_distribute": "distributed"}
"""Alignments by their names in the model, where the name differs."""


_SPACINGS = {"lnSpc": "line_spacing", "spcBef": "space_before", "spcAft": "space_after"}
_FOLLOWING = {"buClrTx": "bullet_color", "buFontTx": "bullet_font", "buSzTx": "bullet_size"}

_DEFAULTS = effective_values(
    "default",
    align="left",
    right_to_left=False,
    margin_left=0.0,
    margin_right=0.0,
    indent=0.0,
    line_spacing=(1.0, "share"),
    space_before=(0.0, "points"),
    space_after=(0.0, "points"),
    bullet=None,
    bullet_font=None,
    bullet_color=None,
    bullet_size=None,
)


def default_paragraph() -> dict[str, Effective[Any]]:
    """The defaults where nothing is stated, by the names that ``stated_paragraph`` gives."""
    return dict(_DEFAULTS)


def stated_paragraph(
    element: Element, origin: Origin, look: MappedTheme, source: Source | None
) -> dict[str, Effective[Any]]:
    """The values that an ``a:pPr`` or ``a:lvl1pPr`` states itself.

    Names are those of Paragraph's fields, and ``bullet_font``, ``bullet_color`` and
    ``bullet_size``, where None follows the text. A ``bullet`` of None means no bullet. Distances
    and sizes are numbers with their unit; ``justify_low`` and ``thai_distribute`` are alignments of
    their own.
    """
    stated = stated_values(
        origin,
        align=_ALIGNMENTS.get(element.get("algn") or ""),
        right_to_left=flag(element.get("rtl")),
        margin_left=parse_points(element.get("marL")),
        margin_right=parse_points(element.get("marR")),
        indent=parse_points(element.get("indent")),
    )
    for child in element:
        stated |= effective_values(origin, **_from_child(child, look, source))
    return stated


def finished_paragraph(
    merged: Mapping[str, Effective[Any]], look: MappedTheme, reduction: float
) -> dict[str, Any]:
    """The fields of a paragraph, except level and runs, from all stated values.

    ``reduction`` is what autofit takes off line spacing that is stated as a share.
    """
    values = {name: item.value for name, item in merged.items()}
    spacing, unit = values["line_spacing"]
    if reduction and unit == "share":
        values["line_spacing"] = round(max(spacing - reduction, 0.0), 5), unit
    font, color, size = (values.pop(f"bullet_{name}") for name in ("font", "color", "size"))
    if values["bullet"] is not None:
        font = None if font is None else look.theme.typeface(font)
        size = None if size is None else spacing_of(size)
        shown = {"font": font, "color": color, "size": size}
        values["bullet"] = values["bullet"].model_copy(update=shown)
    values["align"] = _ALIGNS.get(values["align"], values["align"])
    for name in ("margin_left", "margin_right", "indent"):
        values[name] = rounded(values[name])
    values["line_spacing"] = spacing_of(values["line_spacing"])
    for name in ("space_before", "space_after"):
        values[name] = spacing_of(values[name]) if values[name][0] else NOTHING
    return values | {"sources": places_of(merged)}


def spacing_of(distance: Distance) -> Spacing:
    """A distance as a model, to four places."""
    return Spacing(value=round(distance[0], 4), unit=distance[1])


def _from_child(child: Element, look: MappedTheme, source: Source | None) -> dict[str, Any]:
    """The values that one child element states; ``a:buClrTx`` states that it follows the text."""
    name = str(child.tag).rpartition("}")[2]
    if name in _SPACINGS:
        length = _spacing(child)
        return {} if length is None else {_SPACINGS[name]: length}
    if not name.startswith("bu"):
        return {}
    if name in _FOLLOWING:
        return {_FOLLOWING[name]: None}
    if name == "buClr":
        color = look.color(child)
        return {} if color is None else {"bullet_color": color.hex}
    if name == "buFont":
        return {"bullet_font": child.get("typeface") or None}
    if name in ("buSzPct", "buSzPts"):
        size = _share(child) if name == "buSzPct" else _hundredths(child)
        return {} if size is None else {"bullet_size": size}
    return _bullet(name, child, source)


def _bullet(name: str, child: Element, source: Source | None) -> dict[str, Any]:
    if name == "buNone":
        return {"bullet": None}
    if name == "buChar":
        return {"bullet": Bullet(kind="character", character=child.get("char") or "")}
    if name == "buAutoNum":
        start = parse_int(child.get("startAt"))
        scheme = child.get("type") or "arabicPlain"
        return {"bullet": Bullet(kind="number", scheme=scheme, start=1 if start is None else start)}
    if name == "buBlip":
        blip = child.find(qn("a:blip"))
        if blip is None or source is None:
            return {"bullet": Bullet(kind="picture")}
        image = source.linked_part(blip, "r:embed")
        return {"bullet": Bullet(kind="picture", sha256=source.sha256(image))}
    return {}


def _spacing(element: Element) -> Distance | None:
    percent = element.find(qn("a:spcPct"))
    if percent is not None:
        return _share(percent)
    points = element.find(qn("a:spcPts"))
    return None if points is None else _hundredths(points)


def _share(element: Element) -> Distance | None:
    value = share(element.get("val"))
    return None if value is None else (value, "share")


def _hundredths(element: Element) -> Distance | None:
    value = parse_int(element.get("val"))
    return None if value is None else (value / _POINT_UNIT, "points")


def parse_points(text: str | None) -> float | None:
    """A length such as ``914400`` in points; None where it is missing or no number."""
    length = parse_emu(text)
    return None if length is None else length / EMU_PER_POINT
