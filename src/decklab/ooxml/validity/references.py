"""References by relationship id from inside XML parts."""

from decklab.ooxml.names import NAMESPACES, local_name, qn
from decklab.ooxml.parsing import Element
from decklab.ooxml.relationships import Relationship
from decklab.ooxml.validity.inspection import Inspection, is_xml, shape_name

__all__ = ["check_references"]

_FRAME = qn("a:graphicData")
_ATTRIBUTES = f"{{{NAMESPACES['r']}}}"
_EXPECTED = {
    qn("p:sldId"): ("slide",),
    qn("p:sldMasterId"): ("slideMaster",),
    qn("p:sldLayoutId"): ("slideLayout",),
    qn("p:notesMasterId"): ("notesMaster",),
    qn("p:handoutMasterId"): ("handoutMaster",),
    qn("a:blip"): ("image",),
    qn("c:chart"): ("chart",),
}
"""Element to the kinds of relationship it may refer to."""
_MUST_REFER = frozenset(map(qn, ("p:sldId", "p:sldMasterId", "p:sldLayoutId", "p:notesMasterId")))


def check_references(inspection: Inspection) -> None:
    """Every ``r:`` attribute names a relationship of its part, and one of the right kind."""
    package = inspection.package
    for part in package.names:
        if not is_xml(package.content_type(part)) or part.endswith(".rels"):
            continue
        root = inspection.root(part)
        if root is None or NAMESPACES["r"].encode() not in package.read(part):
            continue
        links = inspection.links(part)
        for element in root.iter():
            if (element.tag in _MUST_REFER or _is_chart_frame(element)) and not element.get(
                qn("r:id")
            ):
                detail = f"<{local_name(element.tag)}>{shape_name(element)} has no r:id"
                inspection.error("reference.missing", part, detail, "Name its relationship.")
            for name, value in element.attrib.items():
                if str(name).startswith(_ATTRIBUTES) and value:
                    link = links.get(str(value))
                    _check(inspection, part, element, str(value), link)


def _is_chart_frame(element: Element) -> bool:
    """The element of one name inside a chart part is the chart itself."""
    parent = element.getparent()
    return element.tag == qn("c:chart") and parent is not None and parent.tag == _FRAME


def _check(
    inspection: Inspection,
    part: str,
    element: Element,
    id: str,
    link: Relationship | None,
) -> None:
    where = f"<{local_name(element.tag)}>{shape_name(element)}"
    if link is None:
        detail = f"{where} refers to the relationship {id!r}, which is not there"
        fix = "Add the relationship, or take out what refers to it."
        inspection.error("reference.unknown", part, detail, fix)
        return
    kinds = _EXPECTED.get(str(element.tag))
    if kinds is not None and link.kind not in kinds:
        detail = f"{where} refers to {id!r}, a {link.kind} and no {kinds[0]}"
        inspection.error("reference.wrong-kind", part, detail, f"Refer to a {kinds[0]}.")
