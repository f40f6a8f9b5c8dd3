"""How large, deep and dense a package may be before it is refused."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from decklab.core.errors import DeckError, LimitExceeded, TruncatedDeck, UnsupportedFormat

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
