"""Files that appear whole or not at all, their names, private folders, and closing."""

import atexit
import contextlib
import errno
import fcntl
import json
import os
import shutil
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import resources
from itertools import count
from pathlib import Path
from typing import Any, Self
from uuid import uuid4


class NameTaken(FileExistsError):
    """An output would take the place of a file that exists."""

    def advice(self, way: str) -> str:
        """The error as a sentence, with a name that is free; ``way`` says how to replace the file.

        >>> NameTaken(17, "exists already", "none/a.pptx").advice("add --force")
        'none/a.pptx exists already. Choose another name, such as none/a.pptx, or add --force.'
        """
        free = free_name(self.filename)
        return f"{self.filename} exists already. Choose another name, such as {free}, or {way}."

    def __str__(self) -> str:
        return self.advice("pass force=True")


def name_taken(path: str | Path) -> NameTaken:
    """The error for a file that exists."""
    return NameTaken(errno.EEXIST, "exists already", str(path))


def free_name(path: str | Path) -> Path:
    """``path``, or where something has that name the first of ``name-2``, ``name-3`` that is free.

    To be shown or offered: another process may take it. ``write_numbered`` writes to such a name.

    >>> free_name("nowhere/talk.edited.pptx").name
    'talk.edited.pptx'
    """
    return next(name for name in numbered_names(Path(path)) if not os.path.lexists(name))


def numbered_names(path: Path) -> Iterator[Path]:
    """``path``, then ``name-2``, ``name-3`` and so on beside it, without end."""
    yield path
    yield from (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))


UNFINISHED = ".part"
"""Suffix of files still being written; one may stay behind if a writer was killed."""

_NO_LINKS = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK})
"""Errors of file systems without hard links, such as exFAT."""


def package_data(package: str, path: str) -> bytes:
    """The bytes of a data file that comes with ``package``; OSError if there is none."""
    return resources.files(package).joinpath(path).read_bytes()


def package_values(package: str, path: str) -> Any:
    """The values of a JSON or TOML file that comes with ``package``; OSError if there is none."""
    data = package_data(package, path)
    return tomllib.loads(data.decode()) if path.endswith(".toml") else json.loads(data)


class Closing:
    """Base class of objects that hold something open; a ``with`` block ends by closing them."""

    def close(self) -> None:
        """Release what is held open; may be called more than once."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


Ours = Callable[[Path], bool]
"""Whether a file is an earlier output of the same command, which it may replace. False for a file
that does not exist or cannot be read."""


@contextmanager
def _unfinished_file(target: Path) -> Iterator[Path]:
    """A file beside ``target`` to write to, removed after the block; missing folders are made."""
    target.parent.mkdir(parents=True, exist_ok=True)
    # A name of fixed length: the target's own may already be as long as the file system allows.
    unfinished = target.parent / f".{uuid4().hex}{UNFINISHED}"
    try:
        yield unfinished
    except OSError as error:
        if error.filename is None or Path(error.filename) == unfinished:
            # The only name that the caller knows.
            error.filename, error.filename2 = str(target), None
        raise
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A place beside ``path`` to write to; it takes that name when the block ends well.

    Missing folders are made. If the block raises, nothing is left behind and a file that was
    there before stays as it was. For files of decklab's own: see ``output_file`` for others.
    """
    target = Path(path)
    with _unfinished_file(target) as unfinished:
        yield unfinished
        unfinished.replace(target)


def write_whole(path: str | Path, data: bytes) -> None:
    """Write ``data`` to ``path``, whole or not at all, over an existing file."""
    with whole_file(path) as unfinished:
        unfinished.write_bytes(data)


@contextmanager
def output_file(
    path: str | Path, *, force: bool = False, ours: Ours | None = None
) -> Iterator[Path]:
    """Like ``whole_file``, for a file that somebody named: no other file is lost.

    Raises NameTaken if a file exists, also one that came during the block. It is replaced if
    it is ``ours``, and by ``force``; by force it is copied first, see ``keep_copy``.
    """
    target = Path(path)
    with _unfinished_file(target) as unfinished:
        yield unfinished
        earlier = ours is not None and ours(target)
        if not (force or earlier):
            _claim(unfinished, target)
            return
        if target.exists() and not earlier:
            keep_copy(target)
        unfinished.replace(target)


def write_output(
    path: str | Path, data: bytes, *, force: bool = False, ours: Ours | None = None
) -> None:
    """Write ``data`` to a file that somebody named, whole or not at all; see ``output_file``."""
    with output_file(path, force=force, ours=ours) as unfinished:
        unfinished.write_bytes(data)


