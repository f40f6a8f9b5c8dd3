"""File names for tasks: names come from whoever wrote the list, folders are ours."""

import re
from collections.abc import Iterable

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
