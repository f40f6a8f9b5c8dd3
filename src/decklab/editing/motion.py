"""Transitions: how slides appear. Entrance effects: how shapes appear on a slide."""

from collections.abc import Iterable, Iterator
from typing import Any

from pptx.oxml import parse_xml
from pptx.presentation import Presentation

from decklab.editing.finding import (
    EditError,
    body_of,
    find_shape,
    paragraphs,
    properties,
    slide_at,
    slides_of,
)
from decklab.editing.phrasing import phrase
from decklab.editing.texts import level_of
from decklab.ooxml.xml import NAMESPACES, qn

TRANSITIONS = {
    "fade": "<p:fade/>",
    "push": '<p:push dir="u"/>',
    "wipe": "<p:wipe/>",
    "split": "<p:split/>",
    "cover": "<p:cover/>",
    "uncover": "<p:pull/>",
    "cut": "<p:cut/>",
    "dissolve": "<p:dissolve/>",
    "zoom": "<p:zoom/>",
    "wheel": "<p:wheel/>",
    "blinds": "<p:blinds/>",
    "checker": "<p:checker/>",
    "random bars": "<p:randomBar/>",
    "random": "<p:random/>",
}
"""Effects by the names PowerPoint shows, as ISO/IEC 29500-1, section 19.5 writes them."""

_NAMESPACES = " ".join(f'xmlns:{name}="{NAMESPACES[name]}"' for name in ("p", "p14", "mc"))


@phrase("set [all] <transition {on}> to {kind:transition} [[,] lasting {seconds}]",
        "(add|use|give) {kind:transition} transition [lasting {seconds}]",
        example="set the transition on slides 2-3 to push, lasting 0.7 seconds",
        changes="transition")  # fmt: skip
@phrase("(delete [all]|no) transition",
        example="remove all transitions", changes="transition", kind=None)  # fmt: skip
def set_transition(
    prs: Presentation,
    kind: str | None,
    *,
    slides: Iterable[int] | None = None,
    seconds: float | None = None,
    advance_after: float | None = None,
) -> int:
    """Give slides a transition, None takes it away; return the number of slides changed.

    ``kind`` is "fade", "push", "wipe", "split", "cover", "uncover", "cut", "dissolve", "zoom",
    "wheel", "blinds", "checker", "random bars" or "random". ``seconds`` is how long it plays,
    ``advance_after`` after how many seconds the slide goes by itself.

    Example: set_transition(prs, "fade", slides=[1, 2], seconds=0.7)
    """
    if kind is not None and kind not in TRANSITIONS:
        raise EditError(f"{kind!r} is no transition; there are {', '.join(TRANSITIONS)}")
    count = 0
    for _number, slide in slides_of(prs, slides):
        root = slide._element
        before = _transition_state(root)
        for item in [item for item in root if _is_transition(item)]:
            root.remove(item)
        if kind is not None:
            _insert(root, _written(kind, seconds, advance_after))
        count += _transition_state(root) != before
    return count


def _transition_state(root: Any) -> list[Any]:
    """Effect and duration of a slide's transition, however they are wrapped."""
    return [
        (dict(item.attrib), [(child.tag, dict(child.attrib)) for child in item])
        for item in root.iter(qn("p:transition"))
    ]


def _is_transition(item: Any) -> bool:
    if item.tag == qn("mc:AlternateContent"):
        return item.find(f"{qn('mc:Choice')}/{qn('p:transition')}") is not None
    return bool(item.tag == qn("p:transition"))


def _written(kind: str, seconds: float | None, advance_after: float | None) -> Any:
    after = "" if advance_after is None else f' advTm="{round(advance_after * 1000)}"'
    if seconds is None:
        return parse_xml(
            f'<p:transition {_NAMESPACES} spd="med"{after}>{TRANSITIONS[kind]}</p:transition>'
        )
    speed = "fast" if seconds < 0.6 else "med" if seconds < 1.2 else "slow"
    attributes = f'spd="{speed}"{after}'
    duration = f'p14:dur="{round(seconds * 1000)}"'
    return parse_xml(
        f'<mc:AlternateContent {_NAMESPACES}><mc:Choice Requires="p14">'
        f"<p:transition {attributes} {duration}>{TRANSITIONS[kind]}</p:transition></mc:Choice>"
        f"<mc:Fallback><p:transition {attributes}>{TRANSITIONS[kind]}</p:transition></mc:Fallback>"
        "</mc:AlternateContent>"
    )


