"""Bubblewrap: programs run where they see the system read-only, no network, no other process."""

import os
import shutil
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from decklab.programs import output_of

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
"""What LibreOffice and Chromium are made of and read; the rest of the system is not there."""


def is_available() -> bool:
    """Whether bubblewrap is here and may make namespaces; tried once per search path."""
    return _tried(os.environ.get("PATH", os.defpath))


@lru_cache(maxsize=8)
def _tried(search_path: str) -> bool:
    if shutil.which("bwrap", path=search_path) is None:
        return False
    command = [*bubblewrap([]), "--remount-ro", "/", "/usr/bin/true"]
    done = output_of(command, _PROBE_SECONDS, environment={"PATH": search_path})
    return done is not None and done.returncode == 0


def bubblewrap(readable: Sequence[Path]) -> list[str]:
    """The start of a command that runs a program with all shut off.

    The parts of the system that LibreOffice and Chromium need, ``readable`` and the chosen fonts
    are there read-only, ``/tmp`` is empty and bounded, nothing else is there. Add binds,
    ``--remount-ro /`` and the program. Bubblewrap before 0.7 (Ubuntu 22.04) cannot bound ``/tmp``:
    the system's half of memory holds there.
    """
    program = shutil.which("bwrap") or "bwrap"
    system = [piece for name in _SYSTEM for piece in _same_inside(Path(name))]
    shown = _readable(readable)
    extra = [piece for path in shown for piece in ("--ro-bind", str(path), str(path))]
    return [
        *(program, "--unshare-all", "--die-with-parent", "--cap-drop"),
        *("ALL", "--proc", "/proc", "--dev", "/dev"),
        *system,
        *(("--size", str(_TMP_BYTES)) if _knows_size(program) else ()),
        *("--tmpfs", "/tmp"),
        *extra,
    ]


@lru_cache(maxsize=8)
def _knows_size(program: str) -> bool:
    """Whether this bubblewrap can bound a file system in memory."""
    done = output_of([program, "--help"], _PROBE_SECONDS)
    return done is not None and b"--size" in done.stdout + done.stderr


def _same_inside(path: Path) -> list[str]:
    """The arguments that show ``path`` inside as it is outside; none where it does not exist."""
    if path.is_symlink():
        return ["--symlink", str(path.readlink()), str(path)]
    return ["--ro-bind-try", str(path), str(path)]


def _readable(paths: Sequence[Path]) -> list[Path]:
    """Those paths, and the fontconfig files in use, that the system folders do not hold."""
    named = [Path(os.environ[name]) for name in FONT_VARIABLES if os.environ.get(name)]
    fonts = [path.parent if path.is_file() else path for path in named if path.exists()]
    return [path for path in (*paths, *fonts) if not _in_system(path)]


def _in_system(path: Path) -> bool:
    return any(path.is_relative_to(name) for name in _SYSTEM)
