"""What of the host can be seen in the sandbox: what running Python needs, and nothing else.

The interpreter, its standard library, the packages, and the shared libraries that these are linked
with are shown read-only below ``/run/decklab``, wherever the host has them: in a home, below the
temporary folder, under a name with spaces. Besides them there are only time zones and fonts.
"""

import json
import os
import struct
import sys
import sysconfig
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from decklab.core.programs import output_of
from decklab.sandbox.limits import SandboxUnavailable

Mount = tuple[Path, str]
"""A file or folder of the host, and where it is inside."""

PYTHON = "/run/decklab/python"
"""The interpreter's folder, inside."""

PROGRAM = f"{PYTHON}/bin/python3"
"""The interpreter, inside."""

PACKAGES = "/run/decklab/packages"
LIBRARIES = "/run/decklab/lib"
CODE = "/run/decklab/code"
"""Folders, inside: packages, shared libraries, and what of decklab runs there."""

SITE = "/run/decklab/site"
"""The folder, inside, of all installed packages, for whole programs."""

_PACKAGES = ("pptx", "lxml", "PIL", "numpy", "typing_extensions", "xlsxwriter")
"""What code inside may import besides the standard library: python-pptx with all it needs."""

_DATA = ("/usr/share/zoneinfo", "/usr/share/fonts", "/usr/lib/locale/C.utf8")
"""Read by ``zoneinfo``, by Pillow where it measures text, and by older C libraries."""

_SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"),
    *("/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives"),
)
"""Folders and files that programs of the system need."""

_SITE = ("site-packages", "dist-packages")
_NEEDS_A_SCREEN = "_tkinter"
_PROBE_SECONDS = 60.0
_INTERPRETER_HEADER = 3
_ELF_64_LITTLE = b"\x7fELF\x02\x01"

_PROBE = """
import ctypes, json, os, sys

class Library(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("name", ctypes.c_char_p)]

def note(library, size, data):
    names.append(os.fsdecode(library.contents.name or b""))
    return 0

for path in json.load(sys.stdin):
    try:
        ctypes.CDLL(path)
    except OSError:
        pass  # nor could it be imported
names = []
kind = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(Library), ctypes.c_size_t, ctypes.c_void_p
)
ctypes.CDLL(None).dl_iterate_phdr(kind(note), None)
json.dump(names, sys.stdout)
"""


def python_mounts() -> tuple[Mount, ...]:
    """Everything of the host that is shown, by its place inside, parents first.

    Raises SandboxUnavailable where the interpreter or what it is linked with cannot be found.
    """
    return _python_mounts(Path(sys.executable).resolve(), tuple(packages()))


def program_mounts() -> list[Mount]:
    """What whole programs see besides: the system's programs, and every installed package."""
    site = Path(sysconfig.get_path("platlib"))
    found = [(Path(name).resolve(), name) for name in _SYSTEM if Path(name).exists()]
    return [*found, *([(site, SITE)] if site.is_dir() else ())]


def folders_to_empty() -> list[str]:
    """Folders, inside, to be shown empty: packages of the interpreter that runs may not import."""
    library = _standard_library()
    return [f"{_inside(library)}/{name}" for name in _SITE if (library / name).is_dir()]


def packages() -> list[Path]:
    """The packages that can be imported inside: a folder each, or a file."""
    found = []
    for name in _PACKAGES:
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            origin = Path(spec.origin)
            found.append(origin if spec.submodule_search_locations is None else origin.parent)
    return found


@lru_cache(maxsize=4)
def _python_mounts(program: Path, found: tuple[Path, ...]) -> tuple[Mount, ...]:
    library = _standard_library()
    if not (library / "os.py").is_file():
        raise SandboxUnavailable(f"{library}: the standard library of Python is not there")
    own = [(program, PROGRAM), (library, _inside(library))]
    own += [(path, f"{PACKAGES}/{path.name}") for path in found]
    modules = [
        str(path)
        for folder in (library / "lib-dynload", *found)
        for path in sorted(folder.rglob("*.so"))
        if not path.name.startswith(_NEEDS_A_SCREEN)
    ]
    roots = (library, *found)
    linked = [path for path in _linked(program, modules) if not _is_below(path, roots)]
    loader = _loader(program)
    if loader is not None:  # the one file that has to be where the interpreter says it is
        own.append((loader, str(loader)))
    own += [(path, f"{LIBRARIES}/{path.name}") for path in linked if path != loader]
    return (*own, *((Path(name), name) for name in _DATA if Path(name).is_dir()))


def _standard_library() -> Path:
    return Path(os.__file__).parent


def _inside(library: Path) -> str:
    return f"{PYTHON}/{sys.platlibdir}/{library.name}"


def _is_below(path: Path, folders: tuple[Path, ...]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _linked(program: Path, modules: list[str]) -> list[Path]:
    """Shared libraries that ``program`` has loaded once it has loaded ``modules``, itself apart.

    The system's own loader is asked, which alone knows all the ways in which a library is found.
    """
    command = [str(program), "-S", "-s", "-P", "-c", _PROBE]
    given = json.dumps(modules).encode()
    done = output_of(command, _PROBE_SECONDS, folder="/", given=given)
    try:
        names: list[str] = json.loads(done.stdout if done else b"")
    except ValueError:
        detail = f"{program} cannot say which libraries it needs"
        raise SandboxUnavailable(detail) from None
    paths = (os.path.normpath(name) for name in names if name.startswith("/"))
    return [Path(path) for path in dict.fromkeys(paths)]


def _loader(program: Path) -> Path | None:
    """What the kernel starts in order to start ``program`` (ELF, program header PT_INTERP)."""
    with program.open("rb") as file:
        head = file.read(64)
        if not head.startswith(_ELF_64_LITTLE):
            return None
        (first,) = struct.unpack_from("<Q", head, 32)
        size, count = struct.unpack_from("<HH", head, 54)
        for number in range(count):
            file.seek(first + number * size)
            kind, _, offset, _, _, length = struct.unpack("<IIQQQQ", file.read(40))
            if kind == _INTERPRETER_HEADER:
                file.seek(offset)
                return Path(os.fsdecode(file.read(length).rstrip(b"\0")))
    return None
