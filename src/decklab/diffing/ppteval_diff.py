"""The diff object that rubric leaves of PPT-Eval expect: paper 001, appendix A.1.3.

Names and fields are the paper's. Values are those of the published evaluator (microsoft/ppteval,
commit 8ebb460), for which published leaves were written; if those are wrong about the deck, the
values are ours: docs/rubrics.md lists every difference, and a test compares both with its golden
values.

- ``slide_id`` is the presentation's id of the slide, as a string (python-pptx's ``slide_id``);
  ``element_id`` the shape's id, as a string.
- ``title`` and ``element_text`` are all text of the shape in one piece: paragraphs and line
  breaks leave no mark, blanks and tabs become one blank. The title is that of the title
  placeholder, else of the first shape with "title" in its name.
- ``element_count`` counts the ``p:sp`` elements, in groups too: placeholders, text boxes and drawn
  shapes; no pictures, tables, charts, connectors or groups.
- ``effect_type`` and ``trigger``: see ``decklab.diffing.ppteval_diff``. ``transition_type`` is
  the transition's element (``fade``, ``push`` ...), ``none`` if there is only an advance
  setting. ``delay`` and ``duration`` are seconds.
- ``element_type`` is ``text`` where an effect plays on paragraphs, else ``shape``.
- ``layout_type`` is the layout's name. ``content_hash`` covers everything a slide says and shows,
  and how it looks, but no ids.
- Slides are matched as in ``diff``, so that ids which a program gave anew do not turn every slide
  into a removed and an added one. Noise makes no slide modified, nor does a change of its layout,
  master or theme, or of the size of all slides: these have fields of their own.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from decklab.deck.part import DAMAGE
from decklab.deck.views.snapshot import Snapshot, snapshot
from decklab.diffing.changes import Change, Json
from decklab.diffing.compare.shapes import compare_shapes
from decklab.diffing.compare.slides import animation_pairs
from decklab.diffing.decks import diff_packages
from decklab.diffing.ppteval_records import (
    AnimationEffect,
    PowerPointDiff,
    Slide,
    SlideSize,
    SlideTransition,
    Template,
)
from decklab.diffing.same_parts import same_parts
from decklab.diffing.sequences import unpaired
from decklab.diffing.snapshots import Matched, match_decks
from decklab.ooxml.package import Package
from decklab.ooxml.xml import Element, qn, shape_id, shape_name

_EDGES = {
    1: "top", 2: "right", 3: "top_right", 4: "bottom", 6: "bottom_right", 8: "left",
    9: "top_left", 12: "bottom_left",
}  # fmt: skip
"""Bits of ``presetSubtype`` of effects that come from, or go to, an edge or corner, as PowerPoint
writes them."""
_ORIENTATIONS = {5: "vertical", 10: "horizontal"}
_SIDES = {16: "in", 32: "out"}
_VARIANTS: dict[str, dict[int, str]] = {
    "blinds": _ORIENTATIONS,
    "random_bars": _ORIENTATIONS,
    "box": _SIDES,
    "circle": _SIDES,
    "diamond": _SIDES,
    "plus": _SIDES,
    "checkerboard": {5: "down", 10: "across"},
    "split": {21: "vertical_in", 26: "horizontal_in", 37: "vertical_out", 42: "horizontal_out"},
    "strips": {3: "right_up", 6: "right_down", 9: "left_up", 12: "left_down"},
    "zoom_in": {272: "slightly", 528: "from_screen_center"},
}
"""Meaning of ``presetSubtype`` for effects without an edge."""
_EDGE_EFFECTS = frozenset({"fly", "wipe", "crawl", "peek", "ease", "stretch", "collapse"})
"""Names of effects whose subtype is an edge, without ``_in`` and ``_out``."""
_OWN_WORDS = {
    ("entrance", "fade"): "fade_in",
    ("entrance", "zoom"): "zoom_in",
    ("entrance", "faded_zoom"): "zoom_in",
    ("exit", "appear"): "disappear",
    ("exit", "faded_zoom"): "zoom_out",
    ("emphasis", "flash_bulb"): "pulse",
    ("emphasis", "brush_color"): "brush_on_color",
    ("emphasis", "color_blend"): "color_emphasis",
}
"""Effects for which the evaluator has a word of its own."""
_EXIT_NAMES = frozenset({"disappear", "collapse", "sink_down", "contract", "curve_down"})
"""Exits that have names of their own; the others end in ``_out``."""


def effect_type(animation: Json, path: str = "") -> str:
    """The name of an effect of a snapshot, with its direction or variant; ``path`` is its route.

    >>> effect_type({"kind": "entrance", "effect": "fly_in", "subtype": 8})
    'fly_in_from_left'
    >>> effect_type({"kind": "exit", "effect": "wipe", "subtype": 2})
    'wipe_out_to_right'
    >>> effect_type({"kind": "motion", "effect": "right"}, "M 0 0 L 0.25 0 E")
    'motion_path_linear'
    """
    kind, effect = animation["kind"], str(animation["effect"])
    if kind == "motion":
        return motion_type(path)
    name = _OWN_WORDS.get((kind, effect), effect)
    if kind == "exit" and not name.endswith("_out") and name not in _EXIT_NAMES:
        name += "_out"
    subtype = animation.get("subtype") or 0
    if name.removesuffix("_in").removesuffix("_out") in _EDGE_EFFECTS and subtype in _EDGES:
        return f"{name}_{'to' if kind == 'exit' else 'from'}_{_EDGES[subtype]}"
    if (variant := _VARIANTS.get(effect, _VARIANTS.get(name, {})).get(subtype)) is None:
        return name
    if kind != "exit":
        return f"{name}_{variant}"
    return f"{effect}_{variant.removesuffix('_in').removesuffix('_out')}_out"


def motion_type(path: str) -> str:
    """The evaluator's word for a motion path, by the commands in it (VML path, as files have it).

    >>> motion_type("M 0 0 C 0.1 0.1 0.2 0.1 0.25 0 E"), motion_type("")
    ('motion_path_curve', 'motion_path_custom')
    """
    commands = path.lower()
    if "c" in commands:
        return "motion_path_curved" if "l" in commands else "motion_path_curve"
    return "motion_path_linear" if "l" in commands else "motion_path_custom"


def trigger(animation: Json) -> str:
    """The trigger of an effect; a click is ``click`` for entrances and ``on_click`` for the others.

    >>> trigger({"kind": "entrance", "trigger": "on_click"})
    'click'
    >>> trigger({"kind": "exit", "trigger": "after_previous"})
    'after_previous'
    """
    if animation["kind"] == "entrance" and animation["trigger"] == "on_click":
        return "click"
    return str(animation["trigger"])


def builds(animations: Sequence[Json]) -> list[list[Json]]:
    """The effects of a slide in groups: one for each effect that plays on a text part by part.
    PowerPoint shows such a build as one animation, and so does the evaluator. A paragraph that is
    played on a second time begins another build.

    >>> first = {"shape": 3, "effect": "fade", "kind": "entrance", "paragraphs": [0, 0]}
    >>> [len(one) for one in builds([first, {**first, "paragraphs": [1, 1]}, first])]
    [2, 1]
    """
    groups: list[list[Json]] = []
    latest: dict[tuple[Any, ...], list[Json]] = {}
    for effect in animations:
        key = tuple(effect.get(name) for name in ("shape", "effect", "kind", "subtype"))
        build = latest.get(key)
        if build is None or _played(effect) is None or _played(effect) in map(_played, build):
            build = latest[key] = []
            groups.append(build)
        build.append(effect)
    return groups


def _played(animation: Json) -> tuple[Any, ...] | None:
    """Which part of a text an effect plays on; None for the whole shape."""
    part = tuple(animation.get(name) for name in ("paragraphs", "characters", "part"))
    return tuple(map(str, part)) if any(part) else None


_SETTINGS = ("effect", "kind", "subtype", "trigger", "delay_ms", "duration_ms", "repeat", "by")


def settings(build: Sequence[Json], ids: Mapping[int, int] = MappingProxyType({})) -> set[str]:
    """Settings of the effects of a build, without the parts they play on. ``ids`` gives the newer
    id of each shape of an older slide, as a click on a shape may trigger an effect."""
    return {
        repr([*(effect.get(name) or None for name in _SETTINGS), _clicked(effect, ids)])
        for effect in build
    }


def _clicked(animation: Json, ids: Mapping[int, int]) -> int | None:
    shape = animation.get("trigger_shape")
    return None if shape is None else ids.get(shape, shape)


_TITLES = frozenset({"title", "ctrTitle"})


@dataclass(frozen=True)
class PptEvalSlide:
    """Facts of one slide; a slide that cannot be read has none."""

    title: str | None = None
    """Text of the title placeholder, else of the first shape with "title" in its name."""
    element_count: int = 0
    """``p:sp`` elements at any depth: placeholders, text boxes and drawn shapes."""
    texts: dict[int, str] = field(default_factory=dict)
    """Text of each such shape that has one, by its id."""
    routes: tuple[str, ...] = ()
    """Motion paths as the file spells them, one for each such effect of the timeline, in order."""


def slide_facts(package: Package, part: str) -> PptEvalSlide:
    """The facts of the slide in ``part``."""
    try:
        root = package.xml(part)
    except DAMAGE:
        return PptEvalSlide()
    shapes = list(root.iter(qn("p:sp")))
    texts: dict[int, str] = {}
    for shape in shapes:
        text, id = _text(shape), shape_id(shape) or None
        if text is not None and id is not None:
            texts.setdefault(id, text)
    return PptEvalSlide(
        _title(shapes), len(shapes), texts, tuple(map(_motion_path, _motions(root)))
    )


def _title(shapes: list[Element]) -> str | None:
    for shape in shapes:
        holder = shape.find(f"{qn('p:nvSpPr')}/{qn('p:nvPr')}/{qn('p:ph')}")
        if holder is not None and holder.get("type") in _TITLES:
            return _text(shape)
    return next((_text(shape) for shape in shapes if "title" in shape_name(shape).lower()), None)


def _text(shape: Element) -> str | None:
    """All text without separators between runs, paragraphs and lines; None if it is blank."""
    text = "".join(item.text or "" for item in shape.iter(qn("a:t"))).strip()
    return re.sub(r"[ \t]+", " ", text) or None


def _motions(root: Element) -> list[Element]:
    return [node for node in root.iter(qn("p:cTn")) if node.get("presetClass") == "path"]


def _motion_path(effect: Element) -> str:
    motion = next(effect.iter(qn("p:animMotion")), None)
    return "" if motion is None else motion.get("path") or ""


_SPEEDS = {"slow": 0.75, "med": 0.5, "fast": 0.5}
"""Seconds of a transition that states no duration, by its speed. Ours."""
_UNHASHED = ("id", "creation_id", "name", "number", "part", "layout_part", "content", "groups")
_TEMPLATES = ("theme", "master", "layout")
_PLACES = frozenset({"added", "removed", "moved"})

Deck = str | Path | Package


def ppt_diff(
    before: Deck, after: Deck, *, snapshots: tuple[Snapshot, Snapshot] | None = None
) -> PowerPointDiff:
    """Compare two decks, given as paths or open packages.

    ``snapshots`` are those of both, if the caller has them. Raises what opening a package and
    taking a snapshot raise.
    """
    with ExitStack() as stack:
        old, new = (
            deck if isinstance(deck, Package) else stack.enter_context(Package.open(deck))
            for deck in (before, after)
        )
        decks = snapshots or (snapshot(old), snapshot(new))
        sheets = (
            (kind, sheet) for kind in _TEMPLATES for side in decks for sheet in side[f"{kind}s"]
        )
        kinds = {sheet.get("name", ""): kind for kind, sheet in sheets}
        changes = diff_packages(old, new).edits
        return _compared((_Side(old), _Side(new)), match_decks(*decks), changes, kinds)


def _compared(
    sides: tuple["_Side", "_Side"],
    matched: Matched,
    changes: Sequence[Change],
    kinds: Mapping[str, str],
) -> PowerPointDiff:
    """The diff object of paper 001; ``kinds`` has the kind of each template by its name."""
    old, new = sides
    result = PowerPointDiff(
        added_slides=[new.slide(slide) for slide in matched.added],
        removed_slides=[old.slide(slide) for slide in matched.removed],
        modified_slides=[
            (old.slide(was), new.slide(now)) for was, now in _modified(sides, matched, changes)
        ],
        **_template_changes(changes, kinds),
    )
    for slide in matched.added:
        result.added_animations += new.animations(slide)
        result.added_transitions += _transitions(slide)
    for slide in matched.removed:
        result.removed_animations += old.animations(slide)
        result.removed_transitions += _transitions(slide)
    for was, now in matched.pairs:
        _compare_transitions(result, _transitions(was), _transitions(now))
        _compare_animations(result, sides, was, now)
    return result


def _modified(
    sides: tuple["_Side", "_Side"], matched: Matched, changes: Sequence[Change]
) -> list[tuple[Json, Json]]:
    """Pairs of slides with a change of their own, not only of their layout or master."""
    reported = {change.slide for change in changes if _is_of_the_slide(change)}
    pairs = [pair for pair in matched.pairs if pair[1]["number"] in reported]
    parts = [(was.get("part", ""), now.get("part", "")) for was, now in pairs]
    same = same_parts(sides[0].package, sides[1].package, parts)
    return [pair for pair, part in zip(pairs, parts, strict=True) if part not in same]


def _is_of_the_slide(change: Change) -> bool:
    """Whether a change is of the slide itself, and not only of its place."""
    return change.kind != "section" and not (change.kind == "slide" and change.property in _PLACES)


def _template_changes(changes: Iterable[Change], kinds: Mapping[str, str]) -> dict[str, Any]:
    """Differences in masters, layouts and themes, one entry for each of them, and in size."""
    result: dict[str, Any] = {"added_templates": [], "removed_templates": []}
    modified: dict[tuple[str, str], tuple[Template, Template]] = {}
    for change in changes:
        sheet = "" if change.element is None else change.element.sheet
        if change.kind == "properties" and change.property == "slide size":
            sizes = SlideSize(*change.old), SlideSize(*change.new)
            result["modified_slide_size"] = [sizes]
        elif change.slide is None and (sheet or change.kind in _TEMPLATES):
            kind = change.kind if change.kind in _TEMPLATES else kinds.get(sheet, "")
            if _is_whole(change) and change.property in ("added", "removed"):
                result[f"{change.property}_templates"].append(Template(kind, sheet))
                continue
            two = Template(kind, sheet), Template(kind, sheet)
            was, now = modified.setdefault((kind, sheet), two)
            was.properties[_place(change)] = change.old
            now.properties[_place(change)] = change.new
    return {**result, "modified_templates": list(modified.values())}


def _is_whole(change: Change) -> bool:
    """Whether a change is of a whole master, layout or theme."""
    element = change.element
    return element is None or not (element.id or element.name or element.part)


def _place(change: Change) -> str:
    """Element, part of it and property, as far as they are named."""
    element = change.element
    words = () if element is None else (element.name, element.part)
    return ": ".join(word for word in (*words, change.property) if word)


@dataclass
class _Side:
    """One of the two decks."""

    package: Package
    _read: dict[str, PptEvalSlide] = field(default_factory=dict)

    def facts(self, slide: Json) -> PptEvalSlide:
        if (part := slide.get("part", "")) not in self._read:
            self._read[part] = slide_facts(self.package, part)
        return self._read[part]

    def slide(self, slide: Json) -> Slide:
        facts = self.facts(slide)
        return Slide(
            slide_id=str(slide.get("id", 0)),
            slide_number=slide["number"],
            title=facts.title,
            layout_type=slide.get("layout") or None,
            element_count=facts.element_count,
            notes=slide.get("notes") or None,
            content_hash=_hash(slide),
        )

    def animations(self, slide: Json) -> list[AnimationEffect]:
        played = builds(slide.get("animations", ()))
        return [self._animation(slide, build, order) for order, build in enumerate(played)]

    def _animation(self, slide: Json, build: Sequence[Json], order: int) -> AnimationEffect:
        facts, first = self.facts(slide), build[0]
        return AnimationEffect(
            slide_id=str(slide.get("id", 0)),
            element_id=str(first.get("shape", "unknown")),
            effect_type=effect_type(first, _route(slide, first, facts)),
            trigger=trigger(first),
            delay=first.get("delay_ms", 0) / 1000,
            duration=(first.get("duration_ms") or 0) / 1000,
            order=order,
            element_text=facts.texts.get(first.get("shape", 0)),
            element_type="text" if any(map(_is_on_text, build)) else "shape",
        )


def _is_on_text(animation: Json) -> bool:
    return "paragraphs" in animation or "characters" in animation


def _route(slide: Json, animation: Json, facts: PptEvalSlide) -> str:
    """The path of a motion, found by its place among the motions of the slide."""
    orders = [
        effect["order"] for effect in slide.get("animations", ()) if effect["kind"] == "motion"
    ]
    routes: dict[Any, str] = dict(zip(orders, facts.routes, strict=False))
    return routes.get(animation["order"], "")


def _hash(slide: Json) -> str:
    spelled = json.dumps(_without_ids(slide), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(spelled.encode()).hexdigest()


def _without_ids(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_ids(item) for key, item in value.items() if key not in _UNHASHED}
    return [_without_ids(item) for item in value] if isinstance(value, list) else value


def _transitions(slide: Json) -> list[SlideTransition]:
    if (transition := slide.get("transition")) is None:
        return []
    stated = transition.get("duration_ms")
    seconds = _SPEEDS[transition.get("speed", "fast")] if stated is None else stated / 1000
    options = transition.get("options", {})
    direction = options.get("dir") or options.get("orient")
    name = transition.get("name") or "none"
    return [SlideTransition(str(slide.get("id", 0)), name, seconds, direction)]


def _compare_transitions(
    result: PowerPointDiff, before: list[SlideTransition], after: list[SlideTransition]
) -> None:
    if before and after:
        was, now = before[0], after[0]
        keys = ("transition_type", "duration", "direction")
        if any(getattr(was, key) != getattr(now, key) for key in keys):
            result.modified_transitions.append((was, now))
    else:
        result.added_transitions += after
        result.removed_transitions += before


def _compare_animations(
    result: PowerPointDiff, sides: tuple[_Side, _Side], was: Json, now: Json
) -> None:
    if not was.get("animations") and not now.get("animations"):
        return
    effects = sides[0].animations(was), sides[1].animations(now)
    played = [builds(slide.get("animations", ())) for slide in (was, now)]
    ids = compare_shapes(was["shapes"], now["shapes"]).ids
    leading = [[build[0] for build in side] for side in played]
    pairs = animation_pairs(leading[0], leading[1], ids)
    removed, added = unpaired(*effects, pairs)
    result.removed_animations += [effect for _i, effect in removed]
    result.added_animations += [effect for _j, effect in added]
    for i, j in pairs:
        pair = effects[0][i], effects[1][j]
        if _effect_changed((was, now), (played[0][i], played[1][j]), pair, ids):
            result.modified_animations.append(pair)


def _effect_changed(
    slides: tuple[Json, Json],
    played: tuple[Sequence[Json], Sequence[Json]],
    reported: tuple[AnimationEffect, AnimationEffect],
    ids: dict[int, int],
) -> bool:
    """Whether an effect changed; one that only follows added or removed paragraphs did not."""
    if reported[0].effect_type != reported[1].effect_type:
        return True
    if settings(played[0], ids) != settings(played[1]):
        return True
    more = len(played[1]) - len(played[0])
    lines = [_paragraphs(slide, effects) for slide, effects in zip(slides, played, strict=True)]
    return more not in (0, lines[1] - lines[0])


def _paragraphs(slide: Json, build: Sequence[Json]) -> int:
    """How many paragraphs the shape has that a build plays on."""
    wanted = build[0].get("shape")
    shape: Json = next((item for item in slide["shapes"] if item.get("id") == wanted), {})
    return len(shape.get("text", {}).get("paragraphs", ()))