def _insert(root: Any, transition: Any) -> None:
    """After the slide's content and colours, before its timing and extensions."""
    for item in root:
        if item.tag in (qn("p:timing"), qn("p:extLst")):
            item.addprevious(transition)
            return
    root.append(transition)


EFFECTS = {"appear": (1, 0), "fade": (10, 0), "fly in": (2, 4), "wipe": (22, 4)}
"""Entrance effects: PowerPoint's preset number and its usual variant."""
STARTS = {"on click": "clickEffect", "with previous": "withEffect", "after previous": "afterEffect"}
_MAIN = f"{qn('p:timing')}//{qn('p:cTn')}[@nodeType='mainSeq']/{qn('p:childTnLst')}"
_SPACES = f'xmlns:p="{NAMESPACES["p"]}"'


@phrase("let {shape} ({effect=appear|fly in}|{effect=fade|wipe} in) [{start:trigger}] "
        "[[,] lasting {seconds}]",
        "animate {shape} with {effect=appear|fade|fly in|wipe} [{start:trigger}]",
        example="let the picture on slide 4 fade in on click", changes="animation")  # fmt: skip
def add_animation(
    prs: Presentation,
    slide: int,
    shape: str | int,
    effect: str = "fade",
    *,
    start: str = "on click",
    seconds: float = 0.5,
    delay: float = 0.0,
    by: str = "shape",
) -> None:
    """Let a shape come in with an effect, after all effects the slide has.

    ``effect`` is "appear", "fade", "fly in" or "wipe"; ``start`` is "on click", "with previous"
    or "after previous"; ``seconds`` is how long it plays, ``delay`` how long it waits. With
    ``by="paragraph"`` the lines of its text come one after the other, each with an effect that
    starts so, and lines of a lower level with the line that they belong to.

    Example: add_animation(prs, 3, "Content 2", "fade", by="paragraph")
    """
    for name, value, known in (("effect", effect, EFFECTS), ("start", start, STARTS),
                               ("by", by, ("shape", "paragraph"))):  # fmt: skip
        if value not in known:
            raise EditError(f"{name}={value!r} is none of {', '.join(known)}")
    held = find_shape(prs, slide, shape)
    id = int(properties(held).get("id"))
    targets = [(f'<p:spTgt spid="{id}"/>', start)]
    root = slide_at(prs, slide)._element
    if by == "paragraph":
        targets = list(_line_targets(body_of(prs, slide, shape), id, start))
    if not targets:
        raise EditError(f"{shape!r} on slide {slide} has no line of text")
    sequence, ids = _sequence(root), _Ids(root)
    for target, begins in targets:
        node = _effect(effect, begins, target, seconds=seconds, delay=delay, ids=ids)
        _append(sequence, node, begins, ids)
    if by == "paragraph":
        _note_build(root, id)


def _line_targets(body: Any, id: int, start: str) -> Iterator[tuple[str, str]]:
    """The lines of a text as targets of effects, and how each starts."""
    first = True
    for index, line in enumerate(paragraphs(body)):
        if not any((item.text or "").strip() for item in line.iter(qn("a:t"))):
            continue
        below = level_of(line) > 0 and not first
        target = f'<p:txEl><p:pRg st="{index}" end="{index}"/></p:txEl>'
        yield f'<p:spTgt spid="{id}">{target}</p:spTgt>', "with previous" if below else start
        first = False


def _note_build(root: Any, id: int) -> None:
    """Say that the text of a shape is built line by line."""
    timing = root.find(qn("p:timing"))
    if (builds := timing.find(qn("p:bldLst"))) is None:
        builds = parse_xml(f"<p:bldLst {_SPACES}/>")
        timing.find(qn("p:tnLst")).addnext(builds)
    for old in builds.findall(f"{qn('p:bldP')}[@spid='{id}']"):
        builds.remove(old)
    builds.append(parse_xml(f'<p:bldP {_SPACES} spid="{id}" grpId="0" build="p"/>'))


