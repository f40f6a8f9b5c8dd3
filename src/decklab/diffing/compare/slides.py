"""Compares two versions of a slide, with its comments, transition and animations, and what belongs
to a deck as a whole.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from decklab.deck.model.slide import Animation, Transition
from decklab.deck.views.snapshot import SAVED_KEYS
from decklab.diffing.changes import (
    Difference,
    FieldRules,
    Json,
    Kind,
    Placed,
    TemplateChanges,
    default_values,
    field_differences,
    key_difference,
    merged,
)
from decklab.diffing.compare.shapes import ShapeComparison, compare_shapes
from decklab.diffing.compare.text import paint_differences, paint_slots, paint_value
from decklab.diffing.sequences import Pairs, best_pairs, moved, pair_by_keys, unpaired
from decklab.ooxml.xml import EMU_PER_POINT


def document_differences(before: Json, after: Json) -> Iterator[Difference]:
    """Slide size and properties; counts and dates that programs write are noise."""
    if before["size_pt"] != after["size_pt"]:
        yield Difference("properties", "slide size", before["size_pt"], after["size_pt"])
    a, b = before.get("properties", {}), after.get("properties", {})
    for key in dict.fromkeys((*a, *b)):
        if a.get(key) != b.get(key):
            noise = key in SAVED_KEYS
            yield Difference("properties", key, a.get(key), b.get(key), noise=noise)


def section_differences(
    before: Json, after: Json, slide_ids: dict[int, int]
) -> Iterator[Difference]:
    """Differences of sections and custom shows: added, removed, renamed, reordered, other
    slides."""
    sections = before.get("sections", ()), after.get("sections", ())
    yield from _listed("section", *sections, _pairs(*sections))
    a, b = before.get("shows", ()), after.get("shows", ())
    pairs = _pairs(a, b)
    yield from _listed("show", a, b, pairs)
    for i, j in pairs:
        old = [slide_ids[id] for id in a[i].get("slides", ()) if id in slide_ids]
        new = list(b[j].get("slides", ()))
        if old != new:
            yield Difference("show", "slides", old, new, b[j]["name"])


def _listed(kind: Kind, a: Sequence[Json], b: Sequence[Json], pairs: Pairs) -> Iterator[Difference]:
    yield from removed_and_added(kind, a, b, pairs)
    for i, j in pairs:
        if a[i]["name"] != b[j]["name"]:
            yield Difference(kind, "name", a[i]["name"], b[j]["name"])
    ordered = sorted(pairs, key=lambda pair: pair[1])
    places = [i for i, _j in ordered]
    for index in moved(places):
        yield Difference(kind, "order", places[index] + 1, index + 1, b[ordered[index][1]]["name"])


def removed_and_added(
    kind: Kind, a: Sequence[Json], b: Sequence[Json], pairs: Sequence[tuple[int, int]]
) -> Iterator[Difference]:
    """The items that are in no pair, by their names; removed ones first."""
    removed, added = unpaired(a, b, pairs)
    for _i, item in removed:
        yield Difference(kind, "removed", str(item.get("name", "")), None)
    for _j, item in added:
        yield Difference(kind, "added", None, str(item.get("name", "")))


def _pairs(a: Sequence[Json], b: Sequence[Json]) -> Pairs:
    return pair_by_keys(a, b, (lambda item: (item.get("id"),), lambda item: (item.get("name"),)))


def section_moves(
    before: Json, after: Json, slides: Sequence[tuple[Json, Json]]
) -> Iterator[tuple[Json, Difference]]:
    """Slides that moved to another section, if both decks have both sections."""
    a, b = before.get("sections", ()), after.get("sections", ())
    common = {a[i]["id"]: b[j]["id"] for i, j in _pairs(a, b)}
    names = {section["id"]: section["name"] for section in b}
    homes = [
        {slide: entry["id"] for entry in sections for slide in entry.get("slides", ())}
        for sections in (a, b)
    ]
    for old, new in slides:
        was, now = homes[0].get(old.get("id", 0)), homes[1].get(new.get("id", 0))
        if was in common and now in common.values() and common[was] != now:
            yield new, Difference("section", "section", names[common[was]], names[now])


_PAINTS = ("font.color", "font.outline")


def level_differences(
    old: Mapping[str, Json], new: Mapping[str, Json], *, where: str = ""
) -> list[Difference]:
    """Differences of text styles by level; equal differences of several levels are joined.

    ``old`` and ``new`` hold the stated properties by level, such as ``level 1``; ``where`` precedes
    the level.
    """
    differences: list[Difference] = []
    for level in dict.fromkeys((*old, *new)):
        part = f"{where}, {level}" if where else level
        differences += _statements(old.get(level, {}), new.get(level, {}), part)
    return merged(differences)


def _statements(old: Json, new: Json, part: str) -> Iterator[Difference]:
    for key in dict.fromkeys((*old, *new)):
        values = old.get(key), new.get(key)
        if key in _PAINTS:
            slots = paint_slots(values[0]), paint_slots(values[1])
            values = _paint(values[0]), _paint(values[1])
            if values[0] != values[1]:
                yield Difference("style", key, *values, part, slots=slots)
        elif values[0] != values[1]:
            yield Difference("style", key, *values, part)


def _paint(paint: Json | None) -> Any:
    """The value of a paint; "nothing" if "no fill" is stated, None if no paint is stated."""
    return None if paint is None else paint_value(paint) or "nothing"


def default_text_differences(before: Json, after: Json) -> list[Difference]:
    """Differences of the default text styles of two snapshots; without colours that differ because
    a theme or colour map differs."""
    styles = (deck.get("default_text", {}) for deck in (before, after))
    differences = level_differences(*styles, where="default text style")
    kinds = (("themes", "colors"), ("masters", "color_map"))
    was, now = (
        [[sheet.get(key) for sheet in deck[kind]] for kind, key in kinds]
        for deck in (before, after)
    )
    if was == now:
        return list(differences)
    return [item for item in differences if not (item.slots[0] and len({*item.slots}) == 1)]


def color_map_differences(old: Json, new: Json, kind: Kind) -> Iterator[Difference]:
    """The difference of the colour maps that two sheets state themselves."""
    yield from _statement_difference(
        kind, "color map", old.get("color_map", {}), new.get("color_map", {})
    )


def format_differences(old: Json, new: Json) -> Iterator[Difference]:
    """Differences of the format schemes of two themes, one for each style."""
    a, b = old.get("formats", {}), new.get("formats", {})
    for name in dict.fromkeys((*a, *b)):
        yield from _statement_difference(
            "theme", name, _in_points(a.get(name, {})), _in_points(b.get(name, {}))
        )


def _in_points(line: Json) -> Json:
    """A stated style with the width of a line in points."""
    if not (width := str(line.get("w", ""))).isdigit():
        return line
    named = {"width" if key == "w" else key: value for key, value in line.items()}
    return {**named, "width": round(int(width) / EMU_PER_POINT, 3)}


def table_style_differences(before: Json, after: Json) -> Iterator[Difference]:
    """Differences of table styles, part by part. Only styles that both decks define are compared:
    programs write the definition of a style when a table first uses it, which is no change."""
    a, b = before.get("table_styles", {}), after.get("table_styles", {})
    for id in a.keys() & b.keys() if a != b else ():
        name = b[id].get("name", {}).get("name", "") or id
        for part in dict.fromkeys((*a[id], *b[id])):
            at = f"table style {name}" if part == "name" else f"table style {name}, {part}"
            what, sides = "style name" if part == "name" else "style", (a[id], b[id])
            values = (side.get(part, {}) for side in sides)
            for difference in _statement_difference("table", "style", *values):
                yield replace(difference, property=what, part=at)


def _statement_difference(kind: Kind, name: str, old: Json, new: Json) -> Iterator[Difference]:
    """One difference that holds all properties that differ."""
    if old != new:
        keys = [key for key in dict.fromkeys((*old, *new)) if old.get(key) != new.get(key)]
        sides = [{key: side[key] for key in keys if key in side} for side in (old, new)]
        yield Difference(kind, name, sides[0], sides[1])


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
        yield from field_differences(old, new, FieldRules("transition", defaults=_TRANSITION))


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
    for _i, effect in removed:
        if (target := effect.get("shape")) is None or target in shape_ids:
            gone = Difference("animation", "removed", _timeline_summary(effect), None)
            yield shape_ids.get(target or 0), gone
    for _j, effect in added:
        yield effect.get("shape"), Difference("animation", "added", None, _timeline_summary(effect))
    for i, j in pairs:
        differences = _timeline_changed(_renumbered(old[i], shape_ids), new[j])
        yield from ((new[j].get("shape"), difference) for difference in differences)
    for index in moved([i for i, _ in pairs]):
        i, j = pairs[index]
        places = sorted(i for i, _ in pairs)
        difference = Difference("animation", "order", places.index(i) + 1, index + 1)
        yield new[j].get("shape"), difference


def _targets(animations: Sequence[Json]) -> set[int]:
    return {item[key] for item in animations for key in _REFERENCES if item.get(key) is not None}


def _renumbered(animation: Json, shape_ids: dict[int, int]) -> Json:
    keys = [key for key in _REFERENCES if animation.get(key) is not None]
    return animation | {key: shape_ids.get(animation[key], -1) for key in keys}


def _effect_likeness(a: Json, b: Json) -> float:
    return sum(weight for key, weight in _WEIGHTS.items() if a.get(key) == b.get(key))


def _timeline_changed(old: Json, new: Json) -> Iterator[Difference]:
    """One change if the effect was replaced; else one per changed setting."""
    identity = ("effect", "kind")
    if any(old.get(key) != new.get(key) for key in identity):
        yield Difference("animation", "effect", _timeline_summary(old), _timeline_summary(new))
        return
    for key in dict.fromkeys((*old, *new)):
        values = _setting(old, key), _setting(new, key)
        if key not in _APART and values[0] != values[1]:
            yield Difference("animation", key, *values)
    yield from key_difference("animation", "trigger_shape", old, new)


def _setting(animation: Json, key: str) -> Any:
    """The value of a setting; variant 0 of an effect counts as unstated."""
    value = animation.get(key, _ANIMATION[key])
    return None if key == "subtype" and value == 0 else value


def _timeline_summary(animation: Json) -> dict[str, Any]:
    return {key: value for key, value in animation.items() if key not in _APART}


_PLACES = ("position", "size", "placed")
_FLAGS = (("hidden", False), ("shows_master", True), ("name", ""))


def slide_differences(old: Json, new: Json, inherited: TemplateChanges) -> Iterator[Placed]:
    """All differences of two versions of a slide, except its number, layout and section."""
    grounds = list(background_differences(old, new))
    for difference in (
        *_flag_differences(old, new),
        *(ground for ground in grounds
          if not (inherited.explains(ground) or inherited.explains_ground(ground, old, new))),
        *(difference for compare in COMPARERS for difference in compare(old, new)),
    ):  # fmt: skip
        yield Placed.without_shape(difference)
    canvas = compare_shapes(old["shapes"], new["shapes"])
    for placed in shape_changes(canvas, inherited):
        if not any(_shows_through(placed.difference, ground) for ground in grounds):
            yield placed
    comments = comment_differences(old.get("comments", ()), new.get("comments", ()))
    yield from map(Placed.without_shape, comments)
    yield from _animations(old, new, canvas)


def _flag_differences(old: Json, new: Json) -> Iterator[Difference]:
    for key, default in _FLAGS:
        yield from key_difference("slide", key, old, new, default)


def _color_maps(old: Json, new: Json) -> Iterator[Difference]:
    return color_map_differences(old, new, "slide")


def _notes(old: Json, new: Json) -> Iterator[Difference]:
    notes = old.get("notes") or "", new.get("notes") or ""
    if notes[0] != notes[1]:
        yield Difference("notes", "text", *notes)


def _transitions(old: Json, new: Json) -> Iterator[Difference]:
    return transition_differences(old.get("transition"), new.get("transition"))


COMPARERS: tuple[Callable[[Json, Json], Iterable[Difference]], ...] = (
    _color_maps,
    _notes,
    _transitions,
)
"""Comparers of a slide itself, in the order of the changes; a new comparer is one line."""


def _shows_through(difference: Difference, ground: Difference) -> bool:
    """Whether a shape is filled with the slide's background and changed with it."""
    values = difference.old, difference.new
    return difference.property == "fill" and values == (ground.old, ground.new)


