"""Options of ``decklab edit``: where the deck goes, what may change, and how a model works."""

from pathlib import Path
from typing import Annotated, get_args

import typer

from decklab.cli import calls
from decklab.core.options import EditPaths


def _checked_path(text: str) -> str:
    if text not in get_args(EditPaths):
        raise typer.BadParameter(f"{text!r} is none of {', '.join(get_args(EditPaths))}")
    return text


def _print_forms(wanted: bool) -> None:
    if wanted:
        for line in calls.form_lines():
            typer.echo(line)
        raise typer.Exit


Instruction = Annotated[str, typer.Argument(metavar="INSTRUCTION", help="What to change.")]
EditedDeckFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Where the edited deck goes; else DECK.edited.pptx, or a free name like it.",
    ),
]
InPlace = Annotated[
    bool,
    typer.Option(
        "--in-place", help="Replace the deck itself; a copy of it is kept, DECK.pptx.bak."
    ),
]
OnlySlides = Annotated[
    str | None, typer.Option(metavar="2,4-6", help="The only slides that may be edited.")
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say what would change, and write no deck.")
]
ListForms = Annotated[
    bool,
    typer.Option(
        "--forms",
        callback=_print_forms,
        is_eager=True,
        help="List the forms of requests without a model, with examples.",
    ),
]
EditingModel = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Have a model edit, such as openai/gpt-5, in any words."),
]
Rounds = Annotated[
    int, typer.Option(min=1, help="With a model: how often it may try, the first included.")
]
PathsName = Annotated[
    str,
    typer.Option(
        metavar="hybrid|program|xml",
        callback=_checked_path,
        help="With a model: how edits are made; hybrid lets it choose.",
    ),
]
Vision = Annotated[
    bool, typer.Option("--vision/--no-vision", help="With a model: show it the slides.")
]
Tools = Annotated[
    bool,
    typer.Option(
        "--tools/--no-tools", help="With a model: let it look at the deck while it works."
    ),
]
MostToolCalls = Annotated[
    int, typer.Option(min=1, help="With a model: how often it may look in one question.")
]
RouterModel = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="With a model: another one that chooses the steps."),
]
Temperature = Annotated[
    float | None, typer.Option(min=0, help="With a model: goes along with every question.")
]
