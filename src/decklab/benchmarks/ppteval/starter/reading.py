"""Tasks of the starter set as their files say them."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

from decklab.benchmarks.ppteval.starter.assembling import leaf_source

DECKS = ("plain", "rich", "bad")
"""The sample decks that tasks may be about."""
LEVELS = ("none", "some", "significant", "perfect")
"""The attempts that every task has; ``none`` saves the deck unedited where it is not spelled."""

_PACKAGE = "decklab.benchmarks.ppteval.starter"
_GROUPS = (("done", "What was asked is done", True), ("kept", "What was not asked is left", False))


@dataclass(frozen=True)
class StarterTask:
    """One task; ``attempts`` are programs by name, those of ``LEVELS`` and ``collateral``."""

    name: str
    goal: str
    deck: Literal["plain", "rich", "bad"]
    difficulty: Literal["Easy", "Medium", "Hard"]
    categories: tuple[str, ...]
    rubric: Mapping[str, Any]
    """The rubric as published rubrics are spelled, in plain JSON."""
    attempts: Mapping[str, str]


@cache
def starter_tasks() -> tuple[StarterTask, ...]:
    """All tasks of the starter set: easy ones first, then by name."""
    folder = resources.files(_PACKAGE).joinpath("tasks")
    found = [
        _task(file.name.removesuffix(".toml"), tomllib.loads(file.read_text(encoding="utf-8")))
        for file in folder.iterdir()
        if file.name.endswith(".toml")
    ]
    grades = ("Easy", "Medium", "Hard")
    return tuple(sorted(found, key=lambda task: (grades.index(task.difficulty), task.name)))


def _task(name: str, data: dict[str, Any]) -> StarterTask:
    return StarterTask(
        name=name,
        goal=data["goal"],
        deck=data["deck"],
        difficulty=data["difficulty"],
        categories=tuple(data["categories"]),
        rubric=_rubric(data),
        attempts={"none": "", **data["attempts"]},
    )


def _rubric(data: Mapping[str, Any]) -> dict[str, Any]:
    children = [
        {
            "name": title,
            "is_critical": critical,
            "metadata": {},
            "children": [_leaf(leaf, critical) for leaf in data[group]],
        }
        for group, title, critical in _GROUPS
    ]
    root = {"name": data["goal"], "is_critical": False, "metadata": {}, "children": children}
    return {"root": root, "metadata": {"task": data["goal"], "may_change": data["may_change"]}}


def _leaf(leaf: Mapping[str, str], critical: bool) -> dict[str, Any]:
    return {
        "name": leaf["name"],
        "is_critical": critical,
        "metadata": {},
        "scorer": {"type": "function", "function_code": leaf_source(leaf["check"])},
    }
