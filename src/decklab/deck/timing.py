"""Transitions between slides, animations by name, and the shapes they play on."""

from collections.abc import Iterator
from typing import Any, Literal

from decklab.deck.model.slide import Animation, Transition
from decklab.deck.part import children
from decklab.ooxml.xml import Element, flag, local_name, parse_int, qn

_NO_EFFECT = ("sndAc", "extLst")
_BEHAVIOUR_TARGET = f"{qn('p:tgtEl')}/{qn('p:spTgt')}"


def animated_shapes(slide: Element) -> tuple[int, ...]:
    """Ids of the shapes that effects play on, in the order of the timeline, once each.

    Shapes that only start an effect when clicked are not among them.
    """
    ids: dict[int, None] = {}
    timing = next((child for child in children(slide) if child.tag == qn("p:timing")), None)
    if timing is None:
        return ()
    for behaviour in timing.iter(qn("p:cBhvr")):
        target = behaviour.find(_BEHAVIOUR_TARGET)
        id = None if target is None else parse_int(target.get("spid"))
        if id is not None:
            ids[id] = None
    return tuple(ids)


def transition_of(slide: Element) -> Transition | None:
    """The transition of a slide's root; None without one.

    The named presets of PowerPoint 2013 (``p15:prstTrans``) have their preset's name.
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


_ENTRANCES = {
    1: "appear", 2: "fly_in", 3: "blinds", 4: "box", 5: "checkerboard", 6: "circle",
    7: "crawl_in", 8: "diamond", 9: "dissolve_in", 10: "fade", 11: "flash_once", 12: "peek_in",
    13: "plus", 14: "random_bars", 15: "spiral_in", 16: "split", 17: "stretch", 18: "strips",
    19: "swivel", 20: "wedge", 21: "wheel", 22: "wipe", 23: "zoom", 24: "random",
    25: "boomerang", 26: "bounce", 27: "color_typewriter", 28: "credits", 29: "ease_in",
    30: "float", 31: "grow_and_turn", 34: "light_speed", 35: "pinwheel", 37: "rise_up",
    38: "falling_in", 39: "thread", 40: "unfold", 41: "whip", 42: "ascend",
    43: "center_revolve", 45: "faded_swivel", 47: "descend", 48: "sling", 49: "spinner",
    50: "compress", 51: "magnify", 52: "curve_up", 53: "faded_zoom", 54: "glide", 55: "expand",
    56: "flip", 58: "fold",
}  # fmt: skip
_EXITS = _ENTRANCES | {
    2: "fly_out", 7: "crawl_out", 9: "dissolve_out", 12: "peek_out", 15: "spiral_out",
    17: "collapse", 29: "ease_out", 37: "sink_down", 47: "ascend", 42: "descend",
    50: "stretch", 52: "curve_down", 55: "contract",
}  # fmt: skip
_EMPHASES = {
    1: "fill_color", 2: "font", 3: "font_color", 4: "font_size", 5: "font_style",
    6: "grow_shrink", 7: "line_color", 8: "spin", 9: "transparency", 10: "bold_flash",
    14: "blast", 15: "bold_reveal", 16: "brush_color", 18: "underline", 19: "color_blend",
    20: "color_wave", 21: "complementary_color", 22: "complementary_color_2",
    23: "contrasting_color", 24: "darken", 25: "desaturate", 26: "flash_bulb", 27: "flicker",
    28: "grow_with_color", 30: "lighten", 31: "style_emphasis", 32: "teeter",
    33: "vertical_grow", 34: "wave", 35: "blink", 36: "shimmer",
}  # fmt: skip
_MOTIONS = {
    0: "custom_path", 1: "circle", 2: "right_triangle", 3: "diamond", 4: "hexagon",
    5: "star_5", 6: "crescent_moon", 7: "square", 8: "trapezoid", 9: "heart", 10: "octagon",
    11: "star_6", 12: "football", 13: "equal_triangle", 14: "parallelogram", 15: "pentagon",
    16: "star_4", 17: "star_8", 18: "teardrop", 19: "pointy_star", 20: "curved_square",
    21: "curved_x", 22: "vertical_figure_8", 23: "curvy_star", 24: "loop_de_loop",
    25: "buzzsaw", 26: "horizontal_figure_8", 27: "peanut", 28: "figure_8_four",
    29: "neutron", 30: "swoosh", 31: "bean", 32: "plus", 33: "inverted_triangle",
    34: "inverted_square", 35: "left", 36: "turn_right", 37: "arc_down", 38: "zigzag",
    39: "s_curve_2", 40: "sine_wave", 41: "bounce_left", 42: "down", 43: "turn_up",
    44: "arc_up", 45: "heartbeat", 46: "spiral_right", 47: "wave", 48: "curvy_left",
    49: "diagonal_down_right", 50: "turn_down", 51: "arc_left", 52: "funnel", 53: "spring",
    54: "bounce_right", 55: "spiral_left", 56: "diagonal_up_right", 57: "turn_up_right",
    58: "arc_right", 59: "s_curve_1", 60: "decaying_wave", 61: "curvy_right",
    62: "stairs_down", 63: "right", 64: "up",
}  # fmt: skip
_MEDIA = {1: "play", 2: "pause", 3: "stop"}
_NAMES = {
    "entr": _ENTRANCES, "exit": _EXITS, "emph": _EMPHASES, "path": _MOTIONS, "mediacall": _MEDIA,
}  # fmt: skip


def effect_name(preset_class: str, preset: int | None) -> str:
    """The name of a preset; class and number if it has none.

    >>> effect_name("entr", 10), effect_name("entr", 99), effect_name("", None)
    ('fade', 'entr_99', 'custom')
    """
    if preset is None:
        return "custom"
    return _NAMES.get(preset_class, {}).get(preset) or f"{preset_class or 'preset'}_{preset}"


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
    """The effects of a slide's root in the order of the file, which is the order of play.

    One entry for each time node that has a preset or that a trigger starts.
    """
    timing = next((child for child in children(slide) if child.tag == qn("p:timing")), None)
    if timing is None:
        return ()
    effects = (item for child in children(timing) for item in _effects(child, None))
    return tuple(_animation(order, node, trigger) for order, (node, trigger) in enumerate(effects))


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
    """Milliseconds after the trigger; the delays of behaviours inside are added to it."""
    first = node.find(f"{qn('p:stCondLst')}/{qn('p:cond')}")
    return 0 if first is None else parse_int(first.get("delay")) or 0


def _duration(node: Element) -> int | None:
    """Milliseconds until the last behaviour ends; None if no behaviour states its duration.

    Switching visibility takes no time by itself, but may have a delay.
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
    """The target of an effect: that of its first behaviour."""
    target = next(node.iter(qn("p:spTgt")), None)
    if target is None:
        return {}
    fields: dict[str, Any] = {"shape": parse_int(target.get("spid"))}
    for name, tag in (("paragraphs", "p:pRg"), ("characters", "p:charRg")):
        span = target.find(f"{qn('p:txEl')}/{qn(tag)}")
        if span is not None:
            fields[name] = parse_int(span.get("st")) or 0, parse_int(span.get("end")) or 0
    part = next((child for child in target if child.tag != qn("p:txEl")), None)
    if part is not None:
        fields["part"] = "background" if part.tag == qn("p:bg") else _part(part)
    return fields


def _part(element: Element) -> str:
    """A piece of a chart or diagram in words: its element and its attributes."""
    inner = next((item for item in element.iter() if item is not element and item.attrib), element)
    stated = sorted((str(name), str(value)) for name, value in inner.attrib.items())
    words = [local_name(str(element.tag)), *(f"{name}={value}" for name, value in stated)]
    return " ".join(words)