def _append(sequence: Any, node: Any, start: str, ids: "_Ids") -> None:
    """Append an effect to the steps of a slide."""
    steps = sequence.findall(qn("p:par"))
    if start == "on click" or not steps:
        sequence.append(_click(_group(node, 0, ids), start, ids))
        return
    groups = steps[-1].findall(f"{qn('p:cTn')}/{qn('p:childTnLst')}/{qn('p:par')}")
    if start == "with previous" and groups:
        groups[-1].find(f"{qn('p:cTn')}/{qn('p:childTnLst')}").append(node)
        return
    begin = sum(_milliseconds(group) for group in groups)
    steps[-1].find(f"{qn('p:cTn')}/{qn('p:childTnLst')}").append(_group(node, begin, ids))


@phrase("(delete [all]|no) animations [of {shape:drawn}]",
        example="remove all animations on slide 5", changes="animation")  # fmt: skip
def remove_animations(prs: Presentation, slide: int, shape: str | int | None = None) -> int:
    """Take the effects of one shape, or all of a slide, away; return how many.

    Example: remove_animations(prs, 3)
    """
    root = slide_at(prs, slide)._element
    if (timing := root.find(qn("p:timing"))) is None:
        return 0
    effects = [item for item in timing.iter(qn("p:cTn")) if item.get("presetID")]
    if shape is None:
        root.remove(timing)
        return len(effects)
    target = properties(find_shape(prs, slide, shape)).get("id")
    removed = [item for item in effects if _plays_on(item, target)]
    for item in removed:
        _prune(item.getparent())
    for builds in timing.findall(qn("p:bldLst")):
        for build in builds.findall(f"*[@spid='{target}']"):
            builds.remove(build)
        if not len(builds):
            timing.remove(builds)
    if not any(item.get("presetID") for item in timing.iter(qn("p:cTn"))):
        root.remove(timing)
    return len(removed)


def _plays_on(effect: Any, target: str) -> bool:
    return any(item.get("spid") == target for item in effect.iter(qn("p:spTgt")))


def _prune(node: Any) -> None:
    """Remove a node of the timeline, and the nodes above it that become empty."""
    while node is not None and node.tag in (qn("p:par"), qn("p:seq")):
        parent = node.getparent()
        parent.remove(node)
        if len(parent) or parent.tag != qn("p:childTnLst"):
            return
        node = parent.getparent().getparent()


class _Ids:
    """Unused numbers for new nodes of a timeline."""

    def __init__(self, root: Any) -> None:
        self._last = max((int(item.get("id") or 0) for item in root.iter(qn("p:cTn"))), default=0)

    def __next__(self) -> int:
        self._last += 1
        return self._last


def _sequence(root: Any) -> Any:
    """The list of steps of a slide's main sequence, made if there is none."""
    if (main := root.find(_MAIN)) is not None:
        return main
    for old in root.findall(qn("p:timing")):
        root.remove(old)
    timing = parse_xml(
        f'<p:timing {_SPACES}><p:tnLst><p:par><p:cTn id="1" dur="indefinite" restart="never"'
        ' nodeType="tmRoot"><p:childTnLst><p:seq concurrent="1" nextAc="seek"><p:cTn id="2"'
        ' dur="indefinite" nodeType="mainSeq"><p:childTnLst/></p:cTn><p:prevCondLst><p:cond'
        ' evt="onPrev" delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl></p:cond></p:prevCondLst>'
        '<p:nextCondLst><p:cond evt="onNext" delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl></p:cond>'
        "</p:nextCondLst></p:seq></p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>"
    )
    after = root.find(qn("p:extLst"))
    root.append(timing) if after is None else after.addprevious(timing)
    return root.find(_MAIN)


