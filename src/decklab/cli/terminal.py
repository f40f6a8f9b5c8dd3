"""What commands do alike on a terminal: checks before they begin, errors in a line, progress."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from decklab.errors import DecklabError

if TYPE_CHECKING:
    from rich.progress import Progress

NOT_BEGUN = 2
"""Exit code of a command that found out beforehand that it cannot do its work."""


@contextmanager
def checked_first() -> Iterator[None]:
    """What is wrong in the block ends the command in one line and exit code 2."""
    with checked_until_begun():
        yield


@contextmanager
def checked_until_begun() -> Iterator[list[str]]:
    """Gives a list for the stages of the work in the block.

    What is wrong before the first stage ends the command in one line and exit code 2; what goes
    wrong later is raised.
    """
    stages: list[str] = []
    try:
        yield stages
    except (DecklabError, OSError) as error:
        if stages:
            raise
        typer.echo(f"decklab: {in_words(error)}", err=True)
        raise typer.Exit(NOT_BEGUN) from None


def noting(stages: list[str]) -> Callable[[str], None]:
    """A function that takes the stages of the work, single words, into ``stages``, and writes
    notes, such as of a model that is asked again, to standard error."""

    def noted(line: str) -> None:
        stages.append(line)
        if " " in line:
            note(line)

    return noted


def note(line: str) -> None:
    """Write a line about the work that goes on to standard error."""
    typer.echo(f"decklab: {line}", err=True)


def in_words(error: DecklabError | OSError) -> str:
    """An error as one line, which names the file where there is one."""
    if isinstance(error, DecklabError):
        return str(error)
    place = f"{error.filename}: " if error.filename else ""
    return f"{place}{error.strerror or error}"


def progress_bar() -> "Progress":
    """A bar with what is done, the time gone and the time left; quiet when not on a terminal."""
    from rich.progress import (  # noqa: PLC0415  # slow to load, and help needs none
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
        TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(),
        console=console, disable=not console.is_terminal, transient=True,
    )  # fmt: skip
