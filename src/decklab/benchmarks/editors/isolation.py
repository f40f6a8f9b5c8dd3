"""Editors that are not decklab's own, each run in a process of its own in a sandbox."""

import json
import os
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from inspect_ai.util import JSONSchema
from pydantic import RootModel

import decklab
from decklab.benchmarks.editors.guest import encoded_reply
from decklab.benchmarks.editors.protocol import (
    NEEDS_MODEL,
    Editor,
    EditSession,
    EditTask,
    LimitReached,
    QuestionRefused,
    Trusted,
)
from decklab.errors import UnknownName
from decklab.files import Closing
from decklab.options import EditLimits, EditorAccess, Isolation
from decklab.rendering.cache import Cache
from decklab.sandbox.errors import (
    CallRefused,
    CodeFailed,
    OutputTooLarge,
    RunFailed,
    SandboxUnavailable,
    TimedOut,
)
from decklab.sandbox.host_files import FunctionReference, HostFiles, host_files_of
from decklab.sandbox.launch import HostAccess
from decklab.sandbox.limits import RunLimits
from decklab.sandbox.sandbox import Sandbox

TaskT = TypeVar("TaskT", bound=EditTask)
_MIB = 2**20
_DECK = 256 * _MIB
"""Bytes of a deck that may be left; twice the original's where that is more. Ours."""
_SPARE_CALLS = 100
_WITHOUT = (
    "--trust-editor (in Python, EditorAccess(trust=True)) runs an editor of yours without walls"
)
_OWN = Path(decklab.__file__).parent
ANSWER_FOLDERS = (
    _OWN / "benchmarks/ppteval/data",
    _OWN / "benchmarks/pptarena/data",
    _OWN.parents[1] / "generate",
)
"""Folders that hold rubrics, truths and perfect attempts, or what makes them; the last one is in
decklab's repository only. No editor sees them."""
FILES_VARIABLE = "DECKLAB_EDITOR_FILES"
"""Tells an editor where the files are that the user named for it."""
_WORK = """
from decklab.benchmarks.editors.guest import run_edit
run_edit(_decklab_editor, given=_decklab_given, instruction=_decklab_instruction,
     limits=_decklab_limits, report_step=_decklab_step, ask_host=_decklab_ask)
"""
_CHECK = """
from decklab.benchmarks.editors.guest import check_import
check_import(_decklab_editor)
"""
_PRELUDE = """
import sys
sys.path[:0] = _decklab_folders
import decklab.benchmarks.editors.guest
for _decklab_folder in _decklab_folders:
    sys.path.remove(_decklab_folder)
del _decklab_folders, _decklab_folder
"""
"""Decklab is imported once, from where decklab is; what the editor has in its folders comes later
and replaces nothing."""


@dataclass(frozen=True)
class LeftDeck:
    """What an editor left."""

    deck: bytes | None
    """None where there is no plain file in the deck's place."""
    ended: str = ""
    """Why it did not end by itself, in a line."""
    seconds: float = 0.0


