"""Other programs: run quietly with a deadline, and the command lines that isolate them.

bubblewrap runs a program where it sees only what it is shown. Inside there is no network, no other
process and no privilege, unless the caller says so. The *mounts*, a list of bubblewrap's own
arguments, say what is shown: they are carried out in order, so a later one lies over an earlier
one.
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Final

from decklab.core.files import remove_live_folders

STOPPED: Final = 130
"""Exit code of a command that a signal ended."""

WATCHER: Final = "decklab: end in time"
"""The name of the thread that ends a command which does not end by itself; it holds no lock."""
_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
CLEANING_SECONDS: Final = 4.0
"""Seconds for ``with`` blocks to remove temporary files and to end other programs (ours)."""
_AGAIN_SECONDS: Final = 0.05
_PARTING_SECONDS: Final = 2.0
"""Seconds for the processes below this one to do the same, before they are killed (ours)."""


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """SIGTERM and SIGINT raise KeyboardInterrupt in the block, once: a second signal does not stop
    the cleaning up.

    If the process has not ended ``CLEANING_SECONDS`` later, it is ended with all processes below
    it, and its scratch folders are removed. A signal that is ignored from the start, as in the
    background of a shell, stays ignored. For the main thread.

    The exit code holds although CPython, under ``python -m``, ends itself by SIGINT once a
    KeyboardInterrupt has left a string that ``exec`` ran, as imports do that make dataclasses: the
    next string that runs makes it forget.
    """
    stopping = threading.Event()

    def stop(number: int, _: object) -> None:
        if stopping.is_set():
            return
        stopping.set()
        os.write(bell, bytes([number]))  # a library may have taken the wakeup descriptor for itself
        raise KeyboardInterrupt

    def raise_again(lost: "sys.UnraisableHookArgs") -> None:
        """Python drops what is raised while it lets an object go; raise it outside of that."""
        if not stopping.is_set() or lost.exc_type is not KeyboardInterrupt:
            told_before(lost)
            return
        stopping.clear()
        ask = threading.Timer(_AGAIN_SECONDS, os.kill, (os.getpid(), signal.SIGTERM))
        ask.daemon = True
        ask.start()

    told_before, sys.unraisablehook = sys.unraisablehook, raise_again
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    heard, bell = os.pipe()
    os.set_blocking(bell, False)
    threading.Thread(target=_end_in_time, args=(heard,), name=WATCHER, daemon=True).start()
    wakeup = signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, stop)
    try:
        yield
    finally:
        sys.unraisablehook = told_before
        if stopping.is_set():
            exec("")
        else:
            for number, handler in before.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(wakeup)
            os.close(bell)


def _end_in_time(heard: int) -> None:
    """Wait for the number of a signal, written to ``heard`` by C code even while Python is busy;
    return if it is closed instead."""
    with os.fdopen(heard, "rb", buffering=0) as signals:
        while number := signals.read(1):
            if number[0] in _SIGNALS:
                time.sleep(CLEANING_SECONDS)
                # Only now: the import runs strings too, and a command that ends needs none.
                import psutil  # noqa: PLC0415

                _end_processes_below(psutil)
                remove_live_folders()
                os._exit(STOPPED)


def _end_processes_below(psutil: ModuleType) -> None:
    """Ask all processes below this one to end, and kill those that do not."""
    below = psutil.Process().children(recursive=True)
    for process in below:
        with suppress(psutil.NoSuchProcess):
            process.terminate()
    for process in psutil.wait_procs(below, timeout=_PARTING_SECONDS)[1]:
        with suppress(psutil.NoSuchProcess):
            process.kill()


def output_of(
    command: Sequence[str],
    seconds: float,
    *,
    environment: Mapping[str, str] | None = None,
    folder: str | None = None,
    given: bytes = b"",
) -> subprocess.CompletedProcess[bytes] | None:
    """Output and end of ``command``; None if it could not start or took too long.

    ``seconds`` is the longest it may take; then it is killed. It reads ``given`` as its standard
    input and has ``environment`` and the working ``folder``, where None means our own. Its exit
    status is the caller's to look at.
    """
    try:
        return subprocess.run(
            command,
            check=False,
            env=environment,
            cwd=folder,
            input=given,
            capture_output=True,
            timeout=seconds,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None


def lasting_thread() -> ThreadPoolExecutor:
    """A thread that lasts as long as this process does, to start bubblewrap from.

    Bubblewrap dies with its parent, and to Linux the parent is the thread that started it, which
    may be one of a pool that ends long before the program inside does.
    """
    return _thread_of(os.getpid())


@lru_cache(maxsize=1)
def _thread_of(process_id: int) -> ThreadPoolExecutor:
    """Made anew after a fork, which threads do not survive."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"programs-of-{process_id}")


FONT_VARIABLES = ("FONTCONFIG_FILE", "FONTCONFIG_PATH")
"""Environment variables that choose the fonts; they go in, their files are shown."""

