"""New ids, where ids must be unique, for a copied slide and the parts copied with it.

New ids are computed from the old ones and the copy's place, so that the same operation on the same
deck always gives the same bytes. Shapes keep their ids and creation ids: they need to be unique on
their slide only, and PowerPoint keeps them too, so that Morph and comparisons find the same shape
again.
"""

from collections.abc import Iterable, Mapping
from uuid import NAMESPACE_URL, uuid5
from zlib import crc32

from lxml import etree

from decklab.editing.open_parts import EditableParts, add_linked_part
from decklab.ooxml.parts import Parts
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import NAMESPACES, Element, local_name, qn, relationship_type

_ITEM_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/customXml}itemID"
_ITEM_PROPERTIES = "customXmlProperties+xml"
_CREATION_PATH = f"{qn('p:cSld')}/{qn('p:extLst')}//{{{NAMESPACES['p14']}}}creationId"


def fresh_guid(old: str, place: str) -> str:
    """Another GUID, in braces and capitals, for a copy at ``place`` of something called ``old``.

    >>> fresh_guid("{0}", "ppt/slides/slide9.xml") == fresh_guid("{0}", "ppt/slides/slide8.xml")
    False
    """
    return "{" + str(uuid5(NAMESPACE_URL, f"decklab:{place}:{old}")).upper() + "}"


def renew_slide(deck: EditableParts, part: str) -> int | None:
    """Give a copied slide a creation id that no other slide has; None if slides have none."""
    mark = deck.root(part).find(_CREATION_PATH)
    if mark is None:
        return None
    used = set(_creation_ids(deck, part))
    number = crc32(f"{mark.get('val')}:{part}".encode())
    while number in used or number == 0:
        number = (number + 1) % 2**32
    live = deck.edit(part).find(_CREATION_PATH)
    if live is not None:
        live.set("val", str(number))
    return number


def renew_custom_data(deck: EditableParts, parts: Iterable[str]) -> None:
    """Give copied custom XML data, such as ink, new item ids."""
    for part in parts:
        if not (deck.content_type(part) or "").endswith(_ITEM_PROPERTIES):
            continue
        root = deck.edit(part)
        old = root.get(_ITEM_ID)
        if old is not None:
            root.set(_ITEM_ID, fresh_guid(old, part))


def _creation_ids(deck: EditableParts, part: str) -> Iterable[int]:
    """Creation ids of the other slides, except slides that cannot be read."""
    for entry in slide_entries(deck):
        if entry.part != part and deck.mentions(entry.part, b"creationId"):
            for mark in deck.root(entry.part).iterfind(_CREATION_PATH):
                value = mark.get("val") or ""
                yield int(value) if value.isdecimal() else 0


MODERN = "http://schemas.microsoft.com/office/powerpoint/2018/8/main"
"""Namespace of threaded comments and their authors ([MS-PPTX] 2.4.4)."""

_CLASSIC_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.commentAuthors+xml"
_MODERN_TYPE = "application/vnd.ms-powerpoint.authors+xml"
_MODERN_LINK = "http://schemas.microsoft.com/office/2018/10/relationships/authors"


def find_authors(parts: Parts, *, modern: bool) -> str | None:
    """The part that lists the authors of classic or of threaded comments; None without one."""
    wanted = "authors" if modern else "commentAuthors"
    for link in parts.relationships(parts.main_part).values():
        if link.kind == wanted and not link.external and link.target in parts:
            return link.target
    return None


def merge_authors(source: Parts, deck: EditableParts, *, modern: bool) -> dict[str, str]:
    """Add authors of ``source`` that ``deck`` lacks; returns ids in ``deck`` by ids in ``source``.
    Two authors are one where name and initials agree, or account where accounts are known.
    """
    theirs = find_authors(source, modern=modern)
    if theirs is None:
        return {}
    ours = find_authors(deck, modern=modern) or _add_list(deck, modern=modern)
    root = deck.edit(ours)
    known = {_person(author): author for author in root if isinstance(author.tag, str)}
    mapped: dict[str, str] = {}
    for author in list(source.xml(theirs)):
        person, old = _person(author), author.get("id") or ""
        if person not in known:
            known[person] = _add_author(root, author, modern=modern)
        mapped[old] = known[person].get("id") or ""
    return mapped


