"""Regular files, opened without being fooled by what else a path can be."""

import os
import stat
from pathlib import Path
from typing import BinaryIO

from decklab.errors import DeckError, LimitExceeded, TruncatedDeck, UnsupportedFormat
from decklab.ooxml.limits import Limits

__all__ = ["open_file"]

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
    TruncatedDeck for an empty file, LimitExceeded for one too large, DeckError where it cannot
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
