"""Tasks with their decks: a published list, or the starter set, and a folder of files."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from decklab.benchmarks.ppteval.categories import categories_of
from decklab.benchmarks.ppteval.errors import DecksMissing
from decklab.benchmarks.ppteval.sources import SOURCES
from decklab.rubrics.errors import RubricError
from decklab.rubrics.tasks import REGISTRY_NAME, RubricTask, load_tasks
from decklab.rubrics.tree import Rubric


@dataclass(frozen=True)
class EditingTask:
    """What to do to which deck, and the rubric that says how well it was done."""

    name: str
    goal: str
    deck: Path
    rubric: Rubric
    difficulty: str | None = None
    """``Easy``, ``Medium`` or ``Hard``; None where the list does not say."""
    categories: tuple[str, ...] = ()

    @property
    def instruction(self) -> str:
        """What an editor is told to do."""
        return self.goal


def find_registry(path: str | Path) -> Path:
    """The ``tasks.json`` that ``path`` is or holds, at most one folder deep.

    Raises RubricError where there is none.
    """
    path = Path(path)
    places = [path, path / REGISTRY_NAME, path / "task_registry" / REGISTRY_NAME]
    for place in places:
        if place.is_file():
            return place
    raise RubricError(path, f"there is no {REGISTRY_NAME} here")


def load_editing_tasks(
    tasks: str | Path, files: str | Path | None = None
) -> tuple[EditingTask, ...]:
    """All tasks of a list with their rubrics and decks, in its order, or an error.

    ``files`` is the folder of decks: they lie there by the path that the list gives, or by name
    alone. Without it that is the folder above the list's own. Raises RubricError for what does
    not load, DecksMissing where decks are not there.
    """
    registry = find_registry(tasks)
    folder = Path(files) if files is not None else registry.resolve().parent.parent
    listed = load_tasks(registry)
    decks = {task.file_path: _deck(folder, task.file_path) for task in listed}
    missing = sorted(path for path, deck in decks.items() if deck is None)
    if missing:
        raise DecksMissing(_told(missing, len(decks), folder))
    return tuple(
        _with_deck(task, deck) for task in listed if (deck := decks[task.file_path]) is not None
    )


def case_files(tasks: str | Path, listed: Sequence[EditingTask]) -> list[Path]:
    """What no editor may see of a list: the list, its rubrics, attempts, all its decks."""
    registry = find_registry(tasks).resolve()
    rubrics = {Path(task.rubric.path).resolve() for task in listed if task.rubric.path}
    # Their whole folder, unless it is the list's own, where an editor might be, too.
    held = {path if path.parent == registry.parent else path.parent for path in rubrics}
    attempts = registry.parent.parent / "attempts"
    return [registry, attempts, *sorted(held), *sorted({task.deck for task in listed})]


def _with_deck(task: RubricTask, deck: Path) -> EditingTask:
    return EditingTask(
        name=task.name,
        goal=task.goal,
        deck=deck,
        rubric=task.rubric,
        difficulty=task.difficulty,
        categories=categories_of(task.goal, task.misc),
    )


def _deck(folder: Path, file_path: str) -> Path | None:
    inside = folder.resolve()
    for place in (folder / file_path, folder / Path(file_path).name):
        if place.is_file() and place.resolve().is_relative_to(inside):
            return place
    return None


def _told(missing: Sequence[str], listed: int, folder: Path) -> str:
    names = [Path(path).name for path in missing]
    known = [name for name in names if name in SOURCES]
    told = f"{len(names)} of {listed} decks are not in {folder}: {'; '.join(names)}."
    if known:
        told += (
            " They lie on the Internet Archive; fetch them with 'decklab bench ppteval-fetch "
            f"--files {folder}'."
        )
    return told
