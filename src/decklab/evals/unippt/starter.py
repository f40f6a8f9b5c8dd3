"""The starter set of UniPPTBench: eight tasks, two of each setting, and four decks for each.

Documents, tasks and decks are decklab's own, and their facts are invented. The documents are data
made by ``python -m generate``; decks are made here from slides in Markdown, in four qualities whose
order a person would agree with. ``qualities.json`` says of each why it stands where it does.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal

from decklab.board.compose import compose
from decklab.board.pptx_deck import write_pptx
from decklab.core.errors import UnknownName
from decklab.core.files import package_data, scratch_folder, write_data, write_whole
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.evals.judges.scenario.task import counted_label
from decklab.evals.unippt.tasks import SOURCES, TASK_FILE
from decklab.evals.unippt.untidy import Untidiness, write_untidy
from decklab.writer.markdown_slides import read_markdown_slides

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
    found: dict[str, dict[str, dict[str, Any]]] = json.loads(
        package_data(_PACKAGE, "data/qualities.json")
    )
    return found


def starter_decks(task: str) -> tuple[StarterDeck, ...]:
    """The four decks of a task, the best first. Raises UnknownName where there is no such task."""
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
    UnknownName where there is no such task, OSError where the folder cannot be written, NameTaken
    where it has another file of such a name, of which ``force`` keeps a copy.
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
    place = files(_PACKAGE) / "data" / "sources" / task
    return sorted(one.name for one in place.iterdir()) if place.is_dir() else []


def write_starter_decks(
    tasks: Path, out: Path, names: Sequence[str] = (), *, force: bool = False
) -> Path:
    """Write the four decks of each task as ``QUALITY/TASK.pptx`` below ``out``, and return it.

    Their order goes to ``ranks.csv``, as ``decklab agree`` takes rankings. ``tasks`` is where
    ``write_starter`` wrote the tasks. Every call gives the same decks. Raises Unavailable without
    ``decklab[write]``, OSError where a folder cannot be read or written, NameTaken where ``out``
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
        write_pptx(compose(slides.plan, slides.theme), path)
        return
    tidy = pictures / f"{deck.quality}.pptx"
    write_pptx(compose(slides.plan, slides.theme), tidy)
    write_untidy(tidy, path, deck.look)