_PROBE_SECONDS = 20.0
_TMP_BYTES = 512 * 2**20
_SHARED = (
    *("X11", "chromium", "color", "fontconfig", "fonts", "ghostscript", "glib-2.0", "hunspell"),
    *("hyphen", "i18n", "icu", "libexttextcat", "liblangtag", "libnumbertext", "libreoffice"),
    *("libthai", "locale", "mime", "myspell", "mythes", "poppler", "texmf", "zoneinfo"),
)
_SYSTEM = (
    *("/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec"),
    *("/bin", "/lib", "/lib32", "/lib64"),
    *(f"/usr/share/{name}" for name in _SHARED),
    *("/usr/local/share/fonts", "/var/cache/fontconfig"),
    *("/etc/alternatives", "/etc/chromium", "/etc/chromium.d", "/etc/fonts"),
    *("/etc/ld.so.cache", "/etc/libreoffice", "/etc/localtime"),
)
"""Files that LibreOffice and Chromium consist of and read; the rest of the system is hidden."""


def is_available() -> bool:
    """Whether bubblewrap is here and may make namespaces; tried once per search path."""
    return _tried(os.environ.get("PATH", os.defpath))


@lru_cache(maxsize=8)
def _tried(search_path: str) -> bool:
    if shutil.which("bwrap", path=search_path) is None:
        return False
    command = bubblewrap_command(["/usr/bin/true"], system_mounts([]))
    done = output_of(command, _PROBE_SECONDS, environment={"PATH": search_path})
    return done is not None and done.returncode == 0


def bubblewrap_command(
    program: Sequence[str],
    mounts: Sequence[str],
    *,
    options: Sequence[str] = (),
    wrapper: str | None = None,
) -> list[str]:
    """The command that runs ``program`` where it sees ``mounts``, ``/proc``, and nothing else.

    Its root folder is read-only. It has no network, no capabilities, namespaces of its own, and
    ends with its parent; ``options`` are further arguments, which may give some of that back.
    ``wrapper`` is bubblewrap itself, by default that of the search path.
    """
    return [
        *(wrapper or _bwrap(), "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"),
        *options,
        *("--proc", "/proc"),
        *mounts,
        *("--remount-ro", "/"),
        *program,
    ]


def system_mounts(readable: Sequence[Path]) -> list[str]:
    """Show what LibreOffice and Chromium need of the system, and ``readable``, read-only.

    The chosen fonts are there too; ``/dev`` holds the usual devices, ``/tmp`` is empty and
    bounded. Bubblewrap before 0.7 (Ubuntu 22.04) cannot bound ``/tmp``: the system's half of
    memory holds there.
    """
    shown = _outside_system(readable)
    return [
        *("--dev", "/dev"),
        *[piece for name in _SYSTEM for piece in _same_inside(Path(name))],
        *(("--size", str(_TMP_BYTES)) if _knows_size(_bwrap()) else ()),
        *("--tmpfs", "/tmp"),
        *[piece for path in shown for piece in ("--ro-bind", str(path), str(path))],
    ]


def read_only(source: Path, target: str) -> list[str]:
    """Show ``source`` at ``target``; the folders above it are made so that any user may enter."""
    above = [str(folder) for folder in Path(target).parents[::-1][1:]]
    made = [piece for folder in above for piece in ("--perms", "0755", "--dir", folder)]
    return [*made, "--ro-bind", str(source), target]


def empty_folder(folder: str) -> list[str]:
    """Show an empty, read-only folder at ``folder``."""
    return ["--tmpfs", folder, "--remount-ro", folder]


def hide(hidden: Iterable[Path], shown: Sequence[tuple[Path, str]]) -> list[str]:
    """Show nothing of ``hidden``, wherever it lies in what is ``shown``: sources by their place."""
    pieces: list[str] = []
    for path in dict.fromkeys(path.resolve() for path in hidden):
        for source, target in shown:
            root = source.resolve()
            if not path.is_relative_to(root) or not path.exists():
                continue
            inside = str(Path(target) / path.relative_to(root))
            pieces += empty_folder(inside) if path.is_dir() else ["--ro-bind", "/dev/null", inside]
    return pieces


def _bwrap() -> str:
    return shutil.which("bwrap") or "bwrap"


@lru_cache(maxsize=8)
def _knows_size(program: str) -> bool:
    """Whether this bubblewrap can bound a file system in memory."""
    done = output_of([program, "--help"], _PROBE_SECONDS)
    return done is not None and b"--size" in done.stdout + done.stderr


def _same_inside(path: Path) -> list[str]:
    """The arguments that show ``path`` inside as it is outside; none if it does not exist."""
    if path.is_symlink():
        return ["--symlink", str(path.readlink()), str(path)]
    return ["--ro-bind-try", str(path), str(path)]


def _outside_system(paths: Sequence[Path]) -> list[Path]:
    """Those paths, and the fontconfig files in use, that the system folders do not hold."""
    named = [Path(os.environ[name]) for name in FONT_VARIABLES if os.environ.get(name)]
    fonts = [path.parent if path.is_file() else path for path in named if path.exists()]
    return [path for path in (*paths, *fonts) if not _in_system(path)]


def _in_system(path: Path) -> bool:
    return any(path.is_relative_to(name) for name in _SYSTEM)
