"""Files of the host that an installed program needs in the sandbox, and their paths there.

Shown are the program with its interpreter and packages, and the files that its command names. All
else that it reads has to be named by the user.
"""

import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from decklab.sandbox.launch import IMPORTS

_SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib64")
"""Folders that every program sees."""
_NOT_AS_IT_IS: Final = ("/tmp", "/run", "/dev", "/proc")
"""Folders that are others inside: files below them have another path there."""
_BIN: Final = ("/usr/local/bin", "/usr/bin", "/bin")


def files_of_command(words: Sequence[str]) -> list[Path]:
    """The files of a command's program, and those that its other words name."""
    found = found_program(words[0])
    own = program_files(_resolved(Path(found))) if found else []
    return [*own, *(Path(word).absolute() for word in words[1:] if Path(word).is_file())]


def found_program(name: str) -> str | None:
    """Where a program is on this machine; none of the scripts in ``shims`` of version managers,
    which start others that are not known here. None if it is not found."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    path = os.pathsep.join(one for one in folders if Path(one).name != "shims")
    return shutil.which(name, path=path)


def words_inside(words: Sequence[str]) -> list[str]:
    """The words of a command with the paths that its program and its files have inside."""
    found = found_program(words[0])
    first = place_inside(_resolved(Path(found))) if found else words[0]
    rest = [place_inside(Path(one).absolute()) if Path(one).is_file() else one for one in words[1:]]
    return [first, *rest]


def outermost(paths: Iterable[Path]) -> list[Path]:
    """Those that are there, are not the system's, and lie in no other of them."""
    there = [
        path for path in dict.fromkeys(paths) if path.exists() and not _is_below(path, _SYSTEM)
    ]
    return [path for path in there if not any(one in path.parents for one in there)]


def place_inside(path: Path) -> str:
    """The path that a file of the host has inside: its own, but for those below /tmp and the like.

    >>> place_inside(Path("/opt/tool")), place_inside(Path("/tmp/tool"))
    ('/opt/tool', '/run/decklab/imports/host/tmp/tool')
    """
    return f"{IMPORTS}/host{path}" if _is_below(path, _NOT_AS_IT_IS) else str(path)


def search_path(shown: Iterable[Path]) -> str:
    """Where a program looks for others: beside its own files, then in the system."""
    folders = [path if path.is_dir() else path.parent for path in shown]
    own = [place_inside(one / "bin" if (one / "bin").is_dir() else one) for one in folders]
    return ":".join(dict.fromkeys([*own, *_BIN]))


def program_files(program: Path) -> list[Path]:
    """What a program needs to be started: the file, what it is a link to, the interpreter that its
    first line names, and the folder of a virtual environment or of npm packages that it lies in.
    """
    found: list[Path] = []
    queue = [program.absolute()]
    while queue:
        path = queue.pop()
        if path in found or not path.exists():
            continue
        found.append(path)
        if path.is_symlink():
            queue.append((path.parent / path.readlink()).absolute())
        folder = _package_folder(path)
        if folder is not None:
            found.append(folder)
            queue += [folder / "bin/python"] if (folder / "pyvenv.cfg").exists() else []
        if path.is_file():
            queue += _interpreter(path)
    return list(dict.fromkeys(found))


def _interpreter(path: Path) -> list[Path]:
    with path.open("rb") as file:
        first = file.readline(512)
    words = first[2:].decode(errors="replace").split() if first.startswith(b"#!") else []
    if words and Path(words[0]).name == "env":
        name = next((word for word in words[1:] if not word.startswith("-")), "")
        words = [found_program(name) or ""]
    return [Path(words[0])] if words and words[0] else []


def _package_folder(path: Path) -> Path | None:
    if "node_modules" in path.parts:
        return Path(*path.parts[: path.parts.index("node_modules") + 1])
    if (path.parent.parent / "pyvenv.cfg").exists():
        return path.parent.parent
    python = path.parent.parent / "lib" / path.name  # of an interpreter in a folder of its own
    return path.parent.parent if path.name.startswith("python3") and python.is_dir() else None


def _resolved(program: Path) -> Path:
    """Where a link to a program leads; a script looks for its own files beside that."""
    path = program.absolute()
    return path if _is_below(path, _SYSTEM) else path.resolve()


def _is_below(path: Path, folders: Sequence[str]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)
