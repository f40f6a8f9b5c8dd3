"""The folder a run writes to: which files in it are decklab's, and that one run writes at a time.

``.decklab/written`` in it lists every file decklab may write there. What is not listed belongs
to somebody else: it is neither replaced nor removed. ``.decklab/names`` tells which decks the
folder knows, in order, and under which name it has each, so that what is written of one deck never
takes the place of what was written of another.
"""

import errno
import fcntl
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from decklab.files import write_whole
from decklab.scoring.names import deck_names

MARK = ".decklab"
"""Folder by which an output folder is known; it holds what decklab notes for itself."""

_LIST = "written"
_LOCK = "lock"
_NAMES = "names"


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


def identity(out: Path, deck: Path) -> str:
    """The path of ``deck`` from ``out``: the same wherever one stands, and if both are moved."""
    return os.path.relpath(deck, out)


def known_decks(out: Path) -> dict[str, str]:
    """The names under which ``out`` has decks, by `identity`, in the order they first came."""
    try:
        names = json.loads((out / MARK / _NAMES).read_bytes())
        return {str(deck): str(name) for deck, name in names.items()}
    except (OSError, ValueError, AttributeError):
        return {}


def names_in(out: Path, decks: Sequence[Path], *, reorder: bool = False) -> dict[Path, str]:
    """The name for what is written to ``out`` of each deck, which no other deck has there.

    A deck keeps the name it has. With ``reorder``, the decks now come last, in this order.
    Several processes may ask at once.
    """
    mark = out / MARK
    mark.mkdir(parents=True, exist_ok=True)
    with (mark / f"{_NAMES}.{_LOCK}").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        known = known_decks(out)
        new = [deck for deck in decks if identity(out, deck) not in known]
        known |= {identity(out, deck): name for deck, name in
                  deck_names(new, taken=known.values()).items()}  # fmt: skip
        names = {deck: known[identity(out, deck)] for deck in decks}
        if reorder:
            last = {identity(out, deck) for deck in decks}
            known = {deck: name for deck, name in known.items() if deck not in last} | {
                identity(out, deck): name for deck, name in names.items()
            }
        if new or reorder:
            write_whole(mark / _NAMES, json.dumps(known).encode())
    return names


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
