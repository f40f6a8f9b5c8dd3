"""A changed copy of a package; entries that did not change keep their packed bytes."""

import struct
import zlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZipInfo

from decklab.core.errors import MissingPart
from decklab.core.files import whole_file
from decklab.ooxml.archive import StoredEntry
from decklab.ooxml.package import Package
from decklab.ooxml.parts import CONTENT_TYPES_PART, declare_types, lookup_key
from decklab.ooxml.xml import parse_xml, serialize_xml

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
    package: Package,
    replace: Mapping[str, bytes],
    add: Mapping[str, NewPart],
    remove: Collection[str],
) -> list[PackedEntry]:
    for name in (*replace, *remove):
        if name not in package:
            raise MissingPart(package.label, "there is no such part to change", name)
    for name in add:
        if name in package:
            raise ValueError(f"there is a part {name} already")
    new = {lookup_key(name.lstrip("/")): data for name, data in replace.items()}
    if add or remove:
        new[lookup_key(CONTENT_TYPES_PART)] = _content_types(package, new, add, remove)
    gone = {lookup_key(name.lstrip("/")) for name in remove}
    entries = []
    for info in package.archive.entries:
        key = lookup_key(info.orig_filename)
        if key in new:
            entries.append(packed(info.orig_filename, new[key], info.compress_type))
        elif key not in gone:
            entries.append(repacked(package.archive.stored(info)))
    entries += [packed(name.lstrip("/"), data) for name, (_, data) in add.items()]
    first = lookup_key(CONTENT_TYPES_PART)
    return sorted(entries, key=lambda entry: lookup_key(entry.name) != first)


def _content_types(
    package: Package, new: Mapping[str, bytes], add: Mapping[str, NewPart], remove: Collection[str]
) -> bytes:
    replaced = new.get(lookup_key(CONTENT_TYPES_PART))
    if replaced is None:
        root = package.xml(CONTENT_TYPES_PART)
    else:
        root = parse_xml(replaced, path=package.label, part=CONTENT_TYPES_PART)
    added = {name: kind for name, (kind, _) in add.items()}
    return serialize_xml(declare_types(root, added, remove))
