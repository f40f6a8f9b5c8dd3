"""``decklab history`` and ``decklab undo``: the edits of a deck in place."""

from typing import Annotated

import typer

from decklab.cli import calls
from decklab.cli.parameters import AsJson, Deck, argument
from decklab.cli.terminal import check_there, echo_json

app = typer.Typer(add_completion=False)


@app.command("history")
def history_command(deck: Deck, as_json: AsJson = False) -> None:
    """List the edits of a deck that were made in place, by their requests.

    Example: decklab history talk.pptx
    """
    check_there(deck)
    history = calls.EditHistory(deck)
    edits, standing = history.edits, history.standing
    if as_json:
        echo_json([{**vars(edit), "stands": edit in standing} for edit in edits])
        return
    for edit in edits:
        taken_back = edit.undoes is None and edit not in standing
        typer.echo(f"{edit.number}. {edit.request}{' (taken back)' if taken_back else ''}")
        for line in edit.sentences:
            typer.secho(f"   {line}", dim=True)
    if not edits:
        typer.echo(f"No edit of {deck} in place is known.")


@app.command("undo")
def undo_command(
    deck: Deck,
    number: Annotated[
        int | None, argument("Which edit, by its number in decklab history; else the last.", "[N]")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Take an edit of a deck in place back; what was edited since stays.

    Exit codes: 0 all of it is taken back, 3 part of it; 1 it cannot be.

    Example: decklab undo talk.pptx 2
    """
    check_there(deck)
    undone = calls.EditHistory(deck).undo(number)
    if as_json:
        echo_json({"edit": vars(undone.edit), "gone": undone.gone, "left": undone.left})
    else:
        for line in calls.undone_lines(undone):
            typer.echo(line)
    raise typer.Exit(3 if undone.left else 0)
