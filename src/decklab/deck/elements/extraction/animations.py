"""The effects of a slide's timeline (ISO/IEC 29500-1, 19.5)."""

from collections.abc import Iterator
from typing import Any, Literal

from decklab.deck.alternatives import children
from decklab.deck.elements.extraction.effect_names import effect_name
from decklab.deck.elements.model.slide import Animation
from decklab.ooxml.names import local_name, qn
from decklab.ooxml.parsing import Element
from decklab.ooxml.units import parse_int

__all__ = ["animations_of"]

Kind = Literal["entrance", "exit", "emphasis", "motion", "media", "verb", "unknown"]
Trigger = Literal["on_click", "with_previous", "after_previous", "on_shape_click", "unknown"]

_KINDS: dict[str, Kind] = {
    "entr": "entrance",
    "exit": "exit",
    "emph": "emphasis",
    "path": "motion",
    "mediacall": "media",
    "verb": "verb",
}
_TRIGGERS: dict[str, Trigger] = {
    "clickEffect": "on_click",
    "withEffect": "with_previous",
    "afterEffect": "after_previous",
}
_INTERACTIVE = "interactiveSeq"
_MEDIA_NODES = (qn("p:video"), qn("p:audio"))


def animations_of(slide: Element) -> tuple[Animation, ...]:
    """The effects of a slide's root in the order of the file, which is that of play.

    One entry for each time node that carries a preset or that a trigger starts.
    """
    timing = next((child for child in children(slide) if child.tag == qn("p:timing")), None)
    if timing is None:
        return ()
    found = (item for child in children(timing) for item in _effects(child, None))
    return tuple(_animation(order, node, trigger) for order, (node, trigger) in enumerate(found))


def _effects(element: Element, trigger: int | None) -> Iterator[tuple[Element, int | None]]:
    """Effect nodes below an element, each with the shape whose click starts its sequence."""
    for child in children(element):
        if not isinstance(child.tag, str) or child.tag in _MEDIA_NODES:
            continue
        if child.tag == qn("p:cTn"):
            if child.get("presetClass") or child.get("nodeType") in _TRIGGERS:
                yield child, trigger
                continue
            if child.get("nodeType") == _INTERACTIVE:
                trigger = _clicked(child)
        yield from _effects(child, trigger)


def _clicked(sequence: Element) -> int | None:
    target = sequence.find(f"{qn('p:stCondLst')}//{qn('p:spTgt')}")
    return None if target is None else parse_int(target.get("spid"))


def _animation(order: int, node: Element, trigger: int | None) -> Animation:
    preset_class = node.get("presetClass") or ""
    started = _TRIGGERS.get(node.get("nodeType") or "", "unknown")
    if trigger is not None and started == "on_click":
        started = "on_shape_click"
    iteration = node.find(qn("p:iterate"))
    by = "" if iteration is None else iteration.get("type") or ""
    return Animation(
        order=order,
        effect=effect_name(preset_class, parse_int(node.get("presetID"))),
        kind=_KINDS.get(preset_class, "unknown"),
        trigger=started,
        delay_ms=_delay(node),
        duration_ms=_duration(node),
        trigger_shape=trigger,
        subtype=parse_int(node.get("presetSubtype")),
        repeat=node.get("repeatCount") or "",
        by="" if by == "el" else by,
        **_target(node),
    )


def _delay(node: Element) -> int:
    """Milliseconds after the trigger; the conditions of behaviours inside count on from there."""
    first = node.find(f"{qn('p:stCondLst')}/{qn('p:cond')}")
    return 0 if first is None else parse_int(first.get("delay")) or 0


def _duration(node: Element) -> int | None:
    """Until the last behaviour ends; None where none says how long it takes.

    Switching visibility takes no time by itself, but may come late.
    """
    ends = [
        _delay(inner) + length
        for inner in node.iter(qn("p:cTn"))
        if inner is not node and (length := parse_int(inner.get("dur"))) is not None
    ]
    own = parse_int(node.get("dur"))
    ends += [] if own is None else [own]
    return max(ends) if ends else None


def _target(node: Element) -> dict[str, Any]:
    """What an effect plays on: that of its first behaviour."""
    target = next(node.iter(qn("p:spTgt")), None)
    if target is None:
        return {}
    found: dict[str, Any] = {"shape": parse_int(target.get("spid"))}
    for name, tag in (("paragraphs", "p:pRg"), ("characters", "p:charRg")):
        span = target.find(f"{qn('p:txEl')}/{qn(tag)}")
        if span is not None:
            found[name] = parse_int(span.get("st")) or 0, parse_int(span.get("end")) or 0
    part = next((child for child in target if child.tag != qn("p:txEl")), None)
    if part is not None:
        found["part"] = "background" if part.tag == qn("p:bg") else _part(part)
    return found


def _part(element: Element) -> str:
    """A piece of a chart or diagram: what it is, and which."""
    inner = next((item for item in element.iter() if item is not element and item.attrib), element)
    stated = sorted((str(name), str(value)) for name, value in inner.attrib.items())
    words = [local_name(str(element.tag)), *(f"{name}={value}" for name, value in stated)]
    return " ".join(words)
