"""Facts of a slide beside its shapes: comments, classic ([ECMA-376] 13.3.2) and modern ([MS-PPTX]
2.6), notes, transitions, animations by name, and the shapes they play on.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.deck.model.slide import Animation, Comment, Reply, Transition
from decklab.deck.part import Source, children, shape_elements, shape_tree
from decklab.deck.sheets import DeckReading, Sheet, placeholder_of
from decklab.deck.styles.text import paragraph_text
from decklab.ooxml.xml import EMU_PER_INCH, Element, flag, local_name, parse_int, qn

_MODERN = "{http://schemas.microsoft.com/office/powerpoint/2018/8/main}"
_CLASSIC_UNITS = 576
"""Master units of the binary format per inch; classic comments state their place in them."""


@dataclass(frozen=True)
class Author:
    """Who wrote a comment."""

    name: str
    initials: str


Authors = Mapping[str, Author]
"""By id; classic and modern ids never clash, since modern ids are GUIDs."""
_NOBODY = Author("", "")
_DEEPEST_THREAD = 100  # answers to answers; PowerPoint writes one level


def read_authors(reading: DeckReading) -> Authors:
    """The authors of a deck's comments."""
    authors: dict[str, Author] = {}
    main = reading.main
    for kind in ("commentAuthors", "authors"):
        part = main.related(kind)
        root = None if part is None else main.of(part).root()
        for item in () if root is None else root:
            author = Author(item.get("name") or "", item.get("initials") or "")
            authors[item.get("id") or ""] = author
    return authors


def comments_of(sheet: Sheet, authors: Authors) -> tuple[Comment, ...]:
    """The comments of a slide, threads in the order of the file."""
    comments: list[Comment] = []
    for link in sheet.source.links().values():
        if link.kind != "comments" or link.external or link.target not in sheet.reading.package:
            continue
        if (root := sheet.source.of(link.target).root()) is not None and root.tag == qn("p:cmLst"):
            comments.extend(_classic(root, sheet, authors))
        elif root is not None:
            comments.extend(_modern(item, sheet, authors) for item in root.iterfind(f"{_MODERN}cm"))
    return tuple(comments)


def _classic(root: Element, sheet: Sheet, authors: Authors) -> Iterator[Comment]:
    """Replies are listed beside the comments they answer, and name them ([MS-PPTX] 2.4.1.7)."""
    items = root.findall(qn("p:cm"))
    threads = _threads(items)
    answers: dict[str, list[Reply]] = {}
    for item in items:
        id = _classic_id(item)
        if threads[id] != id:
            answers.setdefault(threads[id], []).append(_classic_reply(item, authors))
    for item in items:
        if threads[_classic_id(item)] != _classic_id(item):
            continue
        x, y = _classic_place(item.find(qn("p:pos")), sheet)
        reply = _classic_reply(item, authors)
        yield Comment(
            **dict(reply), kind="classic", x=x, y=y, replies=tuple(answers.get(reply.id, ()))
        )


def _threads(items: Sequence[Element]) -> dict[str, str]:
    """From each comment to the first of its thread: itself if that is missing, or in a ring."""
    answered = [(item, next(item.iter(qn("p15:parentCm")), None)) for item in items]
    parents = {_classic_id(item): up if up is None else _classic_id(up) for item, up in answered}
    threads: dict[str, str] = {}
    for id, at in parents.items():
        way, above = [id], at
        while above in parents and above not in way and len(way) <= _DEEPEST_THREAD:
            way.append(above)
            above = parents[above]
        threads[id] = id if above in way or len(way) > _DEEPEST_THREAD else way[-1]
    return threads


def _classic_id(item: Element) -> str:
    return f"{item.get('authorId')}:{item.get('idx')}"


def _classic_reply(item: Element, authors: Authors) -> Reply:
    author = authors.get(item.get("authorId") or "", _NOBODY)
    return Reply(
        id=_classic_id(item),
        author=author.name,
        initials=author.initials,
        created=item.get("dt") or "",
        text=item.findtext(qn("p:text")) or "",
    )


