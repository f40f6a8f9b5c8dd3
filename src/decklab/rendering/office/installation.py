"""Finds LibreOffice and a Python that can drive it."""

import os
import shutil
from configparser import ConfigParser
from configparser import Error as ConfigParserError
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from decklab.core.errors import RendererMissing
from decklab.core.files import scratch_folder
from decklab.core.programs import output_of

_ADVICE = "install it with: apt-get install libreoffice-impress python3-uno"
_PROBE_SECONDS = 30.0


@dataclass(frozen=True)
class Installation:
    """One LibreOffice and the Python that reaches it over UNO."""

    program: Path
    """The executable to start: ``soffice.bin`` if there is one, else ``soffice``."""
    python: Path
    """A Python that can ``import uno``; seldom the one running decklab."""
    version: str
    """As LibreOffice reports it, such as ``LibreOffice 7.4.7.2 40(Build:2)``."""
    build: str | None = None
    """LibreOffice's mark in profiles, such as ``40(Build:2)``; None if not known."""


def find_installation(
    soffice: str | Path | None = None, python: str | Path | None = None
) -> Installation:
    """LibreOffice on this machine, found once per process and search path.

    ``soffice`` and ``python`` name programs to use in place of a search. Raises RendererMissing,
    whose text says what to install, if either is missing.
    """
    return _find(
        None if soffice is None else str(soffice),
        None if python is None else str(python),
        os.environ.get("PATH", os.defpath),
    )


@lru_cache(maxsize=8)
def _find(soffice: str | None, python: str | None, search_path: str) -> Installation:
    executable = soffice or _first_program(("soffice", "libreoffice"), search_path)
    if executable is None or not Path(executable).exists():
        raise RendererMissing(executable or "soffice", f"LibreOffice is not installed; {_ADVICE}")
    launcher = Path(executable).resolve()
    binary = launcher.with_name("soffice.bin")
    program = binary if binary.exists() else launcher
    uno = _python_with_uno(program, python)
    return Installation(program, uno, _version(program), _build(program))


def _first_program(names: tuple[str, ...], search_path: str) -> str | None:
    hits = (shutil.which(name, path=search_path) for name in names)
    return next((hit for hit in hits if hit), None)


def _python_with_uno(program: Path, python: str | None) -> Path:
    candidates = [python] if python else ["/usr/bin/python3", str(program.with_name("python"))]
    for candidate in candidates:
        if Path(candidate).exists() and _imports_uno(candidate):
            return Path(candidate)
    raise RendererMissing(
        candidates[0], f"no Python here can import uno, LibreOffice's interface; {_ADVICE}"
    )


def _imports_uno(python: str) -> bool:
    command = [python, "-c", "import uno"]
    done = output_of(command, _PROBE_SECONDS, environment={"PATH": os.defpath})
    return done is not None and done.returncode == 0


def _version(program: Path) -> str:
    """The name that LibreOffice reports; the program's size and date if it does not answer."""
    with scratch_folder("version") as home:
        profile = f"-env:UserInstallation={(home / 'profile').as_uri()}"
        environment = {"PATH": os.defpath, "HOME": str(home)}
        command = [str(program), profile, "--version"]
        done = output_of(command, _PROBE_SECONDS, environment=environment)
    output = "" if done is None else done.stdout.decode("utf-8", "replace").strip()
    if output:
        return " ".join(output.splitlines()[0].split())
    facts = program.stat()
    return f"LibreOffice of {facts.st_size} bytes, {int(facts.st_mtime)}"


def _build(program: Path) -> str | None:
    """The entry ``buildid`` of the settings beside the program."""
    settings = ConfigParser(interpolation=None)
    try:
        settings.read_string(program.with_name("versionrc").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ConfigParserError):
        return None
    return settings.get("Version", "buildid", fallback=None)
