"""Parts of a package: their names, what they are, and how they refer to each other."""

import posixpath
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import count
from typing import Protocol
from urllib.parse import quote, unquote

from lxml import etree

from decklab.ooxml.xml import NAMESPACES, Element, qn, relationship_type, serialize_xml

_NUMBERED = re.compile(r"(.*?)(\d{0,9})\Z", re.DOTALL)
_BY_EXTENSION = ("image/", "audio/", "video/")
STRICT = b"http://purl.oclc.org/ooxml/"
"""Beginning of the namespaces of the strict edition."""
RELATIONSHIPS_TYPE = "application/vnd.openxmlformats-package.relationships+xml"
_UNQUOTED = "/%!$&'()*+,;=:@~"  # what a path may hold as it is (RFC 3986); % keeps quoted names


def lookup_key(name: str) -> str:
    """A part name without what does not count in it: case, percent-encoding (ISO/IEC 29500-2).

    >>> lookup_key("ppt/media/My%20Image.PNG") == lookup_key("ppt/media/my image.png")
    True
    """
    return (unquote(name) if "%" in name else name).lower()


@dataclass(frozen=True)
class Relationship:
    """One reference from a part to another part, or to something outside the package."""

    id: str
    type: str
    """Full type, in the transitional spelling."""
    target: str
    """Part name where internal, whether or not there is such a part; else the address as
    written, which decklab never opens."""
    external: bool

    @cached_property
    def kind(self) -> str:
        """Last word of the type, such as ``image`` or ``slideLayout``."""
        return self.type.rpartition("/")[2]


def relationships_part(name: str) -> str:
    """The part that holds the relationships of a part; ``""`` stands for the package itself.

    >>> relationships_part("ppt/slides/slide1.xml"), relationships_part("")
    ('ppt/slides/_rels/slide1.xml.rels', '_rels/.rels')
    """
    folder, _, base = name.rpartition("/")
    return posixpath.join(folder, "_rels", f"{base}.rels")


def relationships_owner(name: str) -> str:
    """The part whose relationships are in the part ``name``; ``""`` for those of the package.

    >>> relationships_owner("ppt/slides/_rels/slide1.xml.rels"), relationships_owner("_rels/.rels")
    ('ppt/slides/slide1.xml', '')
    """
    folder, _, base = name.rpartition("_rels/")
    return f"{folder}{base.removesuffix('.rels')}"


def resolve_target(source: str, target: str) -> str:
    """The part name that a target means, seen from the part that names it.

    One that climbs above the package's root is read from the root, as RFC 3986 (section 5.2.4)
    resolves addresses and programs open what LibreOffice writes.

    >>> resolve_target("ppt/slides/slide1.xml", "../media/image1.png")
    'ppt/media/image1.png'
    >>> resolve_target("ppt/presentation.xml", "/ppt/slides/slide1.xml")
    'ppt/slides/slide1.xml'
    >>> resolve_target("ppt/presentation.xml", "../../etc/passwd")
    'etc/passwd'
    """
    return _resolved(source.rpartition("/")[0], target)


@lru_cache(maxsize=8192)  # parts of one folder refer to the same few parts in the same words
def _resolved(folder: str, target: str) -> str:
    address = unquote(target.partition("#")[0])
    joined = posixpath.normpath(posixpath.join("/", folder, address))
    return joined.lstrip("/") or "."


def relative_target(source: str, target: str) -> str:
    """How a relationship of ``source`` spells its target part.

    >>> relative_target("ppt/slides/slide1.xml", "ppt/media/my image.png")
    '../media/my%20image.png'
    >>> relative_target("", "ppt/presentation.xml")
    'ppt/presentation.xml'
    """
    path = posixpath.relpath("/" + target, "/" + posixpath.dirname(source))
    return quote(path, safe=_UNQUOTED)