def _click(group: Any, start: str, ids: _Ids) -> Any:
    """A step that waits for a click or, as the first step, begins with the slide."""
    begin = (
        "" if start == "on click" else ('<p:cond evt="onBegin" delay="0"><p:tn val="2"/></p:cond>')
    )
    step = parse_xml(
        f'<p:par {_SPACES}><p:cTn id="{next(ids)}" fill="hold"><p:stCondLst>'
        f'<p:cond delay="indefinite"/>{begin}</p:stCondLst><p:childTnLst/></p:cTn></p:par>'
    )
    step.find(f".//{qn('p:childTnLst')}").append(group)
    return step


def _group(node: Any, begin: int, ids: _Ids) -> Any:
    """Effects that start together, ``begin`` milliseconds into their step."""
    group = parse_xml(
        f'<p:par {_SPACES}><p:cTn id="{next(ids)}" fill="hold"><p:stCondLst>'
        f'<p:cond delay="{begin}"/></p:stCondLst><p:childTnLst/></p:cTn></p:par>'
    )
    group.find(f".//{qn('p:childTnLst')}").append(node)
    return group


def _milliseconds(group: Any) -> int:
    """Milliseconds until all effects of a group have ended."""
    ends = []
    for effect in group.iter(qn("p:cTn")):
        if effect.get("presetID"):
            waits = effect.find(f"{qn('p:stCondLst')}/{qn('p:cond')}")
            plays = [item.get("dur") or "0" for item in effect.iter(qn("p:cTn"))]
            delay = "0" if waits is None else waits.get("delay") or "0"
            lengths = [int(text) for text in (delay, *plays) if text.isdecimal()]
            ends.append(sum(lengths[:1]) + max(lengths[1:], default=0))
    return max(ends, default=0)


def _effect(
    effect: str, start: str, target: str, *, seconds: float, delay: float, ids: _Ids
) -> Any:
    preset, subtype = EFFECTS[effect]
    own = next(ids)
    group = ' grpId="0"'
    play = _behaviours(effect, target, round(seconds * 1000), ids)
    return parse_xml(
        f'<p:par {_SPACES}><p:cTn id="{own}" presetID="{preset}" presetClass="entr"'
        f' presetSubtype="{subtype}" fill="hold"{group} nodeType="{STARTS[start]}"><p:stCondLst>'
        f'<p:cond delay="{round(delay * 1000)}"/></p:stCondLst><p:childTnLst>'
        f'<p:set><p:cBhvr><p:cTn id="{next(ids)}" dur="1" fill="hold"><p:stCondLst>'
        '<p:cond delay="0"/></p:stCondLst></p:cTn>'
        f"{_on(target)}<p:attrNameLst><p:attrName>style.visibility</p:attrName></p:attrNameLst>"
        f'</p:cBhvr><p:to><p:strVal val="visible"/></p:to></p:set>{play}'
        "</p:childTnLst></p:cTn></p:par>"
    )


def _behaviours(effect: str, target: str, milliseconds: int, ids: _Ids) -> str:
    if effect == "appear":
        return ""
    if effect == "fly in":
        return "".join(
            f'<p:anim calcmode="lin" valueType="num"><p:cBhvr additive="base"><p:cTn'
            f' id="{next(ids)}" dur="{milliseconds}" fill="hold"/>{_on(target)}<p:attrNameLst>'
            f"<p:attrName>ppt_{axis}</p:attrName></p:attrNameLst></p:cBhvr><p:tavLst>"
            f'<p:tav tm="0"><p:val><p:strVal val="{begin}"/></p:val></p:tav><p:tav tm="100000">'
            f'<p:val><p:strVal val="#ppt_{axis}"/></p:val></p:tav></p:tavLst></p:anim>'
            for axis, begin in (("x", "#ppt_x"), ("y", "1+#ppt_h/2"))
        )
    name = "fade" if effect == "fade" else "wipe(down)"
    return (
        f'<p:animEffect transition="in" filter="{name}"><p:cBhvr><p:cTn id="{next(ids)}"'
        f' dur="{milliseconds}"/>{_on(target)}</p:cBhvr></p:animEffect>'
    )


def _on(target: str) -> str:
    return f"<p:tgtEl>{target}</p:tgtEl>"
