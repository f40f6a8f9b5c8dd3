"""Files that appear whole or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

__all__ = ["UNFINISHED", "whole_file", "write_whole"]

UNFINISHED = ".part"
"""Suffix of files still being written; one may stay behind where a writer was killed."""


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A place beside ``path`` to write to; it takes that name when the block ends well.

    Missing folders are made. Where the block raises, nothing is left behind and a file that was
    there before stays as it was.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    # A name of fixed length: the target's own may already be as long as the file system allows.
    unfinished = target.parent / f".{uuid4().hex}{UNFINISHED}"
    try:
        yield unfinished
        unfinished.replace(target)
    except OSError as error:
        if error.filename is None or Path(error.filename) == unfinished:
            error.filename = str(target)  # the only name the caller knows
        raise
    finally:
        unfinished.unlink(missing_ok=True)


def write_whole(path: str | Path, data: bytes) -> None:
    """Write ``data`` to ``path``, whole or not at all."""
    with whole_file(path) as unfinished:
        unfinished.write_bytes(data)
