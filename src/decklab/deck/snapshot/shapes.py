"""Elements as shapes: one entry for each shape of the file, its text inside."""

from collections.abc import Iterable
from typing import Any

from decklab.deck.elements.model.shapes import (
    Chart,
    Diagram,
    Element,
    Group,
    Image,
    Line,
    Media,
    Other,
    Rect,
    Table,
    Text,
)
from decklab.deck.snapshot.contents import content_of_shape

__all__ = ["dumped", "shapes_of"]

_KINDS: dict[type[Element], str] = {
    Rect: "shape", Text: "shape", Line: "line", Image: "image", Table: "table", Chart: "chart",
    Diagram: "diagram", Media: "media", Group: "group", Other: "other",
}  # fmt: skip
_SHARED = frozenset(Element.model_fields) - {"sources"} | {
    "x", "y", "w", "h", "x1", "y1", "x2", "y2",
}  # fmt: skip
"""What stands on the shape itself; everything else is its kind's."""
_UNPAINTED = {"rx": 0.0, "fill": None, "stroke": None, "strokeWidth": 0.0}
"""What a shape has that is not painted, so that painting it is a change of these."""


def dumped(model: Any) -> dict[str, Any]:
    """A model as plain JSON, without what has its default."""
    found: dict[str, Any] = model.model_dump(mode="json", exclude_defaults=True)
    return found


def shapes_of(elements: Iterable[Element]) -> list[dict[str, Any]]:
    """The shapes of elements in drawing order."""
    found: dict[int | None, dict[str, Any]] = {}
    for element in elements:
        values = dumped(element)
        _join_runs(values)
        shared = {key: values.pop(key) for key in tuple(values) if key in _SHARED}
        kind = _KINDS[type(element)]
        shape = found.setdefault(element.z, {"kind": kind, "content": "", **shared})
        if isinstance(element, Text):
            shape["text"] = values
            if shape["kind"] == "shape":
                shape.setdefault("shape", dict(_UNPAINTED))
        elif values:
            shape[kind] = values
    for shape in found.values():
        shape["content"] = content_of_shape(shape)
    return list(found.values())


def _join_runs(values: dict[str, Any]) -> None:
    """Make one of neighbouring runs that differ in nothing but text, wherever a program split
    them; in the paragraphs of a text, and of a table's cells."""
    cells = [cell for row in values.get("rows", ()) for cell in row]
    for holder in (values, *cells):
        for paragraph in holder.get("paragraphs", ()):
            if "runs" in paragraph:
                paragraph["runs"] = _joined(paragraph["runs"])


def _joined(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for run in runs:
        last = found[-1] if found else {}
        if "kind" not in run and {**last, "text": ""} == {**run, "text": ""}:
            last["text"] += run["text"]
        else:
            found.append(run)
    return found
