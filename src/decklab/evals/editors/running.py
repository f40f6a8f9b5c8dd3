"""One editor run on one task, and the safe reading of the deck that it leaves; as a solver of
Inspect within its limits, too. The editors that come with decklab, and any editor by its name.
"""

import os
import stat
import time
from collections.abc import Callable
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import Any, Protocol

import anyio
import anyio.from_thread
import anyio.to_thread
from inspect_ai.model import Model, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import concurrency

from decklab.core.errors import (
    BudgetSpent,
    DeckError,
    DecklabError,
    LimitExceeded,
    MissingPart,
    ModelError,
    ModelFailed,
    UnsupportedFormat,
)
from decklab.core.files import scratch_folder, write_whole
from decklab.core.options import EditLimits
from decklab.core.registry import Registry
from decklab.editor.edit import edit_with_commands
from decklab.editor.model_editor import edit_with_model
from decklab.editor.result import EditResult
from decklab.evals.editors.isolation import EditorFor, IsolatedEditor, LeftDeck, SafeEditor, TaskT
from decklab.evals.editors.protocol import (
    Editor,
    EditSession,
    EditTask,
    LimitReached,
    Trusted,
    trusted,
)
from decklab.models.asking import Ask, ModelReply
from decklab.models.inspect import ask_model, asker_of, asking_from_thread, run_in_task
from decklab.models.model_run import ModelRun
from decklab.ooxml.package import Package
from decklab.ooxml.signatures import DEFAULT_LIMITS
from decklab.sandbox.host_files import FunctionReference
from decklab.sandbox.limits import SandboxUnavailable


def editor_for(name: str, known: Registry[EditorFor[TaskT]], **options: Any) -> EditorFor[TaskT]:
    """The ``known`` editor of that name, or the function that ``package.module:function`` or
    ``path/to/file.py:function`` names.

    The function takes what an `Editor` takes, or the deck and the instruction alone. It is not
    imported here: it runs in an ``IsolatedEditor``, which is made with ``options``. Raises
    UnknownName if there is no such editor, SandboxUnavailable if it cannot be isolated.
    """
    if ":" not in name:
        return known[name]
    isolated = IsolatedEditor(FunctionReference.parse(name), **options)
    isolated.check()
    return lambda task: isolated


def noop(task: EditTask) -> Editor:
    """An editor that leaves the deck unchanged: the lower bound."""

    def untouched(deck: Path, instruction: str, session: EditSession) -> None:
        session.finish("refused", "nothing was done")

    return trusted(untouched)


def commands(task: EditTask) -> Editor:
    """decklab's editor of plain requests, which asks no model; each request it obeys is a step."""

    def obeyed(deck: Path, instruction: str, session: EditSession) -> None:
        result = _edited(deck, partial(edit_with_commands, deck, instruction, draw=False))
        # What the editor asks back nobody answers.
        outcome = "refused" if result.outcome == "asked" else result.outcome
        session.finish(outcome, "; ".join(result.undone))
        for done in result.done:
            session.step(done)

    return trusted(obeyed)


def _edited(deck: Path, edit: Callable[..., EditResult]) -> EditResult:
    """Have ``edit`` write to a scratch file that then takes the place of the deck."""
    with scratch_folder("editor") as folder:
        if (result := edit(out=folder / deck.name)).output is not None:
            write_whole(deck, result.output.read_bytes())
    return replace(result, output=result.output and deck)


def agent(
    ask: Ask | None = None, *, ended: Callable[[], str] = lambda: "", **options: Any
) -> EditorFor[EditTask]:
    """decklab's own agent; ``options`` are those of ``edit_with_model``, among them its
    ``options`` with the switches for the ablation of paper 003, table 4.

    It asks ``ask``, or else the session's model. With the session's model each question is a step,
    and when a limit is reached, the best version so far counts. A task during which the budget of
    the run is spent raises BudgetSpent, for what the agent would have made of it is not known; and
    so does one before which ``ended`` says in words why nothing more is asked.
    """

    def edited(deck: Path, instruction: str, session: EditSession) -> None:
        reached: list[LimitReached] = []
        spent: list[BudgetSpent] = []
        if why := ended():
            raise BudgetSpent("the editor's model", why)

        def ask_counted(prompt: str, **how: Any) -> ModelReply[Any]:
            try:
                if ask is not None:
                    reply = ask(prompt, **how)
                    session.spend(reply)
                    return reply
                session.step(f"ask the model: {shorten(prompt, 80, placeholder='…')}")
                return session.ask(prompt, **how)
            except LimitReached as error:
                reached.append(error)
                raise ModelFailed("the editor's model", str(error)) from error
            except BudgetSpent as error:
                spent.append(error)
                raise

        try:
            edit = partial(edit_with_model, deck, instruction, ask_counted, **options)
            result = _edited(deck, edit)
            outcome = "refused" if result.outcome == "asked" else result.outcome
            session.finish(outcome, "; ".join(result.undone))
        except ModelFailed:
            if not reached:
                raise
        if spent:
            raise spent[0]
        if reached:
            raise reached[0]

    return lambda task: trusted(edited)


