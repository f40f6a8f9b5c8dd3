"""The folder a run writes to: which files in it are decklab's, and one run at a time.

``.decklab/written`` in it lists every file decklab may write there. Any other file belongs to
somebody else: it is neither replaced nor removed. ``.decklab/names`` holds the decks that runs
wrote about, in order, with the name that each one's files have, so that files about one deck never
replace files about another.
"""

import errno
import fcntl
import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from decklab.core.files import check_folder, free_name, write_whole

LONGEST = 160
"""Longest name of a deck's files in bytes. Ours; file systems stop at 255."""


def deck_names(decks: Sequence[Path], taken: Collection[str] = ()) -> dict[Path, str]:
    """A name for the files about each deck: the deck's own, made safe.

    Names that several decks share, and those that are ``taken``, get a few digits of the digest
    of the deck's absolute path.

    >>> names = deck_names([Path("a/Q3 report.pptx"), Path("b/talk.pdf")], taken={"Talk"})
    >>> names[Path("a/Q3 report.pptx")]
    'Q3_report'
    >>> len(names[Path("b/talk.pdf")])
    13
    """
    stems = {deck: _safe(deck.stem if deck.suffix else deck.name) for deck in decks}
    shared = Counter(stem.lower() for stem in stems.values())
    shared.update({name.lower(): 2 for name in taken})
    return {
        deck: stem if shared[stem.lower()] == 1 else f"{stem}-{_digits(deck)}"
        for deck, stem in stems.items()
    }


def _safe(name: str) -> str:
    safe = re.sub(r"[^\w.()=+-]+", "_", name).strip("._")
    return safe.encode()[:LONGEST].decode(errors="ignore") or "deck"


def _digits(deck: Path) -> str:
    return hashlib.sha256(os.fsencode(deck.absolute())).hexdigest()[:8]


FOLDER_MARK = ".decklab"
"""Folder by which an output folder is known; it holds what decklab notes for itself."""

_LIST = "written"
_LOCK = "lock"
_NAMES = "names"


def written_files(folder: Path) -> frozenset[Path]:
    """The files in ``folder`` that runs wrote, or were about to write."""
    try:
        names = json.loads((folder / FOLDER_MARK / _LIST).read_bytes())
    except (OSError, ValueError):
        return frozenset()
    return frozenset(folder / name for name in names if isinstance(name, str))


def files_below(
    folder: Path, *, unreadable: Callable[[OSError], object] | None = None
) -> Iterator[tuple[Path, list[str], list[str]]]:
    """Like ``os.walk``, sorted, without anything decklab wrote and without hidden folders.

    ``unreadable`` is called for folders that cannot be listed.
    """
    ours: set[Path] = set()
    for name, folders, files in os.walk(folder, onerror=unreadable):
        here = Path(name)
        if FOLDER_MARK in folders:
            ours |= written_files(here)
        folders[:] = sorted(item for item in folders if not item.startswith("."))
        yield here, folders, sorted(item for item in files if here / item not in ours)


@contextmanager
def one_run(out: Path) -> Iterator[None]:
    """Hold ``out``, made where missing, for one run; BlockingIOError if another one has it."""
    mark = out / FOLDER_MARK
    mark.mkdir(parents=True, exist_ok=True)
    with (mark / _LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            detail = "another run is writing there; wait for it or choose another --out"
            raise BlockingIOError(errno.EWOULDBLOCK, detail, str(out)) from None
        yield


def deck_id(out: Path, deck: Path) -> str:
    """The path of ``deck`` relative to ``out``, which stays when both are moved together."""
    return os.path.relpath(deck, out)


def known_decks(out: Path) -> dict[str, str]:
    """The names under which ``out`` has decks, by `deck_id`, in the order they first came."""
    try:
        names = json.loads((out / FOLDER_MARK / _NAMES).read_bytes())
        return {str(deck): str(name) for deck, name in names.items()}
    except (OSError, ValueError, AttributeError):
        return {}


def names_in(
    out: Path, decks: Sequence[Path], *, reorder: bool = False, taken: Collection[str] = ()
) -> dict[Path, str]:
    """The name under ``out`` for the files about each deck; no other deck has it there.

    A deck keeps the name it has; new ones get none that is ``taken``. With ``reorder``, ``decks``
    come last from now on, in this order. Several processes may call this at once.
    """
    mark = out / FOLDER_MARK
    mark.mkdir(parents=True, exist_ok=True)
    with (mark / f"{_NAMES}.{_LOCK}").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        known = known_decks(out)
        new = [deck for deck in decks if deck_id(out, deck) not in known]
        known |= {deck_id(out, deck): name for deck, name in
                  deck_names(new, taken={*known.values(), *taken}).items()}  # fmt: skip
        names = {deck: known[deck_id(out, deck)] for deck in decks}
        if reorder:
            last = {deck_id(out, deck) for deck in decks}
            known = {deck: name for deck, name in known.items() if deck not in last} | {
                deck_id(out, deck): name for deck, name in names.items()
            }
        if new or reorder:
            write_whole(mark / _NAMES, json.dumps(known).encode())
    return names


def check_run_folder(
    out: str | Path, *, overwrite: bool | None, mark: str = "results.json"
) -> None:
    """Check that a run may write to the folder ``out``, and can.

    Raises FileExistsError if it holds files of somebody else, or an earlier run's results, which
    the file ``mark`` shows, unless they are to be overwritten; None is for commands that never do.
    """
    folder = Path(out)
    _check_results(folder, overwrite=overwrite, mark=mark)
    known = (folder / mark).exists() or (folder / FOLDER_MARK).exists()
    others = folder.iterdir() if folder.is_dir() and not known else ()
    if any(not path.name.startswith(".") for path in others):
        detail = "holds files that decklab did not write; name another folder, such as "
        raise FileExistsError(errno.EEXIST, f"{detail}{free_name(folder)}", str(folder))
    check_folder(folder)


def begin_run_folder(out: Path, *, overwrite: bool, mark: str = "results.json") -> None:
    """Make the folder of a run that was checked, and mark it as decklab's.

    Raises FileExistsError if an earlier run's results are there, unless they are to be overwritten.
    """
    _check_results(out, overwrite=overwrite, mark=mark)
    (out / FOLDER_MARK).mkdir(parents=True, exist_ok=True)


def _check_results(folder: Path, *, overwrite: bool | None, mark: str) -> None:
    if not overwrite and (folder / mark).exists():
        way = "" if overwrite is None else ", or say --overwrite"
        detail = f"has what an earlier run wrote; name another folder{way}"
        raise FileExistsError(errno.EEXIST, detail, str(folder))


def reserve(out: Path, names: Iterable[str]) -> None:
    """Note that ``names`` under ``out`` are about to be written.

    Raises FileExistsError if one of them is there and decklab did not write it.
    """
    ours = written_files(out)
    wanted = {out / name for name in names}
    for path in sorted(wanted - ours):
        if path.exists() or path.is_symlink():
            detail = "is there already and was not written by decklab; choose another --out"
            raise FileExistsError(errno.EEXIST, detail, str(path))
    listed = sorted(path.relative_to(out).as_posix() for path in ours | wanted)
    write_whole(out / FOLDER_MARK / _LIST, json.dumps(listed).encode())


def remove_written(out: Path) -> None:
    """Remove the files that earlier runs wrote to ``out``; the list of them stays."""
    for path in written_files(out):
        path.unlink(missing_ok=True)
        with suppress(OSError):  # not empty, or the output folder itself
            if path.parent != out:
                path.parent.rmdir()
