"""How slides appear, and when they go."""

from decklab.deck.alternatives import children
from decklab.deck.elements.model.slide import Transition
from decklab.deck.measures import flag
from decklab.ooxml.names import local_name, qn
from decklab.ooxml.parsing import Element
from decklab.ooxml.units import parse_int

__all__ = ["transition_of"]

_NO_EFFECT = ("sndAc", "extLst")


def transition_of(slide: Element) -> Transition | None:
    """The transition of a slide's root; None without one.

    The named presets of PowerPoint 2013 (``p15:prstTrans``) go by their preset's name.
    """
    element = next((child for child in children(slide) if child.tag == qn("p:transition")), None)
    if element is None:
        return None
    effect = next(
        (item for item in children(element) if local_name(str(item.tag)) not in _NO_EFFECT), None
    )
    options = {} if effect is None else {str(k): str(v) for k, v in effect.attrib.items()}
    name = "" if effect is None else local_name(str(effect.tag))
    if name == "prstTrans":
        name = options.pop("prst", name)
    sound = next(element.iter(qn("p:snd")), None)
    return Transition(
        name=name,
        duration_ms=parse_int(element.get(qn("p14:dur"))),
        speed=element.get("spd") or "fast",
        options=dict(sorted(options.items())),
        advance_on_click=flag(element.get("advClick")) is not False,
        advance_after_ms=parse_int(element.get("advTm")),
        sound=None if sound is None else sound.get("name") or "",
    )
