"""A package being edited in memory: changed parts stay in memory until the draft is saved."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path

from lxml import etree

from decklab.core.errors import MissingPart
from decklab.ooxml.package import NewPart, Package, package_bytes, write_package
from decklab.ooxml.parts import (
    RELATIONSHIPS_TYPE,
    STRICT,
    Parts,
    Relationship,
    links_of,
    lookup_key,
    next_name,
    relationships_part,
    relative_target,
    transitional_bytes,
)
from decklab.ooxml.xml import NAMESPACES, Element, parse_xml, qn, serialize_xml

_ID = re.compile(r"rId(\d{1,9})\Z")
_NO_LINKS = f'<Relationships xmlns="{NAMESPACES["rel"]}"/>'.encode()


class Draft(Parts):
    """An edited view of a package; the package itself, and its file, stay as they are.

    It reads like a Package (``names``, ``find``, ``read``, ``xml``, ``relationships``,
    ``content_type``) and shows every change at once. Saving writes parts that nobody changed as
    they were, byte for byte. A part's relationships are a part of their own and go with it.
    The package has to stay open until the draft is saved. A package of the strict edition is
    saved in the transitional one, since one file cannot hold both.
    """

    def __init__(self, package: Package) -> None:
        self.package = package
        self._content: dict[str, bytes | Element] = {}
        self._spelling: dict[str, str] = {lookup_key(name): name for name in package.names}
        self._added: dict[str, str] = {}
        self._gone: set[str] = set()
        self._links: dict[str, dict[str, Relationship]] = {}
        for name, data in _transitional_parts(package).items():
            self._content[lookup_key(name)] = data

    @property
    def label(self) -> str:
        """How errors name the package."""
        return self.package.label

    @property
    def names(self) -> tuple[str, ...]:
        """All part names as they stand now."""
        return tuple(name for key, name in self._spelling.items() if key not in self._gone)

    @property
    def main_part(self) -> str:
        """Name of the main part, such as ``ppt/presentation.xml``; raises MissingPart."""
        return self.package.main_part

    def find(self, name: str) -> str | None:
        """The spelling under which a part is held; None if there is no such part."""
        key = lookup_key(name.lstrip("/"))
        return None if key in self._gone else self._spelling.get(key)

    def content_type(self, name: str) -> str | None:
        """The content type of a part; None if nothing states it."""
        return self._added.get(self._key(name)) or self.package.content_type(name)

    def read(self, name: str) -> bytes:
        """The bytes of a part as it stands now; raises MissingPart."""
        if (held := self._content.get(self._key(name))) is None:
            return self.package.read(name)
        return held if isinstance(held, bytes) else serialize_xml(held)

    def xml(self, name: str) -> Element:
        """The root of a part as it stands now; a copy, so changes to it are lost."""
        held = self._content.get(self._key(name))
        return deepcopy(held) if isinstance(held, etree._Element) else self._parsed(name)

    def root(self, name: str) -> Element:
        """The root of a part as it stands now, to be looked at only."""
        held = self._content.get(self._key(name))
        return held if isinstance(held, etree._Element) else self._parsed(name)

    def mentions(self, name: str, text: bytes) -> bool:
        """Whether the bytes of a part hold a text, so that it may be worth parsing."""
        return text in self.read(name)

    def edit(self, name: str) -> Element:
        """The root of a part to be changed in place; from now on the part counts as changed.

        Relationships are better changed by ``link`` and ``unlink``.
        """
        key = self._key(name)
        held = self._content.get(key)
        if not isinstance(held, etree._Element):
            held = self._content[key] = self._parsed(name)
        self._forget_links(name)
        return held

    def replace(self, name: str, data: bytes) -> None:
        """Give a part new bytes; raises MissingPart."""
        self._content[self._key(name)] = data
        self._forget_links(name)

    def add(self, name: str, content_type: str, data: bytes) -> str:
        """Add a part and return its name; raises ValueError if there is or was one.

        A name is never used again, so that a removed part cannot come back as another.
        """
        if (key := lookup_key(name)) in self._spelling:
            raise ValueError(f"there is, or was, a part {name} already")
        self._spelling[key] = name
        self._added[key] = content_type
        self._content[key] = data
        self._forget_links(name)
        return name

    def remove(self, name: str) -> None:
        """Remove a part and its relationships; the caller removes those that lead to it."""
        for part in (name, relationships_part(name)):
            if (known := self.find(part)) is not None:
                self._gone.add(lookup_key(known))
        self._links.clear()

    def was_used(self, name: str) -> bool:
        """Whether there is, or was, a part of that name, so that it cannot be added."""
        return lookup_key(name) in self._spelling

    def unused_name(self, like: str) -> str:
        """A part name that was never used, with the next number in the folder of ``like``.

        After ``ppt/slides/slide7.xml`` comes ``slide8.xml``, or one past the highest there is. A
        damaged package may hold relationships of a part that is gone: no other part comes by them.
        """
        return next_name(like, self._spelling)

    def relationships(self, part: str = "") -> dict[str, Relationship]:
        """The relationships of a part by id, ``""`` for those of the package; none is empty."""
        if part not in self._links:
            self._links[part] = links_of(self, part)
        return self._links[part]

    def link(self, part: str, type: str, target: str, id: str | None = None) -> str:
        """Relate a part to another and return the relationship's id, a free one for None."""
        if (name := self.find(relationships_part(part))) is None:
            name = self.add(relationships_part(part), RELATIONSHIPS_TYPE, _NO_LINKS)
        root = self.edit(name)
        id = id or _free_id(root)
        attributes = {"Id": id, "Type": type, "Target": relative_target(part, target)}
        etree.SubElement(root, qn("rel:Relationship"), attributes)
        return id

    def add_links(
        self, part: str, source: Parts, original: str, targets: Mapping[str, str | None]
    ) -> None:
        """Give a new part the relationships that ``original`` has in ``source``, with their ids.

        ``targets`` says by id where they lead now, None for one to be left out; others are kept as
        they are written.
        """
        if (held := source.find(relationships_part(original))) is None:
            return
        root, links = source.xml(held), source.relationships(original)
        moved = posixpath.dirname(part) != posixpath.dirname(original)
        for item in list(root):
            id = item.get("Id") or ""
            if (target := targets.get(id, "")) is None:
                root.remove(item)
            elif target and (moved or target != links[id].target):
                item.set("Target", relative_target(part, target))
        self.add(relationships_part(part), RELATIONSHIPS_TYPE, serialize_xml(root))

    def unlink(self, part: str, id: str) -> None:
        """Remove a relationship; the caller removes what refers to it by id."""
        if (name := self.find(relationships_part(part))) is None:
            return
        root = self.edit(name)
        for item in root.findall(qn("rel:Relationship")):
            if item.get("Id") == id:
                root.remove(item)

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Make the changes of the block together: if it raises, none of them is made."""
        content = {key: deepcopy(held) for key, held in self._content.items()}
        before = content, dict(self._spelling), dict(self._added), set(self._gone)
        try:
            yield
        except BaseException:
            self._content, self._spelling, self._added, self._gone = before
            self._links.clear()
            raise

    def to_bytes(self) -> bytes:
        """The whole package as it would be saved."""
        replace, add, remove = self._changes()
        return package_bytes(self.package, replace=replace, add=add, remove=remove)

    def to_package(self) -> Package:
        """The package as it stands now, opened for reading."""
        return Package.from_bytes(self.to_bytes(), self.label, self.package.limits)

    def save(self, path: str | Path) -> Path:
        """Write the package to ``path``, whole or not at all; it may be the file it came from."""
        replace, add, remove = self._changes()
        return write_package(self.package, path, replace=replace, add=add, remove=remove)

    def _changes(self) -> tuple[dict[str, bytes], dict[str, NewPart], list[str]]:
        """Parts replaced and added, and names of those removed."""
        replace: dict[str, bytes] = {}
        add: dict[str, NewPart] = {}
        for key in self._content:
            name = self._spelling[key]
            if key in self._gone:
                continue
            if key in self._added:
                add[name] = (self._added[key], self.read(name))
            else:
                replace[name] = self.read(name)
        remove = [self._spelling[key] for key in self._gone if key not in self._added]
        return replace, add, remove

    def _key(self, name: str) -> str:
        if (known := self.find(name)) is None:
            raise MissingPart(self.label, "there is no such part", name)
        return lookup_key(known)

    def _parsed(self, name: str) -> Element:
        data = self.read(name)
        return parse_xml(data, path=self.label, part=name, limits=self.package.limits)

    def _forget_links(self, name: str) -> None:
        if name.lower().endswith(".rels"):
            self._links.clear()


def _transitional_parts(package: Package) -> dict[str, bytes]:
    """New bytes for the parts of a package of the strict edition; nothing for any other."""
    if STRICT not in package.read(package.main_part):
        return {}
    new = {name: transitional_bytes(package, name) for name in package.names}
    return {name: data for name, data in new.items() if data != package.read(name)}


def _free_id(root: Element) -> str:
    ids = (_ID.match(item.get("Id") or "") for item in root)
    return f"rId{max((int(id.group(1)) for id in ids if id), default=0) + 1}"
