"""An Office Open XML package: named parts, what they are, how they refer to each other; the kind
of a file by its content; and changed copies, whose other entries keep their packed bytes."""

import re
import struct
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NoReturn
from zipfile import ZIP_DEFLATED, ZipInfo

from lxml import etree

from decklab.core.errors import (
    EncryptedDeck,
    LimitExceeded,
    MissingPart,
    NotAPackage,
    UnsupportedFormat,
)
from decklab.core.files import Closing, whole_file
from decklab.ooxml.archive import Archive, StoredEntry
from decklab.ooxml.parts import (
    CONTENT_TYPES_PART,
    ContentTypes,
    Parts,
    Relationship,
    declare_types,
    links_of,
    lookup_key,
    relationships_part,
)
from decklab.ooxml.signatures import (
    DEFAULT_LIMITS,
    ENCRYPTED_ADVICE,
    IN_WORDS,
    POWERPOINT,
    START_BYTES,
    FileKind,
    Limits,
    is_ole,
    kind_by_start,
    ole_streams,
    open_file,
    refuse_ole,
)
from decklab.ooxml.xml import MAIN_CONTENT_TYPES, Element, parse_xml, serialize_xml

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
        self.archive, self.limits = archive, archive.limits
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
        file = Path(path)
        stream = open_file(file, limits)
        try:
            refuse_ole(stream, str(file))
            if (kind := kind_by_start(stream.read(START_BYTES), file)) is not None:
                raise UnsupportedFormat(file, f"it is {IN_WORDS[kind]}, not {POWERPOINT}")
            stream.seek(0)
        except BaseException:
            stream.close()
            raise
        return cls(Archive(stream, str(file), limits))

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
        if (size := self.archive.size(name.lstrip("/"))) > self.limits.xml_bytes:
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


