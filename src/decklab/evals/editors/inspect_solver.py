"""The Inspect solver of the editing benchmarks: runs an editor within its limits."""

import time
from contextlib import nullcontext
from functools import partial
from typing import Any, Protocol

import anyio
import anyio.from_thread
import anyio.to_thread
from inspect_ai.model import Model, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import concurrency

from decklab.core.options import EditLimits
from decklab.evals.editors.isolation import IsolatedEditor, SafeEditor
from decklab.evals.editors.protocol import EditSession, LimitReached
from decklab.evals.editors.running import Submission
from decklab.models.asking import Ask, ModelReply
from decklab.models.inspect import ask_model, asker_of, asking_from_thread, run_in_task
from decklab.models.model_run import ModelRun

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
