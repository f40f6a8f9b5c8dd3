"""Parts copied with the parts they lead to, within a deck or from another deck.

Media of equal content are stored once; references to missing parts are removed.
"""

from collections.abc import Callable, Collection
from enum import Enum
from hashlib import sha256

from decklab.editing.open_parts import EditableParts
from decklab.ooxml.parts import Parts, Relationship, transitional_bytes
from decklab.ooxml.xml import NAMESPACES, Element, local_name, parse_int, qn, take_out


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
        target = choose(part, link)
        if target is COPY:
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
    present = _same_content(deck, kind, data)
    if present is not None:
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
    dropped = {
        id
        for id, link in deck.relationships(part).items()
        if not link.external and link.target == target
    }
    if not dropped:
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
        attributes = _links(element, ids)
        if not attributes:
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
        choice = next(zoom.iterancestors(qn("mc:AlternateContent")), None)
        if choice is not None:
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
    return [
        str(name)
        for name, value in element.attrib.items()
        if str(name).startswith(LINK_ATTRIBUTE) and value in ids
    ]
