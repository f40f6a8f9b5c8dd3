"""Compares fills, outlines and pictures, and gives them as values for messages."""

from collections.abc import Iterator
from typing import Any

from decklab.diffing.changes import Kind
from decklab.diffing.compare.difference import Difference, FieldRules, Json, field_differences


def color_value(color: str | None, alpha: float = 1.0) -> Any:
    """A colour, with its opacity if it is not opaque."""
    return color if color is None or alpha == 1.0 else {"color": color, "alpha": alpha}


def paint_value(paint: Json | None) -> Any:
    """The colour of a solid paint, None for no paint; else all its fields except slots."""
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
    """Differences of two outlines; an added or removed outline is a single difference. ``old`` and
    ``new`` hold ``strokeWidth`` and ``pen``, as shapes, images, lines and borders do."""
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


_CONTENT = frozenset({"sha256", "content_type", "pixels", "link"})
_PAINTED = frozenset({"paint", "pen", "stroke", "strokeWidth", "fill", "sources"})
_CROP_ROUNDING = 0.0005
"""Shares of a picture's width or height; programs round crops to whole pixels or per mille."""
_OUTLINE = ("geometry", "adjustments", "path")
_EDGES = ("left", "top", "right", "bottom")


def picture_differences(old: Json, new: Json, kind: Kind = "picture") -> Iterator[Difference]:
    """How the ``image`` of two shapes differs, or their ``media`` with its poster."""
    if old == new:
        return
    if any(old.get(key) != new.get(key) for key in ("sha256", "link")):
        yield Difference(
            kind,
            "image" if kind == "picture" else "poster",
            _picture_summary(old),
            _picture_summary(new),
        )
    crops = _crop(old), _crop(new)
    if crops[0] != crops[1]:
        apart = max(abs(crops[0][edge] - crops[1][edge]) for edge in _EDGES)
        yield Difference("picture", "crop", *crops, noise=apart <= _CROP_ROUNDING)
    yield from _area(old, new, skip=_CONTENT | {"crop"}, kind=kind)


def area_differences(old: Json, new: Json) -> Iterator[Difference]:
    """How the ``shape`` of two shapes differs: outline, fill and line."""
    if old != new:
        yield from _area(old, new, skip=frozenset({"rx"}))


def line_differences(old: Json, new: Json) -> Iterator[Difference]:
    """Differences of the ``line`` of two shapes, except what it is glued to."""
    if old != new:
        glue = frozenset({"start", "end", "start_site", "end_site"})
        yield from _area(old, new, skip=glue)


def _area(
    old: Json, new: Json, *, skip: frozenset[str], kind: Kind = "style"
) -> Iterator[Difference]:
    yield from _outline(old, new)
    origins = old.get("sources", {}).get("fill", ""), new.get("sources", {}).get("fill", "")
    yield from paint_differences("fill", old.get("paint"), new.get("paint"), origins)
    yield from pen_differences(old, new)
    rest: Kind = "style" if kind == "picture" else kind
    yield from field_differences(old, new, FieldRules(rest, skip=_PAINTED | skip | {*_OUTLINE}))


def _outline(old: Json, new: Json) -> Iterator[Difference]:
    """Differences of two outlines of shapes: one for another geometry, else those of its
    handles."""
    outlines = [(shape.get("geometry"), shape.get("path")) for shape in (old, new)]
    if outlines[0] != outlines[1]:
        same_name = outlines[0][0] == outlines[1][0]
        which = 1 if same_name else 0
        name = "path" if same_name else "geometry"
        yield Difference("style", name, outlines[0][which], outlines[1][which])
    elif old.get("adjustments", {}) != new.get("adjustments", {}):
        yield Difference(
            "style", "adjustments", old.get("adjustments", {}), new.get("adjustments", {})
        )


def _picture_summary(image: Json) -> Any:
    return {key: image[key] for key in ("sha256", "link", "pixels") if image.get(key)} or None


def _crop(image: Json) -> dict[str, float]:
    crop = image.get("crop", {})
    return {edge: crop.get(edge, 0.0) for edge in _EDGES}