def _classic_place(pos: Element | None, sheet: Sheet) -> tuple[float | None, float | None]:
    x = None if pos is None else parse_int(pos.get("x"))
    y = None if pos is None else parse_int(pos.get("y"))
    unit = EMU_PER_INCH / _CLASSIC_UNITS
    return (
        None if x is None else sheet.reading.across(x * unit),
        None if y is None else sheet.reading.down(y * unit),
    )


def _modern(item: Element, sheet: Sheet, authors: Authors) -> Comment:
    shape = _anchor(item)
    x, y = (None, None) if shape is not None else _modern_place(item, sheet)
    replies = item.iterfind(f"{_MODERN}replyLst/{_MODERN}reply")
    return Comment(
        **dict(_modern_reply(item, authors)),
        kind="modern",
        x=x,
        y=y,
        shape=shape,
        status=item.get("status") or "active",
        replies=tuple(_modern_reply(reply, authors) for reply in replies),
    )


def _modern_reply(item: Element, authors: Authors) -> Reply:
    author = authors.get(item.get("authorId") or "", _NOBODY)
    body = item.find(f"{_MODERN}txBody")
    paragraphs = () if body is None else body.iterfind(qn("a:p"))
    return Reply(
        id=item.get("id") or "",
        author=author.name,
        initials=author.initials,
        created=item.get("created") or "",
        text="\n".join(paragraph_text(paragraph) for paragraph in paragraphs),
    )


def _anchor(item: Element) -> int | None:
    """The shape that a modern comment is about: the last of its monikers that names one."""
    monikers = [
        id
        for mark in item.iter()
        if isinstance(mark.tag, str)
        and local_name(mark.tag) in ("spMk", "picMk", "graphicFrameMk", "cxnSpMk", "grpSpMk")
        and (id := parse_int(mark.get("id"))) is not None
    ]
    return monikers[-1] if monikers else None


def _modern_place(item: Element, sheet: Sheet) -> tuple[float | None, float | None]:
    pos = item.find(f"{_MODERN}pos")
    x = None if pos is None else parse_int(pos.get("x"))
    y = None if pos is None else parse_int(pos.get("y"))
    if x is None or y is None:
        return None, None
    across, down = sheet.reading.across(x), sheet.reading.down(y)
    return (
        (across, down) if 0 <= across <= FRAME_WIDTH and 0 <= down <= FRAME_HEIGHT else (None, None)
    )


def notes_of(slide: Source) -> str | None:
    """The text of a slide's notes page; None if there is no page, or none that holds text."""
    part = slide.related("notesSlide")
    root = None if part is None else slide.of(part).root()
    tree = None if root is None else shape_tree(root)
    for shape in () if tree is None else shape_elements(tree):
        key = placeholder_of(shape)
        body = shape.find(qn("p:txBody"))
        if key is not None and key.type == "body" and body is not None:
            return "\n".join(paragraph_text(item) for item in body.iterfind(qn("a:p")))
    return None


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
        if (id := None if target is None else parse_int(target.get("spid"))) is not None:
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
    inner = (
        (item, parse_int(item.get("dur"))) for item in node.iter(qn("p:cTn")) if item is not node
    )
    ends = [_delay(item) + length for item, length in inner if length is not None]
    own = parse_int(node.get("dur"))
    ends += [] if own is None else [own]
    return max(ends) if ends else None


def _target(node: Element) -> dict[str, Any]:
    """The target of an effect: that of its first behaviour."""
    if (target := next(node.iter(qn("p:spTgt")), None)) is None:
        return {}
    fields: dict[str, Any] = {"shape": parse_int(target.get("spid"))}
    for name, tag in (("paragraphs", "p:pRg"), ("characters", "p:charRg")):
        if (span := target.find(f"{qn('p:txEl')}/{qn(tag)}")) is not None:
            fields[name] = parse_int(span.get("st")) or 0, parse_int(span.get("end")) or 0
    if (part := next((child for child in target if child.tag != qn("p:txEl")), None)) is not None:
        fields["part"] = "background" if part.tag == qn("p:bg") else _part(part)
    return fields


def _part(element: Element) -> str:
    """A piece of a chart or diagram in words: its element and its attributes."""
    inner = next((item for item in element.iter() if item is not element and item.attrib), element)
    stated = sorted((str(name), str(value)) for name, value in inner.attrib.items())
    words = [local_name(str(element.tag)), *(f"{name}={value}" for name, value in stated)]
    return " ".join(words)
