"""Editors by name: baselines that come with decklab, and functions of others."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import shorten
from typing import Any

from decklab.agents.editor.command_editor import edit_with_commands
from decklab.agents.editor.model_editor import edit_with_model
from decklab.benchmarks.editors.places import Outside
from decklab.benchmarks.editors.room import EditorRoom
from decklab.benchmarks.editors.session import Editor, LimitReached, Session, trusted
from decklab.benchmarks.ppteval.starter import edit, starter_tasks
from decklab.benchmarks.ppteval.tasks import EditingTask
from decklab.errors import ModelFailed, UnknownName
from decklab.models.asking import Reply
from decklab.registry import Registry
from decklab.sandbox.sandbox import Sandbox

EditorFor = Callable[[EditingTask], Editor | EditorRoom]

EDITORS: Registry[EditorFor] = Registry("editor")
"""Editors by name, each made for a task: baselines may know more of it than its instruction.

They are decklab's own and run in its own process. Editors of others never do, see
``decklab.benchmarks.editors``.
"""


def editor_for(name: str, **apart: Any) -> EditorFor:
    """The editor of that name, or the function that ``package.module:function`` or
    ``path/to/file.py:function`` names.

    The function takes what an `Editor` takes, or the deck and the instruction alone. It is not
    imported here: it works in an ``EditorRoom``, whose options ``apart`` are. Raises UnknownName
    where there is none, and SandboxUnavailable where the room cannot be had.
    """
    if ":" not in name:
        return EDITORS[name]
    room = EditorRoom(Outside.named(name), **apart)
    room.check()
    return lambda task: room


def _noop(task: EditingTask) -> Editor:
    def untouched(deck: Path, instruction: str, session: Session) -> None:
        return None

    return trusted(untouched)


def _truth(task: EditingTask) -> Editor:
    """Does what the starter set knows to be right; other tasks have no such answer."""
    known = {one.name: one for one in starter_tasks()}

    def done_right(deck: Path, instruction: str, session: Session) -> None:
        answer = known.get(task.name)
        if answer is None or answer.goal != instruction:
            raise UnknownName(f"the answer to {task.name!r} is not known: it is no starter task")
        session.step("run the program that does it")
        with Sandbox(files={"deck.pptx": deck}) as sandbox:
            edited = edit(sandbox, "deck.pptx", answer.attempts["perfect"])
        deck.write_bytes(edited)

    return trusted(done_right)


def _agent(task: EditingTask) -> Editor:
    """decklab's own agent, with the model of the run; each question to it is a step.

    When its limit is reached, the best version that there is by then counts.
    """

    def edited(deck: Path, instruction: str, session: Session) -> None:
        reached: list[LimitReached] = []

        def ask(prompt: str, **how: Any) -> Reply[Any]:
            try:
                session.step(f"ask the model: {_first_words(prompt)}")
                return session.ask(prompt, **how)
            except LimitReached as error:
                reached.append(error)
                raise ModelFailed("the editor's model", str(error)) from error

        try:
            edit_with_model(deck, instruction, ask, out=deck)
        except ModelFailed:
            if not reached:
                raise
        if reached:
            raise reached[0]

    return trusted(edited)


def _first_words(prompt: str) -> str:
    return shorten(prompt, 80, placeholder="…")


def _commands(task: EditingTask) -> Editor:
    """decklab's own editor of plain requests, which asks no model; each that it obeys is a step."""

    def obeyed(deck: Path, instruction: str, session: Session) -> None:
        with TemporaryDirectory(prefix="decklab-commands-") as folder:
            result = edit_with_commands(
                deck, instruction, out=deck, folder=Path(folder), office=None, draw=False
            )
        for done in result.done:
            session.step(done)

    return trusted(obeyed)


EDITORS.register("noop", _noop)
EDITORS.register("truth", _truth)
EDITORS.register("commands", _commands)
EDITORS.register("agent", _agent)
