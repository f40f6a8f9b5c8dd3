"""A slide of a snapshot in few characters: looks that repeat are said once, tables are texts with
the looks of most cells and the exceptions, and what no request needs is left out.

Of 18 real decks a slide takes a fifth of what its snapshot takes.
"""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

OMITTED: Final = frozenset(
    {"sources", "content", "creation_id", "language", "east_asian", "complex_script", "sha256",
     "paint", "pen", "reading_order", "theme", "master", "parts", "media_sha256", "symbol", "path",
     "background_paint", "theme_style", "layout_part", "workbook", "plot", "plots", "values_ref",
     "categories_ref", "rx", "pixels", "content_type", "sites", "color_map", "z"}
)  # fmt: skip
"""Keys of a snapshot that no request needs: hashes, sources, paths of drawn shapes, colours that
other keys give too; shapes are in the order from back to front."""
LOOKS: Final = frozenset(
    {"adjustments", "effects", "body", "bullet", "line_spacing", "space_before", "space_after",
     "margin_left", "margin_right", "indent", "crop", "heights", "looks", "other_looks", "slot",
     "spacing"}
)  # fmt: skip
"""Keys that are left out when slides are many or large."""
_INSETS: Final = frozenset({"inset_left", "inset_top", "inset_right", "inset_bottom"})
_TEXT: Final = ("text", "runs")


def compact_slide(slide: Mapping[str, Any], omitted: Collection[str] = ()) -> dict[str, Any]:
    """A slide without what no request needs, and without the keys ``omitted``.

    Shapes have ``box``: left, top, width and height in px of the 960x540 frame.
    """
    bare = _reduced(slide, OMITTED | frozenset(omitted))
    shapes = bare.pop("shapes", [])
    bare.pop("id", None)
    if any(shape.get("placeholder", {}).get("type") in ("title", "ctrTitle") for shape in shapes):
        bare.pop("title", None)
    made = [_without_empty(_shape(shape)) for shape in shapes]
    return {**bare, **({"shapes": made} if made else {})}


def as_json(value: Any) -> str:
    """A value as JSON without spaces that nobody needs."""
    return json.dumps(value, ensure_ascii=False, separators=(", ", ":"))


def _shape(shape: Mapping[str, Any]) -> dict[str, Any]:
    """A shape with its places, texts and cells in few words."""
    made = {key: shape[key] for key in ("id", "name", "kind") if key in shape}
    if made.get("kind") == "shape":
        del made["kind"]
    if held := shape.get("placeholder"):
        made["placeholder"] = " ".join(str(held[key]) for key in ("type", "idx") if key in held)
    for name, keys in (("box", ("x", "y", "w", "h")), ("ends", ("x1", "y1", "x2", "y2"))):
        if keys[0] in shape:
            made[name] = [round(shape[key], 1) for key in keys]
    known = {*made, "kind", *("x", "y", "w", "h", "x1", "y1", "x2", "y2")}
    made |= {key: value for key, value in shape.items() if key not in known}
    if "text" in shape:
        made["text"] = _text(shape["text"])
    if "shape" in shape:
        made["shape"] = {key: value for key, value in shape["shape"].items() if value != 0}
    if "rows" in shape.get("table", {}):
        made["table"] = _table(shape["table"])
    return made


def _text(text: Mapping[str, Any]) -> dict[str, Any]:
    """A text whose paragraphs have the looks of most of them said once."""
    paragraphs = [_joined(paragraph) for paragraph in text.get("paragraphs", ())]
    body = {key: value for key, value in text.get("body", {}).items() if key not in _INSETS}
    if not any(map(_words_of, paragraphs)):
        return {"body": body}
    looks, lines = _with_common_looks(paragraphs)
    return {"paragraphs": lines, **looks, "body": body}


def _words_of(paragraph: Mapping[str, Any]) -> bool:
    return any(paragraph.get(key) for key in _TEXT)


def _joined(paragraph: Mapping[str, Any]) -> dict[str, Any]:
    """A paragraph whose runs look the same as one text with that look, others with their joint
    look; lengths are ``"20%"`` or ``"6pt"``."""
    rest = {key: _length(inner) for key, inner in paragraph.items() if key != "runs"}
    runs = paragraph.get("runs")
    if not isinstance(runs, list) or not all(isinstance(run, dict) for run in runs):
        return rest
    if all(run.get("kind") == "break" or run.get("text") is not None for run in runs):
        runs = [{**run, "text": run.get("text") or "\n"} for run in runs]
    looks, pieces = _with_common_looks([_flat_run(run) for run in runs])
    if all(isinstance(piece, str) for piece in pieces):
        return {"text": "".join(pieces), **looks, **rest}
    return {"runs": pieces, **looks, **rest}