def background_differences(old: Json, new: Json) -> Iterator[Difference]:
    """How two backgrounds differ."""
    was, now = (side.get("sources", {}).get("background", "") for side in (old, new))
    key = "background_paint"
    for paint in paint_differences("background", old.get(key), new.get(key), (was, now)):
        values = paint.property, paint.old, paint.new
        yield Difference("slide", *values, "", paint.origins, paint.slots)


def shape_changes(canvas: ShapeComparison, inherited: TemplateChanges) -> Iterator[Placed]:
    """Differences of shapes that no change of layout, master or theme explains."""
    pairs = canvas.pairs if inherited.sheets else ()
    by_template = {id(new) for old, new in pairs if inherited.explains_place(old, new)}
    for placed in canvas.placed:
        _old, new, difference = placed
        if difference.property in _PLACES and id(new) in by_template:
            continue
        formed = new is not None and inherited.explains_form(difference, new)
        if not formed and not inherited.explains(difference):
            yield placed


def _animations(old: Json, new: Json, canvas: ShapeComparison) -> Iterator[Placed]:
    by_id = {shape.get("id"): shape for shape in new["shapes"]}
    was = {id(after): before for before, after in canvas.pairs}
    timelines: list[Sequence[Any]] = [side.get("animations", ()) for side in (old, new)]
    for target, difference in animation_differences(timelines[0], timelines[1], canvas.ids):
        shape = by_id.get(target) if target is not None else None
        yield Placed(was.get(id(shape)), shape, difference)


