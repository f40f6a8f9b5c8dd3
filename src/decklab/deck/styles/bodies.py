"""Effective properties of a text body: room, direction, and what autofit stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from decklab.deck.model.base import Effective, Origin
from decklab.deck.model.outline import Autofit
from decklab.ooxml.units import EMU_PER_POINT, flag, parse_emu, parse_int, share
from decklab.ooxml.xml import Element, qn

_AUTOFITS: dict[str, Autofit] = {
    qn("a:noAutofit"): "none",
    qn("a:normAutofit"): "shrink",
    qn("a:spAutoFit"): "grow",
}
_ANCHORS = {"t": "top", "ctr": "middle", "b": "bottom", "just": "justify", "dist": "distribute"}
_SIDE_PT, _TOP_PT = 7.2, 3.6  # ISO/IEC 29500-1, 21.1.2.1.1: 91,440 and 45,720 EMU


@dataclass(frozen=True, slots=True)
class BodyStyle:
    """How text stands in its shape or table cell."""

    autofit: Effective[Autofit]
    font_scale: Effective[float]
    """What autofit multiplied sizes by when the deck was saved; 1 for none."""
    line_reduction: Effective[float]
    """What autofit took off line spacing, as a share of a line."""
    wraps: Effective[bool]
    direction: Effective[str]
    """``horz``, ``vert``, ``vert270`` ... (ST_TextVerticalType)."""
    anchor: Effective[str]
    """``top``, ``middle``, ``bottom``, ``justify`` or ``distribute``."""
    anchor_center: Effective[bool]
    """Whether the text as a block stands in the middle, left to right."""
    inset_left_pt: Effective[float]
    inset_top_pt: Effective[float]
    inset_right_pt: Effective[float]
    inset_bottom_pt: Effective[float]
    columns: Effective[int]


_DEFAULTS: dict[str, Effective[Any]] = {
    "autofit": Effective("none", "default"),
    "font_scale": Effective(1.0, "default"),
    "line_reduction": Effective(0.0, "default"),
    "wraps": Effective(True, "default"),
    "direction": Effective("horz", "default"),
    "anchor": Effective("top", "default"),
    "anchor_center": Effective(False, "default"),
    "inset_left_pt": Effective(_SIDE_PT, "default"),
    "inset_top_pt": Effective(_TOP_PT, "default"),
    "inset_right_pt": Effective(_SIDE_PT, "default"),
    "inset_bottom_pt": Effective(_TOP_PT, "default"),
    "columns": Effective(1, "default"),
}


def read_body(layers: Sequence[tuple[Element, Origin]]) -> BodyStyle:
    """The properties of a text body from ``a:bodyPr`` or ``a:tcPr`` elements, nearest first."""
    merged = dict(_DEFAULTS)
    for element, origin in reversed(layers):
        merged |= _stated(element, origin)
    return BodyStyle(**merged)


def _stated(element: Element, origin: Origin) -> dict[str, Effective[Any]]:
    cell = element.tag == qn("a:tcPr")
    names = ("marL", "marT", "marR", "marB") if cell else ("lIns", "tIns", "rIns", "bIns")
    left, top, right, bottom = (_points(element.get(name)) for name in names)
    wrap = element.get("wrap")
    found: dict[str, Any] = {
        "wraps": None if wrap is None else wrap != "none",
        "direction": element.get("vert"),
        "anchor": _ANCHORS.get(element.get("anchor") or ""),
        "anchor_center": flag(element.get("anchorCtr")),
        "inset_left_pt": left,
        "inset_top_pt": top,
        "inset_right_pt": right,
        "inset_bottom_pt": bottom,
        "columns": parse_int(element.get("numCol")),
        **_autofit(element),
    }
    return {name: Effective(value, origin) for name, value in found.items() if value is not None}


def _autofit(element: Element) -> dict[str, Any]:
    """A body that states how it fits states its scale with it: none is 100 %."""
    for child in element:
        kind = _AUTOFITS.get(str(child.tag))
        if kind is not None:
            scale, reduction = share(child.get("fontScale")), share(child.get("lnSpcReduction"))
            return {
                "autofit": kind,
                "font_scale": 1.0 if scale is None or scale <= 0 else scale,
                "line_reduction": reduction or 0.0,
            }
    return {}


def _points(text: str | None) -> float | None:
    length = parse_emu(text)
    return None if length is None else length / EMU_PER_POINT
