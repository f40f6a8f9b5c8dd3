"""The starter set of PPT-Eval: tasks over decklab's own sample decks, with rubrics and attempts.

The set comes with decklab as data: the list of tasks and the rubrics in the published format, and
``attempts.json`` with programs by task and level, each the Python that edits one ``deck``. They
are made by ``python -m generate`` in decklab's repository. Programs run in the sandbox only.
``EDITORS`` has the editors by name.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from decklab.core.errors import UnknownName
from decklab.core.files import package_data, package_values, write_data
from decklab.core.options import Isolation
from decklab.core.registry import Registry
from decklab.deck.samples import SAMPLES, sample_bytes
from decklab.evals.editors.baselines import agent, commands, noop
from decklab.evals.editors.isolation import EditorFor
from decklab.evals.editors.protocol import Editor, EditSession, EditTask, trusted
from decklab.evals.ppteval.tasks import EditingTask
from decklab.sandbox.sandbox import Sandbox

_PACKAGE = "decklab.evals.ppteval"
LEVELS = ("none", "some", "significant", "perfect")
"""The attempts that every task has; ``none`` saves the deck unedited where it is not spelled."""
REGISTRY = Path("task_registry")
"""Folder of the list of tasks and the rubrics, as in the published program."""
FILES = Path("data/files/PowerPoint")
"""Folder of the decks, as in the published list of tasks."""
ATTEMPTS = Path("attempts")
"""Folder of attempts, one folder a task, each named by its level: ``attempts/TASK/some.pptx``."""

_ATTEMPT = """
from pptx import Presentation

deck = Presentation(path)
{edits}
deck.save("edited.pptx")
"""


@dataclass(frozen=True)
class StarterTask:
    """One task; ``attempts`` are programs by name, those of ``LEVELS`` and ``collateral``."""

    name: str
    goal: str
    deck: Literal["plain", "rich", "bad"]
    difficulty: Literal["Easy", "Medium", "Hard"]
    categories: tuple[str, ...]
    rubric: Mapping[str, Any]
    """The rubric in the published format, as plain JSON."""
    attempts: Mapping[str, str]


@cache
def starter_tasks() -> tuple[StarterTask, ...]:
    """All tasks of the starter set: easy ones first, then by name."""
    attempts = package_values(_PACKAGE, "data/attempts.json")
    listed: dict[str, Any] = package_values(_PACKAGE, f"data/{REGISTRY}/tasks.json")
    return tuple(_task(name, entry, attempts[name]) for name, entry in listed.items())


def _task(name: str, entry: Mapping[str, Any], attempts: Mapping[str, str]) -> StarterTask:
    deck: Any = PurePosixPath(entry["file_path"]).stem
    return StarterTask(
        name=name,
        goal=entry["goal"],
        deck=deck,
        difficulty=entry["misc"]["difficulty"],
        categories=tuple(entry["misc"]["categories"]),
        rubric=package_values(_PACKAGE, f"data/{entry['rubric_path']}"),
        attempts=attempts,
    )


def write_starter(
    folder: Path,
    *,
    attempts: bool = False,
    force: bool = False,
    isolation: Isolation = "bubblewrap",
) -> Path:
    """Write the starter set below ``folder`` and return the path of its list of tasks.

    With ``attempts`` the attempts of all levels are made too, in the sandbox. Every call writes the
    same bytes. Raises OSError where the folder cannot be written, NameTaken where it has another
    file of such a name, of which ``force`` keeps a copy, SandboxUnavailable if there is no
    sandbox of that ``isolation``.
    """
    registry = f"{REGISTRY}/tasks.json"
    rubrics = [f"{REGISTRY}/rubrics/{task.name}.json" for task in starter_tasks()]
    files = {f"{FILES}/{name}.pptx": sample_bytes(name) for name in SAMPLES}
    files |= {name: package_data(_PACKAGE, f"data/{name}") for name in (*rubrics, registry)}
    write_data(folder, files, force=force)
    if attempts:
        made = make_attempts(starter_tasks(), folder / FILES, LEVELS, isolation=isolation)
        decks = {f"{ATTEMPTS}/{task.name}/{level}.pptx": deck for task, level, deck in made}
        write_data(folder, decks, force=force)
    return folder / registry


def make_attempts(
    tasks: Iterable[StarterTask],
    decks: Path,
    names: Iterable[str],
    *,
    isolation: Isolation = "bubblewrap",
) -> Iterator[tuple[StarterTask, str, bytes]]:
    """The attempts ``names`` at each of ``tasks``: task, name and the edited deck.

    ``decks`` holds the sample decks. One warm sandbox makes all. Raises RunFailed where a program
    fails, KeyError where a task has no attempt of that name.
    """
    names = tuple(names)
    files = {path.name: path for path in sorted(decks.glob("*.pptx"))}
    with Sandbox(files=files, isolation=isolation) as sandbox:
        for task in tasks:
            for name in names:
                yield task, name, edit(sandbox, f"{task.deck}.pptx", task.attempts[name])


def edit(sandbox: Sandbox, deck: str, edits: str) -> bytes:
    """``deck``, a file handed to ``sandbox``, after the program ``edits``."""
    source = attempt_source(edits)
    sandbox.run(source, globals={"path": sandbox.path(deck)}, result=None)
    return sandbox.collect("edited.pptx")["edited.pptx"]


def attempt_source(edits: str) -> str:
    """The program of an attempt: reads ``path``, does ``edits``, writes ``edited.pptx``."""
    return _ATTEMPT.format(edits=edits.strip())


EDITORS: Registry[EditorFor[EditingTask]] = Registry("editor")
"""Editors by name, each made for a task: baselines may know more than its instruction.

They are decklab's own and run in its process. Editors of others never do, see
``decklab.evals.editors``.
"""


def _truth(task: EditTask) -> Editor:
    """Runs the perfect attempt of a starter task; raises UnknownName for other tasks."""
    known = {starter_task.name: starter_task for starter_task in starter_tasks()}

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
