"""An Office Open XML package: named parts, what they are, and how they refer to each other."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import NoReturn
from zipfile import ZipInfo

from lxml import etree

from decklab.core.errors import LimitExceeded, MissingPart, NotAPackage, UnsupportedFormat
from decklab.core.files import Closing
from decklab.ooxml.archive import Archive
from decklab.ooxml.limits import DEFAULT_LIMITS, Limits, open_file
from decklab.ooxml.parts import (
    CONTENT_TYPES_PART,
    ContentTypes,
    Parts,
    Relationship,
    links_of,
    relationships_part,
)
from decklab.ooxml.signatures import IN_WORDS, POWERPOINT, START_BYTES, kind_by_start, refuse_ole
from decklab.ooxml.xml import Element, parse_xml

_MIMETYPE = "mimetype"  # OpenDocument 1.3, part 2, 3.3
_OPEN_DOCUMENT = b"application/vnd.oasis.opendocument."


class Package(Closing, Parts):
    """A package opened for reading; nothing in it is ever changed.

    Part names are those of the archive, without a leading slash (``ppt/slides/slide1.xml``).
    Looking one up ignores case, percent-encoding and a leading slash. Use it as a context
    manager, or close it.

    Opening raises EncryptedDeck, NotAPackage, TruncatedDeck, DuplicatePart, UnsafePath,
    LimitExceeded, MalformedPart or UnsupportedFormat; reading a part raises MissingPart,
    TruncatedDeck, MalformedPart or LimitExceeded.
    """

    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self.limits = archive.limits
        self._relationships: dict[str, dict[str, Relationship]] = {}
        self._identical: tuple[Package | None, frozenset[str]] = (None, frozenset())
        try:
            if archive.find(CONTENT_TYPES_PART) is None:
                _refuse_other(archive)
            self._types = ContentTypes.read(self.xml(CONTENT_TYPES_PART))
        except BaseException:
            archive.close()
            raise

    @classmethod
    def open(cls, path: str | Path, limits: Limits = DEFAULT_LIMITS) -> "Package":
        """The package in a file."""
        place = Path(path)
        stream = open_file(place, limits)
        try:
            refuse_ole(stream, str(place))
            kind = kind_by_start(stream.read(START_BYTES), place)
            if kind is not None:
                raise UnsupportedFormat(place, f"it is {IN_WORDS[kind]}, not {POWERPOINT}")
            stream.seek(0)
        except BaseException:
            stream.close()
            raise
        return cls(Archive(stream, str(place), limits))

    @classmethod
    def from_bytes(cls, data: bytes, label: str, limits: Limits = DEFAULT_LIMITS) -> "Package":
        """A package in memory, such as a workbook inside a deck; ``label`` names it in errors."""
        refuse_ole(BytesIO(data), label)
        return cls(Archive.from_bytes(data, label, limits))

    def close(self) -> None:
        """Close the file."""
        self.archive.close()

    @property
    def label(self) -> str:
        """How errors name the package: the path it was opened by."""
        return self.archive.label

    @property
    def path(self) -> Path:
        """The file; for a package in memory its label as a path."""
        return Path(self.archive.label)

    @property
    def names(self) -> tuple[str, ...]:
        """All part names, in the archive's order."""
        return self.archive.names

    def find(self, name: str) -> str | None:
        """The package's own spelling of a part name; None if there is no such part."""
        return self.archive.find(name.lstrip("/"))

    def read(self, name: str) -> bytes:
        """The bytes of a part."""
        return self.archive.read(name.lstrip("/"))

    def read_start(self, name: str, size: int) -> bytes:
        """At most the first ``size`` bytes of a part, without unpacking the rest."""
        return self.archive.read_start(name.lstrip("/"), size)

    def xml(self, name: str) -> Element:
        """The root element of an XML part, parsed anew at each call."""
        size = self.archive.size(name.lstrip("/"))
        if size > self.limits.xml_bytes:
            detail = f"{size:,} bytes of XML, more than the limit of {self.limits.xml_bytes:,}"
            raise LimitExceeded(self.label, detail, name)
        return parse_xml(self.read(name), path=self.label, part=name, limits=self.limits)

    def content_type(self, name: str) -> str | None:
        """The content type of a part; None if the package states none."""
        return self._types.of(name.lstrip("/"))

    def relationships(self, part: str = "") -> dict[str, Relationship]:
        """The relationships of a part by id, ``""`` for those of the package; none is empty.

        Targets of parts that exist are in the package's own spelling.
        """
        if part not in self._relationships:
            other, identical = self._identical
            same = other is not None and relationships_part(part) in identical
            self._relationships[part] = (
                other.relationships(part) if same and other else links_of(self, part.lstrip("/"))
            )
        return self._relationships[part]

    @contextmanager
    def share_relationships(self, other: "Package", identical: frozenset[str]) -> Iterator[None]:
        """Inside the block, take relationships from ``other``, so that they are read once.

        Only those whose own parts are ``identical``, byte by byte, and only if both packages
        have the same part names.
        """
        if set(self.names) == set(other.names):
            self._identical = other, identical
        try:
            yield
        finally:
            self._identical = None, frozenset()

    @cached_property
    def main_part(self) -> str:
        """Name of the main part, such as ``ppt/presentation.xml``; raises MissingPart."""
        for name in self.related("", "officeDocument"):
            return name
        detail = "the package names no main part, or one that is not there"
        raise MissingPart(self.label, detail, relationships_part(""))


def _refuse_other(archive: Archive) -> NoReturn:
    """Raise the error that says what an archive is, if it is no package."""
    if archive.find(_MIMETYPE) and archive.read(_MIMETYPE).startswith(_OPEN_DOCUMENT):
        detail = "an OpenDocument file (.odp or its like), which holds no Office Open XML"
        raise UnsupportedFormat(archive.label, detail)
    detail = f"a zip archive without {CONTENT_TYPES_PART}, so no Office document"
    raise NotAPackage(archive.label, detail)


def identical_parts(one: Archive, other: Archive) -> frozenset[str]:
    """Names under which two archives hold the same bytes, packed in the same way.

    Sizes and checksums tell most of the others apart. Since a part can be made to have any
    checksum, the packed bytes are compared too; nothing is unpacked. Raises TruncatedDeck if
    the file ends inside a part.
    """
    known = {info.orig_filename: info for info in one.entries}
    return frozenset(
        info.orig_filename
        for info in other.entries
        if (old := known.get(info.orig_filename)) is not None
        and _facts(old) == _facts(info)
        and one.stored(old).packed == other.stored(info).packed
    )


def _facts(info: ZipInfo) -> tuple[int, ...]:
    return info.CRC, info.file_size, info.compress_size, info.compress_type


def canonical_xml(root: Element) -> bytes:
    """Canonical XML (W3C C14N 1.0): attributes and namespaces in one order, one way to quote.

    If namespaces bear names that are no URIs, as in parts that SharePoint leaves in decks, there
    is no canonical form: then as it was read.
    """
    try:
        return etree.tostring(root, method="c14n")
    except etree.C14NError:
        return etree.tostring(root)


def element_bytes(element: Element) -> bytes:
    """The bytes of an element with all in it; what follows it is left out."""
    found: bytes = etree.tostring(element, with_tail=False)
    return found
