"""Animations in the words that rubrics of PPT-Eval test: names of effects, triggers, builds.

The words are those of the published evaluator (microsoft/ppteval, commit 8ebb460) wherever it has
one for the effect; what a file says decides which one it is. Its own table of presets does not
follow PowerPoint's numbers (it calls preset 1, "Appear", ``fade_in``), and its triggers, delays
and durations are fixed by the class of the effect. docs/rubrics.md lists the differences.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from decklab.diffing.compare.difference import Json

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
    variant = _VARIANTS.get(effect, _VARIANTS.get(name, {})).get(subtype)
    if variant is None:
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


_SETTINGS = (
    "effect", "kind", "subtype", "trigger", "delay_ms", "duration_ms", "repeat", "by",
)  # fmt: skip


def settings(build: Sequence[Json], ids: Mapping[int, int] = MappingProxyType({})) -> set[str]:
    """Settings of the effects of a build, without the parts they play on. ``ids`` gives the newer
    id of each shape of an older slide, as a click on a shape may trigger an effect."""
    return {
        repr([*(one.get(name) or None for name in _SETTINGS), _clicked(one, ids)]) for one in build
    }


def _clicked(animation: Json, ids: Mapping[int, int]) -> int | None:
    shape = animation.get("trigger_shape")
    return None if shape is None else ids.get(shape, shape)
