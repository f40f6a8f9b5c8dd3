"""Placeholders: which shape of the layout, and of the master, a placeholder inherits from.

A slide's placeholder finds its layout's by index, a title by its type; a layout's finds its
master's by type (ISO/IEC 29500-1, 19.3.1.36, and the behaviour of PowerPoint).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, qn

_TITLES = frozenset({"title", "ctrTitle"})
_MASTER_TYPES = {
    "ctrTitle": "title",
    "title": "title",
    "dt": "dt",
    "ftr": "ftr",
    "sldNum": "sldNum",
    "hdr": "hdr",
}


@dataclass(frozen=True)
class PlaceholderKey:
    """The place in the template that a placeholder states, and the shape's element."""

    type: str
    idx: int
    numbered: bool
    """Whether it states its index; else index 0 is only the default."""
    element: Element

    @property
    def master_type(self) -> str:
        """The type of the master's placeholder that it inherits from: ``body`` for all content."""
        return _MASTER_TYPES.get(self.type, "body")


def placeholder_of(element: Element) -> PlaceholderKey | None:
    """The placeholder a shape element is; None for all others."""
    for holder in element:
        if isinstance(holder.tag, str) and holder.tag.endswith(("SpPr", "PicPr", "FramePr")):
            ph = holder.find(f"{qn('p:nvPr')}/{qn('p:ph')}")
            if ph is not None:
                idx = parse_int(ph.get("idx"))
                return PlaceholderKey(ph.get("type") or "obj", idx or 0, idx is not None, element)
            return None
    return None


class Placeholders(tuple[PlaceholderKey, ...]):
    """The placeholders of one layout or master, in order, with an index to find one by."""

    @cached_property
    def first(self) -> dict[tuple[str, object], PlaceholderKey]:
        """The first placeholder of each kind of key: by ``type``, ``master``, ``idx``, ``both``."""
        keys: dict[tuple[str, object], PlaceholderKey] = {}
        for item in self:
            is_title = item.type in _TITLES
            keys.setdefault(("type", "title" if is_title else item.type), item)
            keys.setdefault(("master", item.master_type), item)
            if not is_title:
                keys.setdefault(("idx", item.idx), item)
                keys.setdefault(("both", (item.idx, item.type)), item)
        return keys


def placeholders(elements: Iterable[Element]) -> Placeholders:
    """The placeholders among shape elements, in order."""
    keys = (placeholder_of(element) for element in elements)
    return Placeholders(item for item in keys if item is not None)


def find_in_layout(key: PlaceholderKey, layout: Placeholders) -> PlaceholderKey | None:
    """The layout's placeholder that a slide's inherits from; None if the layout has none."""
    first = layout.first
    if key.type in _TITLES:
        return first.get(("type", "title"))
    numbered = first.get(("both", (key.idx, key.type))) or first.get(("idx", key.idx))
    if numbered is not None:
        return numbered
    if not key.numbered or key.master_type != "body":
        return first.get(("type", key.type))
    return None


def find_in_master(key: PlaceholderKey, master: Placeholders) -> PlaceholderKey | None:
    """The master's placeholder that a layout's inherits from; None if the master has none."""
    return master.first.get(("master", key.master_type))
