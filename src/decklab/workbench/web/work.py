"""A piece of work as the server gives it to a process, and the result that comes back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from decklab.core.files import write_whole
from decklab.rendering.renderer import Renderer


@dataclass(frozen=True)
class WorkTask:
    """One piece of work on one file."""

    kind: str
    """Names the function that does it."""
    file: Path
    """File that it works on."""
    seen: Path
    """Folder for pictures and findings."""
    out: Path
    """Path of the output."""
    stage: Path
    """File with the present stage."""
    asked: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class WorkDone:
    """Result of a piece of work; ``failure`` is a line if it could not be done."""

    result: Mapping[str, Any] = field(default_factory=dict)
    failure: str = ""


WorkKind = Callable[[WorkTask, Renderer], Mapping[str, Any]]
"""Does one kind of work; returns the result, or raises DecklabError, OSError or ValueError."""


def tell(task: WorkTask, stage: str) -> None:
    """Say which stage the work has reached."""
    write_whole(task.stage, stage.encode())
