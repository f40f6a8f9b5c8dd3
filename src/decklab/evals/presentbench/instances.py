"""Instances of PresentBench (arXiv 2603.07244) in the published layout of its data.

A case is a folder with ``material.md``, ``material.pdf`` or ``material_N.*``, and in
``generation_task`` the request, ``instructions.md``, and its checklist, ``judge_prompt.json``.
What a case does not say is taken from ``common_judge_prompt.json``, and weights from
``judge_weights.yaml``, in the nearest folder above it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from decklab.core.errors import DecklabError, UnknownName, json_in
from decklab.evals.judges.scenario.task import ScenarioTask
from decklab.evals.unippt.tasks import DeckTask

TASK_FOLDER: Final = "generation_task"
CHECKLIST_FILE: Final = "judge_prompt.json"
INSTRUCTIONS: Final = "instructions.md"
COMMON: Final = "common_judge_prompt.json"
WEIGHTS: Final = "judge_weights.yaml"
RESULTS: Final = f"{TASK_FOLDER}/results/slides"
"""A deck of a case below the folder of a system, without its ending."""

CLASSES: Final[Mapping[tuple[str, str], str]] = {
    ("material_independent", "1"): "Fundamentals",
    ("material_independent", "2"): "Design and layout",
    ("material_dependent", "1"): "Completeness",
    ("material_dependent", "2"): "Correctness",
    ("material_dependent", "3"): "Fidelity",
}
"""Titles of the classes of items, by section and number."""
PAGE_CLASS: Final = ("material_dependent", "3")
"""The class whose item N is about slide N; items beyond the last slide fall away."""
_COUNT: Final = "utils.count_pages.check_slide_count"


class InstanceError(DecklabError):
    """An instance that cannot be used; the text names its file."""


@dataclass(frozen=True)
class ChecklistItem:
    """A yes/no item. A program answers it if ``slides`` has the least and greatest number of
    slides; ``unknown`` says why nobody can."""

    section: str
    class_id: str
    number: int
    question: str
    slides: tuple[int, int] | None = None
    unknown: str = ""

    @property
    def kind(self) -> tuple[str, str]:
        """Section and class."""
        return self.section, self.class_id

    @property
    def id(self) -> str:
        """Its key in a file of verdicts, such as ``2.14``."""
        return f"{self.class_id}.{self.number}"


@dataclass(frozen=True)
class Instance:
    """A case: what is asked for, its sources, and its items; ``weights`` are by section and class,
    as in their file."""

    task: DeckTask
    domain: str
    items: tuple[ChecklistItem, ...]
    weights: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Path of its folder below the data, with slashes."""
        return self.task.name

    def items_for(self, slides: int) -> tuple[ChecklistItem, ...]:
        """The items for a deck of so many slides."""
        return tuple(
            item for item in self.items if item.kind != PAGE_CLASS or item.number <= slides
        )


def load_instances(data: str | Path, names: Sequence[str] = ()) -> tuple[Instance, ...]:
    """The instances below a folder, all or those of ``names``, by name.

    Raises InstanceError if there is none or a file cannot be used, and UnknownName for a name that
    none has.
    """
    root = Path(data)
    cases = {
        path.parents[1].relative_to(root).as_posix(): path.parents[1]
        for path in sorted(root.rglob(f"{TASK_FOLDER}/{CHECKLIST_FILE}"))
    }
    if not cases:
        raise InstanceError(f"{root}: no folder in it has a {TASK_FOLDER}/{CHECKLIST_FILE}")
    if unknown := sorted(set(names) - set(cases)):
        raise UnknownName(f"no instance named {', '.join(unknown)}: there are {', '.join(cases)}")
    return tuple(_instance(root, name, cases[name]) for name in cases if not names or name in names)


