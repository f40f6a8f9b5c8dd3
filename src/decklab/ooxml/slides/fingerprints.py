"""Whether two designs are the same: compared by what they say, not by names, ids or spelling."""

from hashlib import sha256

from lxml import etree

from decklab.ooxml.parts import Relationship
from decklab.ooxml.slides.listing import Parts
from decklab.ooxml.xml import NAMESPACES, Element, qn

_LINK_ATTRIBUTE = f"{{{NAMESPACES['r']}}}"


def layout_key(parts: Parts, layout: str) -> bytes:
    """A digest of a layout and its pictures; two layouts with one digest look the same on masters
    that look the same."""
    return _key(parts, layout)


def master_key(parts: Parts, master: str) -> bytes:
    """A digest of a master with its theme and their pictures; its layouts do not count."""
    themes = parts.related(master, "theme")
    return sha256(_key(parts, master) + b"".join(_key(parts, part) for part in themes)).digest()


def _key(parts: Parts, part: str) -> bytes:
    root = parts.xml(part)
    for listed in root.findall(qn("p:sldLayoutIdLst")):
        root.remove(listed)
    links = parts.relationships(part)
    for element in root.iter():
        _resolve(parts, links, element)
    return sha256(etree.tostring(root, method="c14n")).digest()


def _resolve(parts: Parts, links: dict[str, Relationship], element: Element) -> None:
    """Put in place of each relationship's id what it leads to."""
    for name, value in element.attrib.items():
        if not str(name).startswith(_LINK_ATTRIBUTE):
            continue
        link = links.get(str(value))
        if link is None or link.external or link.target not in parts:
            element.set(name, "" if link is None else link.target)
        else:
            element.set(name, sha256(parts.read(link.target)).hexdigest())