def _flat_run(run: Mapping[str, Any]) -> dict[str, Any]:
    """A run; a line break has the looks of no text."""
    return {key: value for key, value in run.items() if (key, value) != ("kind", "break")}


def _with_common_looks(items: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any], list[Any]]:
    """The look that most items with words have, and the items: as a text where they look so, else
    with what is otherwise, None for what they do not have."""
    looks = [{key: item[key] for key in item if key not in _TEXT} for item in items]
    counted = Counter(
        as_json(look) for look, item in zip(looks, items, strict=True) if _words_of(item)
    )
    common: dict[str, Any] = json.loads(counted.most_common(1)[0][0]) if counted else {}
    shown = list[Any]()
    for look, item in zip(looks, items, strict=True):
        other = _other(look, common) if _words_of(item) else {}
        if "runs" in item or other:
            shown.append({**{key: item[key] for key in _TEXT if key in item}, **other})
        else:
            shown.append(item.get("text", ""))
    return common, shown


def _other(look: Mapping[str, Any], common: Mapping[str, Any]) -> dict[str, Any]:
    """Differences of a look from the common one, one level down; None for a missing value."""
    made = dict[str, Any]()
    for key in dict.fromkeys((*look, *common)):
        ours, theirs = look.get(key), common.get(key)
        if ours == theirs:
            continue
        both = isinstance(ours, dict) and isinstance(theirs, dict)
        made[key] = _other(ours, theirs) if both else ours  # type: ignore[arg-type]
    return made


def _length(value: Any) -> Any:
    if isinstance(value, Mapping) and set(value) == {"value", "unit"}:
        share = value["unit"] == "share"
        return f"{value['value'] * 100:g}%" if share else f"{value['value']:g}pt"
    return value


def _table(table: Mapping[str, Any]) -> dict[str, Any]:
    """A table as its texts, the looks of most cells, and those of the others by row and column."""
    rest = {key: value for key, value in table.items() if key not in ("cells", "rows")}
    cells = {
        (row, column): _cell(cell)
        for row, line in enumerate(table["rows"], 1)
        for column, cell in enumerate(line, 1)
    }
    counted = Counter(map(as_json, cells.values()))
    common = json.loads(counted.most_common(1)[0][0]) if counted else {}
    others = {
        place: json.dumps(_other(look, common), ensure_ascii=False)
        for place, look in cells.items()
        if as_json(look) != as_json(common)
    }
    widths = {row: len(line) for row, line in enumerate(table["rows"], 1)}
    listed = [
        {"cells": _places([place for place in others if others[place] == look], widths),
         **json.loads(look)}
        for look in dict.fromkeys(others.values())
    ]  # fmt: skip
    return {"texts": table.get("cells", []), **rest, "looks": common, "other_looks": listed}


def _cell(cell: Mapping[str, Any]) -> dict[str, Any]:
    """The looks of a cell: of its text, those of the first paragraph with words."""
    paragraphs = [_joined(paragraph) for paragraph in cell.get("paragraphs", ())]
    first = next(filter(_words_of, paragraphs), {})
    looks = {key: value for key, value in first.items() if key not in _TEXT}
    rest = {key: value for key, value in cell.items() if key not in ("paragraphs", "text")}
    rest["body"] = {key: rest["body"][key] for key in rest.get("body", {}) if key not in _INSETS}
    sides = [rest.pop(side, None) for side in ("left", "top", "right", "bottom")]
    if any(sides):
        rest["borders"] = sides[0] if all(side == sides[0] for side in sides) else sides
    return looks | rest


def _places(places: Sequence[tuple[int, int]], widths: Mapping[int, int]) -> str:
    """Cells in words, whole rows as such: ``row 1, r2c3``."""
    words = []
    for row, group in groupby(places, lambda place: place[0]):
        columns = [column for _row, column in group]
        whole = len(columns) == widths[row] > 1
        words += [f"row {row}"] if whole else [f"r{row}c{column}" for column in columns]
    return ", ".join(words)


def _reduced(value: Any, omitted: Collection[str]) -> Any:
    """A value without the keys ``omitted`` and without what is empty; whole numbers are whole."""
    if isinstance(value, dict):
        rest = {key: _reduced(inner, omitted) for key, inner in value.items() if key not in omitted}
        return {key: inner for key, inner in rest.items() if inner is not None and inner != ""}
    if isinstance(value, list):
        return [_reduced(item, omitted) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _without_empty(value: Any) -> Any:
    """A value without what holds nothing; None says that a look is missing, and stays."""
    if isinstance(value, dict):
        rest = {key: _without_empty(inner) for key, inner in value.items()}
        return {key: inner for key, inner in rest.items() if inner not in ({}, [], "")}
    return [_without_empty(item) for item in value] if isinstance(value, list) else value
