"""``decklab reference``."""

from pathlib import Path
from typing import Annotated

import typer

from decklab.cli import calls
from decklab.cli.parameters import Force, argument, option
from decklab.cli.terminal import checked_first
from decklab.core.files import check_file

app = typer.Typer(add_completion=False)


@app.command()
def reference(
    results: Annotated[Path, argument("A folder that decklab score wrote.", "RESULTS")],
    origin: Annotated[str, option("Which decks these are, from where, under which terms.")],
    out: Annotated[Path, option("The file to write.")] = Path("reference.json"),
    force: Force = False,
) -> None:
    """Make a reference of scored decks, for decklab score --reference.

    Only numbers are kept: for each score its distribution over the decks.

    Example: decklab reference results --origin "our talks of 2026" --out talks.json
    """
    with checked_first():
        check_file(out, force=force)
        made = calls.reference_of_run(results, origin)
        calls.write_reference(made, out, force=force)
    typer.echo(f"Wrote {out}: {len(made.metrics)} scores of {made.decks} decks")
