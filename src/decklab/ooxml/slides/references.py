"""Places in a part that refer to what is gone: links, list entries and zooms, taken out cleanly."""

from collections.abc import Collection

from decklab.ooxml.slides.draft import Draft
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import NAMESPACES, Element, local_name, qn

_LINK_ATTRIBUTE = f"{{{NAMESPACES['r']}}}"
_REFERENCES = ("hlinkClick", "hlinkHover", "hlinkMouseOver", "sld")
"""Elements that are nothing but a reference to a slide: they go with it."""
_ZOOMS = ("sldZmObj", "sectionZmObj", "summaryZmObj")
_CUSTOM_SHOW = "ppaction://customshow"


def drop_links(draft: Draft, part: str, target: str) -> None:
    """Take out every relationship of ``part`` to ``target``, and what refers by it."""
    gone = {
        id
        for id, link in draft.relationships(part).items()
        if not link.external and link.target == target
    }
    if not gone:
        return
    if refers_by_id(draft.xml(part), gone):
        drop_references(draft.edit(part), gone)
    for id in gone:
        draft.unlink(part, id)


def refers_by_id(root: Element, ids: Collection[str]) -> bool:
    """Whether anything in a part refers to one of these relationships."""
    return any(_links(element, ids) for element in root.iter())


def drop_references(root: Element, ids: Collection[str]) -> None:
    """Take out what refers to relationships that are gone.

    Hyperlinks and entries of slide lists go whole, the text they were on stays; of other
    elements only the attribute goes.
    """
    for element in list(root.iter()):
        attributes = _links(element, ids)
        if not attributes:
            continue
        if local_name(element.tag) in _REFERENCES:
            _remove(element)
            continue
        for attribute in attributes:
            del element.attrib[attribute]


def drop_show_links(root: Element) -> None:
    """Take out links to custom shows, which are named by number and mean nothing elsewhere."""
    for element in list(root.iter(qn("a:hlinkClick"), qn("a:hlinkHover"))):
        if (element.get("action") or "").startswith(_CUSTOM_SHOW):
            _remove(element)


def drop_zooms(root: Element, ids: Collection[int] | None = None) -> bool:
    """Turn zooms on slides of these ids, or all zooms, into the pictures that stand in for them.

    A zoom that has no picture to stand in is taken out. Returns whether there were any.
    """
    found = [element for element in root.iter() if _is_zoom(element, ids)]
    for zoom in found:
        choice = next(zoom.iterancestors(qn("mc:AlternateContent")), None)
        if choice is not None:
            _fall_back(choice)
    return bool(found)


def _is_zoom(element: Element, ids: Collection[int] | None) -> bool:
    if not isinstance(element.tag, str) or local_name(element.tag) not in _ZOOMS:
        return False
    return ids is None or parse_int(element.get("sldId")) in ids


def _fall_back(alternate: Element) -> None:
    parent = alternate.getparent()
    fallback = alternate.find(qn("mc:Fallback"))
    if parent is None:
        return
    for child in list(fallback) if fallback is not None else ():
        alternate.addprevious(child)
    parent.remove(alternate)


def _links(element: Element, ids: Collection[str]) -> list[str]:
    return [
        str(name)
        for name, value in element.attrib.items()
        if str(name).startswith(_LINK_ATTRIBUTE) and value in ids
    ]


def _remove(element: Element) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)
