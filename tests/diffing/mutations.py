"""One random change of a deck's parts, and what it was."""

import random
from collections.abc import Callable, Collection, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from decklab.core.errors import DecklabError
from decklab.ooxml.package import Package, write_package
from decklab.ooxml.parts import CONTENT_TYPES_PART, resolve_target
from decklab.ooxml.xml import Element, local_name, parse_xml, serialize_xml

__all__ = ["Mutation", "mutated"]


_ANY: Mapping[str, Collection[int]] = {}


@dataclass(frozen=True)
class Mutation:
    """What was done, and where."""

    action: str
    part: str
    path: str = ""
    old: str | None = None
    new: str | None = None


class _Done(NamedTuple):
    path: str
    old: str | None
    new: str | None


_Change = Callable[[Element, random.Random], "_Done | None"]


def mutated(
    deck: Path, out: Path, chance: random.Random, *, within: Mapping[str, Collection[int]] = _ANY
) -> Mutation | str:
    """Make one change and write the deck; the reason where the change drawn is none.

    ``within`` names XML parts, each with the ids of the shapes in which the change is to be, or
    none for anywhere in the part; without it the change is anywhere in the deck.
    """
    try:
        with Package.open(deck) as package:
            if within:
                return _inside(package, out, chance, within)
            return chance.choices(
                (_xml, _relationship, _bytes, _part), weights=(80, 8, 7, 5)
            )[0](package, out, chance)  # fmt: skip
    except DecklabError:
        return "unreadable"


def _inside(
    package: Package, out: Path, chance: random.Random, within: Mapping[str, Collection[int]]
) -> Mutation | str:
    part = chance.choice(sorted(within))
    root, ids = package.xml(part), {str(id) for id in within[part]}
    named = [one for one in root.iter("{*}cNvPr") if one.get("id") in ids]
    shapes = [shape for one in named for shape in list(one.iterancestors())[1:2]]
    items = [item for shape in shapes for item in shape.iter("*")] or list(root.iter("*"))
    return _changed(package, out, chance, part, items)


def _xml(package: Package, out: Path, chance: random.Random) -> Mutation | str:
    """One thing in an XML part, whose kind is drawn first: else slides would be all there is."""
    by_folder: dict[str, list[str]] = {}
    for name in package.names:
        if name.endswith((".xml", ".vml")) and name != CONTENT_TYPES_PART:
            by_folder.setdefault(name.rpartition("/")[0] + local_name(name)[:4], []).append(name)
    part = chance.choice(by_folder[chance.choice(sorted(by_folder))])
    return _changed(package, out, chance, part, list(package.xml(part).iter("*")))


def _changed(
    package: Package, out: Path, chance: random.Random, part: str, items: list[Element]
) -> Mutation | str:
    """One of the elements of a part changed."""
    root = items[0].getroottree().getroot()
    before = serialize_xml(root)
    action = chance.choice(sorted(_ACTIONS))
    done = _ACTIONS[action](chance.choice(items), chance)
    if done is None:
        return "nothing to do there"
    after = serialize_xml(root)
    if after == before:
        return "the same"
    parse_xml(after, path=part, part=part)
    write_package(package, out, replace={part: after})
    return Mutation(action, part, *done)


def _path(item: Element) -> str:
    return str(item.getroottree().getelementpath(item))[-160:]


def _double(item: Element, chance: random.Random) -> _Done | None:
    """A number twice as large (one where it was none), a flag flipped, a word turned round."""
    if not item.attrib:
        return None
    name = chance.choice(sorted(map(str, item.attrib)))
    old = str(item.get(name))
    if old.lstrip("-").isdigit() and old not in ("0", "1"):
        new = str(int(old) * 2)
    else:
        new = {"0": "1", "1": "0", "true": "false", "false": "true"}.get(old, old[::-1] or "x")
    if new == old:
        return None
    item.set(name, new)
    return _Done(f"{_path(item)}@{name}", old, new)


def _remove_attribute(item: Element, chance: random.Random) -> _Done | None:
    if not item.attrib:
        return None
    name = chance.choice(sorted(map(str, item.attrib)))
    old = str(item.attrib.pop(name))
    return _Done(f"{_path(item)}@{name}", old, None)


def _add_attribute(item: Element, chance: random.Random) -> _Done | None:
    """One that elements of this name have elsewhere in the part."""
    others = {
        (str(name), str(value))
        for other in item.getroottree().iter(item.tag)
        for name, value in other.items()
        if name not in item.attrib
    }
    if not others:
        return None
    name, value = chance.choice(sorted(others))
    item.set(name, value)
    return _Done(f"{_path(item)}@{name}", None, value)


