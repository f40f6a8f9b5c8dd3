"""Pictures, sound and video brought along from another deck: one copy of each content is enough."""

from hashlib import sha256

from decklab.ooxml.parts import Relationship
from decklab.ooxml.slides.draft import Draft
from decklab.ooxml.slides.listing import Parts


def bring_media(source: Parts, draft: Draft, link: Relationship) -> str:
    """The part of the draft that holds what ``link`` leads to in ``source``.

    That is one of the same type and content where there is one, else a new part.
    """
    data = source.read(link.target)
    kind = source.content_type(link.target) or ""
    there = _same_content(draft, kind, data)
    if there is not None:
        return there
    return draft.add(draft.unused_name(link.target), kind, data)


def _same_content(draft: Draft, kind: str, data: bytes) -> str | None:
    wanted = sha256(data).digest()
    for name in draft.names:
        if draft.content_type(name) == kind and sha256(draft.read(name)).digest() == wanted:
            return name
    return None