def write_data(folder: str | Path, files: Mapping[str, bytes], *, force: bool = False) -> None:
    """Write files that always have the same bytes below a folder that somebody named.

    One that is there with these bytes stays. Raises NameTaken, before any is written, if a file
    has others; with ``force`` it is replaced, and a copy of it is kept beside it.
    """
    new = {Path(folder, name): data for name, data in files.items()}
    for path in [path for path, data in new.items() if _holds(path, data)]:
        del new[path]
    for path in new:
        check_file(path, force=force)
    for path, data in new.items():
        write_output(path, data, force=force)


def _holds(path: Path, data: bytes) -> bool:
    return path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data


def write_numbered(path: str | Path, data: bytes) -> Path:
    """Write ``data`` to a new file, whole or not at all, and return its path.

    It is ``path``, or the first of ``name-2``, ``name-3`` that nothing has. For names that nobody
    chose: several processes may ask for the same one, and each gets a file of its own.
    """
    target = Path(path)
    with _unfinished_file(target) as unfinished:
        unfinished.write_bytes(data)
        return _claim_numbered(unfinished, target)


def keep_copy(path: Path) -> Path:
    """Copy a file that will be replaced to a free name beside it, such as ``talk.pptx.bak``.

    The log, which goes to standard error unless a program says otherwise, names the copy.
    """
    import logging  # noqa: PLC0415  # slow to load, and help needs none

    with _unfinished_file(path) as unfinished:
        shutil.copy2(path, unfinished)
        kept = _claim_numbered(unfinished, path.with_name(f"{path.name}.bak"))
    log = logging.getLogger("decklab")
    log.warning("%s is replaced; the earlier file is kept as %s", path, kept)
    return kept


def _claim(made: Path, target: Path) -> None:
    """Give a finished file a name that nothing has; raises NameTaken if something has it."""
    try:
        try:
            os.link(made, target)  # a rename would take the place of a file that is there
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
            made.replace(target)
    except FileExistsError:
        raise name_taken(target) from None


def _claim_numbered(made: Path, wanted: Path) -> Path:
    for name in numbered_names(wanted):
        with contextlib.suppress(NameTaken):
            _claim(made, name)
            return name
    raise AssertionError("numbers do not end")


def check_file(
    path: str | Path,
    *,
    inputs: Iterable[str | Path] = (),
    force: bool = False,
    ours: Ours | None = None,
) -> None:
    """Check that a file can be written at ``path``, before the work that fills it; writes nothing.

    Raises OSError, naming the place, if it cannot: a folder, a pipe or a device has that name,
    it is one of ``inputs``, which are never changed, or its folder cannot be written to; NameTaken
    if it exists, unless ``output_file`` would replace it.
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
    if os.path.lexists(target) and not force and not (ours is not None and ours(target)):
        raise name_taken(target)
    check_folder(target.parent)


def check_distinct(paths: Iterable[str | Path | None]) -> None:
    """Raise FileExistsError if two outputs of a command have the same name; None has none."""
    seen: set[Path] = set()
    for path in paths:
        if path is None:
            continue
        if (whole := Path(path).absolute()) in seen:
            detail = "is named for two outputs; name another file for one of them"
            raise FileExistsError(errno.EEXIST, detail, str(path))
        seen.add(whole)


def check_folder(path: str | Path) -> None:
    """Check that files can be written below a folder, which may not be there yet; writes nothing.

    Raises OSError, naming the place, if they cannot.
    """
    folder = Path(path)
    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    try:
        if not folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        detail = f"nothing can be written there ({folder}: {error.strerror})"
        raise OSError(error.errno, detail, str(path)) from None


_LOCK = ".decklab-lock"
_PREFIX = "decklab-"
_REMOVALS = 20
_LIVE: set[tuple[int, Path]] = set()
"""Process and folder of each ``Scratch``; a fork has those of its parent too."""


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
        _LIVE.add((os.getpid(), self.folder))

    def remove(self) -> None:
        """Remove the folder and all in it; safe to call again."""
        self._lock.close()
        _LIVE.discard((os.getpid(), self.folder))
        for _ in range(_REMOVALS):
            _remove(self.folder)
            if not self.folder.exists():
                break
            time.sleep(0.05)  # a program that was just killed may still have been writing


def _remove(folder: Path) -> None:
    """Remove a folder of ours, its lock last: a folder left without one would never be swept."""
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


def lasting_folder(purpose: str) -> Path:
    """A new folder that is removed when the process ends; ``purpose`` is part of its name."""
    scratch = Scratch(purpose)
    atexit.register(scratch.remove)
    return scratch.folder


def remove_live_folders() -> None:
    """Remove the scratch folders of this process and those whose owner was killed, for a process
    that ends without leaving its ``with`` blocks."""
    for process, folder in tuple(_LIVE):
        if process == os.getpid():
            _remove(folder)
    sweep_stale_folders()


def sweep_stale_folders() -> None:
    """Remove folders whose owner was killed; a running owner has locked its own.

    A folder without our lock is not ours, whatever its name.
    """
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError), (folder / _LOCK).open("r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(folder)