class IsolatedEditor(Closing):
    """Runs one editor that is not decklab's own in sandboxes, task after task; a context manager.

    An editor sees a copy of the deck, the instruction, its own code (see ``host_files``) and what
    ``access`` gives it, and nothing of what lies below ``hidden``. Its processes are ended before
    what it left is taken. Threads may use one at the same time: each gets a sandbox of its own.

    Where ``access`` says that it is trusted, there are no walls: the editor still runs in a process
    of its own, with the limits, and is ended when its time is over, but it can see and change all
    that the user can.
    """

    def __init__(
        self,
        editor: FunctionReference,
        *,
        limits: EditLimits | None = None,
        access: EditorAccess | None = None,
        hidden: Sequence[Path] = (),
    ) -> None:
        self.editor, self.access = editor, access or EditorAccess()
        self.isolation: Isolation = "process" if self.access.trust else "bubblewrap"
        self.network = self.access.network or self.access.trust
        self.limits = limits or EditLimits()
        self._hidden = [*hidden, Cache().folder]
        self._idle: list[tuple[int, Sandbox]] = []
        self._lock = threading.Lock()
        weakref.finalize(self, _close, self._idle)  # for those who use it without a block

    def close(self) -> None:
        """End all sandboxes; may be called more than once."""
        with self._lock:
            _close(self._idle)

    @property
    def facts(self) -> dict[str, Any]:
        """How the editor was kept apart, as plain JSON for results."""
        return {
            "isolation": self.isolation,
            "network": self.network,
            "environment": list(self.access.environment),
            "files": [str(path) for path in self.access.files],
        }

    def check(self) -> None:
        """Import the editor within the walls, before anything is paid for.

        Raises UnknownName where it cannot be imported, and SandboxUnavailable where the walls
        cannot be had.
        """
        with self._sandbox(None) as sandbox:
            try:
                sandbox.run(_CHECK, globals=self._globals(sandbox), result=None)
            except RunFailed as error:
                raise UnknownName(f"no editor {str(self.editor)!r}: {_cause(error)}") from error

    def edit(self, deck: Path, instruction: str, session: EditSession) -> LeftDeck:
        """Have the editor edit a copy of ``deck``; what it does wrong ends it.

        Where ``session`` has no model, asking ends it, too: who runs it has to see to that. Raises
        ModelError where the model gives no reply to anything, SandboxUnavailable where the walls
        cannot be had, and OSError where ``deck`` cannot be read: all no fault of the editor.
        """
        with self._sandbox(deck, session) as sandbox:
            told = {
                **self._globals(sandbox),
                "_decklab_given": sandbox.path(_inside(deck)),
                "_decklab_instruction": instruction,
                "_decklab_limits": list(astuple(session.limits)),
            }
            ended, seconds = "", session.limits.seconds
            try:
                seconds = sandbox.run(
                    _WORK, globals=told, result=None, seconds=session.limits.seconds
                ).seconds
            except LimitReached as error:
                ended = str(error)
            except TimedOut as error:
                ended = f"more than {session.limits.seconds:g} s"
                seconds = error.seconds
            except QuestionRefused as error:
                ended = str(error)
            except RunFailed as error:
                ended, seconds = f"the editor failed: {_cause(error)}", error.seconds
            try:
                left = sandbox.collect(_inside(deck)).get(_inside(deck))
            except OutputTooLarge as error:
                return LeftDeck(None, ended or str(error), seconds)
            return LeftDeck(left, ended, seconds)

    def _globals(self, sandbox: Sandbox) -> dict[str, Any]:
        shown = self._host_files()
        walls = self.isolation == "bubblewrap"
        values = {name: os.environ[name] for name in self.access.environment if name in os.environ}
        if self.access.files:
            named = shown.files if walls else map(str, self.access.files)
            values[FILES_VARIABLE] = os.pathsep.join(named)
        return {
            "_decklab_editor": {
                "module": self.editor.module,
                "name": self.editor.function,
                "file": shown.file if walls or shown.file is None else str(self.editor.file),
                "folders": list(shown.folders) if walls else [*sys.path, str(Path.cwd())],
                "environment": values if walls else {**os.environ, **values},
            }
        }

    def _host_files(self) -> HostFiles:
        hidden = [*self._hidden, *ANSWER_FOLDERS]
        return host_files_of(self.editor, files=self.access.files, hidden=hidden)

    @contextmanager
    def _sandbox(self, deck: Path | None, session: EditSession | None = None) -> Iterator[Sandbox]:
        """A warm sandbox with ``deck`` in it, for one task."""
        size = max(_DECK, 2 * deck.stat().st_size if deck else 0)
        services = _services(session or EditSession())
        files = {_inside(deck): deck} if deck else {}
        with self._lock:
            at = next((n for n, (most, _) in enumerate(self._idle) if most >= size), None)
            held = None if at is None else self._idle.pop(at)
        if held is None:
            sandbox = self._made(size, files, services)
        else:
            size, sandbox = held
            sandbox.renew(files=files, services=services, data=self._data())
        try:
            yield sandbox
        except BaseException:
            sandbox.close()
            raise
        with self._lock:
            self._idle.append((size, sandbox))

    def _made(self, size: int, files: dict[str, Path], services: dict[str, Any]) -> Sandbox:
        shown = self._host_files()
        made = Sandbox(
            files=files,
            services=services,
            prelude=_PRELUDE,
            data=self._data(),
            limits=_limits(self.limits, size),
            isolation=self.isolation,
            access=HostAccess(
                imports=shown.imports, hidden=shown.hidden, programs=True, network=self.network
            ),
        )
        try:
            return made.__enter__()
        except CodeFailed as error:
            raise SandboxUnavailable(f"decklab cannot be had in the sandbox: {error}") from error
        except SandboxUnavailable as error:
            raise SandboxUnavailable(f"{error}; {_WITHOUT}") from error

    def _data(self) -> dict[str, Any]:
        walls = self.isolation == "bubblewrap"
        return {"_decklab_folders": list(self._host_files().folders) if walls else list(sys.path)}


