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

from decklab.core.errors import UnknownName
from decklab.core.files import Closing
from decklab.core.options import EditLimits, EditorAccess, Isolation
from decklab.evals.editors.guest import encoded_reply
from decklab.evals.editors.protocol import (
    NEEDS_MODEL,
    Editor,
    EditSession,
    EditTask,
    LimitReached,
    QuestionRefused,
    Trusted,
)
from decklab.rendering.renderer import Cache
from decklab.sandbox.host_files import FunctionReference, HostFiles, host_files_of
from decklab.sandbox.launch import HostAccess
from decklab.sandbox.limits import (
    CallRefused,
    CodeFailed,
    OutputTooLarge,
    RunFailed,
    RunLimits,
    SandboxUnavailable,
    TimedOut,
)
from decklab.sandbox.sandbox import Sandbox

TaskT = TypeVar("TaskT", bound=EditTask)
_MIB = 2**20
_DECK = 256 * _MIB
"""Largest deck that an editor may leave, in bytes; twice the original if that is more. Ours."""
_SPARE_CALLS = 100
_WITHOUT = (
    "--trust-editor (in Python, EditorAccess(trust=True)) runs an editor of yours without walls"
)
_OWN = Path(__file__).parents[2]
ANSWER_FOLDERS = (
    _OWN / "evals/ppteval/data",
    _OWN / "evals/pptarena/data",
    _OWN.parents[1] / "generate",
)
"""Folders with rubrics, truths and perfect attempts, or with the programs that make them; the last
folder is in decklab's repository only. No editor sees them."""
FILES_VARIABLE = "DECKLAB_EDITOR_FILES"
"""Environment variable with the paths of the files that the user named for the editor."""
_WORK = """
from decklab.evals.editors.guest import run_edit
run_edit(_decklab_editor, given=_decklab_given, instruction=_decklab_instruction,
     limits=_decklab_limits, report_step=_decklab_step, ask_host=_decklab_ask)
"""
_CHECK = """
from decklab.evals.editors.guest import check_import
check_import(_decklab_editor)
"""
_PRELUDE = """
import sys
sys.path[:0] = _decklab_folders
import decklab.evals.editors.guest
for _decklab_folder in _decklab_folders:
    sys.path.remove(_decklab_folder)
del _decklab_folders, _decklab_folder
"""
"""Decklab is imported once, from its own folder, before the editor's folders are on the path, so
that no module of the editor replaces one of decklab's."""


@dataclass(frozen=True)
class LeftDeck:
    """The deck that an editor left."""

    deck: bytes | None
    """None if there is no plain file at the deck's path."""
    ended: str = ""
    """Why the editor did not end by itself, in one line."""
    seconds: float = 0.0


class IsolatedEditor(Closing):
    """Runs one editor that is not decklab's own in sandboxes, task after task; a context manager.

    An editor sees a copy of the deck, the instruction, its own code (see ``host_files``) and what
    ``access`` gives it, and nothing below the paths ``hidden``. Its processes are ended before its
    deck is read. Several threads may use it at the same time: each gets its own sandbox.

    If ``access`` says that the editor is trusted, it is not isolated: it still runs in its own
    process, with the limits, and is ended when its time is over, but it can see and change all
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
        weakref.finalize(self, _close, self._idle)  # where it is used without a with block

    def close(self) -> None:
        """End all sandboxes; may be called more than once."""
        with self._lock:
            _close(self._idle)

    @property
    def facts(self) -> dict[str, Any]:
        """How the editor was isolated, as plain JSON for results."""
        return {
            "isolation": self.isolation,
            "network": self.network,
            "environment": list(self.access.environment),
            "files": [str(path) for path in self.access.files],
        }

    def check(self) -> None:
        """Import the editor in the sandbox, before anything that costs time or money.

        Raises UnknownName if it cannot be imported, and SandboxUnavailable if there is no sandbox.
        """
        with self._sandbox(None) as sandbox:
            try:
                sandbox.run(_CHECK, globals=self._globals(sandbox), result=None)
            except RunFailed as error:
                raise UnknownName(f"no editor {str(self.editor)!r}: {_cause(error)}") from error

    def edit(self, deck: Path, instruction: str, session: EditSession) -> LeftDeck:
        """Have the editor edit a copy of ``deck``; its own errors end it, see ``LeftDeck.ended``.

        If ``session`` has no model, a question ends it, too; the caller has to look for that.
        Raises ModelError if the model replies to nothing, SandboxUnavailable if there is no
        sandbox, and OSError if ``deck`` cannot be read: none is the fault of the editor.
        """
        with self._sandbox(deck, session) as sandbox:
            values = {
                **self._globals(sandbox),
                "_decklab_given": sandbox.path(_inside(deck)),
                "_decklab_instruction": instruction,
                "_decklab_limits": list(astuple(session.limits)),
            }
            ended, seconds = "", session.limits.seconds
            try:
                seconds = sandbox.run(_WORK, globals=values, result=None, seconds=seconds).seconds
            except TimedOut as error:
                ended, seconds = f"more than {session.limits.seconds:g} s", error.seconds
            except (LimitReached, QuestionRefused) as error:
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
        boxed = self.isolation == "bubblewrap"
        values = {name: os.environ[name] for name in self.access.environment if name in os.environ}
        if self.access.files:
            named = shown.files if boxed else map(str, self.access.files)
            values[FILES_VARIABLE] = os.pathsep.join(named)
        return {
            "_decklab_editor": {
                "module": self.editor.module,
                "name": self.editor.function,
                "file": shown.file if boxed or shown.file is None else str(self.editor.file),
                "folders": list(shown.folders) if boxed else [*sys.path, str(Path.cwd())],
                "environment": values if boxed else {**os.environ, **values},
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
            idle = None if at is None else self._idle.pop(at)
        if idle is None:
            sandbox = self._made(size, files, services)
        else:
            size, sandbox = idle
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
        boxed = self.isolation == "bubblewrap"
        return {"_decklab_folders": list(self._host_files().folders) if boxed else list(sys.path)}


def _close(idle: list[tuple[int, Sandbox]]) -> None:
    while idle:
        idle.pop()[1].close()


def _cause(error: RunFailed) -> str:
    """Cause of a run's end, without the lines of decklab that called the editor."""
    if isinstance(error, CodeFailed):
        return " ".join(f"{error.type}: {error.message}".split())[:500]
    return str(error)