def _person(author: Element) -> tuple[str | None, ...]:
    account = author.get("userId"), author.get("providerId")
    if author.tag == f"{{{MODERN}}}author" and account[0] and account[1] != "None":
        return account
    return author.get("name"), author.get("initials")


def _add_author(root: Element, author: Element, *, modern: bool) -> Element:
    root.append(author)
    if not modern:
        ids = [parse_int(other.get("id")) or 0 for other in root if other is not author]
        number = max(ids, default=-1) + 1
        author.set("id", str(number))
        author.set("clrIdx", str(number))
        author.set("lastIdx", "0")
    return author


def _add_list(deck: EditableParts, *, modern: bool) -> str:
    if modern:
        root = etree.Element(f"{{{MODERN}}}authorLst", nsmap={"p188": MODERN})
        return add_linked_part(deck, "authors.xml", _MODERN_TYPE, root, _MODERN_LINK)
    root = etree.Element(qn("p:cmAuthorLst"))
    link = relationship_type("commentAuthors")
    return add_linked_part(deck, "commentAuthors.xml", _CLASSIC_TYPE, root, link)


CLASSIC_COMMENTS = "application/vnd.openxmlformats-officedocument.presentationml.comments+xml"
MODERN_COMMENTS = "application/vnd.ms-powerpoint.comments+xml"


def renew_comments(
    deck: EditableParts,
    parts: Iterable[str],
    *,
    slide_id: int,
    creation_id: int | None,
    authors: Mapping[str, Mapping[str, str]] | None = None,
) -> None:
    """Give copied comments new ids and link them to the copied slide.

    ``authors`` maps author ids that changed, by the content type of the comments.
    """
    changed = authors or {}
    for part in parts:
        kind = deck.content_type(part)
        if kind == CLASSIC_COMMENTS:
            _renumber(deck, deck.edit(part), changed.get(kind, {}))
        elif kind == MODERN_COMMENTS:
            root = deck.edit(part)
            _rename(root, part, changed.get(kind, {}))
            _anchor(root, slide_id, creation_id)


def _renumber(deck: EditableParts, root: Element, authors: Mapping[str, str]) -> None:
    """Classic comments are numbered by author ([ECMA-376] 19.4.1); replies name their parent."""
    numbers: dict[tuple[str | None, str | None], tuple[str, str]] = {}
    for comment in root.iter(qn("p:cm")):
        old = comment.get("authorId"), comment.get("idx")
        author = authors.get(old[0] or "", old[0] or "")
        numbers[old] = author, _next_number(deck, author, old[1])
        comment.set("authorId", author)
        comment.set("idx", numbers[old][1])
    for parent in root.iter(qn("p15:parentCm")):
        number = numbers.get((parent.get("authorId"), parent.get("idx")))
        if number is not None:
            parent.set("authorId", number[0])
            parent.set("idx", number[1])


def _next_number(deck: EditableParts, author: str, old: str | None) -> str:
    part = find_authors(deck, modern=False)
    for item in deck.edit(part) if part is not None else ():
        if item.get("id") == author:
            number = str((parse_int(item.get("lastIdx")) or 0) + 1)
            item.set("lastIdx", number)
            return number
    return old or "1"


def _rename(root: Element, part: str, authors: Mapping[str, str]) -> None:
    for item in root.iter(f"{{{MODERN}}}cm", f"{{{MODERN}}}reply"):
        author = item.get("authorId") or ""
        if author in authors:
            item.set("authorId", authors[author])
        item.set("id", fresh_guid(item.get("id") or "", part))


def _anchor(root: Element, slide_id: int, creation_id: int | None) -> None:
    for mark in root.iter():
        if not isinstance(mark.tag, str) or local_name(mark.tag) != "sldMk":
            continue
        mark.set("sldId", str(slide_id))
        if creation_id is not None:
            mark.set("cId", str(creation_id))
