"""Lists of tasks in the format that PPT-Eval publishes, and the check of a folder of rubrics."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from decklab.core.options import NON_CRITICAL_WEIGHT
from decklab.core.results import SAME
from decklab.evals.rubrics.graded import recorded_root
from decklab.evals.rubrics.rubric import Rubric, RubricError, load_rubric, read_json

REGISTRY_NAME = "tasks.json"
"""File name of a published list of tasks."""


@dataclass(frozen=True)
class RubricTask:
    """One task: the request, its deck, and the rubric that grades the result."""

    name: str
    goal: str
    file_path: str
    """The deck, relative to the folder that holds the registry's folder."""
    rubric_path: str
    """The rubric, likewise."""
    rubric: Rubric
    difficulty: str | None = None
    """``Easy``, ``Medium`` or ``Hard`` in the published list; None if it does not say."""
    tags: tuple[str, ...] = ()
    misc: Mapping[str, Any] = field(default_factory=dict)


def load_tasks(path: str | Path) -> tuple[RubricTask, ...]:
    """All tasks of a ``tasks.json`` with their rubrics, in its order, or an error.

    Paths in the list are relative to the folder above the one it lies in. A task that cannot be
    loaded is never left out: RubricError names it.
    """
    path = Path(path)
    data = read_json(path)
    if not isinstance(data, dict):
        raise RubricError(path, "a list of tasks is an object with one task a name")
    if not data:
        raise RubricError(path, "lists no tasks")
    return tuple(_task(path, name, entry) for name, entry in data.items())


def _task(path: Path, name: str, entry: Any) -> RubricTask:
    if not isinstance(entry, dict):
        raise RubricError(path, "a task is an object", name)
    misc = entry.get("misc") or {}
    tags = entry.get("tags") or []
    if not isinstance(misc, dict) or not isinstance(tags, list):
        raise RubricError(path, "'misc' is an object and 'tags' a list", name)
    rubric_path = _text(path, name, entry, "rubric_path")
    difficulty = misc.get("difficulty")
    return RubricTask(
        name=name,
        goal=_text(path, name, entry, "goal"),
        file_path=_text(path, name, entry, "file_path"),
        rubric_path=rubric_path,
        rubric=load_rubric(_inside(path, name, rubric_path)),
        difficulty=difficulty if isinstance(difficulty, str) else None,
        tags=tuple(map(str, tags)),
        misc=misc,
    )


def _inside(path: Path, name: str, relative: str) -> Path:
    """A file named in the list; never one outside the folder above it."""
    above = path.resolve().parent.parent
    target = (above / relative).resolve()
    if not target.is_relative_to(above):
        raise RubricError(path, f"{relative!r} leads out of the folder {above}", name)
    return target


def _text(path: Path, name: str, entry: Mapping[str, Any], key: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str) or not value:
        raise RubricError(path, f"{key!r} is missing or no text", name)
    return value


@dataclass(frozen=True)
class RubricCheck:
    """The result of checking a folder.

    ``trees`` and ``leaves`` count what could be loaded, ``recorded`` the trees whose leaves and
    root all have a recorded score. ``mismatches`` names the trees whose recorded root differs from
    the score that the leaves give, ``problems`` the files that could not be loaded: one line each,
    with file and node.
    """

    trees: int
    leaves: int
    recorded: int
    mismatches: tuple[str, ...]
    problems: tuple[str, ...]

    def counts(self, recorded: bool) -> dict[str, int]:
        """The counts by name; those of recorded scores only where these were compared."""
        counts = {"trees": self.trees, "leaves": self.leaves}
        if recorded:
            counts |= {"recorded": self.recorded, "mismatches": len(self.mismatches)}
        return counts

    def sentence(self, recorded: bool) -> str:
        """The same in words."""
        words = f"{self.trees} trees with {self.leaves} leaves load."
        if recorded:
            words += (
                f" {self.recorded} carry all recorded scores; {len(self.mismatches)} of them do "
                "not add up."
            )
        return words


def check_folder(path: str | Path, *, weight: float = NON_CRITICAL_WEIGHT) -> RubricCheck:
    """Check a rubric file, or all JSON files in a folder and below.

    A file named ``tasks.json`` is a list of tasks: it must load, with the rubrics it names; every
    other JSON file must be a rubric. Raises RubricError if there is none.
    """
    rubrics: list[Rubric] = []
    problems: list[str] = []
    files = list(_files(Path(path)))
    if not files:
        raise RubricError(path, "holds no rubrics (JSON files)")
    for file in files:
        try:
            if file.name == REGISTRY_NAME:
                load_tasks(file)
            else:
                rubrics.append(load_rubric(file))
        except RubricError as error:
            problems.append(str(error))
    compared = [
        (rubric, computed, rubric.root.score)
        for rubric in rubrics
        if (computed := recorded_root(rubric, weight=weight)) is not None
        and rubric.root.score is not None
    ]
    return RubricCheck(
        trees=len(rubrics),
        leaves=sum(len(rubric.leaves()) for rubric in rubrics),
        recorded=len(compared),
        mismatches=tuple(
            f"{rubric.path}: root: recorded {recorded!r}, its leaves give {computed!r}"
            for rubric, computed, recorded in compared
            if abs(computed - recorded) > SAME
        ),
        problems=tuple(dict.fromkeys(problems)),
    )


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    yield from sorted(
        file
        for file in path.rglob("*")
        if file.suffix.lower() == ".json" and file.is_file() and not file.name.startswith(".")
    )
