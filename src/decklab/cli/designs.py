"""``decklab designs``."""

from pathlib import Path
from typing import Annotated

import typer

from decklab.cli import calls
from decklab.cli.parameters import Force, argument, option
from decklab.cli.terminal import check_there, checked_first

app = typer.Typer(add_completion=False)


@app.command()
def designs(
    source: Annotated[
        Path | None,
        argument("Slides in Markdown or a document; without it sample slides.", "SOURCE"),
    ] = None,
    out: Annotated[Path, option("The page to write.", "FILE")] = Path("designs.html"),
    slides: Annotated[int, option("How many slides to show.", min=1, max=12)] = 6,
    force: Force = False,
) -> None:
    """Show all designs of decklab write with your first slides, on one page to choose from.

    Says which design a deck of these slides gets where none is named. Needs decklab[html].

    Example: decklab designs talk.md --out designs.html
    """
    with checked_first():
        if source is not None:
            check_there(source)
        chosen = calls.write_design_page(out, source, slides=slides, force=force)
    if source is not None:
        typer.echo(f"{chosen} suits this topic")
    typer.echo(str(out))
