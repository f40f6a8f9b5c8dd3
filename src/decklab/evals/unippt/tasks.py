"""Tasks of UniPPTBench: folders with annotations and source documents (paper 004, section III)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_args

from decklab.core.errors import UnknownName
from decklab.core.options import ScenarioSetting
from decklab.documents.reading import read_documents
from decklab.evals.judges.scenario.task import ScenarioTask, ScenarioTaskError, load_task

TASK_FILE: Final = "task.json"
SOURCES: Final = "sources"
"""What the folder of a task holds: its annotations, and the folder of its documents."""
SETTINGS: Final[tuple[ScenarioSetting, ...]] = get_args(ScenarioSetting)
"""In the order of paper 004."""


@dataclass(frozen=True)
class DeckTask:
    """A task: what a deck is asked for, from which documents, and what it has to hold."""

    name: str
    task: ScenarioTask
    sources: tuple[Path, ...]

    @property
    def setting(self) -> ScenarioSetting:
        """Which of the four kinds of input it has."""
        return self.task.setting


def load_deck_tasks(folder: str | Path, names: Sequence[str] = ()) -> tuple[DeckTask, ...]:
    """The tasks below a folder, all or those of ``names``, by setting and name.

    Each has a folder of its own with ``task.json``, and its documents in ``sources``. Raises
    ScenarioTaskError where there is no task, or one cannot be used, and UnknownName for a name that
    no task has. Documents are read, so that a quote or figure that is not in them is told before
    anything is made or asked; DeckError where one cannot be read.
    """
    found = {path.parent.name: path for path in sorted(Path(folder).glob(f"*/{TASK_FILE}"))}
    if not found:
        raise ScenarioTaskError(f"{folder}: no folder in it has a {TASK_FILE}")
    unknown = sorted(set(names) - set(found))
    if unknown:
        raise UnknownName(f"no task named {', '.join(unknown)}: there are {', '.join(found)}")
    tasks = [_task(name, path) for name, path in found.items() if not names or name in names]
    return tuple(sorted(tasks, key=lambda one: (SETTINGS.index(one.setting), one.name)))


def _task(name: str, path: Path) -> DeckTask:
    task = load_task(path)
    folder = path.parent / SOURCES
    documents = task.sources or tuple(sorted(one.name for one in folder.glob("*")))
    missing = [one for one in documents if not (folder / one).is_file()]
    if missing:
        raise ScenarioTaskError(f"{path}: {folder} has no {', '.join(missing)}")
    paths = tuple(folder / one for one in documents)
    return DeckTask(name, load_task(path, read_documents(paths)), paths)
