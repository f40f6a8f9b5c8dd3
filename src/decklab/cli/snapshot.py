"""``decklab snapshot``."""

import typer

from decklab.cli.parameters import Deck, JsonAlready
from decklab.deck.views.snapshot import snapshot, snapshot_bytes
from decklab.ooxml.package import Package

app = typer.Typer(add_completion=False)


@app.command()
def snapshot_command(deck: Deck, as_json: JsonAlready = False) -> None:
    """Print a deck as plain JSON: the same file always gives the same bytes.

    Example: decklab snapshot talk.pptx > talk.json
    """
    with Package.open(deck) as package:
        taken = snapshot_bytes(snapshot(package))
    typer.echo(taken.decode(), nl=False)
