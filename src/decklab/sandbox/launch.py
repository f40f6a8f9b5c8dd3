"""Starting the warm process, under bubblewrap with what of the host it needs, or as a plain child.

The interpreter, its standard library, the packages, and the shared libraries that these are linked
with are shown read-only below ``/run/decklab``, wherever the host has them: in a home, below the
temporary folder, under a name with spaces. Besides them there are only time zones and fonts.
"""

import json
import os
import shutil
import struct
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from decklab.core.programs import (
    bubblewrap_command,
    empty_folder,
    hide,
    lasting_thread,
    output_of,
    read_only,
)
from decklab.sandbox.guest.process import known_machine
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
"""Packages that code inside may import: python-pptx with all it needs, besides the library."""

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


def program_mounts() -> list[Mount]:
    """Mounts of whole programs besides: the system's programs, and every installed package."""
    site = Path(sysconfig.get_path("platlib"))
    mounts = [(Path(name).resolve(), name) for name in _SYSTEM if Path(name).exists()]
    return [*mounts, *([(site, SITE)] if site.is_dir() else ())]


def folders_to_empty() -> list[str]:
    """Folders, inside, to be shown empty: packages of the interpreter that runs may not import."""
    library = _standard_library()
    return [f"{_inside(library)}/{name}" for name in _SITE if (library / name).is_dir()]


def packages() -> list[Path]:
    """The packages that can be imported inside: a folder each, or a file."""
    folders = []
    for name in _PACKAGES:
        if (spec := find_spec(name)) is not None and spec.origin is not None:
            origin = Path(spec.origin)
            folders.append(origin if spec.submodule_search_locations is None else origin.parent)
    return folders


@lru_cache(maxsize=4)
def _python_mounts(program: Path, folders: tuple[Path, ...]) -> tuple[Mount, ...]:
    library = _standard_library()
    if not (library / "os.py").is_file():
        raise SandboxUnavailable(f"{library}: the standard library of Python is not there")
    own = [(program, PROGRAM), (library, _inside(library))]
    own += [(path, f"{PACKAGES}/{path.name}") for path in folders]
    modules = [
        str(path)
        for folder in (library / "lib-dynload", *folders)
        for path in sorted(folder.rglob("*.so"))
        if not path.name.startswith(_NEEDS_A_SCREEN)
    ]
    roots = (library, *folders)
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
    """The program by which the kernel starts ``program`` (ELF, program header PT_INTERP)."""
    with program.open("rb") as file:
        if not (head := file.read(64)).startswith(_ELF_64_LITTLE):
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


INPUT = "/run/decklab/input"
"""The folder, inside, of the files that were handed in; read-only."""

WORK = "/run/decklab/work"
"""The one folder, inside, that the code may write to; empty at the start of each run."""

IMPORTS = "/run/decklab/imports"
"""The folder, inside, below which the caller's own code and data are shown, read-only."""

MODULES = (
    *("pptx", "pptx.util", "pptx.dml.color", "pptx.enum.shapes", "pptx.enum.text", "lxml.etree"),
    *("PIL.Image", "PIL.ImageChops", "PIL.ImageStat", "numpy", "collections", "copy", "csv"),
    *("dataclasses", "datetime", "difflib", "hashlib", "io", "itertools", "json", "math"),
    *("pathlib", "random", "re", "statistics", "string", "tempfile", "textwrap", "typing"),
    *("unicodedata", "xml.etree.ElementTree", "zipfile"),
)
"""Imported once, in the warm process, so that a run need not wait for them."""

_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_NETWORK = (
    *("/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/gai.conf"),
    *("/etc/ssl", "/etc/ca-certificates", "/etc/pki"),
)
"""Files of the system that resolve host names, and certificates to check servers with."""

_TOOLS = "/run/decklab/tools"
_STAGE = "/run/decklab/stage"
_GUEST = Path(__file__).parent / "guest"
_INNER_USER = "1000"
_NOBODY = "65534"
_INSTEAD = "isolation='process' runs the code without it, which does not hold against hostile code"
_ENVIRONMENT = {
    "HOME": WORK,
    "LANG": "C.UTF-8",
    "TMPDIR": f"{WORK}/.tmp",
    # One thread: the libraries' pools would not survive the fork of a run.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    # Sets come in the same order in every sandbox, so that what judges a deck repeats itself.
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
}
_INSIDE = {
    **_ENVIRONMENT,
    "PATH": f"{PYTHON}/bin",
    "PYTHONHOME": PYTHON,
    "LD_LIBRARY_PATH": LIBRARIES,
}


def start(
    command: Sequence[str], stderr: IO[bytes], fds: Sequence[int] = ()
) -> subprocess.Popen[bytes]:
    """Start ``command`` with pipes as its standard input and output, without our environment."""
    future = lasting_thread().submit(
        lambda: subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            pass_fds=fds,
            env=_ENVIRONMENT,
            cwd="/",
            start_new_session=True,
            bufsize=0,
        )
    )
    return future.result()


def plain_command() -> list[str]:
    """The command of the warm process as a plain child."""
    program = str(Path(sys.executable).resolve())
    folders = dict.fromkeys(str(package.parent) for package in packages())
    return _python(program, [str(_GUEST.parent), *folders])


def _python(program: str, folders: Sequence[str]) -> list[str]:
    """Start the supervisor, without site-packages' start-up files and our own environment."""
    code = f"import sys; sys.path += {folders!a}; from guest.supervisor import main; main()"
    return [program, "-S", "-s", "-P", "-c", code]


