"""Any installed program as an agent: it edits a copy of a deck, and the deck that it leaves counts.

The program is a stranger: it runs in a sandbox, sees the system's programs and what the user named,
and has the network only if the user says so.

A file has ``command``, with ``{prompt}`` for the request in whole sentences; ``environment``, the
variables it needs; ``network``; and ``tried``, the version it was tried with. That is empty if
it was never tried here: the options are those of its documentation.
"""

import os
import re
import shlex
import shutil
import time
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import InvalidAgent, UnknownName
from decklab.core.files import write_whole
from decklab.core.options import EditLimits, EditorAccess, Isolation
from decklab.evals.desktop.trajectory import RunEnd, RunEnding
from decklab.models.asking import fill_prompt
from decklab.pages.files import strict_json
from decklab.sandbox.launch import IMPORTS, HostAccess
from decklab.sandbox.limits import CodeFailed, OutputTooLarge, RunFailed, RunLimits, TimedOut
from decklab.sandbox.sandbox import Sandbox, bundle_module

_PACKAGE: Final = "decklab.evals.desktop"


@dataclass(frozen=True)
class CommandPreset:
    """The command line of an agent, and its needs; ``tried`` is empty if nobody tried it."""

    name: str
    about: str
    command: str
    environment: tuple[str, ...] = ()
    network: bool = False
    tried: str = ""

    @property
    def access(self) -> EditorAccess:
        """Access of the agent."""
        return EditorAccess(environment=self.environment, network=self.network)


def command_preset(name: str) -> CommandPreset:
    """The preset of that name. Raises UnknownName if there is none."""
    known = command_presets()
    if name not in known:
        raise UnknownName(f"no agent's command is called {name!r}; there are {', '.join(known)}")
    return known[name]


@cache
def command_presets() -> dict[str, CommandPreset]:
    """All presets by name, in the order of names; their commands name ``{deck}`` and
    ``{instruction}``.

    >>> sorted(command_presets())
    ['claude-code', 'codex', 'gemini-cli']
    """
    prompt = " ".join(fill_prompt(_PACKAGE, "prompts/command.txt").split())
    presets = {}
    files = resources.files(_PACKAGE).joinpath("presets").iterdir()
    for file in sorted(files, key=lambda file: file.name):
        name, settings = file.name.removesuffix(".toml"), tomllib.loads(file.read_text("utf-8"))
        settings["command"] = settings["command"].replace("{prompt}", prompt)
        settings["environment"] = tuple(settings["environment"])
        presets[name] = CommandPreset(name, **settings)
    return presets


_SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib64")
"""Folders that every program sees."""
_NOT_AS_IT_IS: Final = ("/tmp", "/run", "/dev", "/proc")
"""Folders that are others inside: files below them have another path there."""
_BIN: Final = ("/usr/local/bin", "/usr/bin", "/bin")


def files_of_command(words: Sequence[str]) -> list[Path]:
    """The files of a command's program, and those that its other words name."""
    program = found_program(words[0])
    own = program_files(_resolved(Path(program))) if program else []
    return [*own, *(Path(word).absolute() for word in words[1:] if Path(word).is_file())]


def found_program(name: str) -> str | None:
    """Where a program is on this machine; none of the scripts in ``shims`` of version managers,
    which start others that are not known here. None if it is not there."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    path = os.pathsep.join(folder for folder in folders if Path(folder).name != "shims")
    return shutil.which(name, path=path)


def words_inside(words: Sequence[str]) -> list[str]:
    """The words of a command with the paths that its program and its files have inside."""
    program = found_program(words[0])
    first = place_inside(_resolved(Path(program))) if program else words[0]
    rest = [place_inside(Path(arg).absolute()) if Path(arg).is_file() else arg for arg in words[1:]]
    return [first, *rest]


def outermost(paths: Iterable[Path]) -> list[Path]:
    """Those that are there, are not the system's, and lie in no other of them."""
    there = [
        path for path in dict.fromkeys(paths) if path.exists() and not _is_below(path, _SYSTEM)
    ]
    return [path for path in there if not any(other in path.parents for other in there)]