class EnvironmentBroken(DecklabError):
    """The screen, or the editor on it, failed while an agent used it: not the agent's fault."""


@dataclass(frozen=True)
class Submission:
    """The deck that an editor left, and how its work went."""

    original: Path
    """The deck as the editor got it."""
    deck: Path
    """Path of the edited deck; no plain file is there where the editor left no deck."""
    session: EditSession
    seconds: float
    ended: str = ""
    """Cause of an early end, in one line; its deck is graded as it was then."""
    error: DecklabError | None = None
    """An error of decklab or of the model; each benchmark decides whose fault that is."""
    looped: bool = False
    """Whether an agent was stopped because it repeated itself."""


def run_editor(
    editor: Editor | IsolatedEditor, task: EditTask, out: Path, session: EditSession
) -> Submission:
    """Have ``editor`` do ``task``; the edited copy of the deck is then at ``out``.

    Only ``trusted`` editors run in this process. Another function is imported again in an
    ``IsolatedEditor``; raises UnknownName if another process cannot import it. Every error
    there counts as the editor's and ends it, except ModelError and SandboxUnavailable, which are
    in ``Submission.error``. So is every DecklabError of a trusted editor; its other exceptions are
    raised.
    """
    if isinstance(editor, Trusted):
        return _run_trusted(editor, task, out, session)
    if isinstance(editor, IsolatedEditor):
        return _run_isolated(editor, task, out, session)
    hidden = [task.deck, out.parent]
    reference = FunctionReference.of(editor)
    with IsolatedEditor(reference, limits=session.limits, hidden=hidden) as isolated:
        return _run_isolated(isolated, task, out, session)


def _run_isolated(
    editor: IsolatedEditor, task: EditTask, out: Path, session: EditSession
) -> Submission:
    left, error = LeftDeck(task.deck.read_bytes()), None
    started = time.perf_counter()
    try:
        left = editor.edit(task.deck, task.instruction, session)
    except (ModelError, SandboxUnavailable) as caught:
        error = caught
    seconds = time.perf_counter() - started
    if left.deck is None:
        out.unlink(missing_ok=True)
    else:
        write_whole(out, left.deck)
    return Submission(task.deck, out, session, seconds, left.ended, error)


def _run_trusted(editor: Editor, task: EditTask, out: Path, session: EditSession) -> Submission:
    write_whole(out, task.deck.read_bytes())
    started = time.perf_counter()
    ended, error = "", None
    try:
        if (other := editor(out, task.instruction, session)) is not None and Path(other) != out:
            write_whole(out, submitted_bytes(Path(other)))
    except LimitReached as caught:
        ended = str(caught)
    except DecklabError as caught:
        error = caught
    return Submission(task.deck, out, session, time.perf_counter() - started, ended, error)


def submitted_bytes(path: Path) -> bytes:
    """The bytes of the file ``path``, if it is a plain file without other links.

    A symbolic or hard link might lead to somebody else's deck. Raises UnsupportedFormat for links,
    folders, pipes and devices; MissingPart if there is no file; LimitExceeded for a file too
    large to be a deck; DeckError if it cannot be opened.
    """
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        if stat.S_ISLNK(path.lstat().st_mode):
            raise UnsupportedFormat(path, "it is a link, not a file")
        with ExitStack() as stack:
            descriptor = os.open(path, flags)
            stack.callback(os.close, descriptor)
            _check(path, os.fstat(descriptor))
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                return file.read(DEFAULT_LIMITS.file_bytes + 1)
    except FileNotFoundError:
        raise MissingPart(path, "there is no such file") from None
    except OSError as error:
        raise DeckError(path, f"cannot be opened: {error.strerror}") from None


