"""Compares what belongs to the whole deck: size, properties, sections, custom shows, and the
default text, format and table styles that slides inherit."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from decklab.deck.views.snapshot import SAVED_KEYS
from decklab.diffing.changes import Kind
from decklab.diffing.compare.difference import Difference, Json, merged
from decklab.diffing.compare.look import paint_slots, paint_value
from decklab.diffing.match.sequences import Pairs, moved, pair_by_keys, unpaired
from decklab.ooxml.units import EMU_PER_POINT


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
    return pair_by_keys(a, b, (lambda one: (one.get("id"),), lambda one: (one.get("name"),)))


def section_moves(
    before: Json, after: Json, slides: Sequence[tuple[Json, Json]]
) -> Iterator[tuple[Json, Difference]]:
    """Slides that moved to another section, if both decks have both sections."""
    a, b = before.get("sections", ()), after.get("sections", ())
    common = {a[i]["id"]: b[j]["id"] for i, j in _pairs(a, b)}
    names = {one["id"]: one["name"] for one in after.get("sections", ())}
    homes = [
        {slide: one["id"] for one in side.get("sections", ()) for slide in one.get("slides", ())}
        for side in (before, after)
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
    found = level_differences(
        before.get("default_text", {}), after.get("default_text", {}), where="default text style"
    )
    sides = [
        ([one.get("colors") for one in deck["themes"]],
         [one.get("color_map") for one in deck["masters"]])
        for deck in (before, after)
    ]  # fmt: skip
    recolored = sides[0] != sides[1]
    return [one for one in found if not (recolored and one.slots[0] and len({*one.slots}) == 1)]


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
    width = str(line.get("w", ""))
    if not width.isdigit():
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
            place = f"table style {name}" if part == "name" else f"table style {name}, {part}"
            for one in _statement_difference(
                "table", "style", a[id].get(part, {}), b[id].get(part, {})
            ):
                yield replace(one, property="style name" if part == "name" else "style", part=place)


def _statement_difference(kind: Kind, name: str, old: Json, new: Json) -> Iterator[Difference]:
    """One difference that holds all properties that differ."""
    if old != new:
        keys = [key for key in dict.fromkeys((*old, *new)) if old.get(key) != new.get(key)]
        sides = [{key: side[key] for key in keys if key in side} for side in (old, new)]
        yield Difference(kind, name, sides[0], sides[1])
