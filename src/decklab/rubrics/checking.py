"""A folder of rubrics checked: does every tree load, and do recorded scores add up?"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from decklab.rubrics.aggregation import NON_CRITICAL_WEIGHT, recorded_root
from decklab.rubrics.errors import RubricError
from decklab.rubrics.loading import load_rubric
from decklab.rubrics.tasks import REGISTRY_NAME, load_tasks
from decklab.rubrics.tree import Rubric

TOLERANCE = 1e-9
"""A recorded root may differ so much from the one its leaves give: rounding, not another rule."""


@dataclass(frozen=True)
class Check:
    """What a check of a folder found.

    ``trees`` and ``leaves`` count what loaded, ``recorded`` the trees whose leaves and root all
    carry a recorded score, ``mismatches`` says where one of those roots is not what its leaves
    give, and ``problems`` what does not load, each in one line naming file and node.
    """

    trees: int
    leaves: int
    recorded: int
    mismatches: tuple[str, ...]
    problems: tuple[str, ...]


def check_folder(path: str | Path, *, weight: float = NON_CRITICAL_WEIGHT) -> Check:
    """Check a rubric file, or all JSON files in a folder and below.

    A file named ``tasks.json`` is a list of tasks: it must load, with the rubrics it names; every
    other JSON file must be a rubric. Raises RubricError where there is none.
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
        (rubric, given, rubric.root.score)
        for rubric in rubrics
        if (given := recorded_root(rubric, weight=weight)) is not None
        and rubric.root.score is not None
    ]
    return Check(
        trees=len(rubrics),
        leaves=sum(len(rubric.leaves()) for rubric in rubrics),
        recorded=len(compared),
        mismatches=tuple(
            f"{rubric.path}: root: recorded {recorded!r}, its leaves give {given!r}"
            for rubric, given, recorded in compared
            if abs(given - recorded) > TOLERANCE
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
