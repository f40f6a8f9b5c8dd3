"""Files that appear whole or not at all, private folders, and what has to be closed."""

import contextlib
import errno
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Self
from uuid import uuid4

UNFINISHED = ".part"
"""Suffix of files still being written; one may stay behind where a writer was killed."""


def package_data(package: str, path: str) -> bytes:
    """The bytes of a data file that comes with ``package``; OSError where there is none."""
    return resources.files(package).joinpath(path).read_bytes()


class Closing:
    """Base class of objects that hold something open; a ``with`` block ends by closing them."""

    def close(self) -> None:
        """Release what is held open; may be called more than once."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


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


def write_new(path: str | Path, data: bytes) -> None:
    """Write ``data`` to a new file, whole or not at all.

    Raises FileExistsError where something has the name by then: it stays as it is.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.parent / f".{uuid4().hex}{UNFINISHED}"
    try:
        unfinished.write_bytes(data)
        os.link(unfinished, target)  # a rename would take the place of a file that is there
    except OSError as error:
        error.filename, error.filename2 = str(target), None
        raise
    finally:
        unfinished.unlink(missing_ok=True)


def check_file(path: str | Path, *, inputs: Iterable[str | Path] = ()) -> None:
    """Check that a file can be written at ``path``, before the work that fills it; writes nothing.

    Raises OSError, naming the place, where it cannot: a folder, a pipe or a device has that name,
    it is one of ``inputs``, which are never changed, or its folder cannot be written to.
    """
    target = Path(path)
    if target.exists():
        # /dev/stdout may lead to a file, but it is the name there that would be replaced.
        if not target.is_file() or target.parent == Path("/dev"):
            kind = "a folder" if target.is_dir() else "a pipe or a device"
            raise OSError(errno.EINVAL, f"is {kind}, not a file", str(target))
        for source in map(Path, inputs):
            if source.exists() and target.samefile(source):
                detail = "is read by this command, which changes no input; name another file"
                raise FileExistsError(errno.EEXIST, detail, str(target))
    check_folder(target.parent)


def check_folder(path: str | Path) -> None:
    """Check that files can be written below a folder, which may not be there yet; writes nothing.

    Raises OSError, naming the place, where they cannot.
    """
    place = Path(path)
    while not os.path.lexists(place) and place != place.parent:
        place = place.parent
    try:
        if not place.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        detail = f"nothing can be written there ({place}: {error.strerror})"
        raise OSError(error.errno, detail, str(path)) from None


def check_run_folder(
    out: str | Path, *, overwrite: bool | None, mark: str = "results.json"
) -> None:
    """Check that a run may write to the folder ``out``, and can.

    Raises FileExistsError where an earlier run's results are there, which the file ``mark`` shows,
    unless they are to be overwritten; None is for commands that never do.
    """
    if not overwrite and (Path(out) / mark).exists():
        way = "" if overwrite is None else ", or say --overwrite"
        detail = f"has what an earlier run wrote; name another folder{way}"
        raise FileExistsError(errno.EEXIST, detail, str(out))
    check_folder(out)


def free_name(path: str | Path) -> Path:
    """``path``, or where something has that name the first of ``name-2``, ``name-3`` that is free.

    For files that nobody named, so that none takes the place of an earlier one.

    >>> free_name("nowhere/talk.edited.pptx").name
    'talk.edited.pptx'
    """
    wanted, number = Path(path), 2
    found = wanted
    while os.path.lexists(found):
        found = wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}")
        number += 1
    return found


_LOCK = ".decklab-lock"
_PREFIX = "decklab-"
_REMOVALS = 20


class Scratch:
    """A new folder of one of our processes, with a lock in it until ``remove``.

    ``purpose``, a word, is part of its name. Folders of killed processes are removed first.
    """

    def __init__(self, purpose: str) -> None:
        sweep_stale_folders()
        while True:
            self.folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{purpose}-"))
            self._lock = (self.folder / _LOCK).open("w")
            fcntl.flock(self._lock, fcntl.LOCK_EX)
            if os.fstat(self._lock.fileno()).st_nlink:
                break
            self._lock.close()  # swept by another process before it was locked

    def remove(self) -> None:
        """Remove the folder and all in it; safe to call again."""
        self._lock.close()
        for _ in range(_REMOVALS):
            _remove(self.folder)
            if not self.folder.exists():
                break
            time.sleep(0.05)  # a program that was just killed may still have been writing


def _remove(folder: Path) -> None:
    """Remove a folder of ours, its lock last: what is left without one would never be swept."""
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            elif path.name != _LOCK:
                path.unlink(missing_ok=True)
        if {path.name for path in folder.iterdir()} <= {_LOCK}:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def scratch_folder(purpose: str) -> Iterator[Path]:
    """A new folder that is removed after the block; ``purpose`` is part of its name."""
    scratch = Scratch(purpose)
    try:
        yield scratch.folder
    finally:
        scratch.remove()


def sweep_stale_folders() -> None:
    """Remove folders whose owner was killed; a running owner has locked its own.

    A folder without our lock is not ours, whatever its name.
    """
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError), (folder / _LOCK).open("r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(folder)
