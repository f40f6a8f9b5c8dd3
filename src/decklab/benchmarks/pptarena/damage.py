"""Collateral damage by program: one thing spoilt that a truth leaves alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from decklab.metrics.edits import DeckEdit, atomic_changes
from decklab.ooxml.package import Package
from decklab.ooxml.units import parse_int
from decklab.ooxml.writing import write_package
from decklab.ooxml.xml import qn, serialize_xml
from decklab.results import NotScored

_RIGHT: Final = 48 * 12_700
_DOWN: Final = 36 * 12_700
"""EMU by which a shape is moved: far enough to be seen. Ours."""


def spoil(truth: Path, asked: DeckEdit, out: Path) -> str | NotScored:
    """Write the truth with one shape spoilt that ``asked``, the edit of the case, leaves alone.

    It is moved, or taken out where it has no place of its own. Gives what was done in words, or
    NotScored where every shape was to be touched. Slides that the truth leaves alone come first,
    the last of the deck before others. Raises DeckError where the truth cannot be read.
    """
    with Package.open(truth) as package:
        for slide, id, name in _candidates(asked):
            part = slide["part"]
            root = package.xml(part)
            done = _spoil(root, id)
            if done:
                write_package(package, out, replace={part: serialize_xml(root)})
                return f"slide {slide['number']}: {name!r} was {done}"
    return NotScored("the truth leaves no shape alone")


def _candidates(asked: DeckEdit) -> Iterator[tuple[dict[str, Any], int, str]]:
    """Slides of the truth with id and name of each shape that is not to be touched."""
    places = [atom.place for atom in atomic_changes(asked)]
    slides = {place[0] for place in places}
    shapes = {(place[0], place[2]) for place in places}
    kept = [one for one in reversed(asked.after["slides"]) if one["number"] in asked.older]
    kept.sort(key=lambda slide: asked.older[slide["number"]] in slides)
    for slide in kept:
        for shape in slide.get("shapes", []):
            id = shape.get("id", 0)
            if not shape.get("groups") and (asked.older[slide["number"]], id) not in shapes:
                yield slide, id, shape.get("name", "")


def _spoil(root: Any, id: int) -> str:
    """Move the shape, or take it out where it takes its place from elsewhere; what was done."""
    for shape in root.iterfind(f"{qn('p:cSld')}/{qn('p:spTree')}/*"):
        named = next(shape.iter(qn("p:cNvPr")), None)
        if named is None or parse_int(named.get("id")) != id:
            continue
        place = next(shape.iter(qn("a:off")), None)
        if place is None:
            shape.getparent().remove(shape)
            return "taken out"
        place.set("x", str((parse_int(place.get("x")) or 0) + _RIGHT))
        place.set("y", str((parse_int(place.get("y")) or 0) + _DOWN))
        return "moved"
    return ""