@dataclass(frozen=True, slots=True, kw_only=True)
class HostAccess:
    """Parts of the host that isolated code sees besides Python and the usual packages."""

    imports: Mapping[str, Path] = field(default_factory=dict)
    """Files and folders to show read-only below ``IMPORTS``, by their place there."""
    readable: Sequence[Path] = ()
    """Files and folders to show read-only at their own path; none below ``/tmp`` or ``/run``, which
    are others inside."""
    hidden: Sequence[Path] = ()
    """Files and folders under these paths are empty wherever they would be shown."""
    programs: bool = False
    """Whether it may be whole programs: then the system's programs and every installed package are
    there, a ``/proc`` of the code's own processes, sockets and shared memory."""
    network: bool = False
    """Whether it has the host's network."""


def isolated_command(inputs: Mapping[str, int], access: HostAccess) -> list[str]:
    """The command of the warm process under bubblewrap; ``inputs`` are open descriptors by name.

    Raises SandboxUnavailable if a program is missing or the processor is not known.
    """
    wrapper = _program("bwrap", "bubblewrap")
    if not known_machine():
        raise SandboxUnavailable(f"no system call filter for {os.uname().machine}; {_INSTEAD}")
    shown = _system_and_python(access.programs)
    shown.append((_GUEST, f"{CODE}/guest"))
    shown += [(path.resolve(), f"{IMPORTS}/{target}") for target, path in access.imports.items()]
    shown += [(path.resolve(), str(path.absolute())) for path in access.readable]
    if access.network:
        # A name may be a link to a file that is not shown, so it is that file which is bound.
        shown += [(Path(name).resolve(), name) for name in _NETWORK if Path(name).exists()]
    covered = hide(access.hidden, shown)
    drop_root: list[str] = []
    if os.geteuid() == 0:
        drop_root = _drop_root_first(wrapper, shown)
        wrapper = f"{_TOOLS}/bwrap"
        shown = [(Path(_staging_path(target)), target) for _, target in shown]
    mounts = [
        *[piece for mount in shown for piece in read_only(*mount)],
        *[piece for target in folders_to_empty() for piece in empty_folder(target)],
        *covered,
        *("--dir", "/dev"),
        *(("--symlink", f"{WORK}/.tmp", "/dev/shm") if access.programs else ()),
        *[piece for device in _DEVICES for piece in ("--dev-bind", device, device)],
        *("--dir", WORK, "--dir", INPUT, "--symlink", f"{WORK}/.tmp", "/tmp"),
        *[piece for item in inputs.items() for piece in _input(*item)],
        *("--chdir", "/"),
    ]
    options = [
        *("--new-session", "--clearenv"),
        *(("--share-net",) if access.network else ()),
        *("--uid", _INNER_USER, "--gid", _INNER_USER, "--hostname", "sandbox"),
        # The supervisor mounts a folder and makes namespaces for each run, which gives it up.
        *("--cap-add", "CAP_SYS_ADMIN"),
        # And it reads how much memory processes share, which those that leave no core file hide.
        *("--cap-add", "CAP_SYS_PTRACE"),
        *[piece for pair in _environment(access.programs).items() for piece in ("--setenv", *pair)],
    ]
    supervisor = _python(PROGRAM, [CODE, PACKAGES, *([SITE] if access.programs else ())])
    return [*drop_root, *bubblewrap_command(supervisor, mounts, options=options, wrapper=wrapper)]


def _system_and_python(programs: bool) -> list[Mount]:
    """Mounts of the system, of Python and of its packages, each file once."""
    whole = program_mounts() if programs else []
    folders = [target for _, target in whole]
    return whole + [
        (source, target)
        for source, target in _python_mounts(Path(sys.executable).resolve(), tuple(packages()))
        if not any(Path(target).is_relative_to(folder) for folder in folders)
    ]


def _environment(programs: bool) -> dict[str, str]:
    return {**_INSIDE, "PATH": f"{_INSIDE['PATH']}:/usr/bin:/bin"} if programs else _INSIDE


def _program(name: str, package: str) -> str:
    if (path := shutil.which(name)) is None:
        raise SandboxUnavailable(f"{name} is not installed (apt install {package}); {_INSTEAD}")
    return str(Path(path).resolve())


def _input(name: str, fd: int) -> list[str]:
    return ["--perms", "0444", "--ro-bind-data", str(fd), f"{INPUT}/{name}"]


def _staging_path(target: str) -> str:
    """Where root shows what belongs at ``target``, before it becomes the user nobody."""
    return target if target.startswith("/run/") else f"{_STAGE}{target}"


def _drop_root_first(wrapper: str, shown: Sequence[Mount]) -> list[str]:
    """The start of root's command: become the user nobody, who can reach all that is ``shown``.

    Root's own user id must not go inside: limits on processes do not bind it, and files of
    /proc/sys take it for their owner. Only the second bubblewrap runs in this first view.
    """
    setpriv = _program("setpriv", "util-linux")
    ours = [(Path(wrapper), f"{_TOOLS}/bwrap"), (Path(setpriv), f"{_TOOLS}/setpriv")]
    ours += [(source, _staging_path(target)) for source, target in shown]
    return [
        *(wrapper, "--die-with-parent", "--dev-bind", "/", "/", "--tmpfs", "/run"),
        *[piece for mount in ours for piece in read_only(*mount)],
        *(f"{_TOOLS}/setpriv", "--reuid", _NOBODY, "--regid", _NOBODY, "--clear-groups"),
    ]
