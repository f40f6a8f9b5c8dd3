"""Names of output files: the error for one that is taken, and names that are free."""

import errno
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path


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
    for number in count(2):
        yield path.with_name(f"{path.stem}-{number}{path.suffix}")