def _inside(deck: Path) -> str:
    """The name of a deck in the sandbox: its own name might give its task away."""
    return f"deck{deck.suffix.lower()}"


def _limits(limits: EditLimits, size: int) -> RunLimits:
    """Limits for whole programs. Ours: several times what an agent with its libraries needs."""
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
"""An editor for each task. An editor that is not ``Trusted`` is isolated, see ``isolated``."""

SafeEditor: TypeAlias = Trusted[..., Any] | IsolatedEditor
"""An editor that may be run: somebody vouches for it, or it runs in a sandbox."""


def isolated(
    editor: Editor | IsolatedEditor, made: dict[FunctionReference, IsolatedEditor], **options: Any
) -> SafeEditor:
    """An editor that may be run: a function that is not ``Trusted`` becomes an ``IsolatedEditor``
    with ``options``, which is stored in ``made``.

    Raises UnknownName for a function that another process cannot import.
    """
    if isinstance(editor, IsolatedEditor | Trusted):
        return editor
    if (reference := FunctionReference.of(editor)) not in made:
        made[reference] = IsolatedEditor(reference, **options)
    return made[reference]


def isolation_facts(editor: object) -> dict[str, Any]:
    """How an editor is isolated, as plain JSON; empty for a trusted editor."""
    return editor.facts if isinstance(editor, IsolatedEditor) else {}


def editor_access(
    trust: bool, environment: str | Sequence[str], files: str | Sequence[str], network: bool
) -> EditorAccess:
    """The access that options of an Inspect task give; ``-T`` leaves a list of one a text."""
    names, paths = (raw.split(",") if isinstance(raw, str) else raw for raw in (environment, files))
    return EditorAccess(trust, list(names), list(map(Path, paths)), network)


def describe_isolation(facts: dict[str, Any]) -> str:
    """The facts of an isolated editor in words."""
    kind = "no walls (trusted)" if facts["isolation"] == "process" else facts["isolation"]
    more = ["with network"] if facts["network"] and facts["isolation"] != "process" else []
    more += [f"variable {name}" for name in facts["environment"]]
    more += [f"reads {path}" for path in facts["files"]]
    return ", ".join([kind, *more])


def _services(session: EditSession) -> dict[str, Any]:
    """The functions of the host that the editor may call. Its arguments are data, never run."""

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
        if not plain or not all(isinstance(image, bytes) for image in images or ()):
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
    """A pydantic model that has this schema and takes any reply; CallRefused for a bad schema."""
    try:
        read = json.loads(schema)
        JSONSchema.model_validate(read)
    except (TypeError, ValueError, RecursionError) as error:
        raise CallRefused(f"this is no schema of an answer: {error}") from None

    def model_json_schema(*_: Any, **__: Any) -> dict[str, Any]:
        return read  # type: ignore[no-any-return]

    known = name if isinstance(name, str) and name.isidentifier() else "Answer"
    return type(known[:60], (RootModel[Any],), {"model_json_schema": model_json_schema})
