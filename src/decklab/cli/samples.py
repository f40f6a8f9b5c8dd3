"""``decklab samples``."""

from pathlib import Path
from typing import Annotated

import typer

from decklab.deck.samples import write_samples

app = typer.Typer(add_completion=False)


@app.command()
def samples(
    folder: Annotated[Path, typer.Argument(help="Where the decks go; made where missing.")],
) -> None:
    """Write three sample decks: a plain one, a rich one and a bad one.

    Example: decklab samples build/samples
    """
    for path in write_samples(folder):
        typer.echo(path)