def place_inside(path: Path) -> str:
    """The path that a file of the host has inside: its own, but for those below /tmp and the like.

    >>> place_inside(Path("/opt/tool")), place_inside(Path("/tmp/tool"))
    ('/opt/tool', '/run/decklab/imports/host/tmp/tool')
    """
    return f"{IMPORTS}/host{path}" if _is_below(path, _NOT_AS_IT_IS) else str(path)


def search_path(shown: Iterable[Path]) -> str:
    """Where a program looks for others: beside its own files, then in the system."""
    folders = [path if path.is_dir() else path.parent for path in shown]
    own = [place_inside(entry / "bin" if (entry / "bin").is_dir() else entry) for entry in folders]
    return ":".join(dict.fromkeys([*own, *_BIN]))


def program_files(program: Path) -> list[Path]:
    """Files that a program needs: itself, what it is a link to, the interpreter that its first line
    names, and the folder of a virtual environment or of npm packages that it lies in.
    """
    files: list[Path] = []
    queue = [program.absolute()]
    while queue:
        path = queue.pop()
        if path in files or not path.exists():
            continue
        files.append(path)
        if path.is_symlink():
            queue.append((path.parent / path.readlink()).absolute())
        if (folder := _package_folder(path)) is not None:
            files.append(folder)
            queue += [folder / "bin/python"] if (folder / "pyvenv.cfg").exists() else []
        if path.is_file():
            queue += _interpreter(path)
    return list(dict.fromkeys(files))


def _interpreter(path: Path) -> list[Path]:
    with path.open("rb") as file:
        first = file.readline(512)
    words = first[2:].decode(errors="replace").split() if first.startswith(b"#!") else []
    if words and Path(words[0]).name == "env":
        name = next((word for word in words[1:] if not word.startswith("-")), "")
        words = [found_program(name) or ""]
    return [Path(words[0])] if words and words[0] else []


def _package_folder(path: Path) -> Path | None:
    if "node_modules" in path.parts:
        return Path(*path.parts[: path.parts.index("node_modules") + 1])
    if (path.parent.parent / "pyvenv.cfg").exists():
        return path.parent.parent
    python = path.parent.parent / "lib" / path.name  # of an interpreter in a folder of its own
    return path.parent.parent if path.name.startswith("python3") and python.is_dir() else None


def _resolved(program: Path) -> Path:
    """Where a link to a program leads; a script looks for its own files beside that."""
    path = program.absolute()
    return path if _is_below(path, _SYSTEM) else path.resolve()


