"""What differs between two states of one shape."""

from collections.abc import Callable, Iterator
from typing import Any

from decklab.diffing.comparing.charts import chart_differences
from decklab.diffing.comparing.geometry import Frame, geometry_differences
from decklab.diffing.comparing.pictures import (
    area_differences,
    line_differences,
    picture_differences,
)
from decklab.diffing.comparing.tables import table_differences
from decklab.diffing.comparing.texts import text_differences
from decklab.diffing.differences import Difference, Json, field_differences

_NAMED = ("name", "id")
_PLACES = frozenset(
    {"x", "y", "w", "h", "x1", "y1", "x2", "y2", "rotation", "flip_h", "flip_v", "placed"}
)
_HANDLED = _PLACES | {
    "kind", "content", "z", "groups", "id", "name", "creation_id", "sources", "text", "shape",
    "line", "image", "table", "chart", "diagram", "media", "group", "other", "alt_text",
    "alt_title", "decorative", "click", "hover", "effects", "hidden",
}  # fmt: skip
_SUMMARY_LENGTH = 200  # characters of text that tell a shape apart


def shape_differences(
    old: Json, new: Json, frame: Frame | None, shape_ids: dict[int, int]
) -> Iterator[Difference]:
    """Everything in which two states of a shape differ, its place in the order left aside.

    ``frame`` is the enclosing group's box, ``shape_ids`` the newer ids of the slide's shapes.
    """
    kind = new["kind"]
    if kind == "line":
        yield from _glue(old.get("line", {}), new.get("line", {}), shape_ids)
    if old == new:
        return
    yield from geometry_differences(old, new, frame)
    yield from _common(old, new)
    yield from text_differences(old.get("text", {}), new.get("text", {}))
    comparer = _COMPARERS.get(kind)
    if comparer is not None:
        yield from comparer(old.get(kind, {}), new.get(kind, {}))
    for key in _NAMED:
        if old.get(key) != new.get(key):
            yield Difference("name", key, old.get(key), new.get(key), noise=True)
    yield from field_differences(old, new, "other", skip=_HANDLED)


def shape_summary(shape: Json) -> Json:
    """What an added or removed shape was: kind, text and box."""
    text = shape.get("text", {}).get("text", "")
    told = {"kind": shape["kind"], "name": shape.get("name", "")}
    if text:
        told["text"] = text[:_SUMMARY_LENGTH]
    return told | {key: shape[key] for key in sorted(_PLACES & set(shape)) if key != "placed"}


def _common(old: Json, new: Json) -> Iterator[Difference]:
    for key, name in (("alt_text", "description"), ("alt_title", "title")):
        if old.get(key, "") != new.get(key, ""):
            yield Difference("alt text", name, old.get(key, ""), new.get(key, ""))
    if old.get("decorative", False) != new.get("decorative", False):
        marks = old.get("decorative", False), new.get("decorative", False)
        yield Difference("alt text", "decorative", *marks)
    for key in ("click", "hover"):
        if old.get(key) != new.get(key):
            yield Difference("link", key, old.get(key), new.get(key))
    for key, none in (("effects", []), ("hidden", False)):
        if old.get(key, none) != new.get(key, none):
            origins = (
                _effect_origin(old) if key == "effects" else "",
                _effect_origin(new) if key == "effects" else "",
            )
            yield Difference("style", key, old.get(key, none), new.get(key, none), origins=origins)


def _effect_origin(shape: Json) -> str:
    held = shape.get(shape["kind"], {})
    origin: Any = held.get("sources", {}).get("effects", "")
    return str(origin)


def _glue(old: Json, new: Json, shape_ids: dict[int, int]) -> Iterator[Difference]:
    """A connector whose shape is gone follows from that; a site counts with its shape."""
    for end in ("start", "end"):
        stated = old.get(end)
        if stated is not None and stated not in shape_ids:
            continue
        before = None if stated is None else shape_ids[stated]
        glued = before, new.get(end)
        sites = old.get(f"{end}_site"), new.get(f"{end}_site")
        if glued[0] != glued[1]:
            yield Difference("geometry", f"connected {end}", *glued)
        elif glued[0] is not None and sites[0] != sites[1]:
            yield Difference("geometry", f"connected {end} site", *sites)


def _diagram(old: Json, new: Json) -> Iterator[Difference]:
    nodes = old.get("nodes", []), new.get("nodes", [])
    if nodes[0] != nodes[1]:
        told = [list(map(_node, side)) for side in nodes]
        yield Difference("diagram", "nodes", told[0], told[1])
    yield from field_differences(old, new, "diagram", skip={"nodes", "sources"})


def _node(node: Json) -> Any:
    depth = node.get("depth", 0)
    return "  " * depth + node.get("text", "")


def _media(old: Json, new: Json) -> Iterator[Difference]:
    yield from picture_differences(old, new, "media")


def _other(old: Json, new: Json) -> Iterator[Difference]:
    yield from field_differences(old, new, "other", skip={"sources"})


_COMPARERS: dict[str, Callable[[Json, Json], Iterator[Difference]]] = {
    "shape": area_differences,
    "line": line_differences,
    "image": picture_differences,
    "table": table_differences,
    "chart": chart_differences,
    "diagram": _diagram,
    "media": _media,
    "other": _other,
}
