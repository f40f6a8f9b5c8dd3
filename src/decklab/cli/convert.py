"""``decklab convert``."""

from pathlib import Path
from typing import Annotated

import typer

import decklab
from decklab.cli.parameters import AsJson, Deadline, Force, argument, flag
from decklab.cli.terminal import check_there, checked_first, echo_json
from decklab.core.options import SECONDS_A_DECK

app = typer.Typer(add_completion=False)


@app.command()
def convert(
    deck: Annotated[Path, argument("An HTML deck, or a folder of pages.", "DECK")],
    out: Annotated[Path, argument("The .pptx to write.", "OUT")],
    scripts: Annotated[
        bool, flag("--scripts", "Let the scripts of the deck run; they never reach a network.")
    ] = False,
    force: Force = False,
    deadline: Deadline = SECONDS_A_DECK,
    as_json: AsJson = False,
) -> None:
    """Make a native, editable .pptx of an HTML deck that looks the same.

    What has no native form becomes a picture of that element alone, and is named.

    Example: decklab convert talk.html talk.pptx
    """
    with checked_first():
        check_there(deck)
        made = decklab.convert(deck, out, scripts=scripts, force=force, deadline=deadline)
    if as_json:
        echo_json(made.as_json())
        return
    for line in made.replaced:
        typer.echo(str(line))
    typer.echo(f"Wrote {out}: {made.slides} slides")
