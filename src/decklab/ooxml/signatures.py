"""The kind of a file by its first bytes and its name.

olefile reads the whole table of sectors of a damaged file; this reads at most 4,096 sectors.
"""

import struct
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, Final

from decklab.core.errors import EncryptedDeck, TruncatedDeck, UnsupportedFormat

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
    shift = struct.unpack_from("<H", header, 30)[0]
    if shift not in (9, 12):
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
        kind = data[start + 66]
        if kind and 2 <= length <= 64:
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
