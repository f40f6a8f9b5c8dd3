"""LibreOffice and a Python that can drive it, found; and the process of a worker, inside bubblewrap
if that works, else directly.
"""

import contextlib
import html
import json
import os
import selectors
import shutil
import signal
import subprocess
import time
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from configparser import ConfigParser
from configparser import Error as ConfigParserError
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import psutil

from decklab.core.errors import RendererMissing
from decklab.core.files import Scratch, scratch_folder
from decklab.core.programs import (
    FONT_VARIABLES,
    bubblewrap_command,
    lasting_thread,
    output_of,
    system_mounts,
)

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


Start = tuple[list[str], dict[str, str]]
"""A command and the whole environment it gets."""

_INSIDE = "/w"
_USER_FONTS = (".fonts", ".local/share/fonts")


def direct(installation: Installation, script: Path, folder: Path) -> Start:
    """Start a worker without bubblewrap; fonts of the user are linked into its home."""
    home = folder / "home"
    for name in _USER_FONTS:
        own = Path.home() / name
        if own.is_dir():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).symlink_to(own)
    command = [str(installation.python), str(script), str(installation.program), str(folder)]
    return command, _environment(str(folder))


def isolated_start(
    installation: Installation, script: Path, folder: Path, *, shown: Sequence[Path] = ()
) -> Start:
    """Start a worker inside bubblewrap with ``folder`` as its only writable place.

    It may read the folders ``shown`` besides the system's.
    """
    fonts = [
        piece
        for name in _USER_FONTS
        for piece in ("--ro-bind-try", str(Path.home() / name), f"{_INSIDE}/home/{name}")
    ]
    mounts = [
        *system_mounts([installation.program.parent.parent, installation.python, *shown]),
        *("--bind", str(folder), _INSIDE, "--chdir", _INSIDE),
        *fonts,
    ]
    program = str(installation.program)
    worker = [str(installation.python), f"{_INSIDE}/{script.name}", program, _INSIDE]
    return bubblewrap_command(worker, mounts), _environment(_INSIDE)


def _environment(folder: str) -> dict[str, str]:
    """The environment of the worker: of our own only the choice of fonts."""
    fonts = {name: os.environ[name] for name in FONT_VARIABLES if os.environ.get(name)}
    return {
        "HOME": f"{folder}/home",
        "TMPDIR": f"{folder}/tmp",
        "OSL_SOCKET_PATH": f"{folder}/tmp",  # inside bubblewrap there is no /tmp for its pipes
        "LANG": "C.UTF-8",
        "PATH": "/usr/bin:/bin",
        "SAL_USE_VCLPLUGIN": "svp",
        **fonts,
    }


_COMMON = "/org.openoffice.Office.Common"
_SCRIPTING = f"{_COMMON}/Security/Scripting"
_RECOVERY = "/org.openoffice.Office.Recovery"

Setting = tuple[str, str, str]
"""Configuration node, property and value."""

SETTINGS: tuple[Setting, ...] = (
    (_SCRIPTING, "MacroSecurityLevel", "3"),
    (_SCRIPTING, "DisableMacrosExecution", "true"),
    (_SCRIPTING, "DisableOLEAutomation", "true"),
    (_SCRIPTING, "DisablePythonRuntime", "true"),
    (_SCRIPTING, "BlockUntrustedRefererLinks", "true"),
    (f"{_COMMON}/Misc", "FirstRun", "false"),
    (f"{_COMMON}/Misc", "UseLocking", "false"),
    (f"{_COMMON}/Misc", "CrashReport", "false"),
    (f"{_COMMON}/Save/Document", "CreateBackup", "false"),
    (f"{_COMMON}/Save/Document", "AutoSave", "false"),
    (f"{_COMMON}/Load", "ShowOfficeUpdateDialog", "false"),
    (f"{_COMMON}/History", "PickListSize", "0"),
    (_RECOVERY + "/AutoSave", "Enabled", "false"),
    (_RECOVERY + "/RecoveryInfo", "Enabled", "false"),
    ("/org.openoffice.Office.Impress/Misc/Start", "AutoPilot", "false"),
    ("/org.openoffice.Office.Java/VirtualMachine", "Enable", "false"),
    ("/org.openoffice.Setup/Office", "ooSetupInstCompleted", "true"),
    ("/org.openoffice.Setup/Product", "WhatsNew", "false"),
    ("/org.openoffice.Setup/Product", "ooSetupLastVersion", "99.0"),
)
"""A release without a property ignores it. LibreOffice tries its drawing for most of a second if it
is newer than the last that had the profile.

``DisableActiveContent`` is not among them: LibreOffice 24.2 then draws no charts, and 7.4 does not
know it."""

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<oor:items xmlns:oor="http://openoffice.org/2001/registry">\n'
)