def _remove(item: Element, _chance: random.Random) -> _Done | None:
    holder = item.getparent()
    if holder is None:
        return None
    path = _path(item)
    holder.remove(item)
    return _Done(path, str(item.tag), None)


def _repeat(item: Element, _chance: random.Random) -> _Done | None:
    if item.getparent() is None:
        return None
    item.addnext(deepcopy(item))
    return _Done(_path(item), None, str(item.tag))


def _move(item: Element, chance: random.Random) -> _Done | None:
    """To another place among its siblings."""
    holder = item.getparent()
    if holder is None or len(holder) < 2:
        return None
    place = holder.index(item)
    other = chance.choice([at for at in range(len(holder)) if at != place])
    holder.remove(item)
    holder.insert(other, item)
    return _Done(_path(item), str(place), str(other))


def _empty(item: Element, _chance: random.Random) -> _Done | None:
    if not len(item):
        return None
    path = _path(item)
    for child in list(item):
        item.remove(child)
    return _Done(path, "children", None)


def _text(item: Element, _chance: random.Random) -> _Done | None:
    if not (item.text or "").strip():
        return None
    old = str(item.text)
    item.text = f"{int(old) * 3 + 1}" if old.isdigit() else f"{old} and more"
    return _Done(_path(item), old, item.text)


_ACTIONS: dict[str, _Change] = {
    "attribute changed": _double,
    "attribute changed ": _double,
    "attribute changed  ": _double,
    "attribute removed": _remove_attribute,
    "attribute added": _add_attribute,
    "element removed": _remove,
    "element repeated": _repeat,
    "element moved": _move,
    "element emptied": _empty,
    "text changed": _text,
}


def _relationship(package: Package, out: Path, chance: random.Random) -> Mutation | str:
    """One that leads elsewhere, or is gone, or says another kind."""
    part = chance.choice([name for name in package.names if name.endswith(".rels")])
    root = package.xml(part)
    items = list(root.iter("{*}Relationship"))
    if not items:
        return "nothing to do there"
    item = chance.choice(items)
    old = item.get("Target") or ""
    owner = _owner(part)
    action = chance.choice(("relationship retargeted",) * 3 + ("relationship removed",))
    if action == "relationship removed":
        root.remove(item)
    elif item.get("TargetMode") == "External":
        item.set("Target", f"{old}/elsewhere")
    else:
        place = resolve_target(owner, old)
        like = [name for name in package.names if name != place
                and package.content_type(name) == package.content_type(place)]  # fmt: skip
        other = chance.choice(like or [name for name in package.names if name != place])
        if place in package and package.read(place) == package.read(other):
            return "the same"
        item.set("Target", f"/{other}")
    write_package(package, out, replace={part: serialize_xml(root)})
    return Mutation(action, part, item.get("Id") or "", old, item.get("Target"))


def _owner(name: str) -> str:
    folder, _, base = name.rpartition("_rels/")
    return f"{folder}{base.removesuffix('.rels')}"


def _binary(package: Package) -> Iterator[str]:
    for name in package.names:
        if not name.endswith((".xml", ".rels", ".vml")) and package.archive.size(name):
            yield name


def _bytes(package: Package, out: Path, chance: random.Random) -> Mutation | str:
    """One byte of a picture, sound, workbook or other part that is no XML."""
    names = list(_binary(package))
    if not names:
        return "nothing to do there"
    part = chance.choice(names)
    data = bytearray(package.read(part))
    place = chance.randrange(len(data))
    data[place] ^= 0x55
    write_package(package, out, replace={part: bytes(data)})
    return Mutation("byte changed", part, str(place))


def _part(package: Package, out: Path, chance: random.Random) -> Mutation | str:
    """A part that is gone, though what leads to it stays; or one more that nothing leads to."""
    if chance.random() < 0.5:
        name = f"ppt/{chance.choice(('media/extra.png', 'extra.bin', 'tags/tag999.xml'))}"
        if name in package:
            return "nothing to do there"
        kind = "image/png" if name.endswith("png") else "application/octet-stream"
        write_package(package, out, add={name: (kind, b"<extra/>")})
        return Mutation("part added", name)
    names = [name for name in package.names
             if name not in (CONTENT_TYPES_PART, package.main_part)
             and not name.endswith(".rels")]  # fmt: skip
    name = chance.choice(names)
    write_package(package, out, remove=[name])
    return Mutation("part removed", name)
