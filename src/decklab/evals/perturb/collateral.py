"""Collateral damage: a shape of an edited deck damaged that the edit should not change."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from decklab.core.results import NotScored
from decklab.ooxml.package import Package
from decklab.ooxml.units import parse_int
from decklab.ooxml.writing import write_package
from decklab.ooxml.xml import qn, serialize_xml

_RIGHT: Final = 48 * 12_700
_DOWN: Final = 36 * 12_700
"""EMU by which a shape is moved: far enough to be seen. Ours."""


def collateral_damage(
    truth: Path, shapes: Iterable[tuple[Mapping[str, Any], int, str]], out: Path
) -> str | NotScored:
    """Write the deck ``truth`` to ``out`` with one of ``shapes`` damaged.

    ``shapes`` are the shapes that the edit should not change, each with the snapshot of its slide,
    its id and its name. The first of them that the deck has is moved, or removed if it has no
    position of its own. Returns the damage in words; NotScored if no shape is found. Raises
    DeckError if the deck cannot be read.
    """
    with Package.open(truth) as package:
        for slide, id, name in shapes:
            part = slide["part"]
            root = package.xml(part)
            done = _spoil(root, id)
            if done:
                write_package(package, out, replace={part: serialize_xml(root)})
                return f"slide {slide['number']}: {name!r} was {done}"
    return NotScored("the truth leaves no shape alone")


def _spoil(root: Any, id: int) -> str:
    """Move the shape, or remove it if it inherits its position; returns the damage."""
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
