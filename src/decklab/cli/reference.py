"""``decklab reference``."""

from pathlib import Path
from typing import Annotated

import typer

from decklab.cli import calls
from decklab.cli.terminal import checked_first

app = typer.Typer(add_completion=False)


@app.command()
def reference(
    results: Annotated[
        Path, typer.Argument(metavar="RESULTS", help="A folder that decklab score wrote.")
    ],
    origin: Annotated[
        str, typer.Option(help="Which decks these are, from where, under which terms.")
    ],
    out: Annotated[Path, typer.Option(help="The file to write.")] = Path("reference.json"),
) -> None:
    """Make a reference of scored decks, for decklab score --reference.

    Only numbers are kept: for each score its distribution over the decks.

    Example: decklab reference results --origin "our talks of 2026" --out talks.json
    """
    with checked_first():
        made = calls.reference_of_run(results, origin)
        calls.write_reference(made, out)
    typer.echo(f"Wrote {out}: {len(made.metrics)} scores of {made.decks} decks")
