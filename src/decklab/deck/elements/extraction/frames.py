"""What all shapes have: names and marks, a place, a geometry, an outline."""

from typing import Any

from decklab.deck.elements.extraction.canvas import Canvas
from decklab.deck.elements.extraction.guides import adjustments_of
from decklab.deck.elements.extraction.links import click_of, hover_of
from decklab.deck.elements.extraction.paints import pen_of, stroke_of
from decklab.deck.elements.extraction.paths import path_of
from decklab.deck.elements.extraction.walking import Found, named
from decklab.deck.elements.model.shapes import Placeholder
from decklab.deck.fills import shape_properties
from decklab.deck.measures import flag
from decklab.deck.styles.effective import Origin
from decklab.ooxml.names import local_name, qn
from decklab.ooxml.parsing import Element as Xml

__all__ = [
    "box_fields",
    "common_fields",
    "corner_radius",
    "geometry_fields",
    "stroke_fields",
]

_CREATION_ID = "{http://schemas.microsoft.com/office/drawing/2014/main}creationId"
_DECORATIVE = "{http://schemas.microsoft.com/office/drawing/2017/decorative}decorative"
_STYLE = qn("p:style")
_REFERENCES = {"line": "a:lnRef", "fill": "a:fillRef", "effect": "a:effectRef",
               "font": "a:fontRef"}  # fmt: skip
_ROUND_CORNERS = {
    "roundRect": "adj", "round1Rect": "adj", "round2SameRect": "adj1", "round2DiagRect": "adj1",
}  # fmt: skip
_ROUND_SHARE = 16_667  # of the shorter side, in 100,000ths: what these presets take by default
_MOST_ROUND = 50_000


def common_fields(found: Found, canvas: Canvas, **stated: Origin) -> dict[str, Any]:
    """What every element carries, by the names of the model's fields.

    ``stated`` says where the values of further fields are stated.
    """
    outline, names = found.outline, named(found.element)
    fields: dict[str, Any] = {
        "id": outline.id,
        "name": outline.name,
        "z": outline.z,
        "alt_text": outline.alt_text,
        "hidden": outline.hidden,
        "rotation": round(outline.rotation, 3) % 360,
        "groups": outline.groups,
        "effects": found.styled.effects.value,
        "theme_style": _theme_style(found.element),
        "placed": found.frame is not None,
        "sources": {
            name: source
            for name, source in (stated | {"effects": found.styled.effects.source}).items()
            if source != "default"
        },
    }
    if found.frame is not None:
        fields |= {"flip_h": found.frame.flip_h, "flip_v": found.frame.flip_v}
    if outline.placeholder is not None:
        fields["placeholder"] = Placeholder(
            type=outline.placeholder, idx=outline.placeholder_idx or 0
        )
    if names is not None:
        fields["alt_title"] = names.get("title") or ""
        if len(names):
            fields |= _named_things(names, canvas)
    return fields


def _theme_style(shape: Xml) -> dict[str, str]:
    style = next((child for child in shape if child.tag == _STYLE), None)
    references = {} if style is None else {str(child.tag): child for child in style}
    return {
        name: " ".join([one.get("idx") or "", *map(_handed_over, one.iterdescendants("*"))])
        for name, tag in _REFERENCES.items()
        if (one := references.get(qn(tag))) is not None
    }


def _handed_over(color: Xml) -> str:
    """A colour, or what is done to it, by its attributes."""
    return " ".join([*color.attrib.values()] or [local_name(str(color.tag))])


def _named_things(names: Xml, canvas: Canvas) -> dict[str, Any]:
    mark = next(names.iter(_CREATION_ID), None)
    decorative = next(names.iter(_DECORATIVE), None)
    return {
        "creation_id": None if mark is None else mark.get("id"),
        "decorative": decorative is not None and flag(decorative.get("val") or "1") is True,
        "click": click_of(names, canvas),
        "hover": hover_of(names, canvas),
    }


def box_fields(found: Found, canvas: Canvas) -> dict[str, Any]:
    """Where a shape is, in px; all zero where nothing says."""
    frame = found.frame
    if frame is None:
        return {"x": 0.0, "y": 0.0, "w": 0.0, "h": 0.0}
    return {
        "x": canvas.across(frame.left),
        "y": canvas.down(frame.top),
        "w": max(canvas.across(frame.width), 0.0),
        "h": max(canvas.down(frame.height), 0.0),
    }


def stroke_fields(found: Found, canvas: Canvas) -> dict[str, Any]:
    """Stroke and pen of anything that has a line."""
    stroke, width = stroke_of(found.styled.line)
    pen = pen_of(found.styled.line, canvas.desk)
    return {"stroke": stroke, "strokeWidth": width, "pen": pen}


def geometry_fields(found: Found, canvas: Canvas) -> dict[str, Any]:
    """Preset name and adjustments, or the path of a freeform."""
    for item in found.behind:
        properties = shape_properties(item)
        preset = None if properties is None else properties.find(qn("a:prstGeom"))
        custom = None if properties is None else properties.find(qn("a:custGeom"))
        if preset is not None:
            name = preset.get("prst") or "rect"
            return {"geometry": name, "adjustments": adjustments_of(preset)}
        if custom is not None:
            path = None if found.frame is None else path_of(custom, found.frame)
            return {"geometry": "custom", "path": path}
    return {}


def corner_radius(geometry: dict[str, Any], found: Found, canvas: Canvas) -> float:
    """Corner radius across, in px; 0 for presets whose corners are not round."""
    guide = _ROUND_CORNERS.get(geometry.get("geometry", ""))
    if guide is None or found.frame is None:
        return 0.0
    share = min(max(geometry["adjustments"].get(guide, _ROUND_SHARE), 0), _MOST_ROUND)
    return canvas.across(min(found.frame.width, found.frame.height) * share / 100_000)