def _close(idle: list[tuple[int, Sandbox]]) -> None:
    while idle:
        idle.pop()[1].close()


def _cause(error: RunFailed) -> str:
    """What ended a run, without the lines of ours that called the editor."""
    if isinstance(error, CodeFailed):
        return " ".join(f"{error.type}: {error.message}".split())[:500]
    return str(error)


def _inside(deck: Path) -> str:
    """What a deck is called inside, where its own name might tell which task it is of."""
    return f"deck{deck.suffix.lower()}"


def _limits(limits: EditLimits, size: int) -> RunLimits:
    """Room for whole programs; ours: several times what an agent with its libraries takes."""
    return RunLimits(
        seconds=limits.seconds,
        cpu_seconds=int(8 * limits.seconds) + 60,
        memory=4096 * _MIB,
        processes=128,
        open_files=1024,
        file=size,
        disk=2 * size,
        files=20_000,
        printed=16 * _MIB,
        calls=limits.steps + limits.messages + _SPARE_CALLS,
        call_bytes=128 * _MIB,
        answer_bytes=16 * _MIB,
    )


EditorFor: TypeAlias = Callable[[TaskT], Editor | IsolatedEditor]
"""An editor for each task. What is not ``Trusted`` is to be isolated, see ``isolated``."""


def isolated(
    editor: Editor | IsolatedEditor, made: dict[FunctionReference, IsolatedEditor], **options: Any
) -> Trusted[..., Any] | IsolatedEditor:
    """An editor that may be run: a function that is not ``Trusted`` becomes an ``IsolatedEditor``
    with ``options``, which is kept in ``made``.

    Raises UnknownName for a function that another process cannot import.
    """
    if isinstance(editor, IsolatedEditor | Trusted):
        return editor
    reference = FunctionReference.of(editor)
    if reference not in made:
        made[reference] = IsolatedEditor(reference, **options)
    return made[reference]


def isolation_facts(editor: object) -> dict[str, Any]:
    """How an editor is kept apart, as plain JSON; nothing of one that is trusted."""
    return editor.facts if isinstance(editor, IsolatedEditor) else {}


def as_list(value: str | Sequence[str]) -> list[str]:
    """A list as Inspect's ``-T`` gives it, which leaves a list of one a text."""
    return value.split(",") if isinstance(value, str) else list(value)


def describe_isolation(facts: dict[str, Any]) -> str:
    """The facts of an isolated editor in words."""
    walls = "no walls (trusted)" if facts["isolation"] == "process" else facts["isolation"]
    more = ["with network"] if facts["network"] and facts["isolation"] != "process" else []
    more += [f"variable {name}" for name in facts["environment"]]
    more += [f"reads {path}" for path in facts["files"]]
    return ", ".join([walls, *more])


def _services(session: EditSession) -> dict[str, Any]:
    """What the editor may ask of the host. Its words are data; nothing of it is run."""

    def step(what: Any) -> str:
        session.step(" ".join(str(what).split())[:500])
        return ""

    def ask(
        prompt: Any,
        *,
        images: Any = (),
        system: Any = None,
        temperature: Any = None,
        schema: Any = None,
        schema_name: Any = None,
    ) -> str:
        plain = isinstance(prompt, str) and (system is None or isinstance(system, str))
        if not plain or not all(isinstance(one, bytes) for one in images or ()):
            raise CallRefused("a question is text, with pictures as bytes")
        if session.model is None:
            raise QuestionRefused(NEEDS_MODEL)
        warm = isinstance(temperature, int | float) and 0 <= temperature <= 2
        form = None if schema is None else _form(schema, schema_name)
        reply = session.ask(
            prompt, images=list(images or ()), system=system,
            temperature=temperature if warm else None, answer=form,
        )  # fmt: skip
        return encoded_reply(reply)

    return {"_decklab_step": step, "_decklab_ask": ask}


def _form(schema: Any, name: Any) -> type[RootModel[Any]]:
    """A model of pydantic's that has this schema and takes any reply; CallRefused for a bad one."""
    try:
        read = json.loads(schema)
        JSONSchema.model_validate(read)
    except (TypeError, ValueError, RecursionError) as error:
        raise CallRefused(f"this is no schema of an answer: {error}") from None

    def model_json_schema(*_: Any, **__: Any) -> dict[str, Any]:
        return read  # type: ignore[no-any-return]

    known = name if isinstance(name, str) and name.isidentifier() else "Answer"
    return type(known[:60], (RootModel[Any],), {"model_json_schema": model_json_schema})
