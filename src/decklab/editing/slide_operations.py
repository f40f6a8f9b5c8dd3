"""Clones, deletes and moves slides, and updates what names them by id: sections, custom shows,
timelines, document properties; copies parts with the parts they lead to.

The deck is a ``Draft`` of a file, or one open in python-pptx (``open_parts.parts_of``). Media of
equal content are stored once; references to missing parts are removed.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from enum import Enum
from hashlib import sha256
from uuid import NAMESPACE_URL, uuid5
from zlib import crc32

from lxml import etree

from decklab.core.errors import DeckError, MissingPart
from decklab.editing.open_parts import EditableParts, add_linked_part
from decklab.ooxml.parts import Parts, Relationship, reachable, transitional_bytes
from decklab.ooxml.slide_list import (
    SlideEntry,
    add_to_list,
    find_slide,
    free_place,
    leave_sections,
    list_items,
    recount,
    settle_in_section,
    slide_entries,
)
from decklab.ooxml.xml import (
    NAMESPACES,
    Element,
    local_name,
    parse_int,
    qn,
    relationship_type,
    take_out,
)


class LinkFate(Enum):
    """Treatment of a part that a copied part refers to."""

    COPY = "copy"
    """The part is copied too."""
    DROP = "drop"
    """The relationship is left out, and so are the references with its id."""


COPY, DROP = LinkFate.COPY, LinkFate.DROP

ChooseTarget = Callable[[str, Relationship], str | LinkFate]
"""Given a copied part and a relationship of it to an existing part: the part of the deck to
lead to, or a fate."""

MEDIA_KINDS = ("image", "audio", "video", "media", "hdphoto", "model3d")
"""Kinds of relationship to pictures, sound, video and 3D models, which no edit ever changes."""

_SHARED_STARTS = ("image/", "audio/", "video/")
_SHARED_KINDS = frozenset(
    {
        "slide", "slideLayout", "slideMaster", "theme", "notesMaster", "handoutMaster",
        "commentAuthors", "authors", "tableStyles", "presProps", "viewProps", "officeDocument",
        "font", *MEDIA_KINDS,
    }
)  # fmt: skip
"""Kinds of relationship to parts that slides share, or that never change."""


def is_shared(parts: Parts, link: Relationship) -> bool:
    """Whether a copied slide may use the same part as the original.

    Charts, workbooks, diagrams, comments and all else that can be edited may not be shared.
    """
    kind = parts.content_type(link.target) or ""
    return link.kind in _SHARED_KINDS or kind.startswith(_SHARED_STARTS)


def copy_part(
    source: Parts,
    deck: EditableParts,
    part: str,
    choose: ChooseTarget,
    known: dict[str, str],
    *,
    like: str | None = None,
) -> str:
    """Copy a part and the parts it needs into ``deck``; return the copy's name.

    ``choose`` decides on each related part. ``known`` maps parts of ``source`` to their copies; new
    ones are added, so that nothing is copied twice. The copy's name is ``like``, by default the
    part's own name, with a new number. External relationships, and those to missing parts, are
    copied as they are written.
    """
    name = deck.unused_name(like or part)
    deck.add(name, source.content_type(part) or "", transitional_bytes(source, part))
    known[part] = name
    targets: dict[str, str | None] = {}
    for id, link in source.relationships(part).items():
        if link.external or link.target not in source:
            continue
        if (target := choose(part, link)) is COPY:
            target = known.get(link.target) or copy_part(source, deck, link.target, choose, known)
        targets[id] = None if isinstance(target, LinkFate) else target
    deck.add_links(name, source, part, targets)
    _forget(deck, name, {id for id, target in targets.items() if target is None})
    return name


def _forget(deck: EditableParts, name: str, dropped: set[str]) -> None:
    if dropped and refers_by_id(deck.root(name), dropped):
        drop_references(deck.edit(name), dropped)


def bring_media(source: Parts, deck: EditableParts, link: Relationship) -> str:
    """The part of the deck with the content of the target of ``link`` in ``source``.

    That is a part of the same type and content if there is one, else a new part.
    """
    data = source.read(link.target)
    kind = source.content_type(link.target) or ""
    if (present := _same_content(deck, kind, data)) is not None:
        return present
    return deck.add(deck.unused_name(link.target), kind, data)


def _same_content(deck: EditableParts, kind: str, data: bytes) -> str | None:
    wanted = sha256(data).digest()
    for name in deck.names:
        if deck.content_type(name) == kind and sha256(deck.read(name)).digest() == wanted:
            return name
    return None


LINK_ATTRIBUTE = f"{{{NAMESPACES['r']}}}"
"""The prefix of the names of all attributes with a relationship's id."""
_REFERENCES = ("hlinkClick", "hlinkHover", "hlinkMouseOver", "sld")
"""Elements that are only a reference to a slide: they are removed with it."""
_ZOOMS = ("sldZmObj", "sectionZmObj", "summaryZmObj")
_CUSTOM_SHOW = "ppaction://customshow"


