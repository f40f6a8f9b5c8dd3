"""What differs between what two decks have slides inherit, told where it is stated.

Text styles of masters, list styles of placeholders, the default text style, formats of themes,
table styles, colour maps: what they state shows on slides, layouts and masters as effective
values, which are not told there again.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from decklab.diffing.comparing.paints import paint_slots, paint_value
from decklab.diffing.differences import Difference, Json, merged
from decklab.diffing.model import Kind
from decklab.ooxml.units import EMU_PER_POINT

_PAINTS = ("font.color", "font.outline")


def level_differences(
    old: Mapping[str, Json], new: Mapping[str, Json], *, where: str = ""
) -> list[Difference]:
    """How what is stated of texts differs, by level; alike changes of several levels are one.

    ``old`` and ``new`` hold statements by level, such as ``level 1``; ``where`` goes before them.
    """
    found: list[Difference] = []
    for level in dict.fromkeys((*old, *new)):
        part = f"{where}, {level}" if where else level
        found += _statements(old.get(level, {}), new.get(level, {}), part)
    return merged(found)


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
    """A paint that is stated to be none is not one that is not stated."""
    return None if paint is None else paint_value(paint) or "nothing"


def default_text_differences(before: Json, after: Json) -> list[Difference]:
    """How the default text styles of two snapshots differ; other colours of the themes, or for
    their names, are told there."""
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
    """How the colour map that a sheet states itself differs."""
    yield from _told(kind, "color map", old.get("color_map", {}), new.get("color_map", {}))


def format_differences(old: Json, new: Json) -> Iterator[Difference]:
    """How the styles of two themes' format schemes differ, each told once."""
    a, b = old.get("formats", {}), new.get("formats", {})
    for name in dict.fromkeys((*a, *b)):
        yield from _told("theme", name, _in_points(a.get(name, {})), _in_points(b.get(name, {})))


def _in_points(line: Json) -> Json:
    """A style as it is stated, the width of a line in points."""
    width = str(line.get("w", ""))
    if not width.isdigit():
        return line
    named = {"width" if key == "w" else key: value for key, value in line.items()}
    return {**named, "width": round(int(width) / EMU_PER_POINT, 3)}


def table_style_differences(before: Json, after: Json) -> Iterator[Difference]:
    """How the table styles that two snapshots define differ, part by part.

    Programs put in the definition of a style when a table first uses it, which is no change of the
    style; so only those are compared that both decks define.
    """
    a, b = before.get("table_styles", {}), after.get("table_styles", {})
    for id in a.keys() & b.keys() if a != b else ():
        name = b[id].get("name", {}).get("name", "") or id
        for part in dict.fromkeys((*a[id], *b[id])):
            place = f"table style {name}" if part == "name" else f"table style {name}, {part}"
            for one in _told("table", "style", a[id].get(part, {}), b[id].get(part, {})):
                yield replace(one, property="style name" if part == "name" else "style", part=place)


def _told(kind: Kind, name: str, old: Json, new: Json) -> Iterator[Difference]:
    """One difference that holds the statements which differ."""
    if old != new:
        keys = [key for key in dict.fromkeys((*old, *new)) if old.get(key) != new.get(key)]
        sides = [{key: side[key] for key in keys if key in side} for side in (old, new)]
        yield Difference(kind, name, sides[0], sides[1])
