"""Tasks of UniPPTBench (paper 004, section III), and the systems that make a deck for each:
decklab's writer, and folders of decks made elsewhere.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Self, get_args

from decklab.core.errors import DeckError, DecklabError, UnknownName, json_in
from decklab.core.options import WRITE_SLIDES, ScenarioSetting
from decklab.core.results import NotScored
from decklab.documents.reading import read_documents
from decklab.evals.judges.scenario.task import ScenarioTask, ScenarioTaskError, load_task
from decklab.models.asking import Ask
from decklab.rendering.opening import find_decks
from decklab.rendering.renderer import Renderer
from decklab.writer.request import WriteOptions
from decklab.writer.write import write_deck

TASK_FILE: Final = "task.json"
SOURCES: Final = "sources"
"""Names of a task's file of annotations, and of the folder of its documents."""
SETTINGS: Final[tuple[ScenarioSetting, ...]] = get_args(ScenarioSetting)
"""In the order of paper 004."""


@dataclass(frozen=True)
class DeckTask:
    """A task: a request for a deck, its documents, and the contents that the deck must have."""

    name: str
    task: ScenarioTask
    sources: tuple[Path, ...]

    @property
    def setting(self) -> ScenarioSetting:
        """Which of the four kinds of input it has."""
        return self.task.setting


def load_deck_tasks(folder: str | Path, names: Sequence[str] = ()) -> tuple[DeckTask, ...]:
    """The tasks below a folder, all or those of ``names``, by setting and name.

    Each has a folder of its own with ``task.json``, and its documents in ``sources``. Raises
    ScenarioTaskError if there is no task, or one cannot be used, and UnknownName for a name that no
    task has. Documents are read, so that a quote or figure that is not in them is reported before
    anything is made or asked; DeckError if one cannot be read.
    """
    files = {path.parent.name: path for path in sorted(Path(folder).glob(f"*/{TASK_FILE}"))}
    if not files:
        raise ScenarioTaskError(f"{folder}: no folder in it has a {TASK_FILE}")
    if unknown := sorted(set(names) - set(files)):
        raise UnknownName(f"no task named {', '.join(unknown)}: there are {', '.join(files)}")
    tasks = [_task(name, path) for name, path in files.items() if not names or name in names]
    return tuple(sorted(tasks, key=lambda task: (SETTINGS.index(task.setting), task.name)))


def _task(name: str, path: Path) -> DeckTask:
    task = load_task(path)
    folder = path.parent / SOURCES
    documents = task.sources or tuple(sorted(file.name for file in folder.glob("*")))
    missing = [document for document in documents if not (folder / document).is_file()]
    if missing:
        raise ScenarioTaskError(f"{path}: {folder} has no {', '.join(missing)}")
    paths = tuple(folder / file for file in documents)
    return DeckTask(name, load_task(path, read_documents(paths)), paths)


COSTS: Final = "costs.json"
"""In the folder of a system: what each deck cost, ``{"TASK": {"seconds": 41, "tokens": 9000,
"dollars": 0.02}}``."""
WRITER: Final = "decklab write"
COST_KEYS: Final = ("seconds", "tokens", "dollars")
"""Limits on the cost of a deck."""


@dataclass(frozen=True)
class DeckCost:
    """Cost of making a deck; None for unknown values."""

    seconds: float | None = None
    tokens: int | None = None
    dollars: float | None = None

    @classmethod
    def from_json(cls, data: Any, where: str) -> Self:
        """Costs out of a file. Raises CostsError, which names ``where``, if they are none."""
        if not isinstance(data, dict) or set(data) - set(COST_KEYS):
            raise CostsError(f"{where}: costs are {', '.join(COST_KEYS)}, each a number")
        for key, value in data.items():
            if not isinstance(value, int | float) or isinstance(value, bool) or value < 0:
                raise CostsError(f"{where}: {key} is no number of 0 or more: {value!r}")
        return cls(**data)

    def to_json(self) -> dict[str, float | None]:
        """As plain JSON."""
        return asdict(self)


class CostsError(DecklabError):
    """A file of costs that cannot be used."""


@dataclass(frozen=True)
class SystemDeck:
    """Deck that a system handed in for a task."""

    deck: Path | NotScored
    """The deck, or why there is none."""
    cost: DeckCost = field(default_factory=DeckCost)


@dataclass(frozen=True)
class DeckSystem:
    """A system under test. ``make`` may ask the model of the run, if there is one."""

    name: str
    make: Callable[[DeckTask, Ask | None], SystemDeck]


def folder_systems(folder: str | Path) -> tuple[DeckSystem, ...]:
    """The systems of a folder, each a folder of decks named after their tasks: SYSTEM/TASK.pptx.

    Raises CostsError for costs that cannot be used, and DeckError if there is no system.
    """
    systems = [
        _folder_system(path)
        for path in sorted(Path(folder).glob("*"))
        if path.is_dir() and _decks(path)
    ]
    if not systems:
        raise DeckError(folder, "no folder in it has decks: they are SYSTEM/TASK.pptx")
    return tuple(systems)


def _folder_system(folder: Path) -> DeckSystem:
    decks = _decks(folder)
    costs = _costs(folder / COSTS)

    def given(task: DeckTask, _ask: Ask | None) -> SystemDeck:
        deck = decks.get(task.name) or NotScored("the system handed in no deck")
        return SystemDeck(deck, costs.get(task.name, DeckCost()))

    return DeckSystem(folder.name, given)


def _decks(folder: Path) -> dict[str, Path]:
    """The decks of a folder by their names; an empty folder counts as none."""
    paths = [Path(path) for path in find_decks([folder])]
    return {path.stem: path for path in paths if path != folder}


def _costs(path: Path) -> dict[str, DeckCost]:
    if not path.exists():
        return {}
    data = json_in(path, CostsError)
    if not isinstance(data, dict):
        raise CostsError(f"{path}: it names no tasks")
    return {task: DeckCost.from_json(cost, f"{path}, {task}") for task, cost in data.items()}


def writer_system(
    out: Path, *, slides: int = WRITE_SLIDES, renderer: Renderer | None = None
) -> DeckSystem:
    """decklab's own writer, whose decks go to ``out/TASK.pptx``.

    Without a model it writes no deck from a request alone, and what it cannot write is no deck
    with its cause. ``slides`` is the most there may be.
    """

    def written(task: DeckTask, ask: Ask | None) -> SystemDeck:
        wanted = WriteOptions(prompt=task.task.request, slides=slides)
        path, started = out / f"{task.name}.pptx", time.monotonic()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        try:
            made = write_deck(task.sources, path, options=wanted, model=ask, renderer=renderer)
        except DecklabError as error:
            seconds = time.monotonic() - started
            return SystemDeck(NotScored(str(error)), DeckCost(seconds))
        tokens = made.usage.input_tokens + made.usage.output_tokens
        return SystemDeck(made.files[0], DeckCost(time.monotonic() - started, tokens))

    return DeckSystem(WRITER, written)


def system_names(systems: Sequence[DeckSystem]) -> tuple[str, ...]:
    """The names, in their order."""
    return tuple(system.name for system in systems)