def drop_links(deck: EditableParts, part: str, target: str) -> None:
    """Remove every relationship of ``part`` to ``target``, and the references with its id."""
    inside = ((id, to) for id, to in deck.relationships(part).items() if not to.external)
    if not (dropped := {id for id, link in inside if link.target == target}):
        return
    if refers_by_id(deck.root(part), dropped):
        drop_references(deck.edit(part), dropped)
    for id in dropped:
        deck.unlink(part, id)


def refers_by_id(root: Element, ids: Collection[str]) -> bool:
    """Whether anything in a part refers to one of these relationships."""
    return any(_links(element, ids) for element in root.iter())


def drop_references(root: Element, ids: Collection[str]) -> None:
    """Remove references to relationships that were removed.

    Hyperlinks and entries of slide lists are removed whole, but the linked text stays; of other
    elements only the attribute is removed.
    """
    for element in list(root.iter()):
        if not (attributes := _links(element, ids)):
            continue
        if local_name(element.tag) in _REFERENCES:
            take_out(element)
            continue
        for attribute in attributes:
            del element.attrib[attribute]


def drop_show_links(root: Element) -> None:
    """Remove links to custom shows, which are numbers without meaning in another deck."""
    for element in list(root.iter(qn("a:hlinkClick"), qn("a:hlinkHover"))):
        if (element.get("action") or "").startswith(_CUSTOM_SHOW):
            take_out(element)


def has_zooms(root: Element, ids: Collection[int]) -> bool:
    """Whether there are zooms on slides of these ids."""
    return any(_is_zoom(element, ids) for element in root.iter())


def drop_zooms(root: Element, ids: Collection[int] | None = None) -> None:
    """Replace zooms on slides of these ids, or all zooms, by their fallback pictures.

    A zoom without a fallback picture is removed.
    """
    for zoom in [element for element in root.iter() if _is_zoom(element, ids)]:
        if (choice := next(zoom.iterancestors(qn("mc:AlternateContent")), None)) is not None:
            _fall_back(choice)


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
    names = (str(name) for name, value in element.attrib.items() if value in ids)
    return [name for name in names if name.startswith(LINK_ATTRIBUTE)]


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
    if (mark := deck.root(part).find(_CREATION_PATH)) is None:
        return None
    used = set(_creation_ids(deck, part))
    number = crc32(f"{mark.get('val')}:{part}".encode())
    while number in used or number == 0:
        number = (number + 1) % 2**32
    if (live := deck.edit(part).find(_CREATION_PATH)) is not None:
        live.set("val", str(number))
    return number


def renew_custom_data(deck: EditableParts, parts: Iterable[str]) -> None:
    """Give copied custom XML data, such as ink, new item ids."""
    for part in parts:
        if not (deck.content_type(part) or "").endswith(_ITEM_PROPERTIES):
            continue
        root = deck.edit(part)
        if (old := root.get(_ITEM_ID)) is not None:
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
    if (theirs := find_authors(source, modern=modern)) is None:
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
        if (kind := deck.content_type(part)) == CLASSIC_COMMENTS:
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
        if (number := numbers.get((parent.get("authorId"), parent.get("idx")))) is not None:
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
        if (author := item.get("authorId") or "") in authors:
            item.set("authorId", authors[author])
        item.set("id", fresh_guid(item.get("id") or "", part))


def _anchor(root: Element, slide_id: int, creation_id: int | None) -> None:
    for mark in root.iter():
        if not isinstance(mark.tag, str) or local_name(mark.tag) != "sldMk":
            continue
        mark.set("sldId", str(slide_id))
        if creation_id is not None:
            mark.set("cId", str(creation_id))


def clone_slide(deck: EditableParts, slide: int | str, position: int | None = None) -> str:
    """Double a slide, given by number or part name; return the name of the new slide's part.

    The clone goes to the 1-based ``position``, right after the original if none is given, into
    the section that belongs there; a hidden slide gives a hidden one. Charts, workbooks, diagrams,
    OLE objects, notes, comments, tags, ink and custom data become its own; layout, pictures,
    sound and video are shared. Links to slides lead where they led. Custom shows do not take it
    up. Raises MissingPart if there is no such slide or it has no layout, DeckError if there
    is no such place.
    """
    entry = find_slide(deck, slide)
    total = len(slide_entries(deck)) + 1
    at = entry.number + 1 if position is None else position
    free_place(deck, at, total)
    require_layout(deck, entry)
    known: dict[str, str] = {}

    def choose(owner: str, link: Relationship) -> str | LinkFate:
        if link.kind == "slide" and link.target == entry.part and owner != entry.part:
            return known[entry.part] if is_notes(deck, owner) else link.target
        return link.target if is_shared(deck, link) else COPY

    with deck.whole():
        name = copy_part(deck, deck, entry.part, choose, known)
        enter_slide(deck, name, at, known.values())
    return name