def _is_below(path: Path, folders: Sequence[str]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


OUTPUT_BYTES: Final = 2**20
"""Of each of stdout and stderr that is kept: the first half and the last. Ours."""
MEMORY: Final = 4 * 2**30
"""Bytes of all its processes together, unless told otherwise. Ours."""
_MIB: Final = 2**20
_DECK: Final = 256 * _MIB
_WORDS: Final = ("deck", "instruction", "out")
_WORD: Final = re.compile(r"\{(\w+)\}")
_GUEST: Final = "decklab.evals.desktop.command_guest"
_RUN: Final = f"""
from {_GUEST} import run_command
result = run_command(_decklab_words, **_decklab_given)
"""
_FIND: Final = f"""
from {_GUEST} import find_program
result = find_program(_decklab_words, _decklab_environment)
"""
_LEFT: Final = "left"
"""The name, without its suffix, of the deck that a program writes beside the one it got."""


@dataclass(frozen=True)
class CommandRun:
    """Result of a run: the deck that was left, None if none was, and the printed text.

    ``status`` is the exit status, None if the program was ended. ``dropped`` are bytes of stdout
    and stderr that were left out of the middle.
    """

    end: RunEnd
    deck: bytes | None = field(repr=False)
    stdout: str
    stderr: str
    status: int | None = None
    dropped: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class CommandAgent:
    """Runs ``command`` once for each deck; it is split into words as a shell would, and no shell
    sees it.

    In its words ``{deck}`` is the path of the copy, which the program may change in place,
    ``{instruction}`` the request, and ``{out}``, if it is named, the path of the deck to take in
    place of the copy. ``access`` names environment variables and files it may read, and whether it
    has the network; a trusted program is not isolated, only limited. ``memory`` is in bytes.
    ``hidden`` are paths of which it sees nothing.

    Raises InvalidAgent for a command without ``{deck}`` or ``{instruction}``, or with other words
    in braces.
    """

    command: str
    access: EditorAccess = field(default_factory=EditorAccess)
    limits: EditLimits = field(default_factory=EditLimits)
    memory: int = MEMORY
    hidden: Sequence[Path] = ()

    def __post_init__(self) -> None:
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise InvalidAgent(f"the agent's command: {error}") from None
        named = _WORD.findall(self.command)
        for name in named:
            if name not in _WORDS:
                near = get_close_matches(name, _WORDS, n=1)
                meant = (
                    f"did you mean {{{near[0]}}}?"
                    if near
                    else "there are {deck}, {instruction} and {out}"
                )
                raise InvalidAgent(f"the agent's command names {{{name}}}; {meant}")
        missing = [name for name in ("deck", "instruction") if name not in named]
        if not words or missing:
            missing_words = " and ".join(f"{{{name}}}" for name in missing)
            raise InvalidAgent(f"the agent's command has to name {missing_words or 'a program'}")

    @property
    def facts(self) -> dict[str, Any]:
        """How the program is run, as plain JSON for results."""
        return {
            "command": self.command,
            "isolation": self._isolation,
            "network": self.access.network or self.access.trust,
            "environment": list(self.access.environment),
            "files": [str(path) for path in self.access.files],
            "memory": self.memory,
        }

    def check(self) -> None:
        """Look for the program in the sandbox, before anything that costs time or money.

        Raises UnknownName if it is not there, SandboxUnavailable if there is no sandbox.
        """
        words = shlex.split(self.command)[:1]
        with self._sandbox({}, _DECK) as sandbox:
            values: dict[str, Any] = {
                "_decklab_words": self._inside(words),
                "_decklab_environment": self._environment(),
            }
            values_found = sandbox.run(_FIND, globals=values).value
        if not values_found:
            raise UnknownName(
                f"no program {words[0]!r}: it is not installed, or not where the agent may look; "
                "name its folder as a file that it may read"
            )

    def run(self, deck: Path, instruction: str, *, trajectory: Path | None = None) -> CommandRun:
        """Run the program on a copy of ``deck``; what it does to anything else is lost.

        ``trajectory`` is a new folder for what it printed. How it ended is in ``CommandRun.end``:
        ``finished``, ``time``, or ``agent failed`` for an exit status other than 0, a crash or too
        much of anything; the deck counts in each case. Raises SandboxUnavailable if there is no
        sandbox, OSError if ``deck`` cannot be read.
        """
        begun = time.monotonic()
        size = max(_DECK, 2 * deck.stat().st_size)
        name = f"deck{deck.suffix.lower()}"
        with self._sandbox({name: deck}, size) as sandbox:
            done = self._done(sandbox, name, instruction)
            left = _LEFT + deck.suffix.lower()
            wanted = left if "{out}" in self.command else name
            end = RunEnd(*_ending(done), steps=1, seconds=round(time.monotonic() - begun, 3))
            try:
                result = sandbox.collect(wanted).get(wanted)
            except OutputTooLarge as error:
                end, result = RunEnd("agent failed", str(error), "", 1, end.seconds), None
        status, *dropped = done.value or (None, 0, 0)
        run = CommandRun(end, result, done.stdout, done.stderr, status, (dropped[0], dropped[1]))
        if trajectory is not None:
            self._keep(trajectory, instruction, run)
        return run

    def _done(self, sandbox: Sandbox, name: str, instruction: str) -> "_Done":
        folder = sandbox.path(name)
        filled = {"deck": name, "instruction": instruction, "out": _LEFT + Path(name).suffix}
        words = [_filled(word, filled) for word in self._inside(shlex.split(self.command))]
        given = {"given": folder, "deck": name, "environment": self._environment(),
                 "most": OUTPUT_BYTES}  # fmt: skip
        values: dict[str, Any] = {"_decklab_words": words, "_decklab_given": given}
        try:
            outcome = sandbox.run(_RUN, globals=values, seconds=self.limits.seconds)
        except RunFailed as error:
            return _Done(None, error.stdout, error.stderr, error)
        value: Any = outcome.value
        return _Done(value, outcome.stdout, outcome.stderr, None)

    @property
    def _isolation(self) -> Isolation:
        return "process" if self.access.trust else "bubblewrap"

    def _environment(self) -> dict[str, str]:
        """The variables of the program."""
        if self.access.trust:
            return dict(os.environ)
        named = {name: os.environ[name] for name in self.access.environment if name in os.environ}
        return {"PATH": search_path(self._readable), "LANG": "C.UTF-8", **named}

    @cached_property
    def _readable(self) -> list[Path]:
        """Files of the host that are shown."""
        named = [Path(file).absolute() for file in self.access.files]
        return outermost([*files_of_command(shlex.split(self.command)), *named])

    def _inside(self, words: Sequence[str]) -> list[str]:
        """The words of a command with the paths that their files have inside."""
        return list(words) if self.access.trust else words_inside(words)

    def _sandbox(self, files: Mapping[str, Path], size: int) -> Sandbox:
        prelude, data = bundle_module(_GUEST)
        moved = {place_inside(path): path for path in self._readable}
        ours = {inside.removeprefix(f"{IMPORTS}/"): path for inside, path in moved.items()
                if inside != str(path)}  # fmt: skip
        return Sandbox(
            files=files,
            prelude=prelude,
            data=data,
            limits=_limits(self.limits, size, self.memory),
            isolation=self._isolation,
            access=HostAccess(
                imports=ours,
                readable=[path for inside, path in moved.items() if inside == str(path)],
                hidden=self.hidden,
                programs=True,
                network=self.access.network,
            ),
        )

    def _keep(self, folder: Path, instruction: str, run: CommandRun) -> None:
        write_whole(folder / "stdout.txt", run.stdout.encode(errors="replace"))
        write_whole(folder / "stderr.txt", run.stderr.encode(errors="replace"))
        record = {"instruction": instruction, "agent": self.command, **self.facts,
                "status": run.status, "dropped": list(run.dropped)}  # fmt: skip
        write_whole(folder / "run.json", f"{strict_json(record)}\n".encode())
        write_whole(folder / "end.json", f"{strict_json(vars(run.end))}\n".encode())


@dataclass(frozen=True)
class _Done:
    value: list[int] | None
    stdout: str
    stderr: str
    error: RunFailed | None


def _ending(done: _Done) -> tuple[RunEnding, str, str]:
    """How a run ended, details, and the last line that was printed."""
    message = next((line for line in reversed(done.stdout.splitlines()) if line.strip()), "")
    said = message.strip()[:300]
    if isinstance(done.error, TimedOut):
        return "time", str(done.error), said
    if isinstance(done.error, CodeFailed):
        return "agent failed", f"it cannot be started: {done.error.message}", said
    if done.error is not None:
        return "agent failed", str(done.error), said
    assert done.value is not None
    if status := done.value[0]:
        how = f"signal {-status}" if status < 0 else f"status {status}"
        last = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "")
        return "agent failed", f"it ended with {how}: {last.strip()[:300]}".removesuffix(": "), said
    return "finished", "", said


def _filled(word: str, values: Mapping[str, str]) -> str:
    return _WORD.sub(lambda match: values[match[1]], word)


def _limits(limits: EditLimits, size: int, memory: int) -> RunLimits:
    """Limits for a whole program, with several processes. Ours."""
    return RunLimits(
        seconds=limits.seconds,
        cpu_seconds=int(8 * limits.seconds) + 60,
        memory=memory,
        processes=256,
        open_files=4096,
        file=size,
        disk=4 * size,
        files=20_000,
        printed=2 * OUTPUT_BYTES,
    )
