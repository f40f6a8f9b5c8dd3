"""Tasks of UniPPTBench (paper 004, section III), the systems that make a deck for each (decklab's
writer, and folders of decks made elsewhere), and the starter set: eight tasks, two of each setting,
and four decks for each.

Documents, tasks and decks of the set are decklab's own, and their facts are invented. The documents
are data made by ``python -m generate``; decks are made here from slides in Markdown, in four
qualities whose order a person would agree with. ``qualities.json`` says of each why it stands where
it does. Nothing is drawn by chance: what happens to an element follows from its place on its slide
and from the slide's number. The words stay as they are.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal, Self, get_args

from decklab.board.pages.writing import write_deck as write_planned
from decklab.core.errors import DeckError, DecklabError, UnknownName, json_in
from decklab.core.files import package_data, package_values, scratch_folder, write_data, write_whole
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.core.options import WRITE_SLIDES, ScenarioSetting
from decklab.core.results import NotScored
from decklab.deck.model.shapes import Image, Table, Text
from decklab.deck.model.slide import SlideElements
from decklab.deck.reading import read_elements
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.editing.building.deck import build_deck, images_of
from decklab.evals.judges.scenario.task import (
    ScenarioTask,
    ScenarioTaskError,
    counted_label,
    load_task,
)
from decklab.evals.perturb.deck import taken_apart
from decklab.models.asking import Ask
from decklab.ooxml.package import Package
from decklab.rendering.opening import find_decks
from decklab.rendering.renderer import Renderer
from decklab.writer.markdown_slides import read_markdown_slides
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


Untidiness = Literal["careless", "broken"]

_FAMILIES: Final = ("Comic Sans MS", "Times New Roman", "Arial", "Courier New")
_COLORS: Final = ("#C00000", "#7030A0", "#00B050", "#0070C0")
_PALE: Final = "#D8D8D8"


def write_untidy(deck: str | Path, path: str | Path, look: Untidiness) -> None:
    """Write a copy of a deck whose slides are untidy.

    ``careless``: another typeface, size and colour on every slide, texts that begin elsewhere each
    time, pictures out of proportion; all of it can be read. ``broken``: text too large for its
    place, over titles and past the edge of the slide, some of it too pale. Raises DeckError if
    the deck cannot be read.
    """
    with Package.open(deck) as package:
        read = read_elements(package)
        slides = [_LOOKS[look](taken_apart(slide)) for slide in read.slides]
        build_deck(slides, path, images=images_of(package))


def _careless(slide: SlideElements) -> SlideElements:
    number = slide.number
    texts = [_careless_text(text, number) for text in slide.texts]
    images = [
        _put(image, w=image.w * 0.6, h=min(image.h * 1.15, FRAME_HEIGHT - image.y))
        for image in slide.images
    ]
    return slide.model_copy(update={"texts": tuple(texts), "images": tuple(images)})


def _careless_text(text: Text, number: int) -> Text:
    family, color = _FAMILIES[number % 4], _COLORS[number % 4]
    if _is_title(text):
        moved = _put(text, x=max(0.0, min(text.x + (-1) ** number * 40, FRAME_WIDTH - text.w)))
        return _set(moved, name=family, color=color, factor=(0.8, 1.1)[number % 2])
    moved = _put(text, x=min(text.x + 30 * (number % 3), FRAME_WIDTH - text.w))
    return _set(moved, name=_FAMILIES[(number + 1) % 4], factor=(0.75, 1.15)[number % 2])


def _broken(slide: SlideElements) -> SlideElements:
    texts = []
    for index, text in enumerate(slide.texts):
        if _is_title(text):
            texts.append(_set(_put(text, y=text.y + 40), name="Comic Sans MS", factor=1.3))
            continue
        lower = _put(text, x=text.x + 60 * (index % 2), y=text.y - 50)
        pale = _PALE if (index + slide.number) % 3 == 0 else None
        texts.append(_set(lower, name="Times New Roman", factor=2.8, color=pale))
    images = [_put(image, x=image.x + FRAME_WIDTH / 4, y=image.y - 60) for image in slide.images]
    charts = [_put(chart, x=chart.x + FRAME_WIDTH / 4, w=chart.w * 0.5) for chart in slide.charts]
    update = {"texts": tuple(texts), "images": tuple(images), "charts": tuple(charts)}
    return slide.model_copy(update=update)


def _is_title(text: Text) -> bool:
    return text.placeholder is not None and "itle" in text.placeholder.type


def _put(item: Any, **places: float) -> Any:
    """The element at other coordinates, px; where its text was drawn is not known any more."""
    update: dict[str, Any] = {name: round(value, 2) for name, value in places.items()}
    if isinstance(item, Text):
        update["drawn"] = None
    if isinstance(item, Image | Table):
        update["placeholder"] = None
    return item.model_copy(update=update)


def _set(text: Text, *, name: str, factor: float, color: str | None = None) -> Text:
    """The text in another typeface, ``factor`` times as large, and in another colour if any."""

    def other(font: Any) -> Any:
        update: dict[str, Any] = {"name": name, "slot": None, "size": round(font.size * factor, 1)}
        if color:
            update |= {"color": color, "paint": None}
        return font.model_copy(update=update)

    paragraphs = tuple(
        part.model_copy(
            update={
                "runs": tuple(run.model_copy(update={"font": other(run.font)}) for run in part.runs)
            }
        )
        for part in text.paragraphs
    )
    return text.model_copy(update={"paragraphs": paragraphs, "font": other(text.font)})


_LOOKS: Final[Mapping[Untidiness, Callable[[SlideElements], SlideElements]]] = {
    "careless": _careless, "broken": _broken,
}  # fmt: skip

Quality = Literal["thorough", "fair", "poor", "bad"]
QUALITIES: Final[tuple[Quality, ...]] = ("thorough", "fair", "poor", "bad")
"""From the best to the worst."""
RANKS: Final = "ranks.csv"
_PACKAGE: Final = "decklab.evals.unippt"


@dataclass(frozen=True)
class StarterDeck:
    """A deck of the starter set, still as a recipe."""

    task: str
    quality: Quality
    why: str
    """Why a person would put it there, in a sentence."""
    look: Literal["clean"] | Untidiness
    slides: str
    """Its slides in Markdown; pictures are named as ``figure_files`` names them."""


def starter_names() -> tuple[str, ...]:
    """The tasks of the starter set, two of each setting, in the order of the settings."""
    return tuple(_qualities())


@cache
def _qualities() -> dict[str, dict[str, dict[str, Any]]]:
    qualities: dict[str, dict[str, dict[str, Any]]] = package_values(
        _PACKAGE, "data/qualities.json"
    )
    return qualities


def starter_decks(task: str) -> tuple[StarterDeck, ...]:
    """The four decks of a task, the best first. Raises UnknownName if there is no such task."""
    if task not in _qualities():
        raise UnknownName(f"the starter set has no task {task!r}: it has {', '.join(_qualities())}")
    return tuple(
        StarterDeck(
            task, quality, known["why"], known["look"],
            package_data(_PACKAGE, f"data/decks/{task}/{quality}.md").decode(),
        )
        for quality in QUALITIES
        for known in [_qualities()[task][quality]]
    )  # fmt: skip


def write_starter(folder: Path, tasks: Sequence[str] = (), *, force: bool = False) -> Path:
    """Write the tasks of these names, or all, below ``folder``, and return it.

    Each has a folder with ``task.json`` and ``sources``. Every call writes the same bytes. Raises
    UnknownName if there is no such task, OSError if the folder cannot be written, NameTaken
    if it has another file of such a name, of which ``force`` keeps a copy.
    """
    files: dict[str, bytes] = {}
    for task in tasks or starter_names():
        starter_decks(task)
        for name in _source_names(task):
            data = package_data(_PACKAGE, f"data/sources/{task}/{name}")
            files[f"{task}/{SOURCES}/{name}"] = data
        files[f"{task}/{TASK_FILE}"] = package_data(_PACKAGE, f"data/tasks/{task}.json")
    write_data(folder, files, force=force)
    return folder


def _source_names(task: str) -> list[str]:
    folder = files(_PACKAGE) / "data" / "sources" / task
    return sorted(file.name for file in folder.iterdir()) if folder.is_dir() else []


def write_starter_decks(
    tasks: Path, out: Path, names: Sequence[str] = (), *, force: bool = False
) -> Path:
    """Write the four decks of each task as ``QUALITY/TASK.pptx`` below ``out``, and return it.

    Their order goes to ``ranks.csv``, as ``decklab agree`` takes rankings. ``tasks`` is where
    ``write_starter`` wrote the tasks. Every call gives the same decks. Raises Unavailable without
    ``decklab[write]``, OSError if a folder cannot be read or written, NameTaken if ``out``
    has another file of such a name, of which ``force`` keeps a copy.
    """
    files: dict[str, bytes] = {}
    for task in names or starter_names():
        sources = read_documents(sorted((tasks / task / SOURCES).glob("*")))
        with scratch_folder("unippt") as pictures:
            for name, data in figure_files(sources):
                write_whole(pictures / name, data)
            for deck in starter_decks(task):
                made = pictures / f"{deck.quality}.pptx"
                write_starter_deck(deck, pictures, made)
                files[f"{deck.quality}/{task}.pptx"] = made.read_bytes()
    ranks = [
        f"{task},the project,{quality},{rank}"
        for task in names or starter_names()
        for rank, quality in enumerate(QUALITIES, start=1)
    ]
    files[RANKS] = "\n".join(["topic,annotator,product,rank", *ranks, ""]).encode()
    write_data(out, files, force=force)
    return out


def figure_files(sources: KnowledgeBase) -> Iterator[tuple[str, bytes]]:
    """A PNG file of each figure of some documents with its name, such as ``report-figure-2.png``.

    Raises ValueError for a figure that has no picture.
    """
    for figure in sources.figures:
        label = counted_label(figure).replace(" ", "-")
        yield f"{Path(figure.document).stem}-{label}.png", figure.draw()


def write_starter_deck(deck: StarterDeck, pictures: Path, path: Path) -> None:
    """Make one deck from its recipe; ``pictures`` is a scratch folder with the sources' figures."""
    recipe = pictures / f"{deck.quality}.md"
    write_whole(recipe, deck.slides.encode())
    slides = read_markdown_slides(recipe)
    path.parent.mkdir(parents=True, exist_ok=True)
    if deck.look == "clean":
        write_planned(slides.plan, slides.theme, path)
        return
    with scratch_folder("tidy") as folder:
        write_planned(slides.plan, slides.theme, folder / "tidy.pptx")
        write_untidy(folder / "tidy.pptx", path, deck.look)
