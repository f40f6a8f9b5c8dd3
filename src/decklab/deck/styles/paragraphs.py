"""Effective paragraph styles: alignment, indents, spacing and bullets."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from decklab.deck.model.base import Effective, Origin
from decklab.deck.part import Source
from decklab.deck.styles.colors import Color
from decklab.deck.styles.themes import MappedTheme
from decklab.ooxml.units import EMU_PER_POINT, flag, parse_emu, parse_int, share
from decklab.ooxml.xml import Element, qn

_POINT_UNIT = 100  # ST_TextSpacingPoint and ST_TextFontSize count hundredths of a point
_ALIGNMENTS = {
    "l": "left", "ctr": "center", "r": "right", "just": "justify", "justLow": "justify_low",
    "dist": "distribute", "thaiDist": "thai_distribute",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Length:
    """A length in points, or as a share of the text's size (1 is a line, or the whole size)."""

    value: float
    unit: Literal["points", "share"]


@dataclass(frozen=True, slots=True)
class NoBullet:
    """No bullet."""

    kind: Literal["none"] = "none"


@dataclass(frozen=True, slots=True)
class CharacterBullet:
    """A character, as it stands in the bullet's font."""

    character: str
    kind: Literal["character"] = "character"


@dataclass(frozen=True, slots=True)
class NumberBullet:
    """A number that counts by itself."""

    scheme: str
    """Such as ``arabicPeriod`` (ST_TextAutonumberScheme)."""
    start: int
    kind: Literal["number"] = "number"


@dataclass(frozen=True, slots=True)
class PictureBullet:
    """A picture."""

    part: str | None
    """Name of the image part; None where it is missing or linked."""
    kind: Literal["picture"] = "picture"


Bullet = NoBullet | CharacterBullet | NumberBullet | PictureBullet
"""``kind`` tells them apart."""


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """How the lines of a paragraph stand."""

    level: int
    """0 is the outermost of nine."""
    alignment: Effective[str]
    """``left``, ``center``, ``right``, ``justify``, ``justify_low``, ``distribute`` or
    ``thai_distribute``."""
    right_to_left: Effective[bool]
    margin_left_pt: Effective[float]
    margin_right_pt: Effective[float]
    indent_pt: Effective[float]
    """Of the first line against the margin; negative where it hangs."""
    line_spacing: Effective[Length]
    """After the reduction that autofit stored."""
    space_before: Effective[Length]
    space_after: Effective[Length]
    bullet: Effective[Bullet]
    bullet_font: Effective[str | None]
    """None where it follows the text, as for the next two."""
    bullet_color: Effective[Color | None]
    bullet_size: Effective[Length | None]


def default_paragraph() -> dict[str, Effective[Any]]:
    """What holds where nothing is stated, by the names of ParagraphStyle's fields."""
    values: dict[str, Any] = {
        "alignment": "left",
        "right_to_left": False,
        "margin_left_pt": 0.0,
        "margin_right_pt": 0.0,
        "indent_pt": 0.0,
        "line_spacing": Length(1.0, "share"),
        "space_before": Length(0.0, "points"),
        "space_after": Length(0.0, "points"),
        "bullet": NoBullet(),
        "bullet_font": None,
        "bullet_color": None,
        "bullet_size": None,
    }
    return {name: Effective(value, "default") for name, value in values.items()}


def stated_paragraph(
    element: Element, origin: Origin, look: MappedTheme, source: Source | None
) -> dict[str, Effective[Any]]:
    """What an ``a:pPr`` or ``a:lvl1pPr`` states itself, by the names of ParagraphStyle's fields."""
    found: dict[str, Any] = {
        "alignment": _ALIGNMENTS.get(element.get("algn") or ""),
        "right_to_left": flag(element.get("rtl")),
        "margin_left_pt": _points(element.get("marL")),
        "margin_right_pt": _points(element.get("marR")),
        "indent_pt": _points(element.get("indent")),
    }
    stated = {name: Effective(value, origin) for name, value in found.items() if value is not None}
    for child in element:
        for name, value in _from_child(child, look, source).items():
            stated[name] = Effective(value, origin)
    return stated


def finished_paragraph(
    merged: Mapping[str, Effective[Any]], level: int, look: MappedTheme, reduction: float
) -> ParagraphStyle:
    """The style of a paragraph from all that is stated of it.

    ``reduction`` is what autofit takes off line spacing that is stated as a share.
    """
    changed: dict[str, Effective[Any]] = {}
    spacing = merged["line_spacing"]
    if reduction and spacing.value.unit == "share":
        reduced = Length(round(max(spacing.value.value - reduction, 0.0), 5), "share")
        changed["line_spacing"] = Effective(reduced, spacing.source)
    font = merged["bullet_font"]
    if font.value is not None and font.value.startswith("+"):
        changed["bullet_font"] = Effective(look.theme.typeface(font.value), font.source)
    return ParagraphStyle(level=level, **{**merged, **changed})


def _from_child(child: Element, look: MappedTheme, source: Source | None) -> dict[str, Any]:
    """What one child element states; ``a:buClrTx`` and its like state that text is followed."""
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
        return {} if color is None else {"bullet_color": color}
    if name == "buFont":
        return {"bullet_font": child.get("typeface") or None}
    if name in ("buSzPct", "buSzPts"):
        size = _share(child) if name == "buSzPct" else _hundredths(child)
        return {} if size is None else {"bullet_size": size}
    bullet = _bullet(name, child, source)
    return {} if bullet is None else {"bullet": bullet}


_SPACINGS = {"lnSpc": "line_spacing", "spcBef": "space_before", "spcAft": "space_after"}
_FOLLOWING = {"buClrTx": "bullet_color", "buFontTx": "bullet_font", "buSzTx": "bullet_size"}


def _bullet(name: str, child: Element, source: Source | None) -> Bullet | None:
    if name == "buNone":
        return NoBullet()
    if name == "buChar":
        return CharacterBullet(child.get("char") or "")
    if name == "buAutoNum":
        start = parse_int(child.get("startAt"))
        return NumberBullet(child.get("type") or "arabicPlain", 1 if start is None else start)
    if name == "buBlip":
        blip = child.find(qn("a:blip"))
        found = None if blip is None or source is None else source.linked_part(blip, "r:embed")
        return PictureBullet(found)
    return None


def _spacing(element: Element) -> Length | None:
    percent = element.find(qn("a:spcPct"))
    if percent is not None:
        return _share(percent)
    points = element.find(qn("a:spcPts"))
    return None if points is None else _hundredths(points)


def _share(element: Element) -> Length | None:
    value = share(element.get("val"))
    return None if value is None else Length(value, "share")


def _hundredths(element: Element) -> Length | None:
    value = parse_int(element.get("val"))
    return None if value is None else Length(value / _POINT_UNIT, "points")


def _points(text: str | None) -> float | None:
    length = parse_emu(text)
    return None if length is None else length / EMU_PER_POINT
