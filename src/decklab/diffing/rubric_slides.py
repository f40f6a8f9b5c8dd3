"""What rubrics of PPT-Eval are told of a slide and its shapes, read as their evaluator reads it.

All text of a shape in one piece, and the number of its ``p:sp`` elements: plain facts of the XML,
which a snapshot, that resolves and joins, no longer holds.
"""

import re
from dataclasses import dataclass, field

from decklab.deck.part import DAMAGE
from decklab.ooxml.package import Package
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, qn

_TITLES = frozenset({"title", "ctrTitle"})


@dataclass(frozen=True)
class SlideFacts:
    """What is read of one slide; a slide that cannot be read has nothing."""

    title: str | None = None
    """Text of the title placeholder, else of the first shape with "title" in its name."""
    element_count: int = 0
    """``p:sp`` elements at any depth: placeholders, text boxes and drawn shapes."""
    texts: dict[int, str] = field(default_factory=dict)
    """Text of each such shape that has one, by its id."""
    routes: tuple[str, ...] = ()
    """Motion paths as the file spells them, one for each such effect of the timeline, in order."""


def slide_facts(package: Package, part: str) -> SlideFacts:
    """The facts of the slide in ``part``."""
    try:
        root = package.xml(part)
    except DAMAGE:
        return SlideFacts()
    shapes = list(root.iter(qn("p:sp")))
    texts: dict[int, str] = {}
    for shape in shapes:
        text, id = _text(shape), _id(shape)
        if text is not None and id is not None:
            texts.setdefault(id, text)
    return SlideFacts(_title(shapes), len(shapes), texts, tuple(map(_motion_path, _motions(root))))


def _title(shapes: list[Element]) -> str | None:
    for shape in shapes:
        holder = shape.find(f"{qn('p:nvSpPr')}/{qn('p:nvPr')}/{qn('p:ph')}")
        if holder is not None and holder.get("type") in _TITLES:
            return _text(shape)
    for shape in shapes:
        named = _named(shape)
        if named is not None and "title" in (named.get("name") or "").lower():
            return _text(shape)
    return None


def _text(shape: Element) -> str | None:
    """All text without a mark between runs, paragraphs and lines; None where there is none."""
    text = "".join(item.text or "" for item in shape.iter(qn("a:t"))).strip()
    return re.sub(r"[ \t]+", " ", text) or None


def _named(shape: Element) -> Element | None:
    return shape.find(f"{qn('p:nvSpPr')}/{qn('p:cNvPr')}")


def _id(shape: Element) -> int | None:
    named = _named(shape)
    return None if named is None else parse_int(named.get("id"))


def _motions(root: Element) -> list[Element]:
    return [node for node in root.iter(qn("p:cTn")) if node.get("presetClass") == "path"]


def _motion_path(effect: Element) -> str:
    motion = next(effect.iter(qn("p:animMotion")), None)
    return "" if motion is None else motion.get("path") or ""
