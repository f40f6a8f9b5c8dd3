"""What a command needs, looked at before anything is paid for, drawn or written."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from decklab.errors import DecklabError

NOT_BEGUN = 2
"""Exit code of a command that found out beforehand that it cannot do its work."""


@contextmanager
def checked_first() -> Iterator[None]:
    """What is wrong in the block ends the command in one line and exit code 2."""
    try:
        yield
    except (DecklabError, OSError) as error:
        typer.echo(f"decklab: {in_words(error)}", err=True)
        raise typer.Exit(NOT_BEGUN) from None


def in_words(error: DecklabError | OSError) -> str:
    """An error as one line, which names the file where there is one."""
    if isinstance(error, DecklabError):
        return str(error)
    place = f"{error.filename}: " if error.filename else ""
    return f"{place}{error.strerror or error}"
