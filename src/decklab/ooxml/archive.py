"""The zip archive of a package, read as if its author meant harm.

zipfile reads the directory; the entries are unpacked here, compared with what the directory
states and within the limits, so that no header is trusted.
"""

import re
import stat
import struct
import zlib
from dataclasses import dataclass
from functools import cached_property
from io import SEEK_END, BytesIO
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from decklab.core.errors import (
    DuplicatePart,
    EncryptedDeck,
    LimitExceeded,
    MissingPart,
    NotAPackage,
    TruncatedDeck,
    UnsafePath,
    UnsupportedFormat,
)
from decklab.core.files import Closing
from decklab.ooxml.parts import lookup_key
from decklab.ooxml.signatures import DEFAULT_LIMITS, Limits, open_file

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
        self._stream, self._most = stream, most

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
    if not (plain := unquote(name)).isprintable() or not plain:
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

    ``length`` is the archive's size in bytes. Raises TruncatedDeck if entries share bytes, the
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
        if (key := lookup_key(info.orig_filename)) in by_key:
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
    if (total := sum(info.file_size for info in entries)) > limits.total_bytes:
        detail = f"{total:,} bytes unpacked, more than the limit of {limits.total_bytes:,}"
        raise LimitExceeded(label, detail)
    _check_ratio(total, length, label, None, limits)


def _check_ratio(unpacked: int, packed: int, label: str, part: str | None, limits: Limits) -> None:
    if unpacked > limits.ratio_floor_bytes and unpacked > limits.ratio * packed:
        detail = f"unpacks to more than {limits.ratio:g} times its size, the limit"
        raise LimitExceeded(label, detail, part)


_UTF8_NAME = 0x800
_USUAL_EXTRA = 64
"""Bytes read for the extra field of an entry's header, which is longer only if a program put
padding there."""


@dataclass(frozen=True)
class StoredEntry:
    """One entry as it lies in the archive, for copying it without unpacking."""

    info: ZipInfo
    packed: bytes


