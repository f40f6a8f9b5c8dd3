"""The files that a run left in its folder, read by one who does not trust it."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

_DEEPEST = 32


class TooMuchLeft(ValueError):
    """The files are more, larger or deeper than allowed; the text says which."""


def files_in(
    folder: str, *, names: list[str], most: int, largest: int
) -> Iterator[tuple[str, bytes]]:
    """The plain files under ``folder`` by relative path, in order; only ``names`` if given.

    Links are not followed and neither they, hard ones included, nor pipes and devices count as
    files; ``.tmp`` is left out. TooMuchLeft above ``most`` files or ``largest`` bytes together.
    """
    wanted = set(names)
    left = largest
    for count, (path, size) in enumerate(_walk(folder, "", wanted)):
        if count >= most:
            raise TooMuchLeft(f"more than {most} files")
        if size > left:
            raise TooMuchLeft(f"more than {largest} bytes of files")
        data = _read(f"{folder}/{path}", size)
        left -= len(data)
        yield path, data


def _walk(folder: str, below: str, wanted: set[str], depth: int = 0) -> Iterator[tuple[str, int]]:
    if depth > _DEEPEST:
        raise TooMuchLeft(f"folders more than {_DEEPEST} deep")
    here = f"{folder}/{below}"
    Path(here).chmod(0o700)  # the code may have shut it
    for entry in sorted(Path(here).iterdir()):
        path = f"{below}{entry.name}"
        status = entry.lstat()
        if stat.S_ISDIR(status.st_mode):
            if path != ".tmp" and (not wanted or any(n.startswith(f"{path}/") for n in wanted)):
                yield from _walk(folder, f"{path}/", wanted, depth + 1)
        elif _is_own(status) and (not wanted or path in wanted):
            yield path, status.st_size


def _is_own(status: os.stat_result) -> bool:
    """Whether it is a plain file that has no other name, perhaps outside the folder."""
    return stat.S_ISREG(status.st_mode) and status.st_nlink == 1


def _read(path: str, size: int) -> bytes:
    Path(path).chmod(0o600)
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        return file.read(size)
