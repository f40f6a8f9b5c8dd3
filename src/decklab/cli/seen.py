"""``decklab seen``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import decklab
from decklab.cli import calls
from decklab.cli.parameters import AsJson, Deck, Force, option, parse_whole_numbers
from decklab.cli.terminal import checked_first, echo_json

if TYPE_CHECKING:
    from decklab.seen.seen_slide import SeenSlide

app = typer.Typer(add_completion=False)

_LONGEST = 60


@app.command()
def seen(
    deck: Deck,
    slides: Annotated[str, option("Only these slides, such as 2,4-6.", "LIST")] = "",
    out: Annotated[
        Path | None, option("Draw the deck; write a page with pictures and marks here.", "FILE")
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Say what an audience cannot see of a deck, slide by slide, and why.

    Links that lead nowhere or start a program, charts that draw other numbers than their workbooks
    hold, and what a screen reader has no words for are named as well.

    It is computed from the file; with --out the drawn slides count too.

    Example: decklab seen talk.pptx --out seen.html
    """
    numbers = parse_whole_numbers(slides) if slides else None
    with checked_first():
        if out is None:
            result = decklab.see(deck, slides=numbers)
        else:
            result = calls.write_seen_page(out, deck, slides=numbers, force=force)
    if as_json:
        echo_json(result.as_json())
    else:
        for slide in result.slides:
            _print(slide)
        for problem in result.problems:
            typer.echo(f"not read: {problem}", err=True)
        typer.echo(result.sentence)
    if out is not None and not as_json:
        typer.echo(str(out))


def _print(slide: "SeenSlide") -> None:
    pieces = [piece for piece in slide.unseen if piece.kind != "shape"]
    if slide.left_out:
        typer.secho(f"Slide {slide.number}: not shown: {slide.left_out}", bold=True)
        return
    if pieces or slide.beside:
        typer.secho(f"Slide {slide.number}", bold=True)
    for piece in pieces:
        text = calls.clean_line(piece.text)
        words = f' "{text[:_LONGEST]}{"…" if len(text) > _LONGEST else ""}"' if text else ""
        name = calls.clean_line(piece.name)
        typer.echo(f"  {piece.reason}: {piece.kind}{words} of {name}: {piece.detail}")
    for line in slide.beside:
        typer.echo(f"  {calls.clean_line(line)}")
