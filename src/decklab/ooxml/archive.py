"""The zip archive of a package, read as if its author meant harm.

zipfile reads the directory; the entries are unpacked here, compared with what the directory
states and within the limits, so that no header is trusted.
"""

import zlib
from dataclasses import dataclass
from functools import cached_property
from io import SEEK_END, BytesIO
from pathlib import Path
from typing import BinaryIO
from zipfile import ZIP_STORED, ZipInfo

from decklab.core.errors import EncryptedDeck, LimitExceeded, MissingPart, TruncatedDeck
from decklab.core.files import Closing
from decklab.ooxml.directory import (
    ENCRYPTED,
    LOCAL_HEADER,
    LOCAL_SIGNATURE,
    check_sizes,
    entry_end_bounds,
    index_entries,
    one_line_name,
    read_directory,
)
from decklab.ooxml.limits import DEFAULT_LIMITS, Limits, open_file
from decklab.ooxml.parts import lookup_key

_UTF8_NAME = 0x800
_USUAL_EXTRA = 64
"""Bytes read for the extra field of an entry's header, which is longer only where a program put
padding there."""


@dataclass(frozen=True)
class StoredEntry:
    """One entry as it lies in the archive, for copying it without unpacking."""

    info: ZipInfo
    packed: bytes


class Archive(Closing):
    """A zip archive with checked names and bounded reading.

    ``label`` names it in errors. Entry names have no leading slash; folders are left out. The
    constructor takes over ``stream`` and closes it, also where it raises.
    """

    def __init__(self, stream: BinaryIO, label: str, limits: Limits = DEFAULT_LIMITS) -> None:
        self.label = label
        self.limits = limits
        self._stream = stream
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
        """The spelling under which the archive holds a name; None where it does not."""
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

        Raises MissingPart, and TruncatedDeck where the bytes are not what was stated.
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
        wanted = min(size, info.file_size)
        if wanted <= 0:
            return b""
        # Deflate never grows data by more than a few bytes per block.
        packed = self._packed(info, wanted + wanted // 1000 + 64)
        return _unpacked(info, packed, wanted, self.label, whole=False)

    def stored(self, info: ZipInfo) -> StoredEntry:
        """An entry of ``entries`` in packed form."""
        return StoredEntry(info, self._packed(info))

    def info(self, name: str) -> ZipInfo:
        """What the directory says of an entry; raises MissingPart."""
        info = self._by_key.get(lookup_key(name))
        if info is None:
            raise MissingPart(self.label, "there is no such part", one_line_name(name))
        return info

    def _packed(self, info: ZipInfo, at_most: int | None = None) -> bytes:
        size = info.compress_size if at_most is None else min(at_most, info.compress_size)
        # One read for header and bytes: a read for each costs as much as unpacking a small part.
        guess = LOCAL_HEADER.size + len(info.orig_filename) + _USUAL_EXTRA + size
        found = self._at(info.header_offset, guess)
        offset = self._data_offset(info, found)
        if info.header_offset + offset + info.compress_size > self._ends[info.header_offset]:
            raise self._damaged(info, "its bytes run into those of another part")
        if len(found) < offset + size and len(found) == guess:
            found = self._at(info.header_offset, offset + size)
        packed = found[offset : offset + size]
        if len(packed) < size:
            raise self._damaged(info, "the file ends inside it")
        return packed

    def _data_offset(self, info: ZipInfo, found: bytes) -> int:
        """Where an entry's bytes start, counted from its header, with which ``found`` starts."""
        if len(found) < LOCAL_HEADER.size:
            raise self._damaged(info, "the file ends before it")
        signature, _, flags, method, *_rest, name_size, extra_size = LOCAL_HEADER.unpack_from(found)
        if signature != LOCAL_SIGNATURE:
            raise self._damaged(info, "its header is damaged")
        end = LOCAL_HEADER.size + int(name_size)
        if found[LOCAL_HEADER.size : end] != _spelled(info) or method != info.compress_type:
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
    name = info.orig_filename
    if name.isascii():
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
