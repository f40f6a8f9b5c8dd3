"""Hyperlinks and actions as DrawingML."""

from collections.abc import Mapping
from urllib.parse import quote

from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.slide import Slide

from decklab.deck.building.characters import legal, quoted
from decklab.deck.model.base import Action


def link_xml(tag: str, action: Action | None, slide: Slide, slides: Mapping[int, Slide]) -> str:
    """The element of an action; empty for none, and for kinds that lead out of the deck by other
    ways than an address. ``slides`` are those of the deck by the ids that actions name."""
    if action is None:
        return ""
    id, verb = _reached(action, slide, slides)
    if id is None:
        return ""
    spelled = f" action={quoted(verb)}" if verb else ""
    tip = f" tooltip={quoted(action.tooltip)}" if action.tooltip else ""
    return f'<{tag} r:id="{id}"{spelled}{tip}></{tag}>'


def _reached(action: Action, slide: Slide, slides: Mapping[int, Slide]) -> tuple[str | None, str]:
    """Relationship id and action; None where the action cannot be written."""
    address = legal(action.target)
    if action.kind == "url" and address:
        link = slide.part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
        return str(link), ""
    if action.kind == "jump":
        return "", f"ppaction://hlinkshowjump?jump={action.target}"
    if action.kind == "macro":
        return "", f"ppaction://macro?name={quote(address)}"
    if action.kind == "none":
        return "", "ppaction://noaction"
    if action.kind == "slide" and action.target.isdecimal():
        target = slides.get(int(action.target))
        if target is not None:
            link = slide.part.relate_to(target.part, RELATIONSHIP_TYPE.SLIDE)
            return str(link), "ppaction://hlinksldjump"
    return None, ""
