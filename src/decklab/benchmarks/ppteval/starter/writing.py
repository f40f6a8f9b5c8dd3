"""The starter set in the published format: list of tasks, rubrics, decks; and its attempts."""

import json
from pathlib import Path

from decklab.benchmarks.ppteval.starter.attempts import make_attempts
from decklab.benchmarks.ppteval.starter.reading import LEVELS, starter_tasks
from decklab.deck.samples import write_samples
from decklab.files import write_whole
from decklab.sandbox.sandbox import Isolation

REGISTRY = Path("task_registry")
"""Where the published program keeps its list of tasks and the folder of rubrics."""
FILES = Path("data/files/PowerPoint")
"""Where the published list of tasks has its decks."""
ATTEMPTS = Path("attempts")
"""Attempts lie in a folder a task, each named for its level: ``attempts/TASK/some.pptx``."""


def write_starter(
    folder: Path, *, attempts: bool = False, isolation: Isolation = "bubblewrap"
) -> Path:
    """Write the starter set below ``folder`` and return the path of its list of tasks.

    With ``attempts`` those of all levels are made too, in the sandbox. Every call writes the same
    bytes. Raises OSError where the folder cannot be written, SandboxUnavailable where
    ``isolation`` cannot be had.
    """
    write_samples(folder / FILES)
    listed = {}
    for task in starter_tasks():
        rubric = REGISTRY / "rubrics" / f"{task.name}.json"
        write_whole(folder / rubric, _json(task.rubric))
        listed[task.name] = {
            "goal": task.goal,
            "rubric_path": rubric.as_posix(),
            "tags": ["powerpoint"],
            "misc": {"difficulty": task.difficulty, "categories": list(task.categories)},
            "file_path": (FILES / f"{task.deck}.pptx").as_posix(),
        }
    if attempts:
        made = make_attempts(starter_tasks(), folder / FILES, LEVELS, isolation=isolation)
        for task, level, deck in made:
            write_whole(folder / ATTEMPTS / task.name / f"{level}.pptx", deck)
    registry = folder / REGISTRY / "tasks.json"
    write_whole(registry, _json(listed))
    return registry


def _json(data: object) -> bytes:
    return (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode()