class Archive(Closing):
    """A zip archive with checked names and bounded reading.

    ``label`` names it in errors. Entry names have no leading slash; folders are left out. The
    constructor takes over ``stream`` and closes it, also if it raises.
    """

    def __init__(self, stream: BinaryIO, label: str, limits: Limits = DEFAULT_LIMITS) -> None:
        self.label, self.limits, self._stream = label, limits, stream
        try:
            self._entries = read_directory(stream, label, limits)
            length = stream.seek(0, SEEK_END)
            self._ends = entry_end_bounds(self._entries, length, label)
            self._by_key = index_entries(self._entries, label)
            check_sizes(self._entries, length, label, limits)
        except BaseException:
            stream.close()
            raise

    @classmethod
    def open(cls, path: Path, limits: Limits = DEFAULT_LIMITS) -> "Archive":
        """The archive in a file."""
        return cls(open_file(path, limits), str(path), limits)

    @classmethod
    def from_bytes(cls, data: bytes, label: str, limits: Limits = DEFAULT_LIMITS) -> "Archive":
        """An archive inside another one, or still in memory."""
        if len(data) > limits.file_bytes:
            detail = f"{len(data):,} bytes, more than the limit of {limits.file_bytes:,}"
            raise LimitExceeded(label, detail)
        return cls(BytesIO(data), label, limits)

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of all entries but folders, in the archive's order."""
        return tuple(info.orig_filename for info in self._by_key.values())

    @property
    def entries(self) -> tuple[ZipInfo, ...]:
        """All entries as the directory lists them, folders too."""
        return tuple(self._entries)

    def find(self, name: str) -> str | None:
        """The spelling under which the archive holds a name; None if it does not."""
        if name in self._spellings:
            return name
        info = self._by_key.get(lookup_key(name))
        return None if info is None else info.orig_filename

    @cached_property
    def _spellings(self) -> frozenset[str]:
        """The names as the archive spells them, under which they are nearly always asked for."""
        return frozenset(self.names)

    def size(self, name: str) -> int:
        """Unpacked size as the directory states it; reading holds the entry to it."""
        return self.info(name).file_size

    def read(self, name: str) -> bytes:
        """An entry's bytes, checked against the stated size and checksum.

        Raises MissingPart, and TruncatedDeck if the bytes are not as stated.
        """
        info = self.info(name)
        data = _unpacked(info, self._packed(info), info.file_size + 1, self.label)
        if len(data) != info.file_size or zlib.crc32(data) != info.CRC:
            detail = "its bytes are damaged: size or checksum is not what the archive states"
            raise TruncatedDeck(self.label, detail, info.orig_filename)
        return data

    def read_start(self, name: str, size: int) -> bytes:
        """The first ``size`` bytes of an entry, or all of a shorter one; no checksum is asked."""
        info = self.info(name)
        if (wanted := min(size, info.file_size)) <= 0:
            return b""
        # Deflate never grows data by more than a few bytes per block.
        packed = self._packed(info, wanted + wanted // 1000 + 64)
        return _unpacked(info, packed, wanted, self.label, whole=False)

    def stored(self, info: ZipInfo) -> StoredEntry:
        """An entry of ``entries`` in packed form."""
        return StoredEntry(info, self._packed(info))

    def info(self, name: str) -> ZipInfo:
        """The directory's entry of a part; raises MissingPart."""
        if (info := self._by_key.get(lookup_key(name))) is None:
            raise MissingPart(self.label, "there is no such part", one_line_name(name))
        return info

    def _packed(self, info: ZipInfo, at_most: int | None = None) -> bytes:
        size = info.compress_size if at_most is None else min(at_most, info.compress_size)
        # One read for header and bytes: a read for each costs as much as unpacking a small part.
        guess = LOCAL_HEADER.size + len(info.orig_filename) + _USUAL_EXTRA + size
        entry = self._at(info.header_offset, guess)
        offset = self._data_offset(info, entry)
        if info.header_offset + offset + info.compress_size > self._ends[info.header_offset]:
            raise self._damaged(info, "its bytes run into those of another part")
        if len(entry) < offset + size and len(entry) == guess:
            entry = self._at(info.header_offset, offset + size)
        packed = entry[offset : offset + size]
        if len(packed) < size:
            raise self._damaged(info, "the file ends inside it")
        return packed

    def _data_offset(self, info: ZipInfo, entry: bytes) -> int:
        """Where an entry's bytes start, counted from its header, with which ``entry`` starts."""
        if len(entry) < LOCAL_HEADER.size:
            raise self._damaged(info, "the file ends before it")
        signature, _, flags, method, *_rest, name_size, extra_size = LOCAL_HEADER.unpack_from(entry)
        if signature != LOCAL_SIGNATURE:
            raise self._damaged(info, "its header is damaged")
        end = LOCAL_HEADER.size + int(name_size)
        if entry[LOCAL_HEADER.size : end] != _spelled(info) or method != info.compress_type:
            raise self._damaged(info, "its header does not agree with the archive's directory")
        if flags & ENCRYPTED:
            raise EncryptedDeck(
                self.label, "it is encrypted with a zip password", info.orig_filename
            )
        return end + int(extra_size)

    def _at(self, offset: int, size: int) -> bytes:
        self._stream.seek(offset)
        return self._stream.read(size)

    def _damaged(self, info: ZipInfo, detail: str) -> TruncatedDeck:
        return TruncatedDeck(self.label, detail, info.orig_filename)


def _spelled(info: ZipInfo) -> bytes:
    """An entry's name as its header has it."""
    if (name := info.orig_filename).isascii():
        return name.encode()
    return name.encode("utf-8" if info.flag_bits & _UTF8_NAME else "cp437", "replace")


def _unpacked(
    info: ZipInfo, packed: bytes, at_most: int, label: str, *, whole: bool = True
) -> bytes:
    if info.compress_type == ZIP_STORED:
        return packed[:at_most]
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        data = unpacker.decompress(packed, at_most)
    except zlib.error:
        raise TruncatedDeck(label, "its packed bytes are damaged", info.orig_filename) from None
    if whole and not unpacker.eof:
        detail = "it unpacks to more bytes, or fewer, than the archive states"
        raise TruncatedDeck(label, detail, info.orig_filename)
    return data
