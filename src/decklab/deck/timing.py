"""What moves: transitions between slides, and the shapes that animations play on."""

from decklab.deck.alternatives import children
from decklab.ooxml.names import local_name, qn
from decklab.ooxml.parsing import Element
from decklab.ooxml.units import parse_int

__all__ = ["advance_after_ms", "animated_shapes", "transition_name"]

_NO_EFFECT = ("sndAc", "extLst")
_BEHAVIOUR_TARGET = f"{qn('p:tgtEl')}/{qn('p:spTgt')}"


def _transition(slide: Element) -> Element | None:
    return next((child for child in children(slide) if child.tag == qn("p:transition")), None)


def transition_name(slide: Element) -> str | None:
    """The effect by which a slide appears, such as ``fade`` or ``morph``; None without one.

    The named presets of PowerPoint 2013 (``p15:prstTrans``) go by their preset's name.
    """
    transition = _transition(slide)
    if transition is None:
        return None
    for effect in children(transition):
        name = local_name(str(effect.tag))
        if name == "prstTrans":
            return effect.get("prst") or name
        if name not in _NO_EFFECT:
            return name
    return None


def advance_after_ms(slide: Element) -> int | None:
    """Milliseconds until a slide advances by itself; None where it waits for a click."""
    transition = _transition(slide)
    return None if transition is None else parse_int(transition.get("advTm"))


def animated_shapes(slide: Element) -> tuple[int, ...]:
    """Ids of the shapes that effects play on, in the order of the timeline, once each.

    Shapes that only start an effect when clicked are not among them.
    """
    found: dict[int, None] = {}
    timing = next((child for child in children(slide) if child.tag == qn("p:timing")), None)
    if timing is None:
        return ()
    for behaviour in timing.iter(qn("p:cBhvr")):
        target = behaviour.find(_BEHAVIOUR_TARGET)
        id = None if target is None else parse_int(target.get("spid"))
        if id is not None:
            found[id] = None
    return tuple(found)
