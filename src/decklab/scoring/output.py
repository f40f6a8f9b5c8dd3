"""The folder a run writes to: which files in it are decklab's, and that one run writes at a time.

``.decklab/written`` in it lists every file decklab may write there. What is not listed belongs
to somebody else: it is neither replaced nor removed.
"""

import errno
import fcntl
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from decklab.files import write_whole

__all__ = ["MARK", "claim", "files_below", "one_run", "remove_written", "written_files"]

MARK = ".decklab"
"""Folder by which an output folder is known; it holds what decklab notes for itself."""

_LIST = "written"
_LOCK = "lock"


def written_files(folder: Path) -> frozenset[Path]:
    """The files that runs into ``folder`` wrote or were about to; none where none ever did."""
    try:
        names = json.loads((folder / MARK / _LIST).read_bytes())
    except (OSError, ValueError):
        return frozenset()
    return frozenset(folder / name for name in names if isinstance(name, str))


def files_below(
    folder: Path, *, unreadable: Callable[[OSError], object] | None = None
) -> Iterator[tuple[Path, list[str], list[str]]]:
    """Like ``os.walk``, sorted, without anything decklab wrote and without hidden folders.

    ``unreadable`` is told of folders that cannot be listed.
    """
    ours: set[Path] = set()
    for name, folders, files in os.walk(folder, onerror=unreadable):
        here = Path(name)
        if MARK in folders:
            ours |= written_files(here)
        folders[:] = sorted(item for item in folders if not item.startswith("."))
        yield here, folders, sorted(item for item in files if here / item not in ours)


@contextmanager
def one_run(out: Path) -> Iterator[None]:
    """Hold ``out``, made where missing, for one run; BlockingIOError where another one has it."""
    mark = out / MARK
    mark.mkdir(parents=True, exist_ok=True)
    with (mark / _LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            detail = "another run is writing there; wait for it or choose another --out"
            raise BlockingIOError(errno.EWOULDBLOCK, detail, str(out)) from None
        yield


def claim(out: Path, names: Iterable[str]) -> None:
    """Note that ``names`` under ``out`` are about to be written.

    Raises FileExistsError where one of them is there and decklab did not write it.
    """
    ours = written_files(out)
    wanted = {out / name for name in names}
    for path in sorted(wanted - ours):
        if path.exists() or path.is_symlink():
            detail = "is there already and was not written by decklab; choose another --out"
            raise FileExistsError(errno.EEXIST, detail, str(path))
    listed = sorted(path.relative_to(out).as_posix() for path in ours | wanted)
    write_whole(out / MARK / _LIST, json.dumps(listed).encode())


def remove_written(out: Path) -> None:
    """Remove what earlier runs wrote to ``out`` for people and programs; the list stays."""
    for path in written_files(out):
        path.unlink(missing_ok=True)
        with suppress(OSError):  # not empty, or the output folder itself
            if path.parent != out:
                path.parent.rmdir()
