"""Edits of links."""

from collections.abc import Iterator

from tests.diffing.edits.desk import (
    Desk,
    Edit,
    Expected,
    new_link,
    parent_of,
    run_properties,
    runs_of,
    shapes_of,
)

from decklab.ooxml.xml import Element, qn


def link_shape(desk: Desk) -> bool:
    for part, shape, id in shapes_of(desk, "p:sp", "p:pic"):
        named = shape.find(f"*/{qn('p:cNvPr')}")
        assert named is not None
        if named.find(qn("a:hlinkClick")) is None and desk.take(part, f"{id} click"):
            named.insert(0, new_link(desk, part))
            desk.expected.append(Expected(part, id, "link", "click"))
            return True
    return False


def link_words(desk: Desk) -> bool:
    for part, shape, id in shapes_of(desk, "p:sp"):
        for run in runs_of(shape):
            properties = run_properties(run)
            if properties.find(qn("a:hlinkClick")) is not None:
                continue
            if not desk.take(part, f"{id} link", f"{id} style", f"{id} text"):
                break
            link = new_link(desk, part)
            later = [child for child in properties if child.tag in (
                qn("a:hlinkMouseOver"), qn("a:rtl"), qn("a:extLst"))]  # fmt: skip
            properties.insert(properties.index(later[0]) if later else len(properties), link)
            desk.expected.append(Expected(part, id, "link", "click"))
            return True
    return False


def _outside(desk: Desk, part: str, link: Element) -> bool:
    found = desk.draft.relationships(part).get(link.get(qn("r:id")) or "")
    return found is not None and found.external and not link.get("action")


def _linked(desk: Desk) -> Iterator[tuple[str, Element, int]]:
    """Links of shapes, and of shapes' words, that lead outside; the only one of their shape."""
    for part, shape, id in shapes_of(desk, "p:sp", "p:pic"):
        links = list(shape.iter(qn("a:hlinkClick")))
        if len(links) == 1 and _outside(desk, part, links[0]):
            of_words = parent_of(links[0]).tag == qn("a:rPr")
            whats = ("link", "style", "text") if of_words else ("click",)
            if desk.take(part, *(f"{id} {what}" for what in whats)):
                yield part, links[0], id


def remove_link(desk: Desk) -> bool:
    for part, link, id in _linked(desk):
        parent_of(link).remove(link)
        desk.expected.append(Expected(part, id, "link", "click"))
        return True
    return False


def retarget_link(desk: Desk) -> bool:
    for part, link, id in _linked(desk):
        link.set(qn("r:id"), new_link(desk, part).get(qn("r:id")) or "")
        desk.expected.append(Expected(part, id, "link", "click"))
        return True
    return False


LINKS: dict[str, Edit] = {
    "shape link": link_shape,
    "word link": link_words,
    "remove link": remove_link,
    "retarget link": retarget_link,
}
