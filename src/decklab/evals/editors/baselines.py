"""The editors that come with decklab, and any editor by its name."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import Any

from decklab.core.errors import BudgetSpent, ModelFailed
from decklab.core.files import scratch_folder, write_whole
from decklab.core.registry import Registry
from decklab.editor.edit import edit_with_commands
from decklab.editor.model_editor import edit_with_model
from decklab.editor.result import EditResult
from decklab.evals.editors.isolation import EditorFor, IsolatedEditor, TaskT
from decklab.evals.editors.protocol import Editor, EditSession, EditTask, LimitReached, trusted
from decklab.models.asking import Ask, ModelReply
from decklab.sandbox.host_files import FunctionReference


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
        result = edit(out=folder / deck.name)
        if result.output is not None:
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
            result = _edited(
                deck, partial(edit_with_model, deck, instruction, ask_counted, **options)
            )
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
