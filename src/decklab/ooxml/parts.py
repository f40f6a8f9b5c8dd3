"""Relationships: how the parts of a package refer to each other and to the world outside."""

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from urllib.parse import unquote

from lxml import etree

from decklab.ooxml.directory import lookup_key
from decklab.ooxml.xml import Element, qn


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
    """Where the relationships of a part are kept; ``""`` stands for the package itself.

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
    place = posixpath.normpath(posixpath.join("/", folder, address))
    return place.lstrip("/") or "."


def climbs_out(source: str, target: str) -> bool:
    """Whether a target, as it is written, leads above the root of the package.

    >>> climbs_out("", "../customXml/item1.xml"), climbs_out("ppt/a.xml", "../docProps/app.xml")
    (True, False)
    """
    address = unquote(target.partition("#")[0])
    return not address.startswith("/") and posixpath.normpath(
        posixpath.join(source.rpartition("/")[0], address)
    ).startswith("..")


def read_relationships(source: str, root: Element) -> dict[str, Relationship]:
    """The relationships of the part ``source`` by id, from the root of its relationships part.

    Of several with one id the first counts; entries without id, type or target are left out.
    """
    found: dict[str, Relationship] = {}
    for item in root.iterfind(qn("rel:Relationship")):
        id, kind, target = item.get("Id"), item.get("Type"), item.get("Target")
        if not id or not kind or target is None or id in found:
            continue
        external = item.get("TargetMode") == "External"
        place = target if external else resolve_target(source, target)
        found[id] = Relationship(id, kind, place, external)
    return found


CONTENT_TYPES_PART = "[Content_Types].xml"


@dataclass(frozen=True)
class ContentTypes:
    """The content types of a package, by part name and by file extension, both folded."""

    overrides: Mapping[str, str]
    defaults: Mapping[str, str]

    @classmethod
    def read(cls, root: Element) -> "ContentTypes":
        """From the root of ``[Content_Types].xml``."""
        return cls(
            {
                lookup_key((item.get("PartName") or "").lstrip("/")): item.get("ContentType") or ""
                for item in root.iterfind(qn("ct:Override"))
            },
            {
                (item.get("Extension") or "").lower(): item.get("ContentType") or ""
                for item in root.iterfind(qn("ct:Default"))
            },
        )

    def of(self, name: str) -> str | None:
        """The content type of a part; None where the package states none."""
        key = lookup_key(name)
        extension = key.rpartition("/")[2].rpartition(".")[2]
        return self.overrides.get(key) or self.defaults.get(extension) or None


def update_content_types(root: Element, added: Mapping[str, str], removed: Iterable[str]) -> None:
    """Enter ``added`` parts (name to type) and strike out ``removed`` ones, in place.

    A part whose extension already stands for its type needs no entry of its own.
    """
    gone = {lookup_key(name.lstrip("/")) for name in (*removed, *added)}
    for item in root.findall(qn("ct:Override")):
        if lookup_key((item.get("PartName") or "").lstrip("/")) in gone:
            root.remove(item)
    defaults = ContentTypes.read(root).defaults
    for name, content_type in added.items():
        extension = lookup_key(name).rpartition("/")[2].rpartition(".")[2]
        if defaults.get(extension) == content_type:
            continue
        attributes = {"PartName": "/" + name.lstrip("/"), "ContentType": content_type}
        etree.SubElement(root, qn("ct:Override"), attributes)
