"""Fills and lines as values that can be told to people."""

from collections.abc import Iterator
from typing import Any

from decklab.diffing.differences import Difference, Json


def color_value(color: str | None, alpha: float = 1.0) -> Any:
    """A colour; with its opacity where it is not opaque."""
    return color if color is None or alpha == 1.0 else {"color": color, "alpha": alpha}


def paint_value(paint: Json | None) -> Any:
    """A colour for a solid paint, None for none, else all that is known of it, slots aside."""
    if not paint or paint.get("kind", "none") == "none":
        return None
    if paint["kind"] == "solid":
        return color_value(paint.get("color"), paint.get("alpha", 1.0))
    return _without_slots(paint)


def _without_slots(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_slots(item) for key, item in value.items() if key != "slot"}
    return [_without_slots(item) for item in value] if isinstance(value, list) else value


def paint_differences(
    name: str, old: Json | None, new: Json | None, origins: tuple[str, str], part: str = ""
) -> Iterator[Difference]:
    """How two paints of the same area differ."""
    before, after = paint_value(old), paint_value(new)
    if before != after:
        slots = paint_slots(old), paint_slots(new)
        yield Difference("style", name, before, after, part, origins, slots)


def paint_slots(paint: Json | None) -> str:
    """The names by which a paint refers to theme colours."""
    if not paint:
        return ""
    if "stops" in paint:
        return " ".join(stop.get("slot") or "" for stop in paint["stops"]).strip()
    return paint.get("slot") or ""


_PEN_FIELDS = ("dash", "cap", "compound", "join", "head", "tail")


def pen_differences(old: Json, new: Json, part: str = "") -> Iterator[Difference]:
    """How two outlines differ; one that came or went is one difference.

    ``old`` and ``new`` hold ``strokeWidth`` and ``pen``, as shapes, images, lines and borders do.
    """
    pens = old.get("pen", {}), new.get("pen", {})
    paints = pens[0].get("paint"), pens[1].get("paint")
    sources = _pen_sources(old), _pen_sources(new)
    stated = sources[0].get("stroke", ""), sources[1].get("stroke", "")
    yield from paint_differences("line.color", paints[0], paints[1], stated, part)
    if paint_value(paints[0]) is None or paint_value(paints[1]) is None:
        return
    widths = old.get("strokeWidth", 0.0), new.get("strokeWidth", 0.0)
    if widths[0] != widths[1]:
        stated = sources[0].get("strokeWidth", ""), sources[1].get("strokeWidth", "")
        yield Difference("style", "line.width", widths[0], widths[1], part, stated)
    for key in _PEN_FIELDS:
        if pens[0].get(key) != pens[1].get(key):
            stated = sources[0].get(key, ""), sources[1].get(key, "")
            yield Difference(
                "style", f"line.{key}", pens[0].get(key), pens[1].get(key), part, stated
            )


def _pen_sources(holder: Json) -> Json:
    return {**holder.get("sources", {}), **holder.get("pen", {}).get("sources", {})}
