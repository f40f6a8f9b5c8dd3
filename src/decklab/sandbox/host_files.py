"""Which of the host's files an editor under test needs in a sandbox: its code, and no decks.

Shown, read-only, are the interpreter with its packages, the editor's module or package, what their
sources import from the same folders, and what the user names. Nothing else of the host is there.
Decks among the code, and files that belong to a run, are left out too.
"""

import os
import re
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.machinery import PathFinder
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any, Self

from decklab.core.errors import UnknownName
from decklab.sandbox.launch import IMPORTS

_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+(\w+)|import[ \t]+([\w., \t]+))", re.MULTILINE)
_DECKS = frozenset((".pptx", ".pptm", ".potx", ".potm", ".ppsx", ".ppsm", ".eval"))
"""Endings of decks, and of logs that hold decks."""
_CODE = frozenset((".py", ".so", ".pyd"))
_MOST_FILES = 20_000
"""Most files of an editor's code that are searched. Ours: many times a project's sources."""
_OWN = Path(__file__).parents[1]


@dataclass(frozen=True)
class FunctionReference:
    """Where the function of an editor under test is; it is not imported here."""

    module: str
    function: str
    file: Path | None = None
    """Of the module, if it is named by its file."""

    @classmethod
    def parse(cls, name: str) -> Self:
        """``package.module:function`` or ``path/to/file.py:function``; UnknownName for others."""
        module, _, function = name.rpartition(":")
        if module.endswith(".py"):
            if not Path(module).is_file():
                raise UnknownName(f"no editor {name!r}: there is no file {module}")
            return cls(Path(module).stem, function, Path(module).resolve())
        if not module or not _found(module.partition(".")[0]):
            raise UnknownName(f"no editor {name!r}: No module named {module!r}")
        return cls(module, function)

    @classmethod
    def of(cls, function: Callable[..., Any]) -> Self:
        """Where ``function`` is; UnknownName if another process could not import it."""
        wanted = getattr(function, "__wrapped__", function)
        module, name = getattr(wanted, "__module__", None), getattr(wanted, "__qualname__", "<>")
        if module is None or "<" in name:
            raise UnknownName(
                f"the editor {name} has no name that another process could import it by: "
                "define it at the top of a module, or vouch for it with trusted()"
            )
        if module != "__main__":
            return cls(module, name)
        if (file := getattr(sys.modules["__main__"], "__file__", None)) is None:
            raise UnknownName(
                f"the editor {name} is in no file: write it to one, or vouch for it with trusted()"
            )
        return cls("__mp_main__", name, Path(file).resolve())

    def __str__(self) -> str:
        return f"{self.file or self.module}:{self.function}"


@dataclass(frozen=True)
class HostFiles:
    """Host files shown, by their place below ``IMPORTS``, and paths left out of them."""

    imports: Mapping[str, Path]
    folders: tuple[str, ...]
    """Of the imports, those to look for modules in, as they are called inside."""
    file: str | None
    """The module's file as it is called inside, if the editor is named by its file."""
    files: tuple[str, ...] = ()
    """Files and folders that the user named, as they are called inside."""
    hidden: tuple[Path, ...] = ()


@dataclass
class _Search:
    """Folders of the user that Python would look for modules in, and what is needed of them."""

    needed: dict[Path, None] = field(default_factory=dict)
    _known: set[str] = field(default_factory=set)

    @cached_property
    def folders(self) -> list[Path]:
        """Without those that are shown anyway: the interpreter's and its packages'."""
        shown = [Path(prefix).resolve() for prefix in (sys.prefix, sys.base_prefix, "/usr")]
        named = dict.fromkeys(Path(folder).resolve() for folder in (*sys.path, ""))
        own = (folder for folder in named if not any(map(folder.is_relative_to, shown)))
        return [folder for folder in own if folder.is_dir()]

    def need(self, name: str, first: Path | None = None) -> None:
        """Have the top-level module ``name`` shown, and what its sources import."""
        if name in self._known or name in sys.stdlib_module_names:
            return
        self._known.add(name)
        for folder in [*([first] if first else []), *self.folders]:
            if entry := _entry(folder, name):
                self.add(entry)
                return

    def add(self, entry: Path) -> None:
        """Have a module's file, or a package's folder, shown, and what its sources import."""
        self.needed[entry] = None
        if entry == _OWN:
            return  # it imports nothing that is not installed
        for source in _files(entry):
            if source.suffix == ".py":
                for name in _imported(source):
                    self.need(name, entry.parent)


