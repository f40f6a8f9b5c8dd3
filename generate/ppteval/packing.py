"""The starter set of PPT-Eval as data: list of tasks and rubrics as published, and attempts."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from decklab.evals.ppteval.tasks import FILES, REGISTRY
from generate.ppteval.assembling import attempt_source, leaf_source

TASKS = Path(__file__).parent / "tasks"
_GRADES = ("Easy", "Medium", "Hard")
_GROUPS = (("done", "What was asked is done", True), ("kept", "What was not asked is left", False))


def pack_tasks(folder: Path) -> None:
    """Write the list of tasks, their rubrics and ``attempts.json`` below ``folder``.

    Easy tasks come first, then by name.
    """
    tasks = {file.stem: tomllib.loads(file.read_text(encoding="utf-8"))
             for file in sorted(TASKS.glob("*.toml"))}  # fmt: skip
    names = sorted(tasks, key=lambda name: (_GRADES.index(tasks[name]["difficulty"]), name))
    listed, attempts = {}, {}
    for name in names:
        task, rubric = tasks[name], REGISTRY / "rubrics" / f"{name}.json"
        _write(folder / rubric, _rubric(task))
        listed[name] = {
            "goal": task["goal"],
            "rubric_path": rubric.as_posix(),
            "tags": ["powerpoint"],
            "misc": {"difficulty": task["difficulty"], "categories": task["categories"]},
            "file_path": (FILES / f"{task['deck']}.pptx").as_posix(),
        }
        edits = {"none": "", **task["attempts"]}
        attempts[name] = {level: attempt_source(program) for level, program in edits.items()}
    _write(folder / "attempts.json", attempts)
    _write(folder / REGISTRY / "tasks.json", listed)


def _write(path: Path, data: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes((json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode())


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
