"""SmartArt: the shapes it was last drawn with, which the deck keeps beside its data."""

from decklab.deck.part import Source
from decklab.ooxml.xml import NAMESPACES, Element, qn

_DATA_MODEL_EXT = qn("dsp:dataModelExt")
_DRAWING = "diagramDrawing"
_SHAPES = (qn("dsp:sp"), qn("dsp:grpSp"))


def diagram_shapes(frame: Element, source: Source) -> tuple[Element, ...]:
    """The shape elements (``dsp:sp``) that a SmartArt frame was last drawn with, in order.

    None for any other shape, and where the deck keeps no drawing.
    """
    data = frame.find(f"{qn('a:graphic')}/{qn('a:graphicData')}")
    if data is None or data.get("uri") != NAMESPACES["dgm"]:
        return ()
    ids = data.find(qn("dgm:relIds"))
    model = None if ids is None else source.linked_part(ids, "r:dm")
    root = None if model is None else source.of(model).root()
    drawing = _only_drawing(source) if root is None else _drawing_part(root, source)
    drawn = None if drawing is None else source.of(drawing).root()
    tree = None if drawn is None else drawn.find(qn("dsp:spTree"))
    return () if tree is None else tuple(item for item in tree if item.tag in _SHAPES)


def _drawing_part(model: Element, source: Source) -> str | None:
    """The drawing that belongs to a diagram's data: the slide's relationship names it."""
    extension = next(model.iter(_DATA_MODEL_EXT), None)
    link = None if extension is None else source.link(extension.get("relId"))
    if link is None or link.external or link.target not in source.package:
        return None
    return link.target


def _only_drawing(source: Source) -> str | None:
    """The drawing of a diagram whose data are gone: the slide's, where it has no other."""
    found = [
        link.target
        for link in source.links().values()
        if link.kind == _DRAWING and not link.external and link.target in source.package
    ]
    return found[0] if len(found) == 1 else None
