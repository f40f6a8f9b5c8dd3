"""Tasks with their decks: a published list, or the starter set, and a folder of files.

The categories of paper 001, figure 7, say which structures of a deck a task is about. The starter
set states them; the published list does not, so there the words of the goal decide.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from decklab.core.files import package_data
from decklab.evals.ppteval.published_decks import SOURCES, DecksMissing
from decklab.evals.rubrics.rubric import Rubric, RubricError
from decklab.evals.rubrics.tasks import REGISTRY_NAME, RubricTask, load_tasks

OTHER = "other"
"""The category of a task whose goal has none of the words."""

_WORDS: dict[str, str] = tomllib.loads(
    package_data("decklab.evals.ppteval", "category_words.toml").decode()
)
"""Patterns of whole words by category, in the order in which reports list them."""

CATEGORIES = (*_WORDS, OTHER)


def categories_of(goal: str, misc: Mapping[str, Any]) -> tuple[str, ...]:
    """The categories that a task states in ``misc``, else those whose words its goal has.

    >>> categories_of("Add a slide transition effect of 'Fade' to slide 2", {})
    ('transitions',)
    >>> categories_of("Make it better", {})
    ('other',)
    """
    stated = misc.get("categories")
    if isinstance(stated, list) and stated:
        return tuple(map(str, stated))
    plain = re.sub(r"'[^']*'|\"[^\"]*\"", " ", goal.lower())  # quoted words are content
    found = tuple(name for name, words in _WORDS.items() if re.search(rf"\b(?:{words})\b", plain))
    return found or (OTHER,)


_LONGEST = 100
"""Most characters of a task's name in a file name. Ours: file systems take 255 bytes."""


def file_name(task: str) -> str:
    """The file name for a task, without suffix; tasks with similar names may share it.

    >>> file_name("../Q1: sales")
    'Q1-sales'
    """
    return re.sub(r"[^\w.+-]+", "-", task, flags=re.ASCII).strip("-.")[:_LONGEST] or "task"


def file_names(tasks: Iterable[str]) -> dict[str, str]:
    """The file name of each task, all different even where case does not count.

    >>> file_names(["bold-bullets", "../Q1: sales", "q1 sales"])
    {'bold-bullets': 'bold-bullets', '../Q1: sales': 'Q1-sales', 'q1 sales': 'q1-sales-2'}
    """
    found: dict[str, str] = {}
    used: set[str] = set()
    for task in tasks:
        plain = file_name(task)
        name, again = plain, 1
        while name.lower() in used:
            again += 1
            name = f"{plain}-{again}"
        used.add(name.lower())
        found[task] = name
    return found


@dataclass(frozen=True)
class EditingTask:
    """A deck, what to do to it, and the rubric that grades the result."""

    name: str
    goal: str
    deck: Path
    rubric: Rubric
    difficulty: str | None = None
    """``Easy``, ``Medium`` or ``Hard``; None where the list does not say."""
    categories: tuple[str, ...] = ()

    @property
    def instruction(self) -> str:
        """The instruction that an editor gets."""
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

    ``files`` is the folder of decks, which are there under the path in the list, or under their
    file name alone; by default it is the parent of the list's folder. Raises RubricError for a task
    that cannot be loaded, DecksMissing where decks are not there.
    """
    registry = find_registry(tasks)
    folder = Path(files) if files is not None else registry.resolve().parent.parent
    listed = load_tasks(registry)
    decks = {task.file_path: _deck(folder, task.file_path) for task in listed}
    missing = sorted(path for path, deck in decks.items() if deck is None)
    if missing:
        raise DecksMissing(_missing_text(missing, len(decks), folder))
    return tuple(
        _with_deck(task, deck) for task in listed if (deck := decks[task.file_path]) is not None
    )


def case_files(tasks: str | Path, listed: Sequence[EditingTask]) -> list[Path]:
    """The files that no editor may see: the list, its rubrics, its attempts, and all decks."""
    registry = find_registry(tasks).resolve()
    rubrics = {Path(task.rubric.path).resolve() for task in listed if task.rubric.path}
    # The rubrics' whole folder, unless it is the list's own, where an editor's file might be, too.
    hidden = {path if path.parent == registry.parent else path.parent for path in rubrics}
    attempts = registry.parent.parent / "attempts"
    return [registry, attempts, *sorted(hidden), *sorted({task.deck for task in listed})]


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


def _missing_text(missing: Sequence[str], listed: int, folder: Path) -> str:
    names = [Path(path).name for path in missing]
    known = [name for name in names if name in SOURCES]
    text = f"{len(names)} of {listed} decks are not in {folder}: {'; '.join(names)}."
    if known:
        text += (
            " They lie on the Internet Archive; fetch them with 'decklab bench ppteval-fetch "
            f"--files {folder}'."
        )
    return text
