"""What differs between two runs of text: font, size, colour, links."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from decklab.diffing.comparing.defaults import FONT
from decklab.diffing.comparing.paints import color_value, paint_differences, paint_slots
from decklab.diffing.differences import Difference, Json, field_differences

_COLOR = ("color", "alpha", "paint")
_APART = frozenset({*_COLOR, "size", "style", "slot", "language", "outline"})
_LINKED = ("font.color", "font.underline")
"""What a link does to its text."""
_STYLES = ("bold", "italic")
"""Of the styles; the third, underscore, says again what ``underline`` says."""
_ROUNDING_PT = 0.6
"""Sizes that autofit scaled are rounded by the program that saves them, to a half point or so."""


def run_differences(
    old: Json, new: Json, part: str, scales: tuple[float, float]
) -> Iterator[Difference]:
    """How two runs that hold the same or corresponding text differ, the text left aside.

    ``scales`` are the shares that autofit left of both texts' sizes.
    """
    linked = ("click" in old) != ("click" in new)
    blank = not (old.get("text", "") + new.get("text", "")).strip()
    for found in _font(old, new, part, scales):
        if not (linked and found.property in _LINKED):
            yield replace(found, unseen=True) if blank else found
    for key in ("click", "hover"):
        if old.get(key) != new.get(key):
            yield Difference("link", key, old.get(key), new.get(key), part)


def _font(old: Json, new: Json, part: str, scales: tuple[float, float]) -> Iterator[Difference]:
    a, b = old.get("font", {}), new.get("font", {})
    if a == b:
        return
    origins = old.get("sources", {}), new.get("sources", {})
    yield from _sizes(a, b, part, origins, scales)
    for style in _STYLES:
        before, after = style in a.get("style", ()), style in b.get("style", ())
        if before != after:
            stated = origins[0].get(style, ""), origins[1].get(style, "")
            yield Difference("style", f"font.{style}", before, after, part, stated)
    yield from _paints(a, b, part, origins)
    yield from field_differences(
        a, b, "style", prefix="font.", part=part, skip=_APART, origins=origins, defaults=FONT
    )
    yield from _languages(a, b, part)


def _paints(a: Json, b: Json, part: str, origins: tuple[Json, Json]) -> Iterator[Difference]:
    if _color(a) != _color(b):
        stated = origins[0].get("color", ""), origins[1].get("color", "")
        yield Difference("style", "font.color", _color(a), _color(b), part, stated, _slots(a, b))
    stated = origins[0].get("outline", ""), origins[1].get("outline", "")
    yield from paint_differences("font.outline", a.get("outline"), b.get("outline"), stated, part)


def _slots(a: Json, b: Json) -> tuple[str, str]:
    found = [paint_slots(one["paint"]) if one.get("paint") else one.get("slot") for one in (a, b)]
    return found[0] or "", found[1] or ""


def _sizes(
    a: Json, b: Json, part: str, origins: tuple[Json, Json], scales: tuple[float, float]
) -> Iterator[Difference]:
    before, after = a.get("size"), b.get("size")
    if before == after:
        return
    stated = origins[0].get("size", ""), origins[1].get("size", "")
    refit = (
        before is not None
        and after is not None
        and scales[0] != scales[1]
        and abs(before / scales[0] - after / scales[1]) <= _ROUNDING_PT / min(scales)
    )
    yield Difference("style", "font.size", before, after, part, stated, noise=refit)


def _languages(a: Json, b: Json, part: str) -> Iterator[Difference]:
    """The language a program writes where none was stated is its own."""
    before, after = a.get("language"), b.get("language")
    if before != after:
        unstated = before is None or after is None
        yield Difference("style", "font.language", before, after, part, noise=unstated)


def _color(font: Json) -> Any:
    if font.get("paint"):
        return font["paint"]
    return color_value(font.get("color"), font.get("alpha", 1.0))
