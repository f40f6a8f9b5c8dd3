"""Authors of comments, brought along from another deck and merged with those who are there."""

from lxml import etree

from decklab.ooxml.slides.draft import Draft
from decklab.ooxml.slides.listing import Parts
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, qn, relationship_type, serialize_xml

MODERN = "http://schemas.microsoft.com/office/powerpoint/2018/8/main"
"""Namespace of threaded comments and their authors ([MS-PPTX] 2.4.4)."""

_CLASSIC_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.commentAuthors+xml"
_MODERN_TYPE = "application/vnd.ms-powerpoint.authors+xml"
_MODERN_LINK = "http://schemas.microsoft.com/office/2018/10/relationships/authors"


def find_authors(parts: Parts, *, modern: bool) -> str | None:
    """The part that lists the authors of classic or of threaded comments."""
    wanted = "authors" if modern else "commentAuthors"
    for link in parts.relationships(parts.main_part).values():
        if link.kind == wanted and not link.external and link.target in parts:
            return link.target
    return None


def merge_authors(source: Parts, draft: Draft, *, modern: bool) -> dict[str, str]:
    """See that all authors of ``source`` are known to ``draft``; map their ids from one to the
    other. Two authors are one where name and initials agree, or account where accounts are known.
    """
    theirs = find_authors(source, modern=modern)
    if theirs is None:
        return {}
    ours = find_authors(draft, modern=modern) or _add_list(draft, modern=modern)
    root = draft.edit(ours)
    known = {_person(author): author for author in root if isinstance(author.tag, str)}
    mapped: dict[str, str] = {}
    for author in list(source.xml(theirs)):
        person, old = _person(author), author.get("id") or ""
        if person not in known:
            known[person] = _enter(root, author, modern=modern)
        mapped[old] = known[person].get("id") or ""
    return mapped


def _person(author: Element) -> tuple[str | None, ...]:
    account = author.get("userId"), author.get("providerId")
    if author.tag == f"{{{MODERN}}}author" and account[0] and account[1] != "None":
        return account
    return author.get("name"), author.get("initials")


def _enter(root: Element, author: Element, *, modern: bool) -> Element:
    root.append(author)
    if not modern:
        ids = [parse_int(other.get("id")) or 0 for other in root if other is not author]
        number = max(ids, default=-1) + 1
        author.set("id", str(number))
        author.set("clrIdx", str(number))
        author.set("lastIdx", "0")
    return author


def _add_list(draft: Draft, *, modern: bool) -> str:
    folder = draft.main_part.rpartition("/")[0]
    if modern:
        root = etree.Element(f"{{{MODERN}}}authorLst", nsmap={"p188": MODERN})
        base, kind, link = "authors.xml", _MODERN_TYPE, _MODERN_LINK
    else:
        root = etree.Element(qn("p:cmAuthorLst"))
        base, kind = "commentAuthors.xml", _CLASSIC_TYPE
        link = relationship_type("commentAuthors")
    name = f"{folder}/{base}" if folder else base
    if draft.was_used(name):
        name = draft.unused_name(name)
    draft.add(name, kind, serialize_xml(root))
    draft.link(draft.main_part, link, name)
    return name
