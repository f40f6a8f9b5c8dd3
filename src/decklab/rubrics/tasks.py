"""The list of tasks in the format that PPT-Eval publishes: ``tasks.json`` and its rubrics."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from decklab.rubrics.errors import RubricError
from decklab.rubrics.loading import load_rubric, read_json
from decklab.rubrics.tree import Rubric

REGISTRY_NAME = "tasks.json"
"""File name of a published list of tasks."""


@dataclass(frozen=True)
class RubricTask:
    """One task: what to do, to which deck, and the rubric that says how well it was done."""

    name: str
    goal: str
    file_path: str
    """The deck, relative to the folder that holds the registry's folder."""
    rubric_path: str
    """The rubric, likewise."""
    rubric: Rubric
    difficulty: str | None = None
    """``Easy``, ``Medium`` or ``Hard`` in the published list; None where it does not say."""
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
