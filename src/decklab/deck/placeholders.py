"""Placeholders: which shape of the layout, and of the master, a placeholder inherits from.

A slide's placeholder finds its layout's by index, a title by its type; a layout's finds its
master's by type (ISO/IEC 29500-1, 19.3.1.36, and the behaviour of PowerPoint).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from decklab.ooxml.names import qn
from decklab.ooxml.parsing import Element
from decklab.ooxml.units import parse_int

__all__ = ["Placeholder", "find_in_layout", "find_in_master", "placeholder_of", "placeholders"]

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
class Placeholder:
    """What a shape says of its place in the template, and the shape's element."""

    type: str
    idx: int
    numbered: bool
    """Whether it states its index; where not, index 0 is only the default."""
    element: Element

    @property
    def master_type(self) -> str:
        """The type of the master's placeholder behind it: all kinds of content are ``body``."""
        return _MASTER_TYPES.get(self.type, "body")


def placeholder_of(element: Element) -> Placeholder | None:
    """The placeholder a shape element is; None for all others."""
    for holder in element:
        if isinstance(holder.tag, str) and holder.tag.endswith(("SpPr", "PicPr", "FramePr")):
            ph = holder.find(f"{qn('p:nvPr')}/{qn('p:ph')}")
            if ph is not None:
                idx = parse_int(ph.get("idx"))
                return Placeholder(ph.get("type") or "obj", idx or 0, idx is not None, element)
            return None
    return None


def placeholders(elements: Iterable[Element]) -> tuple[Placeholder, ...]:
    """The placeholders among shape elements, in order."""
    found = (placeholder_of(element) for element in elements)
    return tuple(item for item in found if item is not None)


def find_in_layout(one: Placeholder, layout: Iterable[Placeholder]) -> Placeholder | None:
    """The layout's placeholder that a slide's inherits from."""
    candidates = tuple(layout)
    if one.type in _TITLES:
        return _first(item for item in candidates if item.type in _TITLES)
    numbered = [item for item in candidates if item.idx == one.idx and item.type not in _TITLES]
    same = _first(item for item in numbered if item.type == one.type)
    if same or numbered:
        return same or numbered[0]
    if not one.numbered or one.master_type != "body":
        return _first(item for item in candidates if item.type == one.type)
    return None


def find_in_master(one: Placeholder, master: Iterable[Placeholder]) -> Placeholder | None:
    """The master's placeholder that a layout's inherits from."""
    return _first(item for item in master if item.master_type == one.master_type)


def _first(items: Iterable[Placeholder]) -> Placeholder | None:
    return next(iter(items), None)
