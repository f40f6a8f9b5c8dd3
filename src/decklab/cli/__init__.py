"""The command line: parses and calls, no logic.

Each command is a module of its own, imported when it runs, so that a short command does not wait
for what the long ones need.
"""

import io
import os
import sys
from typing import Annotated

import typer

from decklab.cli.parameters import flag
from decklab.cli.terminal import Command, LazyGroup, in_words
from decklab.core.errors import DecklabError, Unavailable
from decklab.core.programs import ended_by_signals
from decklab.core.version import VERSION

__all__ = ["main"]

COMMANDS = {
    "score": Command(
        "score", "Score decks: aesthetics, editability, findings, and a report worth looking at."
    ),
    "reference": Command(
        "decks", "Make a reference of scored decks, for decklab score --reference."
    ),
    "render": Command(
        "render",
        "Draw slides as pictures, OUT/DECK/slide-001.png; exits with 1 if any could not be drawn.",
    ),
    "snapshot": Command(
        "decks", "Print a deck as plain JSON: the same file always gives the same bytes."
    ),
    "extract": Command(
        "decks",
        "Print the elements of every slide, effective styles and where they come from, as JSON.",
    ),
    "diff": Command(
        "decks",
        "Say what changed between two decks; exits with 0 for nothing, 1 for changes, 2 for "
        "errors.",
    ),
    "lint": Command(
        "lint",
        "Say what is wrong with decks: layout, contrast, accessibility; exits with 1 on findings.",
    ),
    "seen": Command("decks", "Say what an audience cannot see of a deck, slide by slide, and why."),
    "validate": Command(
        "decks", "Say what PowerPoint would want to repair; exits with 1 if there is an error."
    ),
    "read": Command(
        "decks", "Show what is read from documents: headings, figures, tables, what cannot be read."
    ),
    "edit": Command("edit", "Change in a deck exactly what is asked, and say what changed."),
    "write": Command(
        "write", "Write a deck from documents: native, editable, every number found in its source."
    ),
    "convert": Command(
        "decks", "Make a native, editable .pptx of an HTML deck that looks the same."
    ),
    "quiz": Command(
        "quiz", "Ask of a deck what its sources say: ten questions, answered from the slides alone."
    ),
    "judge": Command(
        "judge", "Say how far decks do what their task asks, item by item, with evidence."
    ),
    "template": Command("template", "Work with templates for decklab write."),
    "grade": Command(
        "judge", "Grade an edited deck against its original with a rubric tree, and say why."
    ),
    "agree": Command(
        "judge",
        "Say how far scores of decks agree with rankings of people, and people with each other.",
    ),
    "prefer": Command(
        "judge",
        "Have a model say which of several decks for one task, or systems, is better, and how "
        "surely.",
    ),
    "serve": Command(
        "serve", "Open the workbench: a page to keep, look at, edit and compare decks."
    ),
    "mcp": Command(
        "serve", "Serve decklab's tools to coding agents, by the Model Context Protocol."
    ),
    "rubric": Command("rubric", "Work with rubric trees."),
    "perturb": Command(
        "perturb", "Degrade the slides of a deck by a known amount, or show a ladder of amounts."
    ),
    "corpus": Command("corpus", "Look at a data set of many decks, and make benchmarks from it."),
    "bench": Command("bench", "Put models, or decklab's own baselines, to a benchmark."),
    "extensions": Command("decks", "List what other packages add to decklab, each tried."),
    "samples": Command("decks", "Write three sample decks: a plain one, a rich one and a bad one."),
}
"""The commands in the order of the help page."""


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
