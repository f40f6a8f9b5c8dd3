"""Tasks with their decks: a published list, or the starter set, and a folder of files.

Which structures of a deck a task is about, the categories of paper 001, figure 7, the published
list does not say, so the words of the goal decide; the starter set says.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from decklab.benchmarks.ppteval.published_decks import SOURCES, DecksMissing
from decklab.rubrics.rubric import Rubric, RubricError
from decklab.rubrics.tasks import REGISTRY_NAME, RubricTask, load_tasks

OTHER = "other"
"""The category of a task that no word gives away."""

_WORDS = {
    "animations": r"animat\w*|entrance|emphasis effect",
    "transitions": r"transition\w*",
    "charts": r"charts?|graph|legend|axis label\w*",
    "tables": r"tables?|cells?",
    "images": r"images?|pictures?|photos?|icons?|logo\w*|figure|diagram|emojis?|crop\w*",
    "links": r"hyperlinks?|links? to|url",
    "notes": r"speaker notes?|notes?",
    "shapes": r"shapes?|box(?:es)?|callouts?|circles?|rectang\w+|arrows?|smartart|borders?",
    "layout": r"layouts?|backgrounds?|themes?|new slide|slide number\w*|footers?|headers?"
    r"|reorder\w*|move slide|delete slide|duplicate",
    "text": r"texts?|titles?|subtitles?|fonts?|bold\w*|italic\w*|words?|bullets?|paragraphs?"
    r"|spelling|lists?|phrase|headings?",
}
"""Whole words, in the order in which reports list the categories. Ours."""

CATEGORIES = (*_WORDS, OTHER)


def categories_of(goal: str, misc: Mapping[str, Any]) -> tuple[str, ...]:
    """The categories a task states in ``misc``, else those that its goal speaks of.

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
"""Characters that a file's name keeps of a task's. Ours: file systems take 255 bytes."""


def file_name(task: str) -> str:
    """What a file of this task is called; tasks with like names may share it.

    >>> file_name("../Q1: sales")
    'Q1-sales'
    """
    return re.sub(r"[^\w.+-]+", "-", task, flags=re.ASCII).strip("-.")[:_LONGEST] or "task"


def file_names(tasks: Iterable[str]) -> dict[str, str]:
    """By its name, what the files of a task are called; no two alike, in whatever case.

    >>> file_names(["bold-bullets", "../Q1: sales", "q1 sales"])
    {'bold-bullets': 'bold-bullets', '../Q1: sales': 'Q1-sales', 'q1 sales': 'q1-sales-2'}
    """
    found: dict[str, str] = {}
    taken: set[str] = set()
    for task in tasks:
        plain = file_name(task)
        name, again = plain, 1
        while name.lower() in taken:
            again += 1
            name = f"{plain}-{again}"
        taken.add(name.lower())
        found[task] = name
    return found


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
