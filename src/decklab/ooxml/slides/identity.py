"""Identities that must not occur twice, made anew in a copied slide and what hangs on it.

New identities are worked out from the old ones and the copy's place, so that the same operation
on the same deck always gives the same bytes. Shapes keep their ids and creation ids: they need
to be unique on their slide only, and PowerPoint keeps them too, so that Morph and comparisons
find the same shape again.
"""

from collections.abc import Iterable
from uuid import NAMESPACE_URL, uuid5
from zlib import crc32

from decklab.ooxml.slides.draft import Draft
from decklab.ooxml.slides.listing import slide_entries
from decklab.ooxml.xml import NAMESPACES, Element, qn

_ITEM_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/customXml}itemID"
_ITEM_PROPERTIES = "customXmlProperties+xml"
_CREATION_ID = f"{{{NAMESPACES['p14']}}}creationId"


def fresh_guid(old: str, place: str) -> str:
    """Another GUID, in braces and capitals, for a copy at ``place`` of something called ``old``.

    >>> fresh_guid("{0}", "ppt/slides/slide9.xml") == fresh_guid("{0}", "ppt/slides/slide8.xml")
    False
    """
    return "{" + str(uuid5(NAMESPACE_URL, f"decklab:{place}:{old}")).upper() + "}"


def renew_slide(draft: Draft, part: str) -> int | None:
    """Give a copied slide a creation id that no other slide has; None where slides have none."""
    mark = draft.xml(part).find(f"{qn('p:cSld')}/{qn('p:extLst')}//{_CREATION_ID}")
    if mark is None:
        return None
    taken = set(_creation_ids(draft, part))
    number = crc32(f"{mark.get('val')}:{part}".encode())
    while number in taken or number == 0:
        number = (number + 1) % 2**32
    live = draft.edit(part).find(f"{qn('p:cSld')}/{qn('p:extLst')}//{_CREATION_ID}")
    if live is not None:
        live.set("val", str(number))
    return number


def renew_custom_data(draft: Draft, parts: Iterable[str]) -> None:
    """Give copied custom XML data, ink among them, item ids of their own."""
    for part in parts:
        if not (draft.content_type(part) or "").endswith(_ITEM_PROPERTIES):
            continue
        root = draft.edit(part)
        old = root.get(_ITEM_ID)
        if old is not None:
            root.set(_ITEM_ID, fresh_guid(old, part))


def _creation_ids(draft: Draft, part: str) -> Iterable[int]:
    """Creation ids of the other slides; one that cannot be read has none that count."""
    for entry in slide_entries(draft):
        if entry.part != part and b"creationId" in draft.read(entry.part):
            for mark in _marks(draft.xml(entry.part)):
                yield int(mark) if mark.isdecimal() else 0


def _marks(root: Element) -> Iterable[str]:
    for mark in root.iterfind(f"{qn('p:cSld')}/{qn('p:extLst')}//{_CREATION_ID}"):
        yield mark.get("val") or ""
