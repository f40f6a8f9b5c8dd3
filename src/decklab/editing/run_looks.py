"""One property of the characters of a shape, such as their size, as another deck has it."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Final

from decklab.ooxml.xml import Element, qn

_ATTRIBUTES: Final[Mapping[str, str]] = {
    "font.bold": "b", "font.italic": "i", "font.size": "sz", "font.underline": "u",
    "font.strike": "strike", "font.caps": "cap", "font.baseline": "baseline",
    "font.spacing": "spc",
}  # fmt: skip
_FILLS = ("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill")
_CHILDREN: Final[Mapping[str, tuple[str, ...]]] = {"font.color": _FILLS, "font.name": ("latin",)}
_ORDER = (
    "ln", *_FILLS, "effectLst", "effectDag", "highlight", "uLnTx", "uLn", "uFillTx", "uFill",
    "latin", "ea", "cs", "sym", "hlinkClick", "hlinkMouseOver", "rtl", "extLst",
)  # fmt: skip
"""Children of the properties of a run, in the order of the standard (ECMA-376, 21.1.2.3.9)."""
RUN_LOOKS: Final = frozenset({*_ATTRIBUTES, *_CHILDREN})
"""Properties of changes that can be put back run by run."""
_RUNS = tuple(qn(f"a:{name}") for name in ("r", "fld", "br"))


def put_back_run_look(older: Element, newer: Element, look: str) -> bool:
    """Give the runs of a shape one of ``RUN_LOOKS`` as the older shape has it.

    False, with nothing changed, where the shapes have other runs.
    """
    sides = [list(shape.iter(*_RUNS)) for shape in (older, newer)]
    if [_text(run) for run in sides[0]] != [_text(run) for run in sides[1]]:
        return False
    for was, now in zip(*sides, strict=True):
        stated = was.find(qn("a:rPr"))
        properties = now.find(qn("a:rPr"))
        if properties is None and stated is None:
            continue
        if properties is None:
            properties = now.makeelement(qn("a:rPr"))
            now.insert(0, properties)
        if look in _ATTRIBUTES:
            _attribute(stated, properties, _ATTRIBUTES[look])
        else:
            _child(stated, properties, _CHILDREN[look])
    return True


def _text(run: Element) -> tuple[str, str]:
    return str(run.tag), run.findtext(qn("a:t")) or ""


def _attribute(stated: Element | None, properties: Element, name: str) -> None:
    value = None if stated is None else stated.get(name)
    if value is not None:
        properties.set(name, value)
    elif name in properties.attrib:
        del properties.attrib[name]


def _child(stated: Element | None, properties: Element, names: tuple[str, ...]) -> None:
    tags = {qn(f"a:{name}") for name in names}
    for child in [one for one in properties if one.tag in tags]:
        properties.remove(child)
    later = {qn(f"a:{name}") for name in _ORDER[_ORDER.index(names[-1]) + 1 :]}
    for child in [] if stated is None else [one for one in stated if one.tag in tags]:
        places = [at for at, one in enumerate(properties) if one.tag in later]
        properties.insert(places[0] if places else len(properties), deepcopy(child))
