"""``decklab extract``."""

import json
from pathlib import Path
from typing import Annotated

import typer

from decklab.cli.parameters import JsonAlready
from decklab.cli.ranges import parse_numbers
from decklab.deck.model.slide import DeckElements
from decklab.deck.reading import read_elements, read_part_of_deck
from decklab.deck.views.plain import plain_slide, slide_schema
from decklab.extract_elements import lay_out
from decklab.ooxml.package import Package
from decklab.rendering.cache import Cache

app = typer.Typer(add_completion=False)


@app.command()
def extract(
    deck: Annotated[
        Path | None, typer.Argument(metavar="DECK", help="A .pptx, .potx, .ppsx or .pptm.")
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Only what a picture shows: the schema for models.")
    ] = False,
    slides: Annotated[
        str, typer.Option(help="Only these slides, such as 2,4-6; no others are read.")
    ] = "",
    laid_out: Annotated[
        bool, typer.Option("--laid-out", help="Draw the deck; say where and how large text is.")
    ] = False,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON schema of a slide instead.")
    ] = False,
    as_json: JsonAlready = False,
) -> None:
    """Print the elements of every slide, effective styles and where they come from, as JSON.

    Of damaged parts the rest is printed, and standard error tells them.

    Example: decklab extract talk.pptx --slides 2,4-6 --plain
    """
    if schema:
        given = {"DECK": deck is not None, "--slides": bool(slides), "--laid-out": laid_out}
        if any(given.values()):
            needless = " and ".join(name for name, there in given.items() if there)
            raise typer.BadParameter(f"the schema is that of any deck: leave out {needless}")
        typer.echo(json.dumps(slide_schema(full=not plain), ensure_ascii=False))
        return
    if deck is None:
        raise typer.BadParameter("name a deck, or ask for the --schema", param_hint="DECK")
    read = _read(deck, slides)
    for problem in read.problems:
        typer.echo(f"not read: {deck}: {problem}", err=True)
    found = read.slides
    if laid_out:
        drawn = lay_out(deck, found, cache=Cache())
        found = drawn.slides
        share = "no text" if drawn.matched is None else f"{drawn.matched:.1%} of the text"
        typer.echo(f"{deck}: found {share} on the drawn slides", err=True)
    shown = [plain_slide(slide) if plain else slide for slide in found]
    typer.echo(json.dumps([slide.model_dump(mode="json") for slide in shown], ensure_ascii=False))


def _read(deck: Path, slides: str) -> DeckElements:
    wanted = parse_numbers(slides) if slides else None
    with Package.open(deck) as package:
        return read_elements(package) if wanted is None else read_part_of_deck(package, wanted)
