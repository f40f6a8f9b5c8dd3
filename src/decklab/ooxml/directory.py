"""The directory of a zip archive: read within bounds and checked before anything is unpacked."""

import re
import stat
import struct
from typing import BinaryIO
from urllib.parse import unquote
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from decklab.core.errors import (
    DuplicatePart,
    EncryptedDeck,
    LimitExceeded,
    NotAPackage,
    TruncatedDeck,
    UnsafePath,
    UnsupportedFormat,
)
from decklab.ooxml.limits import Limits
from decklab.ooxml.parts import lookup_key

LOCAL_HEADER = struct.Struct("<4sHHHHHIIIHH")
LOCAL_SIGNATURE = b"PK\x03\x04"
ENCRYPTED = 0x1 | 0x40
"""Flag bits of an entry that a password protects, in the old way or the strong one."""

_ORDINARY = re.compile(r"[A-Za-z0-9_\[][A-Za-z0-9_.\[\]/-]*")
"""Names that need no closer look, unless they hold two dots: nearly all there are."""

_DIRECTORY_BYTES_PER_PART = 256  # 46 fixed, names of real parts 30 to 60, extra fields 0 to 36
_LEAST_DIRECTORY_BOUND = 2 * 65_536  # zipfile reads the last 64 KiB when it looks for the end


def one_line_name(name: str) -> str:
    """A part name fit for an error of one line."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in name)


class _DirectoryTooLarge(Exception):
    pass


class _GuardedStream:
    """The stream as zipfile sees it: one read never takes more than the directory may have."""

    def __init__(self, stream: BinaryIO, most: int) -> None:
        self._stream = stream
        self._most = most

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(self._most + 1 if size < 0 else min(size, self._most + 1))
        if len(data) > self._most:
            raise _DirectoryTooLarge
        return data

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        """Leave the stream open: the archive goes on reading from it."""


def read_directory(stream: BinaryIO, label: str, limits: Limits) -> list[ZipInfo]:
    """The entries of an archive, each checked by itself.

    Raises NotAPackage, TruncatedDeck, LimitExceeded, UnsafePath, EncryptedDeck, and
    UnsupportedFormat for ways of packing that Office does not use.
    """
    start = stream.read(4)
    most = max(limits.parts * _DIRECTORY_BYTES_PER_PART, _LEAST_DIRECTORY_BOUND)
    try:
        with ZipFile(_GuardedStream(stream, most)) as archive:
            entries = archive.infolist()
    except _DirectoryTooLarge:
        detail = f"its directory is too large for the limit of {limits.parts:,} parts"
        raise LimitExceeded(label, detail) from None
    except (BadZipFile, NotImplementedError, struct.error, ValueError, OverflowError, OSError):
        if start == LOCAL_SIGNATURE:
            detail = "the archive's directory is missing or damaged; the file may be cut short"
            raise TruncatedDeck(label, detail) from None
        raise NotAPackage(label, "it is no zip archive") from None
    if len(entries) > limits.parts:
        detail = f"{len(entries):,} parts, more than the limit of {limits.parts:,}"
        raise LimitExceeded(label, detail)
    for info in entries:
        _check_entry(info, label)
    return entries


def _check_entry(info: ZipInfo, label: str) -> None:
    name = info.orig_filename
    if reason := _unsafe(name):
        raise UnsafePath(label, reason, one_line_name(name))
    if stat.S_ISLNK(info.external_attr >> 16):
        raise UnsafePath(label, "it is a symbolic link", name)
    if info.flag_bits & ENCRYPTED:
        raise EncryptedDeck(label, "it is encrypted with a zip password", name)
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        detail = f"packed by method {info.compress_type}; Office packages are stored or deflated"
        raise UnsupportedFormat(label, detail, name)


def _unsafe(name: str) -> str | None:
    if ".." not in name and _ORDINARY.fullmatch(name):
        return None
    plain = unquote(name)
    if not plain.isprintable() or not plain:
        return "the name is empty or holds control characters"
    if "\\" in plain:
        return "the name holds a backslash"
    if plain.startswith("/") or plain[1:2] == ":":
        return "the name is an absolute path"
    if ".." in plain.split("/"):
        return "the name leads out of the package"
    return None


def entry_end_bounds(entries: list[ZipInfo], length: int, label: str) -> dict[int, int]:
    """Where the bytes of each entry must end at the latest, by the offset of its header.

    ``length`` is the archive's size in bytes. Raises TruncatedDeck where entries share bytes, the
    trick by which a small archive unpacks to a huge one, or lie past the end.
    """
    ordered = sorted(entries, key=lambda info: info.header_offset)
    ends: dict[int, int] = {}
    for i, info in enumerate(ordered):
        following = ordered[i + 1].header_offset if i + 1 < len(ordered) else length
        least = LOCAL_HEADER.size + len(info.orig_filename) + info.compress_size
        if info.header_offset < 0 or info.header_offset + least > following:
            detail = "its bytes overlap those of another part or the end of the file"
            raise TruncatedDeck(label, detail, info.orig_filename)
        ends[info.header_offset] = following
    return ends


def index_entries(entries: list[ZipInfo], label: str) -> dict[str, ZipInfo]:
    """Entries that are no folders by lookup key; raises DuplicatePart."""
    by_key: dict[str, ZipInfo] = {}
    for info in entries:
        if info.orig_filename.endswith("/"):
            continue
        key = lookup_key(info.orig_filename)
        if key in by_key:
            other = by_key[key].orig_filename
            detail = f"the archive holds it twice (first as {other})"
            raise DuplicatePart(label, detail, info.orig_filename)
        by_key[key] = info
    return by_key


def check_sizes(entries: list[ZipInfo], length: int, label: str, limits: Limits) -> None:
    """Hold the stated sizes against the limits; reading then holds the bytes to the sizes."""
    for info in entries:
        if info.file_size > limits.part_bytes:
            detail = f"{info.file_size:,} bytes, more than the limit of {limits.part_bytes:,}"
            raise LimitExceeded(label, detail, info.orig_filename)
        _check_ratio(info.file_size, info.compress_size, label, info.orig_filename, limits)
    total = sum(info.file_size for info in entries)
    if total > limits.total_bytes:
        detail = f"{total:,} bytes unpacked, more than the limit of {limits.total_bytes:,}"
        raise LimitExceeded(label, detail)
    _check_ratio(total, length, label, None, limits)


def _check_ratio(unpacked: int, packed: int, label: str, part: str | None, limits: Limits) -> None:
    if unpacked > limits.ratio_floor_bytes and unpacked > limits.ratio * packed:
        detail = f"unpacks to more than {limits.ratio:g} times its size, the limit"
        raise LimitExceeded(label, detail, part)