_SUMMARY = ("author", "created", "text")
_FIELDS = ("text", "author", "status")
_INVISIBLE_PX = 2.0
"""Classic comments have places on a coarse grid (1/576 inch): places nearer than this are equal."""


def comment_differences(old: Sequence[Json], new: Sequence[Json]) -> Iterator[Difference]:
    """Comments that were added, removed or changed, with their replies. Comments correspond by id
    and text, else by author, date and text, else by author and text, else by id alone."""
    if old == new:
        return
    known_by = (("id", "text"), ("author", "created", "text"), ("author", "text"), ("id",))
    keys = [lambda comment, names=names: tuple(map(comment.get, names)) for names in known_by]
    pairs = pair_by_keys(old, new, keys)
    removed, added = unpaired(old, new, pairs)
    for _i, comment in removed:
        yield Difference("comment", "removed", _summary(comment), None)
    for _j, comment in added:
        yield Difference("comment", "added", None, _summary(comment))
    for i, j in pairs:
        yield from _changed(old[i], new[j])


def _summary(comment: Json) -> Json:
    return {key: comment[key] for key in _SUMMARY if comment.get(key)}


def _changed(old: Json, new: Json) -> Iterator[Difference]:
    part = f"comment of {new.get('author') or 'nobody'}"
    for key in _FIELDS:
        yield from key_difference("comment", key, old, new, part=part)
    places = [(comment.get("x"), comment.get("y")) for comment in (old, new)]
    if places[0] != places[1]:
        noise = all(
            a is not None and b is not None and abs(a - b) <= _INVISIBLE_PX
            for a, b in zip(*places, strict=True)
        )
        was, now = list(places[0]), list(places[1])
        yield Difference("comment", "position", was, now, part, noise=noise)
    answers = [[_summary(reply) for reply in comment.get("replies", ())] for comment in (old, new)]
    if answers[0] != answers[1]:
        yield Difference("comment", "replies", answers[0], answers[1], part)
