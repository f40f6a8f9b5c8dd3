"""Shared state of all drafts of one run: the folder, the model, and the drafts left out."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from decklab.core.errors import DecklabError
from decklab.evals.rubrics.running import LeafRoom
from decklab.models.asking import Ask
from decklab.rendering.renderer import Renderer

DraftKind = Literal["pptarena", "ppteval", "unippt", "quizbank"]
"""The benchmarks that tasks are drafted for."""
DRAFT: Final = "DRAFT"
"""The mark of a task until a person has looked at it."""
BY_PROGRAM: Final = "decklab, by program"
"""Who made a draft without a model."""


class DraftFailed(DecklabError):
    """A task that could not be drafted; the text says why."""


@dataclass(frozen=True)
class DraftSource:
    """Material of one or more tasks: a deck, or documents."""

    name: str
    paths: tuple[Path, ...]
    about: dict[str, str] = field(default_factory=dict)
    """Facts that its source states, such as its licence."""

    @property
    def stem(self) -> str:
        """A short name for files."""
        return Path(self.about.get("name") or self.name).stem


@dataclass(frozen=True)
class DraftRun:
    """One run of drafting."""

    folder: Path
    """Where the benchmark goes."""
    tasks: int
    """How many of a source at most."""
    seed: int
    renderer: Renderer
    draw: bool
    """Whether slides can be drawn here."""
    room: LeafRoom | None = None
    """The sandbox in which rubrics are tried out; None for one for each."""
    ask: Ask | None = None
    """The model; None for drafts by program."""
    model: str = ""
    left_out: list[str] = field(default_factory=list)
    """Drafts that were left out and why, a line each."""

    @property
    def made_by(self) -> str:
        """Who drafts."""
        return self.model or BY_PROGRAM


def free_path(path: Path) -> Path:
    """The path, or the first with a number behind its name that nothing has.

    >>> free_path(Path("no such file.pptx")).name
    'no such file.pptx'
    """
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def licence_of(source: DraftSource) -> dict[str, Any]:
    """The licence that a source states, for the entry of a task; nothing if it states none."""
    return {key: source.about[key] for key in ("license",) if key in source.about}