def identical_parts(first: Archive, second: Archive) -> frozenset[str]:
    """Names under which two archives hold the same bytes, packed in the same way.

    Sizes and checksums tell most of the others apart. Since a part can be made to have any
    checksum, the packed bytes are compared too; nothing is unpacked. Raises TruncatedDeck if
    the file ends inside a part.
    """
    known = {info.orig_filename: info for info in first.entries}
    both = ((known.get(info.orig_filename), info) for info in second.entries)
    return frozenset(
        new.orig_filename
        for old, new in both
        if old
        and _facts(old) == _facts(new)
        and first.stored(old).packed == second.stored(new).packed
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
    written: bytes = etree.tostring(element, with_tail=False)
    return written


_ODF_TYPES = (
    b"application/vnd.oasis.opendocument.presentation",
    b"application/vnd.oasis.opendocument.presentation-template",
)
_ODF_XML = ("content.xml", "styles.xml")
_FLAT = re.compile(rb"<office:document\s")
_ODF_MANIFEST = "META-INF/manifest.xml"
_PACKAGE_ENDINGS = tuple(f".{ending}" for ending in (*MAIN_CONTENT_TYPES.values(), "odp", "otp"))


def sniff(path: str | Path, limits: Limits = DEFAULT_LIMITS) -> FileKind:
    """The kind of a file.

    Raises UnsupportedFormat for kinds that decklab does not read, folders and pipes among them;
    EncryptedDeck, TruncatedDeck, NotAPackage, UnsafePath, DuplicatePart, LimitExceeded or
    MalformedPart for archives that cannot be opened; DeckError for files that cannot be read.
    """
    file = Path(path)
    with open_file(file, limits) as stream:
        start = stream.read(START_BYTES)
        if is_ole(start):
            return _sniff_ole(ole_streams(stream, str(file)), file)
    if start.startswith(b"PK"):
        return _sniff_archive(file, limits)
    if (kind := kind_by_start(start, file)) is not None:
        return kind
    if _FLAT.search(start):
        raise UnsupportedFormat(file, "a flat OpenDocument file (.fodp); save it as .odp")
    if file.suffix.lower() in _PACKAGE_ENDINGS:
        raise NotAPackage(file, "it is no zip archive, whatever its name says")
    raise UnsupportedFormat(file, "neither a deck nor a PDF, image or HTML file")


def check_archive(path: str | Path, limits: Limits = DEFAULT_LIMITS) -> None:
    """Unpack every entry of a zip archive once, within the limits, and keep nothing.

    For files that another program is about to open: names, sizes, checksums, packing and, for
    OpenDocument, the nesting of its XML are then known to be sound. Raises as ``sniff`` does.
    """
    with Archive.open(Path(path), limits) as archive:
        for name in archive.names:
            data = archive.read(name)
            if name in _ODF_XML:
                parse_xml(data, path=path, part=name, limits=limits)


def _sniff_ole(streams: frozenset[str], path: Path) -> FileKind:
    if "EncryptedPackage" in streams or "EncryptedSummary" in streams:
        raise EncryptedDeck(path, ENCRYPTED_ADVICE)
    if "PowerPoint Document" in streams:
        return FileKind.PPT
    raise UnsupportedFormat(path, "an OLE2 file, but no PowerPoint presentation")


def _sniff_archive(path: Path, limits: Limits) -> FileKind:
    with Archive.open(path, limits) as archive:
        if archive.find(CONTENT_TYPES_PART) is not None:
            return _sniff_package(Package(archive))
        if archive.find("mimetype") is not None:
            return _sniff_open_document(archive)
        raise NotAPackage(path, "a zip archive that holds no Office document")


def _sniff_package(package: Package) -> FileKind:
    if (content_type := package.content_type(package.main_part)) in MAIN_CONTENT_TYPES:
        return FileKind.PPTX
    detail = f"an Office document, but no presentation (its main part is {content_type})"
    raise UnsupportedFormat(package.label, detail)


def _sniff_open_document(archive: Archive) -> FileKind:
    if (mimetype := archive.read("mimetype").strip()) not in _ODF_TYPES:
        shown = mimetype[:100].decode("ascii", "replace")
        raise UnsupportedFormat(archive.label, f"no presentation but {shown}")
    if archive.find(_ODF_MANIFEST) and b"encryption-data" in archive.read(_ODF_MANIFEST):
        raise EncryptedDeck(archive.label, ENCRYPTED_ADVICE)
    return FileKind.ODP


_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_UTF8_NAME = 0x800
_VERSION = 20  # of the zip format: deflate and folders
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # the earliest date a zip can state


@dataclass(frozen=True)
class PackedEntry:
    """One entry to be written."""

    name: str
    method: int
    checksum: int
    size: int
    data: bytes
    date: tuple[int, int, int, int, int, int] = _FIRST_DAY
    attributes: int = 0


def packed(name: str, content: bytes, method: int = ZIP_DEFLATED) -> PackedEntry:
    """A new entry, dated 1980 so that the same content always gives the same bytes."""
    data = content
    if method == ZIP_DEFLATED:
        packer = zlib.compressobj(level=6, wbits=-zlib.MAX_WBITS)
        data = packer.compress(content) + packer.flush()
    return PackedEntry(name, method, zlib.crc32(content), len(content), data)


def repacked(entry: StoredEntry) -> PackedEntry:
    """An entry of another archive as it is: packed bytes, date and attributes."""
    info: ZipInfo = entry.info
    return PackedEntry(
        name=info.orig_filename,
        method=info.compress_type,
        checksum=info.CRC,
        size=info.file_size,
        data=entry.packed,
        date=info.date_time,
        attributes=info.external_attr,
    )


def write_archive(entries: Iterable[PackedEntry], out: BinaryIO) -> None:
    """Write an archive of the entries in their order.

    Raises ValueError past 65,535 entries or 4 GiB, which would need the zip64 format.
    """
    directory = bytearray()
    count = offset = 0
    for entry in entries:
        name, flags = _encoded(entry.name)
        stamp = _stamp(entry.date)
        sizes = (entry.checksum, len(entry.data), entry.size)
        common = (flags, entry.method, *stamp, *sizes, len(name), 0)
        if count == 0xFFFF or offset + len(directory) + len(entry.data) > 0xFFFF0000:
            raise ValueError("too many or too large parts for a zip archive without zip64")
        out.write(_LOCAL.pack(b"PK\x03\x04", _VERSION, *common) + name)
        out.write(entry.data)
        directory += _CENTRAL.pack(
            b"PK\x01\x02", _VERSION, _VERSION, *common, 0, 0, 0, entry.attributes, offset
        )
        directory += name
        offset += _LOCAL.size + len(name) + len(entry.data)
        count += 1
    out.write(directory)
    out.write(_END.pack(b"PK\x05\x06", 0, 0, count, count, len(directory), offset, 0))


def _encoded(name: str) -> tuple[bytes, int]:
    try:
        return name.encode("ascii"), 0
    except UnicodeEncodeError:
        return name.encode("utf-8"), _UTF8_NAME


def _stamp(date: tuple[int, int, int, int, int, int]) -> tuple[int, int]:
    year, month, day, hour, minute, second = date
    time = hour << 11 | minute << 5 | second // 2
    return time, (year - 1980) << 9 | month << 5 | day


NewPart = tuple[str, bytes]
"""Content type and bytes of a part to add."""


def write_package(
    package: Package,
    out_path: str | Path,
    *,
    replace: Mapping[str, bytes] | None = None,
    add: Mapping[str, NewPart] | None = None,
    remove: Collection[str] = (),
) -> Path:
    """Write a changed copy of ``package`` to ``out_path``, whole or not at all.

    ``replace`` gives new bytes for existing parts, ``add`` content type and bytes of new ones,
    ``remove`` names parts to leave out; ``[Content_Types].xml`` follows. Relationships are parts
    like others here: the caller keeps them in step. Untouched parts keep bytes, packing, date and
    order, with ``[Content_Types].xml`` first; changed ones are dated 1980, so equal input gives
    equal files. Raises MissingPart for a part to replace or remove that is not there, ValueError
    for one to add that is. ``out_path`` may be the file the package was opened from.
    """
    target = Path(out_path)
    entries = _entries(package, replace or {}, add or {}, remove)
    with whole_file(target) as unfinished, unfinished.open("xb") as out:
        write_archive(entries, out)
    return target


def package_bytes(
    package: Package,
    *,
    replace: Mapping[str, bytes] | None = None,
    add: Mapping[str, NewPart] | None = None,
    remove: Collection[str] = (),
) -> bytes:
    """The bytes that ``write_package`` would write: for a package that becomes a part itself."""
    out = BytesIO()
    write_archive(_entries(package, replace or {}, add or {}, remove), out)
    return out.getvalue()


def _entries(
    package: Package, edit: Mapping[str, bytes], add: Mapping[str, NewPart], remove: Collection[str]
) -> list[PackedEntry]:
    for name in (*edit, *remove):
        if name not in package:
            raise MissingPart(package.label, "there is no such part to change", name)
    for name in add:
        if name in package:
            raise ValueError(f"there is a part {name} already")
    new = {lookup_key(name.lstrip("/")): data for name, data in edit.items()}
    if add or remove:
        new[lookup_key(CONTENT_TYPES_PART)] = _content_types(package, new, add, remove)
    gone = {lookup_key(name.lstrip("/")) for name in remove}
    entries = []
    for info in package.archive.entries:
        if (key := lookup_key(info.orig_filename)) in new:
            entries.append(packed(info.orig_filename, new[key], info.compress_type))
        elif key not in gone:
            entries.append(repacked(package.archive.stored(info)))
    entries += [packed(name.lstrip("/"), data) for name, (_, data) in add.items()]
    first = lookup_key(CONTENT_TYPES_PART)
    return sorted(entries, key=lambda entry: lookup_key(entry.name) != first)


def _content_types(
    package: Package, new: Mapping[str, bytes], add: Mapping[str, NewPart], remove: Collection[str]
) -> bytes:
    if (replaced := new.get(lookup_key(CONTENT_TYPES_PART))) is None:
        root = package.xml(CONTENT_TYPES_PART)
    else:
        root = parse_xml(replaced, path=package.label, part=CONTENT_TYPES_PART)
    added = {name: kind for name, (kind, _) in add.items()}
    return serialize_xml(declare_types(root, added, remove))
