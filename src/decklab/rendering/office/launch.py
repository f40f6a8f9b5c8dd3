"""The command that starts a worker: inside bubblewrap where that works, else directly."""

import os
from pathlib import Path

from decklab.rendering.cage import FONT_VARIABLES, bubblewrap
from decklab.rendering.office.installation import Installation

__all__ = ["Start", "caged", "direct"]

Start = tuple[list[str], dict[str, str]]
"""A command and the whole environment it gets."""

_INSIDE = "/w"
_USER_FONTS = (".fonts", ".local/share/fonts")


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
    fonts = [
        piece
        for name in _USER_FONTS
        for piece in ("--ro-bind-try", str(Path.home() / name), f"{_INSIDE}/home/{name}")
    ]
    command = [
        *bubblewrap([installation.program.parent.parent, installation.python]),
        *("--bind", str(folder), _INSIDE, "--chdir", _INSIDE),
        *fonts,
        *("--remount-ro", "/"),
        *(str(installation.python), f"{_INSIDE}/{script.name}"),
        *(str(installation.program), _INSIDE),
    ]
    return command, _environment(_INSIDE)


def _environment(folder: str) -> dict[str, str]:
    """Nothing of ours goes in but the choice of fonts."""
    fonts = {name: os.environ[name] for name in FONT_VARIABLES if os.environ.get(name)}
    return {
        "HOME": f"{folder}/home",
        "TMPDIR": f"{folder}/tmp",
        "OSL_SOCKET_PATH": f"{folder}/tmp",  # the cage has no /tmp for its pipes
        "LANG": "C.UTF-8",
        "PATH": "/usr/bin:/bin",
        "SAL_USE_VCLPLUGIN": "svp",
        **fonts,
    }
