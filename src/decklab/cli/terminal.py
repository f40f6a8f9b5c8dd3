"""What commands share on a terminal: checks before they begin, one-line errors, JSON, progress."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console

from decklab.errors import DecklabError

if TYPE_CHECKING:
    from rich.progress import Progress

NOT_BEGUN = 2
"""Exit code of a command that could not begin: something it needs is wrong or missing."""


@contextmanager
def checked_first() -> Iterator[None]:
    """An error in the block ends the command with one line and exit code 2."""
    with checked_until_begun():
        yield


@contextmanager
def checked_until_begun() -> Iterator[list[str]]:
    """Gives a list to which the block adds the name of each stage of its work.

    An error before the first stage ends the command with one line and exit code 2; a later one is
    raised.
    """
    stages: list[str] = []
    try:
        yield stages
    except (DecklabError, OSError) as error:
        if stages:
            raise
        typer.echo(f"decklab: {in_words(error)}", err=True)
        raise typer.Exit(NOT_BEGUN) from None


@contextmanager
def counted(work: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar for work that reports how much of it is done, and of how much.

    An error before the first report ends the command with one line and exit code 2.
    """
    with checked_until_begun() as stages, progress_bar() as bar:
        task = bar.add_task(work, total=None)

        def progress(done: int, total: int) -> None:
            stages.append(work)
            bar.update(task, completed=done, total=total)

        yield progress


def in_words(error: DecklabError | OSError) -> str:
    """An error as one line, which names the file where there is one."""
    if isinstance(error, DecklabError):
        return str(error)
    place = f"{error.filename}: " if error.filename else ""
    return f"{place}{error.strerror or error}"


def echo_json(value: Any) -> None:
    """Print plain data as JSON, on one line."""
    typer.echo(json.dumps(value, ensure_ascii=False))


def progress_bar() -> "Progress":
    """A bar with what is done, the time gone and the time left; not shown without a terminal."""
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
