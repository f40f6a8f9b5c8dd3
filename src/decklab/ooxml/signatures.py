"""Files that may be opened: their kind by first bytes and name, and how large, deep and dense a
package may be before it is refused.

olefile reads the whole table of sectors of a damaged file; this reads at most 4,096 sectors.
"""

import os
import stat
import struct
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, Final

from decklab.core.errors import (
    DeckError,
    EncryptedDeck,
    LimitExceeded,
    TruncatedDeck,
    UnsupportedFormat,
)

MIB = 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """Bounds that hold while a package is opened and read; breaking one is a LimitExceeded.

    The defaults are ours. They leave room above the largest decks we know of (a few hundred
    slides, video inside) and keep one deck within the memory of a small machine.

    >>> Limits(parts=100).parts
    100
    """

    file_bytes: int = 512 * MIB
    """Size of the file. Mail and web uploads stop far below; decks with video reach hundreds."""
    parts: int = 20_000
    """Entries of the archive. A slide brings about ten parts, so this is some 2,000 slides."""
    part_bytes: int = 512 * MIB
    """Unpacked size of one part. Video is stored unpacked, so one part may be the whole file."""
    total_bytes: int = 1024 * MIB
    """Unpacked size of all parts together: twice the largest file."""
    ratio: float = 200.0
    """Unpacked over packed size, of a part and of the whole file. Deflate cannot pass 1032; the
    densest XML of real decks stays under 50."""
    ratio_floor_bytes: int = 16 * MIB
    """Unpacked size below which the ratio is not asked: small repetitive XML and blank bitmaps
    pack very well and do no harm."""
    xml_bytes: int = 32 * MIB
    """Size of one XML part. The largest we know of has 1.7 MB; freeform drawings come close."""
    xml_nodes: int = 1_000_000
    """Elements and attributes of one XML part, counted from above as ``<`` and ``=`` signs. A
    parsed node takes about 100 bytes however short its text, so this is what bounds memory. The
    slide of 1.7 MB has 200,000."""
    xml_depth: int = 200
    """Nesting of elements. Real decks stay under 30; the XML parser itself stops at 256."""


