"""Parts copied with all that hangs on them, from one place of a deck or from another deck."""

from collections.abc import Callable
from enum import Enum

from decklab.ooxml.parts import Relationship, relationships_part
from decklab.ooxml.slides.draft import RELATIONSHIPS_TYPE, Draft, relative_target
from decklab.ooxml.slides.editions import transitional
from decklab.ooxml.slides.listing import Parts
from decklab.ooxml.slides.references import drop_references, refers_by_id
from decklab.ooxml.xml import serialize_xml


class Fate(Enum):
    """What becomes of a part that a copied part leads to."""

    COPY = "copy"
    """It is copied too."""
    DROP = "drop"
    """The relationship is left out, and what refers by it."""


COPY, DROP = Fate.COPY, Fate.DROP

Choose = Callable[[str, Relationship], str | Fate]
"""Given a copied part and a relationship of it to an existing part: the part of the draft to
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
"""Kinds of relationship to what slides hold in common, or what never changes once it is there."""


def is_shared(parts: Parts, link: Relationship) -> bool:
    """Whether a copied slide may use the very part that the original uses.

    Charts, workbooks, diagrams, comments and all else that can be edited may not be shared.
    """
    kind = parts.content_type(link.target) or ""
    return link.kind in _SHARED_KINDS or kind.startswith(_SHARED_STARTS)


def copy_part(
    source: Parts,
    draft: Draft,
    part: str,
    choose: Choose,
    known: dict[str, str],
    *,
    like: str | None = None,
) -> str:
    """Copy a part and what it needs into ``draft``; return the copy's name.

    ``choose`` decides on each related part. ``known`` maps parts of ``source`` to their copies;
    new ones are entered, so that nothing is copied twice. ``like`` is a name to number on from,
    in place of the part's own. Relationships to the outside, and to parts that are not there, are
    kept as they are written.
    """
    name = draft.unused_name(like or part)
    draft.add(name, source.content_type(part) or "", transitional(source, part))
    known[part] = name
    links_part = source.find(relationships_part(part))
    if links_part is None:
        return name
    root = source.xml(links_part)
    links = source.relationships(part)
    dropped: set[str] = set()
    for item in list(root):
        link = links.get(item.get("Id") or "")
        if link is None or link.external or link.target not in source:
            continue
        target = choose(part, link)
        if target is COPY:
            target = known.get(link.target) or copy_part(source, draft, link.target, choose, known)
        if isinstance(target, Fate):
            dropped.add(link.id)
            root.remove(item)
        elif target != link.target or name.rpartition("/")[0] != part.rpartition("/")[0]:
            item.set("Target", relative_target(name, target))
    draft.add(relationships_part(name), RELATIONSHIPS_TYPE, serialize_xml(root))
    _forget(draft, name, dropped)
    return name


def _forget(draft: Draft, name: str, dropped: set[str]) -> None:
    if dropped and refers_by_id(draft.xml(name), dropped):
        drop_references(draft.edit(name), dropped)
