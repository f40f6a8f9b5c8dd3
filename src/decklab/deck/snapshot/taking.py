"""Taking a snapshot."""

import json
from collections.abc import Collection, Mapping
from typing import Any

from decklab.deck.elements.extraction.deck import read_elements, read_part_of_deck
from decklab.deck.elements.model.deck import DeckElements
from decklab.deck.elements.model.slide import KINDS, Contents
from decklab.deck.snapshot.contents import content_of_slide
from decklab.deck.snapshot.shapes import shapes_of
from decklab.deck.styles.sheets import Sheet
from decklab.ooxml.package import Package

__all__ = ["SCHEMA", "Snapshot", "snapshot", "snapshot_bytes"]

SCHEMA = "decklab.snapshot/1"
"""Name and version of the form; the number changes when keys change their meaning."""

Snapshot = dict[str, Any]
"""Plain JSON; see the package for its keys."""

_NOTHING: Mapping[str, Collection[int]] = {}
_LISTS = frozenset({"slides", "layouts", "masters", *KINDS})


def snapshot(
    package: Package,
    *,
    slides: Collection[int] | None = None,
    layouts: Collection[str] = (),
    masters: Collection[str] = (),
    without: Mapping[str, Collection[int]] = _NOTHING,
    templates: dict[str, Sheet] | None = None,
) -> Snapshot:
    """All that decklab reads of a deck as plain JSON.

    With ``slides`` only the slides of these 1-based numbers are in it, without the shapes whose
    ids ``without`` lists by the slide's part; of what stands behind them only the names, but for
    the layouts in the parts ``layouts`` and their masters, which are there in full; the masters in
    the parts ``masters`` by name, with their themes; and no media. ``templates`` holds
    layouts and masters that were read before, see ``read_part_of_deck``. Raises what
    ``read_elements`` raises; a damaged part is noted in ``problems``.
    """
    if slides is None:
        return _plain(read_elements(package))
    return _plain(
        read_part_of_deck(
            package,
            slides,
            layouts=layouts,
            masters=masters,
            without=without,
            templates=templates,
        )
    )


def snapshot_bytes(taken: Snapshot) -> bytes:
    """The snapshot in UTF-8, keys sorted, on one line: equal snapshots give equal bytes."""
    text = json.dumps(
        taken, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    )
    return text.encode() + b"\n"


def _plain(deck: DeckElements) -> Snapshot:
    values = deck.model_dump(mode="json", exclude=set(_LISTS) & set(DeckElements.model_fields))
    return {
        "schema": SCHEMA,
        "size_pt": values.pop("size_pt"),
        "slides": [_slide(slide) for slide in deck.slides],
        "layouts": [_sheet(layout) for layout in deck.layouts],
        "masters": [_sheet(master) for master in deck.masters],
        **values,
    }


def _sheet(contents: Contents) -> dict[str, Any]:
    values = contents.model_dump(
        mode="json", exclude_defaults=True, exclude={*KINDS, "size", "size_pt"}
    )
    return {**values, "shapes": shapes_of(contents.elements())}


def _slide(contents: Contents) -> dict[str, Any]:
    values = _sheet(contents)
    shapes = values.pop("shapes")
    read_aloud = [
        shape["id"]
        for shape in shapes
        if "id" in shape
        and shape["kind"] != "group"
        and not shape.get("decorative")
        and not shape.get("hidden")
    ]
    slide = {"number": 1, "id": 0, **values, "reading_order": read_aloud, "content": ""}
    slide["shapes"] = shapes
    slide["content"] = content_of_slide(slide)
    return slide