def next_name(like: str, used: Collection[str]) -> str:
    """A part name with the next number in the folder of ``like``, one past the highest there is.

    ``used`` holds the names that are taken, as ``lookup_key`` gives them. A name is passed over
    where a damaged package still holds the relationships of a part that is gone.

    >>> next_name("ppt/slides/slide7.xml", {"ppt/slides/slide7.xml", "ppt/slides/slide9.xml"})
    'ppt/slides/slide10.xml'
    """
    folder, base = posixpath.split(like)
    stem, extension = posixpath.splitext(base)
    match = _NUMBERED.match(stem)
    text = match.group(1) if match else stem
    before, after = lookup_key(posixpath.join(folder, text)), lookup_key(extension)
    shape = re.compile(rf"{re.escape(before)}(\d{{0,9}}){re.escape(after)}\Z")
    numbers = [int(numbered.group(1) or 0) for key in used if (numbered := shape.match(key))]
    free = (
        posixpath.join(folder, f"{text}{number}{extension}")
        for number in count(max(numbers, default=0) + 1)
    )
    return next(name for name in free if lookup_key(relationships_part(name)) not in used)


def leaves_package(source: str, target: str) -> bool:
    """Whether a target, as it is written, leads above the root of the package.

    >>> leaves_package("", "../customXml/item1.xml")
    True
    >>> leaves_package("ppt/a.xml", "../docProps/app.xml")
    False
    """
    address = unquote(target.partition("#")[0])
    return not address.startswith("/") and posixpath.normpath(
        posixpath.join(source.rpartition("/")[0], address)
    ).startswith("..")


def read_relationships(source: str, root: Element) -> dict[str, Relationship]:
    """The relationships of the part ``source`` by id, from the root of its relationships part.

    Of several with one id the first counts; entries without id, type or target are left out.
    """
    links: dict[str, Relationship] = {}
    for item in root.iterfind(qn("rel:Relationship")):
        id, kind, target = item.get("Id"), item.get("Type"), item.get("Target")
        if not id or not kind or target is None or id in links:
            continue
        external = item.get("TargetMode") == "External"
        resolved = target if external else resolve_target(source, target)
        links[id] = Relationship(id, kind, resolved, external)
    return links


CONTENT_TYPES_PART = "[Content_Types].xml"


@dataclass(frozen=True)
class ContentTypes:
    """The content types of a package, by part name and by file extension, both folded."""

    overrides: Mapping[str, str]
    defaults: Mapping[str, str]

    @classmethod
    def read(cls, root: Element) -> "ContentTypes":
        """From the root of ``[Content_Types].xml``."""

        def stated(tag: str, key: str) -> dict[str, str]:
            items = root.iterfind(qn(tag))
            return {item.get(key) or "": item.get("ContentType") or "" for item in items}

        parts, endings = stated("ct:Override", "PartName"), stated("ct:Default", "Extension")
        return cls(
            {lookup_key(name.lstrip("/")): kind for name, kind in parts.items()},
            {ending.lower(): kind for ending, kind in endings.items()},
        )

    def of(self, name: str) -> str | None:
        """The content type of a part; None if the package states none."""
        key = lookup_key(name)
        extension = key.rpartition("/")[2].rpartition(".")[2]
        return self.overrides.get(key) or self.defaults.get(extension) or None


def declare_types(root: Element, added: Mapping[str, str], removed: Collection[str]) -> Element:
    """``[Content_Types].xml`` with ``added`` parts (name to type) entered and ``removed`` ones
    taken out, as Office declares them: by extension for media, one by one for XML parts.

    Changes ``root`` and returns it. A part without a type is left undeclared, and one whose
    extension already stands for its type needs no entry of its own.
    """
    _remove_overrides(root, removed)
    for name, kind in added.items():
        types = ContentTypes.read(root)
        if not kind or types.of(name) == kind:
            continue
        extension = lookup_key(name).rpartition("/")[2].rpartition(".")[2]
        if kind.startswith(_BY_EXTENSION) and extension and extension not in types.defaults:
            item = etree.Element(qn("ct:Default"), {"Extension": extension, "ContentType": kind})
            root.insert(len(root.findall(qn("ct:Default"))), item)
            continue
        _remove_overrides(root, (name,))
        if types.defaults.get(extension) != kind:
            attributes = {"PartName": "/" + name.lstrip("/"), "ContentType": kind}
            etree.SubElement(root, qn("ct:Override"), attributes)
    return root


