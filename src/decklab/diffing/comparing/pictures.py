"""What differs between two pictures, media or areas: contents, crops, outlines, paints."""

from collections.abc import Iterator
from typing import Any

from decklab.diffing.comparing.paints import paint_differences, pen_differences
from decklab.diffing.differences import Difference, Json, field_differences
from decklab.diffing.model import Kind

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
        yield Difference(kind, "image" if kind == "picture" else "poster", _told(old), _told(new))
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
    """How the ``line`` of two shapes differs, what it is glued to left aside."""
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
    yield from field_differences(old, new, rest, skip=_PAINTED | skip | {*_OUTLINE})


def _outline(old: Json, new: Json) -> Iterator[Difference]:
    """One difference for another outline; handles count only where it is the same."""
    outlines = [(one.get("geometry"), one.get("path")) for one in (old, new)]
    if outlines[0] != outlines[1]:
        same_name = outlines[0][0] == outlines[1][0]
        which = 1 if same_name else 0
        name = "path" if same_name else "geometry"
        yield Difference("style", name, outlines[0][which], outlines[1][which])
    elif old.get("adjustments", {}) != new.get("adjustments", {}):
        yield Difference(
            "style", "adjustments", old.get("adjustments", {}), new.get("adjustments", {})
        )


def _told(image: Json) -> Any:
    return {key: image[key] for key in ("sha256", "link", "pixels") if image.get(key)} or None


def _crop(image: Json) -> dict[str, float]:
    crop = image.get("crop", {})
    return {edge: crop.get(edge, 0.0) for edge in _EDGES}