def _instance(root: Path, name: str, folder: Path) -> Instance:
    instructions = folder / TASK_FOLDER / INSTRUCTIONS
    materials = tuple(sorted(path for path in folder.glob("material*") if path.is_file()))
    for wanted, there in ((instructions, instructions.is_file()), (folder, bool(materials))):
        if not there:
            what = f"has no {INSTRUCTIONS}" if wanted is instructions else "has no material"
            raise InstanceError(f"{wanted.parent if wanted is instructions else wanted}: {what}")
    request = instructions.read_text(encoding="utf-8", errors="replace").strip()
    asked = ScenarioTask(
        title=name, setting="vague", request=request,
        sources=tuple(path.name for path in materials), made_by="PresentBench",
    )  # fmt: skip
    if (weights := _nearest(root, folder, WEIGHTS)) is None:
        raise InstanceError(f"{folder}: no {WEIGHTS} in a folder above it")
    items = tuple(_items(root, folder))
    return Instance(DeckTask(name, asked, materials), name.partition("/")[0], items,
                    read_weights(weights))  # fmt: skip


def _nearest(root: Path, folder: Path, name: str) -> Path | None:
    """A file in the folder of a case or the nearest one above, up to the data's own."""
    for above in (folder / TASK_FOLDER, folder, *folder.parents):
        if (above / name).is_file():
            return above / name
        if above == root:
            return None
    return None


def read_weights(path: str | Path) -> Mapping[str, Any]:
    """Weights of classes as YAML: ``{"material_independent": {"1": 20, ...}, ..., "total": 100}``.

    Raises InstanceError if they cannot be used.
    """
    found = yaml_in(path)
    for section in dict.fromkeys(section for section, _ in CLASSES):
        own = found.get(section, {})
        if not isinstance(own, dict) or not all(map(_weight, own.values())):
            raise InstanceError(f"{path}: {section} has no weights of 0 or more")
    if not _weight(found.get("total", 0)):
        raise InstanceError(f"{path}: total is no number of 0 or more")
    return {
        section: {str(key): float(weight) for key, weight in own.items()}
        if isinstance(own, dict)
        else float(own)
        for section, own in found.items()
        if isinstance(own, dict) or section == "total"
    }


def _weight(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def yaml_in(path: str | Path) -> dict[str, Any]:
    """A file of YAML or JSON that holds keys. Raises InstanceError if it does not."""
    try:
        found = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InstanceError(f"{path}: cannot be read ({type(error).__name__})") from error
    if not isinstance(found, dict):
        raise InstanceError(f"{path}: holds no keys")
    return found


def _items(root: Path, folder: Path) -> Iterator[ChecklistItem]:
    own = folder / TASK_FOLDER / CHECKLIST_FILE
    common = _nearest(root, folder, COMMON)
    texts = {**(_keys(common) if common else {}), **_keys(own)}
    for section, class_id in CLASSES:
        key = f"{section}_checklist_{class_id}"
        listed = texts.get(key)
        if not isinstance(listed, list):
            raise InstanceError(f"{own}: {key} is no list, here or in {COMMON}")
        for number, entry in enumerate(listed, start=1):
            yield _item(section, class_id, number, entry)


def _keys(path: Path) -> dict[str, Any]:
    found = json_in(path, InstanceError)
    if not isinstance(found, dict):
        raise InstanceError(f"{path}: holds no keys")
    return found


def _item(section: str, class_id: str, number: int, entry: Any) -> ChecklistItem:
    """An item from its text, or from a call that a program answers.

    Only the one call that is published is known; nothing that a file names is ever run.
    """
    if isinstance(entry, str):
        return ChecklistItem(section, class_id, number, entry.strip())
    call = entry if isinstance(entry, dict) else {}
    function = call.get("func", call.get("callable"))
    ends = call.get("keywords")
    least, most = (
        (ends.get("min_count"), ends.get("max_count")) if isinstance(ends, dict) else (None, None)
    )
    if function == _COUNT and type(least) is int and type(most) is int:
        question = f"Does the deck have {least} to {most} slides?"
        return ChecklistItem(section, class_id, number, question, (least, most))
    cause = f"the call {function!r} is not known" if function else "it is no text and no call"
    return ChecklistItem(section, class_id, number, f"(item {class_id}.{number})", unknown=cause)