def write_profile(folder: Path, build: str | None = None, more: Iterable[Setting] = ()) -> None:
    """Make ``folder`` a LibreOffice profile that holds ``SETTINGS``, ``more``, and nothing else.

    With ``build``, the build of the LibreOffice that will use it, it accepts the profile as one
    of its own; else it first cleans up the empty profile and starts once more.
    """
    user = folder / "user"
    user.mkdir(parents=True)
    items = (
        f'<item oor:path="{html.escape(node)}"><prop oor:name="{html.escape(name)}" '
        f'oor:op="fuse"><value>{value}</value></prop></item>\n'
        for node, name, value in (*SETTINGS, *more)
    )
    text = _HEAD + "".join(items) + "</oor:items>\n"
    (user / "registrymodifications.xcu").write_text(text, encoding="utf-8")
    if build is not None:
        (user / "extensions").mkdir()
        (user / "extensions" / "buildid").write_text(build, encoding="utf-8")


_MEMORY_CHECK_SECONDS = 1.0


class WorkerTimeout(Exception):
    """No answer before the deadline."""


class OfficeDied(Exception):
    """The worker ended, or was ended for taking too much memory, without an answer."""


def _end_group(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def _kill(process: subprocess.Popen[bytes], scratch: Scratch) -> None:
    _end_group(process.pid)
    with contextlib.suppress(BrokenPipeError):
        process.communicate()
    scratch.remove()


class OfficeProcess:
    """A started program that drives LibreOffice, with its private folder.

    ``prepared`` fills that folder and gives the command that starts the program.
    """

    def __init__(self, prepared: Callable[[Path], Start], *, memory_limit: int) -> None:
        self._scratch = Scratch("office")
        self.folder, self._memory_limit = self._scratch.folder, memory_limit
        self._pending = b""
        try:
            for name in ("home", "tmp"):
                (self.folder / name).mkdir()
            command, environment = prepared(self.folder)
            self._process = lasting_thread().submit(self._started, command, environment).result()
        except BaseException:
            self._scratch.remove()
            raise
        # A LibreOffice that is forgotten goes on, busily, once its folder is swept from under it.
        self._if_forgotten = weakref.finalize(self, _kill, self._process, self._scratch)

    def _started(
        self, command: Sequence[str], environment: Mapping[str, str]
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            env=environment,
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    @property
    def process_id(self) -> int:
        """Of the program that was started; LibreOffice is among its children."""
        return self._process.pid

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Send a request and return the answer; raises WorkerTimeout or OfficeDied."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise OfficeDied("the LibreOffice worker is gone") from None
        return self.answer(seconds)

    def answer(self, seconds: float) -> dict[str, Any]:
        """The next answer; raises OfficeDied, and WorkerTimeout after ``seconds``."""
        line = self._line(time.monotonic() + seconds)
        try:
            answer = json.loads(line)
        except ValueError:
            raise OfficeDied("the LibreOffice worker answered no JSON") from None
        if not isinstance(answer, dict):
            raise OfficeDied("the LibreOffice worker answered no JSON object")
        if answer.get("why") == "died":
            raise OfficeDied(str(answer.get("detail", "LibreOffice died")))
        return answer

    def _line(self, deadline: float) -> bytes:
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, selectors.EVENT_READ)
            while b"\n" not in self._pending:
                if (left := deadline - time.monotonic()) <= 0:
                    raise WorkerTimeout
                if not selector.select(min(left, _MEMORY_CHECK_SECONDS)):
                    self._check_memory()
                    continue
                if not (piece := os.read(descriptor, 65536)):
                    raise OfficeDied("the LibreOffice worker ended without an answer")
                self._pending += piece
        line, _, self._pending = self._pending.partition(b"\n")
        return line

    def _check_memory(self) -> None:
        used = 0
        with contextlib.suppress(psutil.Error):
            top = psutil.Process(self._process.pid)
            for process in (top, *top.children(recursive=True)):
                used += process.memory_info().rss
        if used > self._memory_limit:
            raise OfficeDied(f"LibreOffice took more than {self._memory_limit >> 20} MiB of memory")

    def end(self) -> None:
        """End the worker and its processes; who waits for its answer gets OfficeDied."""
        _end_group(self._process.pid)

    def kill(self) -> None:
        """End the worker and its processes, and remove its folder; safe to call again."""
        _kill(self._process, self._scratch)
        self._if_forgotten.detach()


class Worker(OfficeProcess):
    """A started ``worker.py`` with its private folder; the first answer says that it is ready."""

    def __init__(
        self, installation: Installation, script: Path, *, isolated: bool, memory_limit: int
    ) -> None:
        def prepared(folder: Path) -> Start:
            write_profile(folder / "profile", installation.build)
            inside = folder / "worker.py"
            shutil.copyfile(script, inside)
            return (isolated_start if isolated else direct)(installation, inside, folder)

        super().__init__(prepared, memory_limit=memory_limit)
