"""Starting the warm process: under bubblewrap, or as a plain child."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from decklab.core.programs import bubblewrap_command, empty_folder, hide, lasting_thread, read_only
from decklab.sandbox.guest.seccomp import known_machine
from decklab.sandbox.limits import SandboxUnavailable
from decklab.sandbox.mounts import (
    CODE,
    LIBRARIES,
    PACKAGES,
    PROGRAM,
    PYTHON,
    SITE,
    Mount,
    folders_to_empty,
    packages,
    program_mounts,
    python_mounts,
)

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
    """What isolated code has of the host besides Python and the usual packages."""

    imports: Mapping[str, Path] = field(default_factory=dict)
    """Files and folders to show read-only below ``IMPORTS``, by their place there."""
    readable: Sequence[Path] = ()
    """Files and folders to show read-only at their own path; none below ``/tmp`` or ``/run``, which
    are others inside."""
    hidden: Sequence[Path] = ()
    """What lies under these paths is empty wherever it would be shown."""
    programs: bool = False
    """Whether it may be whole programs: then the system's programs and every installed package are
    there, a ``/proc`` of the code's own processes, sockets and shared memory."""
    network: bool = False
    """Whether it has the host's network."""


def isolated_command(inputs: Mapping[str, int], access: HostAccess) -> list[str]:
    """The command of the warm process under bubblewrap; ``inputs`` are open descriptors by name.

    Raises SandboxUnavailable where a program is missing or the processor is not known.
    """
    wrapper = _program("bwrap", "bubblewrap")
    if not known_machine():
        raise SandboxUnavailable(f"no system call filter for {os.uname().machine}; {_INSTEAD}")
    shown = _system_and_python(access.programs)
    shown.append((_GUEST, f"{CODE}/guest"))
    shown += [(path.resolve(), f"{IMPORTS}/{place}") for place, path in access.imports.items()]
    shown += [(path.resolve(), str(path.absolute())) for path in access.readable]
    if access.network:
        # A name may be a link to a file that is not shown, so it is that file which is bound.
        shown += [(Path(name).resolve(), name) for name in _NETWORK if Path(name).exists()]
    covered = hide(access.hidden, shown)
    drop_root: list[str] = []
    if os.geteuid() == 0:
        drop_root = _drop_root_first(wrapper, shown)
        wrapper = f"{_TOOLS}/bwrap"
        shown = [(Path(_staging_path(place)), place) for _, place in shown]
    mounts = [
        *[piece for one in shown for piece in read_only(*one)],
        *[piece for place in folders_to_empty() for piece in empty_folder(place)],
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
    """What is shown of the system, of Python and of its packages, each file once."""
    whole = program_mounts() if programs else []
    folders = [place for _, place in whole]
    return whole + [
        (source, place)
        for source, place in python_mounts()
        if not any(Path(place).is_relative_to(folder) for folder in folders)
    ]


def _environment(programs: bool) -> dict[str, str]:
    return {**_INSIDE, "PATH": f"{_INSIDE['PATH']}:/usr/bin:/bin"} if programs else _INSIDE


def _program(name: str, package: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise SandboxUnavailable(f"{name} is not installed (apt install {package}); {_INSTEAD}")
    return str(Path(found).resolve())


def _input(name: str, fd: int) -> list[str]:
    return ["--perms", "0444", "--ro-bind-data", str(fd), f"{INPUT}/{name}"]


def _staging_path(place: str) -> str:
    """Where root shows what belongs at ``place``, before it becomes the user nobody."""
    return place if place.startswith("/run/") else f"{_STAGE}{place}"


def _drop_root_first(wrapper: str, shown: Sequence[Mount]) -> list[str]:
    """The start of root's command: become the user nobody, who can reach all that is ``shown``.

    Root's own user id must not go inside: limits on processes do not bind it, and files of
    /proc/sys take it for their owner. Only the second bubblewrap runs in this first view.
    """
    setpriv = _program("setpriv", "util-linux")
    ours = [(Path(wrapper), f"{_TOOLS}/bwrap"), (Path(setpriv), f"{_TOOLS}/setpriv")]
    ours += [(source, _staging_path(place)) for source, place in shown]
    return [
        *(wrapper, "--die-with-parent", "--dev-bind", "/", "/", "--tmpfs", "/run"),
        *[piece for one in ours for piece in read_only(*one)],
        *(f"{_TOOLS}/setpriv", "--reuid", _NOBODY, "--regid", _NOBODY, "--clear-groups"),
    ]