def require_layout(parts: Parts, entry: SlideEntry) -> str:
    """The part of the slide's layout; raises MissingPart."""
    for layout in parts.related(entry.part, "slideLayout"):
        return layout
    detail = f"slide {entry.number} has no layout, so a copy of it would need repair"
    raise MissingPart(parts.label, detail, entry.part)


def is_notes(parts: Parts, name: str) -> bool:
    """Whether a part is the notes of a slide."""
    return (parts.content_type(name) or "").endswith("notesSlide+xml")


def delete_slide(deck: EditableParts, slide: int | str) -> None:
    """Delete a slide, given by number or part name.

    With it go its notes, comments, charts, diagrams and media, as far as nothing else needs them;
    its entries in sections, custom shows and views; links to it on other slides (their text and
    shapes stay); zooms on it (the picture stays). Sections and custom shows left empty, masters
    and comment authors stay. Raises MissingPart if there is no such slide, DeckError for the
    only slide: a deck without slides has nothing to show, and many programs refuse it.
    """
    entry = find_slide(deck, slide)
    entries = slide_entries(deck)
    if len(entries) == 1:
        detail = "the only slide of a deck cannot be deleted"
        raise DeckError(deck.label, detail, entry.part)
    again = [other for other in entries if other.part == entry.part and other != entry]
    with deck.whole():
        before = reachable(deck)
        _drop_entry(deck.edit(deck.main_part), entry)
        if again:
            if all(other.link != entry.link for other in again):
                deck.unlink(deck.main_part, entry.link)
        else:
            for owner in sorted(reachable(deck, without=entry.part)):
                drop_links(deck, owner, entry.part)
        _drop_zooms(deck, entry.id)
        _clamp_show(deck, len(entries) - 1)
        sweep(deck, before)
        recount(deck)


def _drop_entry(root: Element, entry: SlideEntry) -> None:
    take_out(list_items(root)[entry.position - 1])
    leave_sections(root, entry.id)


def _drop_zooms(deck: EditableParts, id: int) -> None:
    for entry in slide_entries(deck):
        part = entry.part
        if deck.mentions(part, b"sldZmObj") and has_zooms(deck.root(part), {id}):
            drop_zooms(deck.edit(part), {id})


def _clamp_show(deck: EditableParts, slides: int) -> None:
    """Limit a show from slide ``st`` to ``end`` to the last slide."""
    for part in deck.related(deck.main_part, "presProps"):
        if not deck.mentions(part, b"sldRg"):
            continue
        for item in deck.edit(part).iter():
            if isinstance(item.tag, str) and local_name(item.tag) == "sldRg":
                for name in ("st", "end"):
                    item.set(name, str(min(parse_int(item.get(name)) or slides, slides)))


def move_slide(deck: EditableParts, slide: int | str, position: int) -> None:
    """Move a slide, given by number or part name, to a 1-based place of the deck.

    It stays in its section where a neighbour at the new place is of that section, and joins the
    section of the slide before it otherwise (of the slide after it, at the front). Raises
    MissingPart if there is no such slide, DeckError if there is no such place.
    """
    entry = find_slide(deck, slide)
    entries = slide_entries(deck)
    free_place(deck, position, len(entries))
    if position == entry.number:
        return
    with deck.whole():
        root = deck.edit(deck.main_part)
        items = list_items(root)
        moved, target = items[entry.position - 1], items[entries[position - 1].position - 1]
        if position > entry.number:
            target.addnext(moved)
        else:
            target.addprevious(moved)
        settle_in_section(root, entry.id)


def enter_slide(
    deck: EditableParts,
    part: str,
    position: int,
    copied: Collection[str],
    authors: Mapping[str, Mapping[str, str]] | None = None,
) -> None:
    """Add a copied slide to the slide list at a 1-based place.

    ``copied`` names the parts that were copied for it; ``authors`` maps ids of comment authors that
    changed, by the content type of the comments.
    """
    id = add_to_list(deck, part, position)
    settle_in_section(deck.edit(deck.main_part), id)
    creation = renew_slide(deck, part)
    renew_comments(deck, copied, slide_id=id, creation_id=creation, authors=authors)
    renew_custom_data(deck, copied)
    recount(deck)


def sweep(deck: EditableParts, before: set[str]) -> None:
    """Remove parts that could be reached ``before`` and no longer can.

    Parts that nothing led to in the first place are left alone.
    """
    for name in before - reachable(deck):
        deck.remove(name)
