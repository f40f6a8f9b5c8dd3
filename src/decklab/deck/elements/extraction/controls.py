"""Controls (ActiveX), which slides list beside their shapes (ISO/IEC 29500-1, 19.3.2.1)."""

from collections.abc import Iterator
from typing import Any

from decklab.deck.alternatives import children
from decklab.deck.elements.extraction.canvas import Canvas
from decklab.deck.elements.model.shapes import Other
from decklab.deck.fills import shape_properties
from decklab.deck.placement import read_frame
from decklab.ooxml.names import qn
from decklab.ooxml.parsing import Element
from decklab.ooxml.units import parse_int

__all__ = ["controls_of"]

_CLASS = "{http://schemas.microsoft.com/office/2006/activeX}classid"


def controls_of(canvas: Canvas, first: int) -> Iterator[Other]:
    """The controls of a sheet, over all its shapes; ``first`` is their place in drawing order."""
    root = canvas.sheet.root
    holder = None if root is None else root.find(f"{qn('p:cSld')}/{qn('p:controls')}")
    if holder is None:
        return
    found = (child for child in children(holder) if child.tag == qn("p:control"))
    for z, control in enumerate(found, start=first):
        yield _control(control, z, canvas)


def _control(control: Element, z: int, canvas: Canvas) -> Other:
    picture = control.find(qn("p:pic"))
    names = None if picture is None else next(picture.iter(qn("p:cNvPr")), None)
    part = canvas.source.linked_part(control)
    root = None if part is None else canvas.source.of(part).root()
    return Other(
        id=(None if names is None else parse_int(names.get("id"))) or 0,
        name=control.get("name") or "control",
        z=z,
        what="control",
        detail="" if root is None else root.get(_CLASS) or "",
        sha256=canvas.desk.sha256(part),
        **_place(picture, canvas),
    )


def _place(picture: Element | None, canvas: Canvas) -> dict[str, Any]:
    """Where the picture that stands for a control is; older files say it in VML only."""
    properties = None if picture is None else shape_properties(picture)
    frame = None if properties is None else read_frame(properties.find(qn("a:xfrm")))
    if frame is None:
        return {"x": 0.0, "y": 0.0, "w": 0.0, "h": 0.0, "placed": False}
    return {
        "x": canvas.across(frame.left),
        "y": canvas.down(frame.top),
        "w": max(canvas.across(frame.width), 0.0),
        "h": max(canvas.down(frame.height), 0.0),
    }
