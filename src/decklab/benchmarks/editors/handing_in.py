"""Taking a deck from a place that somebody else could write to."""

import os
import stat
from contextlib import ExitStack
from pathlib import Path

from decklab.errors import DeckError, LimitExceeded, MissingPart, UnsupportedFormat
from decklab.ooxml.limits import DEFAULT_LIMITS
from decklab.ooxml.package import Package


def deck_bytes(path: Path) -> bytes:
    """What is in the file ``path``, if that is a plain file of its own.

    A link, also one among the folder's hard ones, might lead to somebody else's deck. Raises
    UnsupportedFormat for it, for folders, pipes and devices; MissingPart where there is nothing;
    LimitExceeded for a file too large to be a deck; DeckError where it cannot be opened.
    """
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        if stat.S_ISLNK(path.lstat().st_mode):
            raise UnsupportedFormat(path, "it is a link, not a file")
        with ExitStack() as stack:
            descriptor = os.open(path, flags)
            stack.callback(os.close, descriptor)
            _check(path, os.fstat(descriptor))
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                return file.read(DEFAULT_LIMITS.file_bytes + 1)
    except FileNotFoundError:
        raise MissingPart(path, "there is no such file") from None
    except OSError as error:
        raise DeckError(path, f"cannot be opened: {error.strerror}") from None


def check_parts(edited: Path, original: Path) -> None:
    """See that all XML which is in ``edited`` and not in ``original`` can be read.

    Reading a deck skips a damaged slide; programs that show decks refuse the whole. Raises the
    DeckError of the first such part, and that of a file that cannot be opened, ``original`` first.
    """
    with Package.open(original) as old, Package.open(edited) as new:
        for name in new.names:
            if name.endswith((".xml", ".rels")) and new.read(name) != _part(old, name):
                new.xml(name)


def _part(package: Package, name: str) -> bytes | None:
    try:
        return package.read(name)
    except DeckError:
        return None


def _check(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise UnsupportedFormat(path, "it is a folder, a pipe or a device, not a file")
    if status.st_nlink != 1:
        raise UnsupportedFormat(path, "it is a hard link, not a file of its own")
    if status.st_size > DEFAULT_LIMITS.file_bytes:
        most = DEFAULT_LIMITS.file_bytes
        raise LimitExceeded(path, f"{status.st_size:,} bytes, more than the limit of {most:,}")
