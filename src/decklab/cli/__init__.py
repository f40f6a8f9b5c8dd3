"""The command line: parses and calls, no logic.

A command is imported when it runs, or a help page lists it, so that a short command does not wait
for what the long ones need.
"""

import io
import os
import sys
from typing import Annotated

import typer

from decklab.cli.parameters import flag
from decklab.cli.terminal import LazyGroup, in_words
from decklab.core.errors import DecklabError, Unavailable
from decklab.core.programs import ended_by_signals
from decklab.core.version import VERSION

__all__ = ["main"]

COMMANDS = {
    "score": "score", "reference": "decks", "render": "decks", "snapshot": "decks",
    "extract": "decks", "diff": "decks", "lint": "lint", "seen": "decks", "validate": "decks",
    "read": "decks", "edit": "edit", "history": "decks", "undo": "decks", "write": "write",
    "designs": "decks", "convert": "decks", "quiz": "quiz",
    "judge": "judge", "template": "template", "grade": "judge", "agree": "judge", "prefer": "judge",
    "serve": "serve", "mcp": "serve", "rubric": "rubric", "perturb": "perturb", "corpus": "corpus",
    "bench": "bench", "board": "judge", "extensions": "decks", "samples": "decks",
}  # fmt: skip
"""The module of each command, in the order of the help page."""

_COMPLETION = ("--install-completion", "--show-completion")
"""Options that have the shell complete words. Typer needs time to prepare for them at each start,
so they are there only if somebody asks for them."""


class _Commands(LazyGroup):
    table = COMMANDS


app = typer.Typer(
    name="decklab",
    cls=_Commands,
    help="A workbench for slide decks and for the agents that judge, edit and write them.",
    no_args_is_help=True,
    epilog="To have your shell complete commands and options: decklab --install-completion.",
    add_completion="_DECKLAB_COMPLETE" in os.environ or not {*_COMPLETION}.isdisjoint(sys.argv),
    pretty_exceptions_enable=False,
)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"decklab {VERSION}")
        raise typer.Exit


@app.callback()
def _decklab(
    version: Annotated[
        bool, flag("--version", "Show the version and exit.", callback=_show_version)
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line; errors of ours end in one line.

    The exit code is then 1, or 2 where something is missing without which nothing was begun.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # file names may not fit its encoding
            stream.reconfigure(errors="backslashreplace")
    with ended_by_signals():
        try:
            app()
        except (DecklabError, OSError) as error:
            typer.echo(f"decklab: {in_words(error)}", err=True)
            sys.exit(2 if isinstance(error, Unavailable) else 1)