DEFAULT_LIMITS = Limits()

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def open_file(path: Path, limits: Limits) -> BinaryIO:
    """A regular file opened for reading.

    Raises UnsupportedFormat for folders, pipes and devices (without waiting for a writer),
    TruncatedDeck for an empty file, LimitExceeded for one too large, DeckError if it cannot
    be opened.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise DeckError(path, f"cannot be opened: {_reason(error)}") from None
    try:
        _check(path, os.fstat(descriptor), limits)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def _check(path: Path, status: os.stat_result, limits: Limits) -> None:
    if not stat.S_ISREG(status.st_mode):
        kind = _KINDS.get(stat.S_IFMT(status.st_mode), "no regular file")
        raise UnsupportedFormat(path, f"it is {kind}, not a file")
    if status.st_size == 0:
        raise TruncatedDeck(path, "the file is empty")
    if status.st_size > limits.file_bytes:
        detail = f"{status.st_size:,} bytes, more than the limit of {limits.file_bytes:,}"
        raise LimitExceeded(path, detail)


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


OLE_SIGNATURE = bytes.fromhex("D0CF11E0A1B11AE1")

ENCRYPTED_ADVICE = "it is encrypted; save a copy without the password"

_CONTENTS = {
    "PowerPoint Document": "a PowerPoint 97-2003 presentation (.ppt)",
    "Workbook": "an Excel 97-2003 workbook (.xls)",
    "Book": "an Excel 5.0 workbook (.xls)",
    "WordDocument": "a Word 97-2003 document (.doc)",
}
_HEADER_SIZE = 512
_ENTRY_SIZE = 128
_MOST_SECTORS = 4096  # of a directory: 16,384 entries or more, far past any Office file
_LAST_SECTOR = 0xFFFFFFFA  # greater numbers mark chain ends and free sectors
_HEADER_FAT_SLOTS = 109


def is_ole(start: bytes) -> bool:
    """Whether a file that starts so is an OLE2 compound file."""
    return start.startswith(OLE_SIGNATURE)


def refuse_ole(stream: BinaryIO, label: str) -> None:
    """Raise if the stream is an OLE2 file: EncryptedDeck, or UnsupportedFormat with what it is.

    Any other stream is left at its start.
    """
    if not is_ole(stream.read(len(OLE_SIGNATURE))):
        stream.seek(0)
        return
    streams = ole_streams(stream, label)
    if "EncryptedPackage" in streams:
        raise EncryptedDeck(label, ENCRYPTED_ADVICE)
    kind = next((_CONTENTS[name] for name in _CONTENTS if name in streams), "an OLE2 file")
    raise UnsupportedFormat(label, f"it is {kind}, not in the newer format (.pptx, .xlsx)")


def ole_streams(stream: BinaryIO, label: str) -> frozenset[str]:
    """Names of the streams and storages of an OLE2 file; raises TruncatedDeck if damaged."""
    stream.seek(0)
    header = stream.read(_HEADER_SIZE)
    if len(header) < _HEADER_SIZE:
        raise TruncatedDeck(label, "the OLE2 file ends inside its header")
    if (shift := struct.unpack_from("<H", header, 30)[0]) not in (9, 12):
        raise TruncatedDeck(label, "the header of the OLE2 file is damaged")
    sector_size = 1 << shift
    first = struct.unpack_from("<I", header, 48)[0]
    fat = struct.unpack_from(f"<{_HEADER_FAT_SLOTS}I", header, 76)
    names: set[str] = set()
    for sector in _chain(stream, first, fat, sector_size):
        data = _sector(stream, sector, sector_size)
        if len(data) < sector_size:
            raise TruncatedDeck(label, "the OLE2 file ends before its directory")
        names.update(_entry_names(data))
    return frozenset(names)


def _chain(stream: BinaryIO, first: int, fat: tuple[int, ...], sector_size: int) -> list[int]:
    """Sectors of the directory in order; a chain that loops or breaks just ends."""
    per_sector = sector_size // 4
    chain: list[int] = []
    sector = first
    while sector <= _LAST_SECTOR and len(chain) < _MOST_SECTORS and sector not in chain:
        chain.append(sector)
        table, slot = divmod(sector, per_sector)
        if table >= len(fat) or fat[table] > _LAST_SECTOR:
            break
        data = _sector(stream, fat[table], sector_size)
        if len(data) < sector_size:
            break
        sector = struct.unpack_from("<I", data, slot * 4)[0]
    return chain


def _sector(stream: BinaryIO, number: int, size: int) -> bytes:
    stream.seek((number + 1) * size)
    return stream.read(size)


def _entry_names(data: bytes) -> list[str]:
    names: list[str] = []
    for start in range(0, len(data), _ENTRY_SIZE):
        length = struct.unpack_from("<H", data, start + 64)[0]
        if data[start + 66] and 2 <= length <= 64:
            names.append(data[start : start + length - 2].decode("utf-16-le", "replace"))
    return names


class FileKind(StrEnum):
    """The kinds of file that decklab reads."""

    PPTX = "pptx"
    """Office Open XML: .pptx, .potx, .ppsx and their macro kinds."""
    ODP = "odp"
    """OpenDocument presentation or template."""
    PPT = "ppt"
    """PowerPoint 97-2003."""
    PDF = "pdf"
    IMAGE = "image"
    """PNG, JPEG, WebP, GIF, BMP or TIFF."""
    HTML = "html"


START_BYTES: Final = 4096
"""Bytes that are enough to tell."""
IN_WORDS: Final = {
    FileKind.PPTX: "a PowerPoint file",
    FileKind.ODP: "an OpenDocument presentation",
    FileKind.PPT: "a PowerPoint 97-2003 file",
    FileKind.PDF: "a PDF",
    FileKind.IMAGE: "a picture",
    FileKind.HTML: "an HTML page",
}
POWERPOINT: Final = "a PowerPoint file (.pptx, .potx, .ppsx, .pptm, .potm, .ppsm)"
_IMAGES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"BM", b"II*\0", b"MM\0*")
_HTML_STARTS = (b"<!doctype html", b"<html")


def kind_by_start(start: bytes, path: Path) -> FileKind | None:
    """The kind of a file that is no archive, by its first ``START_BYTES`` and its name; None if it
    is neither a PDF, a picture nor HTML."""
    if b"%PDF-" in start[:1024]:  # readers allow 1024 bytes of anything before it
        return FileKind.PDF
    if start.startswith(_IMAGES) or (start[:4] == b"RIFF" and start[8:12] == b"WEBP"):
        return FileKind.IMAGE
    return FileKind.HTML if _looks_like_html(start, path) else None


def _looks_like_html(start: bytes, path: Path) -> bool:
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if text.startswith(_HTML_STARTS):
        return True
    opening = text.startswith((b"<!--", b"<?xml")) and any(mark in text for mark in _HTML_STARTS)
    named = path.suffix.lower() in (".html", ".htm", ".xhtml") and b"<" in text
    return (opening or named) and b"\0" not in text
