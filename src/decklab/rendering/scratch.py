"""Private folders for work in progress, removed even after decklab was killed."""

import contextlib
import fcntl
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, get_args

Purpose = Literal["fonts", "html", "office", "probe", "version"]
"""What a folder is for; part of its name."""

_LOCK = ".decklab-lock"
_STALE_SECONDS = 60.0
_REMOVALS = 20


class Scratch:
    """A new folder of one of our processes, with a lock in it until ``remove``.

    Folders of killed processes are removed first.
    """

    def __init__(self, purpose: Purpose) -> None:
        sweep_stale_folders()
        self.folder = Path(tempfile.mkdtemp(prefix=f"decklab-{purpose}-"))
        self._lock = (self.folder / _LOCK).open("w")
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    def remove(self) -> None:
        """Remove the folder and all in it; safe to call again."""
        self._lock.close()
        for _ in range(_REMOVALS):
            shutil.rmtree(self.folder, ignore_errors=True)
            if not self.folder.exists():
                break
            time.sleep(0.05)  # a program that was just killed may still have been writing


@contextmanager
def scratch_folder(purpose: Purpose) -> Iterator[Path]:
    """A new folder that is removed after the block."""
    scratch = Scratch(purpose)
    try:
        yield scratch.folder
    finally:
        scratch.remove()


def sweep_stale_folders() -> None:
    """Remove folders whose owner was killed; a running owner has locked its own.

    A folder without our lock is not ours, whatever its name.
    """
    places = (Path(tempfile.gettempdir()).glob(f"decklab-{item}-*") for item in get_args(Purpose))
    for folder in (path for place in places for path in place):
        with contextlib.suppress(OSError):
            if time.time() - folder.stat().st_mtime < _STALE_SECONDS:
                continue
            with (folder / _LOCK).open("r+") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
