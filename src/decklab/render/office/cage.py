"""The command lines that start a worker: inside bubblewrap where it works, else directly.

Inside, a worker sees the system read-only, one writable folder, no network and no other
process; all of it ends with decklab.
"""

import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from decklab.render.office.installation import Installation

__all__ = ["Start", "cage_works", "caged", "direct"]

FOLDER_INSIDE = "/w"
_PROBE_SECONDS = 20.0
_TMP_BYTES = 64 * 2**20
_SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/var/cache/fontconfig"),
    *("/etc/alternatives", "/etc/fonts", "/etc/group", "/etc/ld.so.cache", "/etc/libreoffice"),
    *("/etc/localtime", "/etc/nsswitch.conf", "/etc/passwd"),
)
_USER_FONTS = (".fonts", ".local/share/fonts")
_FONT_VARIABLES = ("FONTCONFIG_FILE", "FONTCONFIG_PATH")

Start = tuple[list[str], dict[str, str]]
"""A command and the whole environment it gets."""


def direct(installation: Installation, script: Path, folder: Path) -> Start:
    """Start a worker without a cage; fonts of the user are linked into its home."""
    home = folder / "home"
    for name in _USER_FONTS:
        own = Path.home() / name
        if own.is_dir():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).symlink_to(own)
    command = [str(installation.python), str(script), str(installation.program), str(folder)]
    return command, _environment(str(folder))


def caged(installation: Installation, script: Path, folder: Path) -> Start:
    """Start a worker inside bubblewrap with ``folder`` as its only writable place."""
    seen = [installation.program.parent.parent, installation.python, script]
    command = [
        *_bubblewrap(_readable(seen)),
        *_user_fonts(),
        *("--bind", str(folder), FOLDER_INSIDE, "--chdir", FOLDER_INSIDE),
        *("--remount-ro", "/"),
        *(str(installation.python), str(script), str(installation.program), FOLDER_INSIDE),
    ]
    return command, _environment(FOLDER_INSIDE)


def cage_works() -> bool:
    """Whether bubblewrap is here and may make namespaces; tried once per search path."""
    return _cage_works(os.environ.get("PATH", os.defpath))


@lru_cache(maxsize=8)
def _cage_works(search_path: str) -> bool:
    if shutil.which("bwrap", path=search_path) is None:
        return False
    try:
        done = subprocess.run(
            [*_bubblewrap([]), "--remount-ro", "/", "/usr/bin/true"],
            check=False,
            env={"PATH": search_path},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PROBE_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _bubblewrap(readable: Sequence[Path]) -> list[str]:
    """Bubblewrap with everything shut off and the system, and ``readable``, read-only."""
    system = [piece for name in _SYSTEM for piece in _same_inside(Path(name))]
    extra = [piece for path in readable for piece in ("--ro-bind", str(path), str(path))]
    return [
        *(shutil.which("bwrap") or "bwrap", "--unshare-all", "--die-with-parent", "--cap-drop"),
        *("ALL", "--proc", "/proc", "--dev", "/dev"),
        *system,
        *("--size", str(_TMP_BYTES), "--tmpfs", "/tmp"),
        *extra,
    ]


def _same_inside(path: Path) -> list[str]:
    """The arguments that show ``path`` inside as it is outside; none where it does not exist."""
    if path.is_symlink():
        return ["--symlink", str(path.readlink()), str(path)]
    return ["--ro-bind-try", str(path), str(path)]


def _readable(paths: Sequence[Path]) -> list[Path]:
    """Those paths, and the fontconfig files in use, that the system folders do not hold."""
    named = [Path(os.environ[name]) for name in _FONT_VARIABLES if os.environ.get(name)]
    fonts = [path.parent if path.is_file() else path for path in named if path.exists()]
    return [path for path in (*paths, *fonts) if not _in_system(path)]


def _in_system(path: Path) -> bool:
    return any(path.is_relative_to(name) for name in _SYSTEM)


def _user_fonts() -> list[str]:
    own = ((Path.home() / name, f"{FOLDER_INSIDE}/home/{name}") for name in _USER_FONTS)
    return [piece for path, inside in own for piece in ("--ro-bind-try", str(path), inside)]


def _environment(folder: str) -> dict[str, str]:
    """Nothing of ours goes in but the choice of fonts."""
    fonts = {name: os.environ[name] for name in _FONT_VARIABLES if os.environ.get(name)}
    return {
        "HOME": f"{folder}/home",
        "TMPDIR": f"{folder}/tmp",
        "LANG": "C.UTF-8",
        "PATH": "/usr/bin:/bin",
        "SAL_USE_VCLPLUGIN": "svp",
        **fonts,
    }
