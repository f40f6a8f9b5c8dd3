"""``decklab extract``."""

import json
from typing import Annotated

import typer

from decklab.cli.parameters import Deck
from decklab.deck.elements import plain_slide, read_elements
from decklab.ooxml.package import Package

app = typer.Typer(add_completion=False)


@app.command()
def extract(
    deck: Deck,
    plain: Annotated[
        bool, typer.Option("--plain", help="Only what a picture shows: the schema for models.")
    ] = False,
) -> None:
    """Print the elements of every slide, effective styles and where they come from, as JSON.

    Example: decklab extract talk.pptx --plain
    """
    with Package.open(deck) as package:
        slides = read_elements(package).slides
    shown = [plain_slide(slide) if plain else slide for slide in slides]
    typer.echo(json.dumps([slide.model_dump(mode="json") for slide in shown], ensure_ascii=False))
