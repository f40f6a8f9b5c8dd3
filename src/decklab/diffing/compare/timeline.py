"""Compares transitions and animations of two versions of a slide."""

from collections.abc import Iterator, Sequence
from typing import Any

from decklab.deck.model.slide import Animation, Transition
from decklab.diffing.compare.difference import Difference, Json, default_values
from decklab.diffing.match.sequences import best_pairs, moved, unpaired

_REFERENCES = ("shape", "trigger_shape")
_APART = frozenset({"order", *_REFERENCES})
_WEIGHTS = {"shape": 4.0, "effect": 2.0, "kind": 1.0, "paragraphs": 1.0, "trigger": 0.5}
"""Weights for pairing two effects: their shape counts most. Ours."""
_GATE = 4.0
_TRANSITION, _ANIMATION = default_values(Transition), default_values(Animation)


def transition_differences(old: Json | None, new: Json | None) -> Iterator[Difference]:
    """Differences of two transitions: added, removed, another effect (one change), or settings.

    A new transition without effect, time and sound counts as none, unless the old one has no effect
    either: programs write such transitions for every slide.
    """
    if old is None or old.get("name"):
        new = _shown(new)
    if old == new:
        return
    if old is None or new is None:
        yield Difference("transition", "removed" if new is None else "added", old, new)
    elif old.get("name", "") != new.get("name", ""):
        yield Difference("transition", "effect", old, new)
    else:
        for key in dict.fromkeys((*old, *new)):
            values = old.get(key, _TRANSITION[key]), new.get(key, _TRANSITION[key])
            if values[0] != values[1]:
                yield Difference("transition", key, *values)


def _shown(transition: Json | None) -> Json | None:
    visible = ("name", "advance_after_ms", "sound")
    if transition is None or not (
        any(transition.get(key) for key in visible) or not transition.get("advance_on_click", True)
    ):
        return None
    return transition


def animation_pairs(
    old: Sequence[Json], new: Sequence[Json], shape_ids: dict[int, int]
) -> list[tuple[int, int]]:
    """Pairs of corresponding effects of two timelines, in the newer order."""
    scores = [[_effect_likeness(_renumbered(a, shape_ids), b) for b in new] for a in old]
    return sorted(best_pairs(scores, _GATE), key=lambda pair: pair[1])


def animation_differences(
    old: Sequence[Json], new: Sequence[Json], shape_ids: dict[int, int]
) -> Iterator[tuple[int | None, Difference]]:
    """Differences of two timelines, each with the newer id of its shape. Effects of a removed shape
    are removed with it and not reported."""
    if old == new and all(shape_ids.get(id, id) == id for id in _targets(old)):
        return
    pairs = animation_pairs(old, new, shape_ids)
    removed, added = unpaired(old, new, pairs)
    for _i, one in removed:
        target = one.get("shape")
        if target is None or target in shape_ids:
            yield (
                shape_ids.get(target or 0),
                Difference("animation", "removed", _summary(one), None),
            )
    for _j, one in added:
        yield one.get("shape"), Difference("animation", "added", None, _summary(one))
    for i, j in pairs:
        differences = _changed(_renumbered(old[i], shape_ids), new[j])
        yield from ((new[j].get("shape"), one) for one in differences)
    for index in moved([i for i, _ in pairs]):
        i, j = pairs[index]
        places = sorted(i for i, _ in pairs)
        difference = Difference("animation", "order", places.index(i) + 1, index + 1)
        yield new[j].get("shape"), difference


def _targets(animations: Sequence[Json]) -> set[int]:
    return {one[key] for one in animations for key in _REFERENCES if one.get(key) is not None}


def _renumbered(animation: Json, shape_ids: dict[int, int]) -> Json:
    changed = {
        key: shape_ids.get(animation[key], -1)
        for key in _REFERENCES
        if animation.get(key) is not None
    }
    return {**animation, **changed}


def _effect_likeness(a: Json, b: Json) -> float:
    return sum(weight for key, weight in _WEIGHTS.items() if a.get(key) == b.get(key))


def _changed(old: Json, new: Json) -> Iterator[Difference]:
    """One change if the effect was replaced; else one per changed setting."""
    identity = ("effect", "kind")
    if any(old.get(key) != new.get(key) for key in identity):
        yield Difference("animation", "effect", _summary(old), _summary(new))
        return
    for key in dict.fromkeys((*old, *new)):
        values = _setting(old, key), _setting(new, key)
        if key not in _APART and values[0] != values[1]:
            yield Difference("animation", key, *values)
    if old.get("trigger_shape") != new.get("trigger_shape"):
        yield Difference(
            "animation", "trigger_shape", old.get("trigger_shape"), new.get("trigger_shape")
        )


def _setting(animation: Json, key: str) -> Any:
    """The value of a setting; variant 0 of an effect counts as unstated."""
    value = animation.get(key, _ANIMATION[key])
    return None if key == "subtype" and value == 0 else value


def _summary(animation: Json) -> dict[str, Any]:
    return {key: value for key, value in animation.items() if key not in _APART}