def host_files_of(
    editor: FunctionReference, *, files: Sequence[Path] = (), hidden: Sequence[Path] = ()
) -> HostFiles:
    """Files that ``editor`` sees: its code, ``files``, and nothing below ``hidden``.

    Of ``files``, those beside its code are beside it inside as well. Named files are shown, also if
    they are decks.
    """
    search = _Search()
    if editor.file is not None:
        search.add(editor.file)
    else:
        top = editor.module.partition(".")[0]
        search.need(top)
        if not search.needed and (path := _found(top)) is not None and _is_of_user(path):
            search.add(path)  # found by an import hook, as of an editable install
    search.need("decklab")
    parents = list(dict.fromkeys(entry.parent for entry in search.needed))
    imports = {f"{parents.index(entry.parent)}/{entry.name}": entry for entry in search.needed}
    folders = tuple(f"{IMPORTS}/{number}" for number in range(len(parents)))
    file = None
    if editor.file is not None:
        file = f"{IMPORTS}/{parents.index(editor.file.parent)}/{editor.file.name}"
    given: dict[str, Path] = {}
    for path in dict.fromkeys(Path(name).resolve() for name in files):
        given[_place_of(path, parents, given)] = path
    decks = [path for entry in search.needed if entry != _OWN for path in _decks_among(entry)]
    left_out = [*hidden, *(path for path in decks if path not in given.values())]
    named = tuple(f"{IMPORTS}/{name}" for name in given)
    return HostFiles({**imports, **given}, folders, file, named, tuple(left_out))


def _place_of(path: Path, folders: Sequence[Path], taken: Container[str]) -> str:
    """Beside the code if it is there; else in a folder that has no file of its name yet."""
    for number, folder in enumerate(folders):
        if path.is_relative_to(folder):
            return f"{number}/{path.relative_to(folder)}"
    places = (
        f"files-{number}/{path.name}" if number > 1 else f"files/{path.name}" for number in count(1)
    )
    return next(name for name in places if name not in taken)


def _found(top: str) -> Path | None:
    """The file or folder of a top-level module; nothing of it is run."""
    try:
        spec = find_spec(top) or PathFinder.find_spec(top, [str(Path.cwd())])
    except (ValueError, ImportError):
        return None
    if spec is None:
        return None
    if spec.submodule_search_locations:
        return Path(next(iter(spec.submodule_search_locations))).resolve()
    return Path(spec.origin or "builtin").resolve()


def _is_of_user(path: Path) -> bool:
    shown = (sys.prefix, sys.base_prefix, "/usr")
    return path.exists() and not any(path.is_relative_to(Path(root).resolve()) for root in shown)


def _entry(folder: Path, name: str) -> Path | None:
    package = folder / name
    if (package / "__init__.py").is_file():
        return package
    if (folder / f"{name}.py").is_file():
        return folder / f"{name}.py"
    compiled = next((library for library in sorted(folder.glob(f"{name}.*.so"))), None)
    if compiled is not None:
        return compiled
    return package if package.is_dir() and any(package.glob("**/*.py")) else None


def _files(entry: Path) -> Iterator[Path]:
    if entry.is_file():
        yield entry
        return
    seen = 0
    for folder, names, files in os.walk(entry):
        names[:] = [name for name in names if not name.startswith((".", "__pycache__"))]
        for file in files:
            seen += 1
            if seen > _MOST_FILES:
                raise UnknownName(
                    f"{entry} holds more than {_MOST_FILES:,} files: move the editor to a package "
                    "of its own"
                )
            yield Path(folder, file)


def _imported(source: Path) -> Iterable[str]:
    try:
        text = source.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    for module, several in _IMPORT.findall(text):
        for name in several.split(",") if several else [module]:
            if words := name.split():
                yield words[0].partition(".")[0]


def _decks_among(entry: Path) -> list[Path]:
    """Decks in a package: each alone, or the folder of them if that holds no code."""
    held: dict[Path, list[Path]] = {}
    code: set[Path] = set()
    for path in _files(entry):
        if path.suffix.lower() in _DECKS:
            held.setdefault(path.parent, []).append(path)
        elif path.suffix in _CODE:
            code.update((path.parent, *path.parents))
    hidden = [path for path in entry.glob(".*") if path.is_dir()] if entry.is_dir() else []
    for folder, decks in held.items():
        hidden += decks if folder in code else [folder]
    return hidden