def _remove_overrides(root: Element, names: Collection[str]) -> None:
    gone = {lookup_key(name.lstrip("/")) for name in names}
    for item in root.findall(qn("ct:Override")):
        if lookup_key((item.get("PartName") or "").lstrip("/")) in gone:
            root.remove(item)


class Parts(Protocol):
    """Parts to be read, as a package, a draft and a deck open for editing all have them."""

    @property
    def label(self) -> str:
        """How errors name the package."""
        ...

    @property
    def main_part(self) -> str:
        """Name of the main part, such as ``ppt/presentation.xml``; raises MissingPart."""
        ...

    def find(self, name: str) -> str | None:
        """The spelling of a part's name; None if there is no such part."""
        ...

    def content_type(self, name: str) -> str | None:
        """The content type of a part; None if nothing states it."""
        ...

    def read(self, name: str) -> bytes:
        """The bytes of a part; raises MissingPart."""
        ...

    def xml(self, name: str) -> Element:
        """The root element of an XML part; changes to it are lost."""
        ...

    def relationships(self, part: str = "") -> dict[str, Relationship]:
        """The relationships of a part by id, ``""`` for those of the package; none is empty.

        Targets of parts that exist are in the package's own spelling.
        """
        ...

    def related(self, part: str, kind: str) -> tuple[str, ...]:
        """Names of existing parts that ``part`` refers to by a kind such as ``slideLayout``."""
        wanted = relationship_type(kind)
        links = (to for to in self.relationships(part).values() if to.type == wanted)
        return tuple(to.target for to in links if not to.external and to.target in self)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.find(name) is not None


def links_of(parts: Parts, part: str) -> dict[str, Relationship]:
    """The relationships of a part by id, read from the part that holds them."""
    if (name := parts.find(relationships_part(part))) is None:
        return {}
    links = read_relationships(part, parts.xml(name))
    return {id: _spelled(parts, link) for id, link in links.items()}


def reachable(
    parts: Parts,
    *,
    without: str | None = None,
    links: Callable[[str], Mapping[str, Relationship]] | None = None,
) -> set[str]:
    """Names of all existing parts that relationships lead to from the package's root.

    Ways through the part ``without`` do not count, nor does that part. ``links`` gives the
    relationships of a part by id, by default those of ``parts``.
    """
    relationships = links or parts.relationships
    reached: set[str] = set()
    waiting = [""]
    while waiting:
        for link in relationships(waiting.pop()).values():
            name = link.target
            if link.external or name in reached or name == without or name not in parts:
                continue
            reached.add(name)
            waiting.append(name)
    return reached


def _spelled(parts: Parts, link: Relationship) -> Relationship:
    if (name := None if link.external else parts.find(link.target)) is None or name == link.target:
        return link
    return Relationship(link.id, link.type, name, link.external)


def transitional_bytes(parts: Parts, name: str) -> bytes:
    """The bytes of a part, in the transitional edition if it is XML of the strict one.

    The two editions differ in namespaces (ISO/IEC 29500 parts 1 and 4) and the mark
    ``conformance``; all programs write the transitional one.
    """
    data = parts.read(name)
    kind = parts.content_type(name) or ""
    if STRICT not in data or not kind.endswith(("+xml", "/xml")):
        return data
    if (root := parts.xml(name)).tag == f"{{{NAMESPACES['p']}}}presentation":
        root.attrib.pop("conformance", "")
    return serialize_xml(root)
