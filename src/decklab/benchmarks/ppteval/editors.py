"""Editors by name: those of all benchmarks, and the starter set's own answers."""

from pathlib import Path

from decklab.benchmarks.editors.baselines import agent, commands, noop
from decklab.benchmarks.editors.isolation import EditorFor
from decklab.benchmarks.editors.protocol import Editor, EditSession, EditTask, trusted
from decklab.benchmarks.ppteval.starter import edit, starter_tasks
from decklab.benchmarks.ppteval.tasks import EditingTask
from decklab.errors import UnknownName
from decklab.registry import Registry
from decklab.sandbox.sandbox import Sandbox

EDITORS: Registry[EditorFor[EditingTask]] = Registry("editor")
"""Editors by name, each made for a task: baselines may know more than its instruction.

They are decklab's own and run in its process. Editors of others never do, see
``decklab.benchmarks.editors``.
"""


def _truth(task: EditTask) -> Editor:
    """Runs the perfect attempt of a starter task; raises UnknownName for other tasks."""
    known = {one.name: one for one in starter_tasks()}

    def perfect(deck: Path, instruction: str, session: EditSession) -> None:
        answer = known.get(task.name)
        if answer is None or answer.goal != instruction:
            raise UnknownName(f"the answer to {task.name!r} is not known: it is no starter task")
        session.step("run the program that does it")
        with Sandbox(files={"deck.pptx": deck}) as sandbox:
            edited = edit(sandbox, "deck.pptx", answer.attempts["perfect"])
        deck.write_bytes(edited)

    return trusted(perfect)


EDITORS.register("noop", noop)
EDITORS.register("truth", _truth)
EDITORS.register("commands", commands)
EDITORS.register("agent", agent())