def check_readable(edited: Path, original: Path) -> None:
    """Check that all XML that is in ``edited`` and not in ``original`` can be parsed.

    decklab's reader skips a damaged slide, but programs that show decks refuse the whole deck.
    Raises DeckError for the first damaged part, and for a file that cannot be opened, ``original``
    first.
    """
    with Package.open(original) as old, Package.open(edited) as new:
        for name in new.names:
            if name.endswith((".xml", ".rels")) and new.read(name) != _part(old, name):
                new.xml(name)


def _part(package: Package, name: str) -> bytes | None:
    try:
        return package.read(name)
    except DeckError:
        return None


def _check(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise UnsupportedFormat(path, "it is a folder, a pipe or a device, not a file")
    if status.st_nlink != 1:
        raise UnsupportedFormat(path, "it is a hard link, not a file of its own")
    if status.st_size > DEFAULT_LIMITS.file_bytes:
        most = DEFAULT_LIMITS.file_bytes
        raise LimitExceeded(path, f"{status.st_size:,} bytes, more than the limit of {most:,}")


NO_MODEL = "none/none"
"""How Inspect AI calls the model of a run that has none."""


class EditBench(Protocol):
    """Interface of a benchmark to the solver."""

    def editor_at(self, state: TaskState) -> tuple[SafeEditor, EditLimits]:
        """The editor that does a sample's task, and its limits."""

    def edit(self, state: TaskState, editor: SafeEditor, session: EditSession) -> Submission:
        """Have the editor do the sample's task; called in a thread."""

    def cut_off(self, state: TaskState, session: EditSession) -> Submission:
        """The deck of a trusted editor whose time is over; the editor may still be running."""

    def finish(self, state: TaskState, submission: Submission) -> None:
        """Store the submission for the scorer, and write the outcome into the state."""


@solver
def edit_deck(
    bench: EditBench, *, one_at_a_time: bool = False, run: ModelRun | None = None
) -> Solver:
    """Have the editor do the task in a thread; ``one_at_a_time`` where editors fill a machine.
    Its questions are counted and kept by ``run``.

    An isolated editor is ended when its time is over. A trusted editor cannot be ended: its thread
    is abandoned.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        async with concurrency("decklab-editor", 1) if one_at_a_time else nullcontext():
            editor, limits = bench.editor_at(state)
            session = EditSession(limits)
            session.model = _asking(get_model(), session, run or ModelRun())
            edit = partial(bench.edit, state, editor, session)
            submission = None
            if isinstance(editor, IsolatedEditor):
                submission = await anyio.to_thread.run_sync(edit, abandon_on_cancel=True)
            else:
                with anyio.move_on_after(session.limits.seconds):
                    submission = await anyio.to_thread.run_sync(edit, abandon_on_cancel=True)
            bench.finish(state, submission or bench.cut_off(state, session))
        return state

    return solve


def asking_in_run(run: ModelRun, model: Model | None) -> Ask | None:
    """A model as a function for threads, counted and kept by ``run``; None for no model."""
    if model is None or str(model) == NO_MODEL:
        return None
    return run.kept(asking_from_thread(model, account=run.costs, tell=run.tell), str(model))


def asking_run_model(run: ModelRun) -> Ask:
    """The model of Inspect's run as a function, for threads that the solver started."""

    def ask(prompt: str, **how: Any) -> ModelReply[Any]:
        model = get_model()
        asked = asking_from_thread(model, account=run.costs, tell=run.tell)
        return run.kept(asked, str(model))(prompt, **how)

    return ask


def _asking(model: Model, session: EditSession, run: ModelRun) -> Ask | None:
    """The run's model, which must reply before the session's time is over; None for no model."""
    if str(model) == NO_MODEL:
        return None
    asker = asker_of(model, account=run.costs, tell=run.tell)

    async def in_time(prompt: str, **how: Any) -> ModelReply[Any]:
        left = session.started + session.limits.seconds - time.monotonic()
        with anyio.move_on_after(max(left, 0)):
            return await ask_model(model, prompt, asker=asker, **how)
        raise LimitReached(f"more than {session.limits.seconds:g} s")

    def ask(prompt: str, **how: Any) -> ModelReply[Any]:
        return run_in_task(partial(in_time, prompt, **how))

    return run.kept(ask, str(model))
