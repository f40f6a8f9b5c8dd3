"""Content types declared as Office does: by extension for media, one by one for XML parts."""

from collections.abc import Collection, Mapping

from lxml import etree

from decklab.ooxml.directory import lookup_key
from decklab.ooxml.parts import ContentTypes, update_content_types
from decklab.ooxml.xml import Element, qn

_BY_EXTENSION = ("image/", "audio/", "video/")


def declared_types(root: Element, added: Mapping[str, str], removed: Collection[str]) -> Element:
    """``[Content_Types].xml`` with ``added`` parts (name to type) entered and ``removed`` ones
    struck out; changes ``root`` and returns it. A part without a type is left undeclared.
    """
    update_content_types(root, {}, removed)
    for name, kind in added.items():
        if not kind or ContentTypes.read(root).of(name) == kind:
            continue
        extension = lookup_key(name).rpartition("/")[2].rpartition(".")[2]
        stated = extension in ContentTypes.read(root).defaults
        if kind.startswith(_BY_EXTENSION) and extension and not stated:
            item = etree.Element(qn("ct:Default"), {"Extension": extension, "ContentType": kind})
            root.insert(len(root.findall(qn("ct:Default"))), item)
        else:
            update_content_types(root, {name: kind}, ())
    return root
