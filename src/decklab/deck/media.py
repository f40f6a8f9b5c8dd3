"""Video and sound on a slide: embedded, linked, or gone."""

from typing import Literal

from decklab.deck.model.outline import Media
from decklab.deck.part import Source
from decklab.ooxml.xml import Element, qn

_KINDS: dict[str, Literal["video", "audio"]] = {
    qn("a:videoFile"): "video",
    qn("a:quickTimeFile"): "video",
    qn("a:audioFile"): "audio",
    qn("a:wavAudioFile"): "audio",
    qn("a:audioCd"): "audio",
}


def read_media(properties: Element | None, source: Source) -> Media | None:
    """The medium that a shape's ``p:nvPr`` names; None for shapes that are none.

    The embedding of PowerPoint 2010 (``p14:media``) counts before the older reference beside it,
    which often repeats it as a link to the same part.
    """
    if properties is None:
        return None
    old = next((child for child in properties if child.tag in _KINDS), None)
    new = next(properties.iter(qn("p14:media")), None)
    if old is None and new is None:
        return None
    kind = "video" if old is None else _KINDS[str(old.tag)]
    part = address = None
    for element in (new, old):
        for attribute in ("r:embed", "r:link"):
            if element is not None:
                part = part or source.linked_part(element, attribute)
                address = address or source.linked_address(element, attribute)
    return Media(kind, part, None if part else address)
