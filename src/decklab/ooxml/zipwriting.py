"""Zip archives put together from entries that are packed already, so nothing is packed twice."""

import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZipInfo

from decklab.ooxml.archive import StoredEntry

__all__ = ["PackedEntry", "packed", "repacked", "write_archive"]

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
