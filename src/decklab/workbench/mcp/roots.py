"""The folders that a server may work in, and paths below them.

A client names a file as it is called below a root, or by its whole path. Links are followed first:
the file's real place counts. Hidden files are not served, and existing files are not overwritten.
"""

import os
import re
from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from secrets import token_hex

from decklab.core.errors import DecklabError, Unavailable, one_line
from decklab.core.files import free_name
from decklab.core.output_folder import files_below

MOST_FILES = 20_000
"""Files below the roots that are looked at when files are listed or a name is searched (ours)."""

DECK_SUFFIXES = frozenset({".pptx", ".pptm", ".potx", ".potm", ".ppsx", ".ppsm"})
_ALIKE = 0.75
_LONGEST = 1000


class PathRefused(DecklabError):
    """A path that a tool may not read or write; the text says why, and what to do."""


class Roots:
    """The folders named at start.

    With one root, paths are relative to it; with several they begin with the name of a root.
    Raises Unavailable if a root is no folder, or two roots have one name.
    """

    def __init__(self, folders: Sequence[str | Path]) -> None:
        resolved = list(dict.fromkeys(Path(folder).resolve() for folder in folders))
        for folder in resolved:
            if not folder.is_dir():
                raise Unavailable(f"{folder} is no folder; name folders that have decks")
        names = [folder.name for folder in resolved]
        if len(set(names)) < len(names):
            raise Unavailable(
                f"two folders have one name ({', '.join(names)}); name one above both"
            )
        self.session = token_hex(8)
        """Tells the decks that are edited under these roots from those of other servers."""
        self.folders = {"" if len(resolved) == 1 else folder.name: folder for folder in resolved}

    def file(self, name: str) -> Path:
        """The file that a client names; raises PathRefused if there is none below a root."""
        path = self._inside(name)
        if path.is_dir():
            raise PathRefused(f"{name!r} is a folder; name a file in it, see list_files")
        if not path.exists():
            raise PathRefused(f"there is no file {name!r}{self._hint(name)}")
        if not path.is_file():
            raise PathRefused(f"{name!r} is a pipe or a device, not a file")
        return path

    def deck(self, name: str) -> Path:
        """The PowerPoint deck that a client names; raises PathRefused for another kind of file."""
        path = self.file(name)
        if path.suffix.lower() not in DECK_SUFFIXES:
            kinds = " ".join(sorted(DECK_SUFFIXES))
            raise PathRefused(f"{name!r} is no PowerPoint deck by its name ({kinds})")
        return path

    def folder(self, name: str) -> Path:
        """The folder that a client names; raises PathRefused if there is none below a root."""
        path = self._inside(name)
        if not path.is_dir():
            raise PathRefused(f"there is no folder {name!r}; list_files without one shows all")
        return path

    def new_file(self, name: str, *, like: Path | None = None, suffix: str) -> Path:
        """A file that a tool may write, which is not there yet.

        Without a name it is made from that of the file ``like``, beside it. Raises PathRefused for
        a name that is taken, lies outside, or does not end in ``suffix``.
        """
        if not name and like is not None:
            stem = re.sub(r"\.edited(-\d+)?$", "", like.stem)  # an edit of an edit
            return free_name(like.with_name(f"{stem}.edited{suffix}"))
        path = self._inside(name)
        if path.suffix.lower() != suffix.lower():
            raise PathRefused(f"the name of the new file has to end in {suffix}, not {name!r}")
        if os.path.lexists(path):
            free = self.shown(free_name(path))
            raise PathRefused(
                f"{name!r} is there already, and no file is overwritten; {free!r} is free"
            )
        return path

    def files(self, folder: Path | None = None) -> Iterator[Path]:
        """Files below a folder, or below all roots, sorted; none that is hidden or leads out."""
        wanted = self.folders.values() if folder is None else [folder]
        paths = (
            path / file for top in wanted for path, _, files in files_below(top) for file in files
        )
        for path in islice(paths, MOST_FILES):
            if not path.name.startswith((".", "~$")) and self._holds(_resolved(path)):
                yield path

    def shown(self, path: str | Path) -> str:
        """A path as a client names it."""
        path_given = Path(path)
        for label, folder in self.folders.items():
            if path_given.is_relative_to(folder):
                return one_line((Path(label) / path_given.relative_to(folder)).as_posix())
        return one_line(str(path))

    def shortened(self, text: str) -> str:
        """A text in which the paths of files below roots are as a client names them."""
        for label, folder in self.folders.items():
            text = text.replace(f"{folder}{os.sep}", f"{label}/" if label else "")
        return text

    def _inside(self, name: str) -> Path:
        """The place that a client names, links followed; raises PathRefused if it is outside."""
        if not name or "\0" in name or len(name) > _LONGEST:
            raise PathRefused("a path is empty or no path; list_files shows what there is")
        return self._below(_resolved(self._candidate(name)), name)

    def _below(self, path: Path | None, name: str) -> Path:
        if path is not None and self._holds(path):
            return path
        folders = ", ".join(map(str, self.folders.values()))
        raise PathRefused(
            f"{one_line(name)!r} lies outside of the folders that this server may use ({folders}), "
            "is hidden, or is a link that leads out; list_files shows what there is"
        )

    def _holds(self, path: Path | None) -> bool:
        """Whether a path lies below a root, and neither it nor a folder on the way is hidden."""
        return path is not None and any(
            path.is_relative_to(folder)
            and not any(part.startswith(".") for part in path.relative_to(folder).parts)
            for folder in self.folders.values()
        )

    def _candidate(self, name: str) -> Path:
        path = Path(name)
        if path.is_absolute():
            return path
        label, _, rest = name.replace("\\", "/").removeprefix("./").partition("/")
        if label in self.folders:
            return self.folders[label] / rest
        places = [folder / path for folder in self.folders.values()]
        return next((path_there for path_there in places if os.path.lexists(path_there)), places[0])

    def _hint(self, name: str) -> str:
        known = {self.shown(path) for path in self.files()}
        same = [other for other in known if Path(other).name.lower() == Path(name).name.lower()]
        close = sorted(same)[:3] or _near(name, known)
        return f"; did you mean {' or '.join(map(repr, close))}?" if close else "; see list_files"


def _resolved(path: Path) -> Path | None:
    """A path with its links followed; None if they go in a circle."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return None


def _near(name: str, known: Collection[str]) -> list[str]:
    by_name = {Path(other).name.lower(): other for other in known}
    return [
        by_name[other] for other in get_close_matches(Path(name).name.lower(), by_name, 2, _ALIKE)
    ]
