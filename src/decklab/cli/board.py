"""``decklab board``."""

from pathlib import Path
from typing import Annotated

import typer

from decklab import evals
from decklab.cli.parameters import Overwrite, argument, option
from decklab.cli.terminal import checked_first

app = typer.Typer(add_completion=False)


@app.command()
def board(
    runs: Annotated[list[Path], argument("Folders that decklab bench wrote.", "RUN...")],
    out: Annotated[Path, option("Where the pages go.", "DIR")] = Path("board"),
    title: Annotated[str, option("The heading of the board.")] = "Results",
    overwrite: Overwrite = False,
) -> None:
    """Make a leaderboard of the systems of several runs, as pages to publish.

    Systems of runs with the same judge, prompts, cases and version of decklab stand in one table,
    compared anew; others stand apart. A board that is written again gets a new version.

    Example: decklab board slidesgen-june slidesgen-july --out board
    """
    with checked_first():
        typer.echo(evals.board(runs, out, title=title, overwrite=overwrite))
