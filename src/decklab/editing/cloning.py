"""A slide's part copied with the parts that can be edited with it."""

import re
from typing import Any
from uuid import NAMESPACE_URL, uuid5
from zlib import crc32

from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.opc.package import PartFactory, _Relationship
from pptx.opc.packuri import PackURI
from pptx.presentation import Presentation
from pptx.slide import Slide

from decklab.editing.errors import EditError
from decklab.editing.parts import edited
from decklab.ooxml.xml import NAMESPACES, qn

_SHARED_KINDS = frozenset(
    {
        "slide", "slideLayout", "slideMaster", "theme", "notesMaster", "commentAuthors", "authors",
        "tableStyles", "image", "audio", "video", "media", "hdphoto", "model3d", "font",
    }
)  # fmt: skip
"""Kinds of relationship to what slides hold in common, or what no edit ever changes."""
_SHARED_TYPES = ("image/", "audio/", "video/")
_NUMBERED = re.compile(r"(.*?)(\d*)(\.[^./]*)?\Z", re.DOTALL)
_CREATION_ID = f"{{{NAMESPACES['p14']}}}creationId"
_ITEM_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/customXml}itemID"


def copied_slide(prs: Presentation, slide: Slide) -> Any:
    """A copy of a slide's part, not yet listed in the deck; raises EditError."""
    if RELATIONSHIP_TYPE.SLIDE_LAYOUT not in {link.reltype for link in slide.part.rels.values()}:
        raise EditError("the slide has no layout, so a copy of it would need repair")
    names = {str(part.partname).lower() for part in prs.part.package.iter_parts()}
    copies: dict[Any, Any] = {}
    part = _copy(slide.part, slide.part, copies, names)
    _renew_creation_id(part, [other._element for other in prs.slides])
    return part


def _copy(part: Any, original: Any, copies: dict[Any, Any], names: set[str]) -> Any:
    """Copy a part and, with the same relationship ids, what it leads to and may not share."""
    name = _free_name(str(part.partname), names)
    fresh = PartFactory(PackURI(name), part.content_type, part.package, part.blob)
    copies[part] = fresh
    _renew_item_id(fresh)
    for id, link in part.rels.items():
        target: Any = link.target_ref if link.is_external else link.target_part
        if not link.is_external:
            if target in copies and (target is not original or _is_notes(part)):
                target = copies[target]
            elif not _shared(link):
                target = _copy(target, original, copies, names)
        mode = "External" if link.is_external else "Internal"
        base = fresh.partname.baseURI
        fresh.rels._rels[id] = _Relationship(base, id, link.reltype, mode, target)
    return fresh


def _shared(link: Any) -> bool:
    kind = link.reltype.rpartition("/")[2]
    return kind in _SHARED_KINDS or link.target_part.content_type.startswith(_SHARED_TYPES)


def _is_notes(part: Any) -> bool:
    return str(part.content_type).endswith("notesSlide+xml")


def _free_name(like: str, names: set[str]) -> str:
    """The name with the next number that no part has."""
    match = _NUMBERED.match(like)
    stem, _digits, extension = match.groups() if match else (like, "", "")
    number = 1
    while f"{stem}{number}{extension or ''}".lower() in names:
        number += 1
    name = f"{stem}{number}{extension or ''}"
    names.add(name.lower())
    return name


def _renew_creation_id(part: Any, slides: list[Any]) -> None:
    """Slides are told apart by a number of their own; the copy's follows from the original's."""
    path = f"{qn('p:cSld')}/{qn('p:extLst')}//{_CREATION_ID}"
    mark = part._element.find(path)
    if mark is None:
        return
    taken = {item.get("val") for slide in slides for item in slide.iterfind(path)}
    number = crc32(f"{mark.get('val')}:{part.partname}".encode())
    while str(number) in taken or not number:
        number = (number + 1) % 2**32
    mark.set("val", str(number))


def _renew_item_id(part: Any) -> None:
    """Custom XML data, ink among them, have an id of their own as well."""
    if str(part.content_type).endswith("customXmlProperties+xml"):
        with edited(part) as root:
            old = root.get(_ITEM_ID)
            if old is not None:
                fresh = uuid5(NAMESPACE_URL, f"decklab:{part.partname}:{old}")
                root.set(_ITEM_ID, "{" + str(fresh).upper() + "}")
