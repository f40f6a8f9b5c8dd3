"""Content types: what each part of a package says it is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lxml import etree

from decklab.ooxml.directory import lookup_key
from decklab.ooxml.names import qn
from decklab.ooxml.parsing import Element

__all__ = ["CONTENT_TYPES_PART", "ContentTypes", "update_content_types"]

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
