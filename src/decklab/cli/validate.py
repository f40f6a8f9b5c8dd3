"""``decklab validate``."""

import json
from dataclasses import asdict

import typer

from decklab.cli.parameters import AsJson, Deck
from decklab.errors import DecklabError
from decklab.ooxml.package import Package
from decklab.ooxml.validity.validating import validate

app = typer.Typer(add_completion=False)


@app.command()
def validate_command(deck: Deck, as_json: AsJson = False) -> None:
    """Say what PowerPoint would want to repair; exits with 1 where there is an error.

    Exit codes: 0 no error, 1 errors, 2 the deck could not be read.

    Example: decklab validate talk.pptx
    """
    try:
        with Package.open(deck) as package:
            problems = validate(package)
    except DecklabError as error:
        typer.echo(f"decklab: {error}", err=True)
        raise typer.Exit(2) from None
    if as_json:
        typer.echo(json.dumps([asdict(problem) for problem in problems], ensure_ascii=False))
    else:
        for problem in problems:
            typer.echo(f"{problem.severity}: {problem.part}: {problem.detail} [{problem.rule}]")
    if any(problem.severity == "error" for problem in problems):
        raise typer.Exit(1)
