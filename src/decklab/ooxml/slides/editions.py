"""The strict edition of the format, turned into the transitional one that all programs write.

The two differ in namespaces (ISO/IEC 29500 parts 1 and 4) and the mark ``conformance``.
"""

from typing import Protocol

from decklab.ooxml.package import Package
from decklab.ooxml.xml import NAMESPACES, Element, serialize_xml

_STRICT = b"http://purl.oclc.org/ooxml/"


class _Readable(Protocol):
    def read(self, name: str) -> bytes: ...
    def xml(self, name: str) -> Element: ...
    def content_type(self, name: str) -> str | None: ...


def transitional(parts: _Readable, name: str) -> bytes:
    """The bytes of a part, in the transitional edition where it is XML of the strict one."""
    data = parts.read(name)
    kind = parts.content_type(name) or ""
    if _STRICT not in data or not kind.endswith(("+xml", "/xml")):
        return data
    root = parts.xml(name)
    if root.tag == f"{{{NAMESPACES['p']}}}presentation":
        root.attrib.pop("conformance", "")
    return serialize_xml(root)


def loosened(package: Package) -> dict[str, bytes]:
    """New bytes for the parts of a package of the strict edition; nothing for any other."""
    if _STRICT not in package.read(package.main_part):
        return {}
    loose = {name: transitional(package, name) for name in package.names}
    return {name: data for name, data in loose.items() if data != package.read(name)}
