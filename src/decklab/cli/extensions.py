"""``decklab extensions``."""

import typer

from decklab.cli import calls
from decklab.cli.parameters import AsJson
from decklab.cli.terminal import echo_json

app = typer.Typer(add_completion=False)


@app.command("extensions")
def extensions_command(as_json: AsJson = False) -> None:
    """List what other packages add to decklab, each tried.

    Exits with 1 if something is wrong with one.

    Example: decklab extensions
    """
    listed = calls.extensions()
    if as_json:
        echo_json({"extensions": [vars(item) for item in listed]})
    else:
        for item in listed:
            kind = item.group.removeprefix("decklab.").replace("_", " ").removesuffix("s")
            typer.echo(f"{kind} {item.name} ({item.package}): {'; '.join(item.faults) or 'works'}")
        if not listed:
            typer.echo("No other package adds to decklab.")
    if any(item.faults for item in listed):
        raise typer.Exit(1)
