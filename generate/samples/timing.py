"""Entrance animations and media playback as a slide's ``p:timing`` (ECMA-376 part 1, 19.5)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal

from pptx.oxml import parse_xml
from pptx.shapes.base import BaseShape
from pptx.slide import Slide

from generate.samples.markup import NAMESPACES


@dataclass(frozen=True)
class Step:
    """One entrance: ``shape`` fades or wipes in, or an embedded medium starts to play.

    ``start`` says when: at the next click, with the step before, or after it. With
    ``paragraph`` only that paragraph of the shape's text enters.
    """

    shape: BaseShape
    effect: Literal["fade", "wipe", "play"] = "fade"
    start: Literal["click", "with", "after"] = "click"
    duration_ms: int = 500
    paragraph: int | None = None


_PRESETS = {"fade": (10, "entr", 0), "wipe": (22, "entr", 8), "play": (1, "mediacall", 0)}
"""PowerPoint's own numbers of the effects, their class and direction (8: from the left)."""

_FILTERS = {"fade": "fade", "wipe": "wipe(left)"}


def animate(slide: Slide, steps: Sequence[Step], *, sound: BaseShape | None = None) -> None:
    """Give the slide these entrances in this order; ``sound`` is a medium it plays."""
    ids = count(3)
    clicks = "".join(_click(group, ids) for group in _clicks(steps))
    media = "" if sound is None else _media_node(sound.shape_id, ids)
    sequence = (
        '<p:seq concurrent="1" nextAc="seek"><p:cTn id="2" dur="indefinite" nodeType="mainSeq">'
        f"<p:childTnLst>{clicks}</p:childTnLst></p:cTn>"
        '<p:prevCondLst><p:cond evt="onPrev" delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl></p:cond>'
        '</p:prevCondLst><p:nextCondLst><p:cond evt="onNext" delay="0"><p:tgtEl><p:sldTgt/>'
        "</p:tgtEl></p:cond></p:nextCondLst></p:seq>"
    )
    builds = "".join(dict.fromkeys(_build(step) for step in steps))
    xml = (
        f"<p:timing {NAMESPACES}><p:tnLst><p:par>"
        '<p:cTn id="1" dur="indefinite" restart="never" nodeType="tmRoot">'
        f"<p:childTnLst>{sequence}{media}</p:childTnLst></p:cTn></p:par></p:tnLst>"
        + (f"<p:bldLst>{builds}</p:bldLst>" if builds else "")
        + "</p:timing>"
    )
    slide.element.append(parse_xml(xml))


def _clicks(steps: Sequence[Step]) -> list[list[list[Step]]]:
    """Steps by click, and within a click by the steps that run side by side."""
    clicks: list[list[list[Step]]] = []
    for step in steps:
        if step.start == "click" or not clicks:
            clicks.append([[step]])
        elif step.start == "after":
            clicks[-1].append([step])
        else:
            clicks[-1][-1].append(step)
    return clicks


def _click(waves: Sequence[Sequence[Step]], ids: Iterator[int]) -> str:
    outer = next(ids)
    begin = '<p:cond delay="indefinite"/>'
    if waves[0][0].start != "click":
        begin += '<p:cond evt="onBegin" delay="0"><p:tn val="2"/></p:cond>'
    inner = ""
    delay = 0
    for wave in waves:
        wave_id = next(ids)
        effects = "".join(_effect(step, ids) for step in wave)
        inner += _par(wave_id, f'<p:cond delay="{delay}"/>', effects)
        delay += max(step.duration_ms for step in wave)
    return _par(outer, begin, inner)


def _par(id: int, conditions: str, children: str) -> str:
    return (
        f'<p:par><p:cTn id="{id}" fill="hold"><p:stCondLst>{conditions}</p:stCondLst>'
        f"<p:childTnLst>{children}</p:childTnLst></p:cTn></p:par>"
    )


def _effect(step: Step, ids: Iterator[int]) -> str:
    number, kind, subtype = _PRESETS[step.effect]
    group = ' grpId="0"' if _build(step) else ""
    id = next(ids)
    behaviour = _playback(step, ids) if step.effect == "play" else _entrance(step, ids)
    return (
        f'<p:par><p:cTn id="{id}" presetID="{number}" presetClass="{kind}" '
        f'presetSubtype="{subtype}" fill="hold"{group} nodeType="{step.start}Effect">'
        '<p:stCondLst><p:cond delay="0"/></p:stCondLst>'
        f"<p:childTnLst>{behaviour}</p:childTnLst></p:cTn></p:par>"
    )


def _entrance(step: Step, ids: Iterator[int]) -> str:
    target = _target(step)
    return (
        f'<p:set><p:cBhvr><p:cTn id="{next(ids)}" dur="1" fill="hold"><p:stCondLst>'
        f'<p:cond delay="0"/></p:stCondLst></p:cTn>{target}<p:attrNameLst>'
        "<p:attrName>style.visibility</p:attrName></p:attrNameLst></p:cBhvr>"
        '<p:to><p:strVal val="visible"/></p:to></p:set>'
        f'<p:animEffect transition="in" filter="{_FILTERS[step.effect]}"><p:cBhvr>'
        f'<p:cTn id="{next(ids)}" dur="{step.duration_ms}"/>{target}</p:cBhvr></p:animEffect>'
    )


def _playback(step: Step, ids: Iterator[int]) -> str:
    return (
        f'<p:cmd type="call" cmd="playFrom(0.0)"><p:cBhvr><p:cTn id="{next(ids)}" '
        f'dur="{step.duration_ms}" fill="hold"/>{_target(step)}</p:cBhvr></p:cmd>'
    )


def _target(step: Step) -> str:
    part = ""
    if step.paragraph is not None:
        part = f'<p:txEl><p:pRg st="{step.paragraph}" end="{step.paragraph}"/></p:txEl>'
    return f'<p:tgtEl><p:spTgt spid="{step.shape.shape_id}">{part}</p:spTgt></p:tgtEl>'


def _build(step: Step) -> str:
    """The build entry of a step: text and graphic frames need one, the rest has none."""
    id = step.shape.shape_id
    tag = step.shape.element.tag.rpartition("}")[2]
    if step.effect == "play":
        return ""
    if tag == "graphicFrame" and not step.shape.has_table:
        return f'<p:bldGraphic spid="{id}" grpId="0"><p:bldAsOne/></p:bldGraphic>'
    if tag == "sp":
        how = ' animBg="1"' if step.paragraph is None else ' build="p"'
        return f'<p:bldP spid="{id}" grpId="0"{how}/>'
    return ""


def _media_node(id: int, ids: Iterator[int]) -> str:
    return (
        f'<p:audio><p:cMediaNode vol="80000"><p:cTn id="{next(ids)}" fill="hold" display="0">'
        '<p:stCondLst><p:cond delay="indefinite"/></p:stCondLst><p:endCondLst>'
        '<p:cond evt="onStopAudio" delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl></p:cond>'
        "</p:endCondLst></p:cTn>"
        f'<p:tgtEl><p:spTgt spid="{id}"/></p:tgtEl></p:cMediaNode></p:audio>'
    )
