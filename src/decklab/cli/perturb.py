"""``decklab perturb``."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

import decklab
from decklab import evals
from decklab.cli import calls
from decklab.cli.parameters import (
    Deck,
    Force,
    LadderDrawsOption,
    option,
    parse_steps,
    parse_whole_numbers,
)
from decklab.cli.terminal import check_there, checked_first
from decklab.core.files import check_file, check_folder, scratch_folder, write_numbered
from decklab.core.options import Axis

app = typer.Typer(add_completion=False)


@app.command()
def perturb_command(
    deck: Deck,
    axis: Annotated[Axis, option("What is degraded.")],
    severity: Annotated[
        float | None, option("How much, from 0 (nothing) to 1.", min=0, max=1)
    ] = None,
    seed: Annotated[int, option("Another seed gives other damage.")] = 0,
    slides: Annotated[str, option("Slides to degrade, such as 1,3-5; all without it.")] = "",
    out: Annotated[
        Path | None,
        option(
            "The deck to write; else a free name with axis and severity. With --ladder, the "
            "deck of the damaged slides, or a .png of them."
        ),
    ] = None,
    ladder: Annotated[str, option("Severities to show side by side, such as 0,0.2,...,1.")] = "",
    slide: Annotated[
        int | None, option("The slide that a ladder shows; 1 without it.", min=1)
    ] = None,
    sheet: Annotated[
        Path | None, option("The PNG to draw a ladder on; named for the axis without --out.")
    ] = None,
    force: Force = False,
    ladder_draws: LadderDrawsOption = "coupled",
) -> None:
    """Degrade the slides of a deck by a known amount, or show a ladder of amounts.

    Example: decklab perturb talk.pptx --axis geometry --severity 0.4 --seed 7
    """
    if bool(ladder) == (severity is not None):
        raise typer.BadParameter("give either --severity or --ladder")
    check_there(deck)
    with checked_first(), decklab.open(deck):
        if out is None and sheet is None:
            check_folder(Path())
    with scratch_folder("perturb") as folder:
        if severity is None:
            if slides:
                raise typer.BadParameter("a ladder shows one slide: give --slide, not --slides")
            steps = parse_steps(ladder)
            targets = _targets(out, sheet, folder / f"{deck.stem}-{axis}-ladder.png")
            left_out = _ladder_writer(deck, *targets, force=force)(
                axis, steps, slide=slide or 1, seed=seed, ladder_draws=ladder_draws
            )
        else:
            if slide is not None or sheet is not None:
                raise typer.BadParameter("--slide and --sheet are for a --ladder")
            target = out or folder / f"{deck.stem}-{axis}-{severity:g}.pptx"
            targets = target, None
            _check_name("--out", target, ".pptx")
            with checked_first():
                check_file(target, inputs=[deck], force=force)
            numbers = parse_whole_numbers(slides) if slides else None
            with decklab.open(deck) as opened:
                left_out = evals.write_perturbed(
                    opened.package, target, axis, severity,
                    seed=seed, slides=numbers, ladder_draws=ladder_draws, force=force,
                ).left_out  # fmt: skip
        written = [_named(path, folder) for path in targets if path is not None]
    for line in left_out:
        typer.echo(f"left out: {line}", err=True)
    for path in written:
        typer.echo(path)


def _named(path: Path, folder: Path) -> Path:
    """Where a file is; one in the scratch folder, which nobody named, gets a free name here."""
    return write_numbered(path.name, path.read_bytes()) if path.parent == folder else path


def _targets(out: Path | None, sheet: Path | None, named: Path) -> tuple[Path | None, Path | None]:
    """Where a ladder's deck and its drawing go; None for a file that is not wanted."""
    if sheet is not None:
        _check_name("--sheet", sheet, ".png")
    if out is None:
        return None, sheet or named
    _check_name("--out", out, ".pptx", ".png")
    if out.suffix.lower() != ".png":
        return out, sheet
    if sheet is not None:
        raise typer.BadParameter("--out and --sheet name two pictures: give one of them")
    return None, out


def _ladder_writer(
    deck: Path, out: Path | None, sheet: Path | None, *, force: bool
) -> Callable[..., tuple[str, ...]]:
    """A function that writes a ladder to these files, and returns what it left out."""
    with checked_first():
        for path in (out, sheet):
            if path is not None:
                check_file(path, inputs=[deck], force=force)
        if sheet is not None:
            calls.find_installation()
    if sheet is not None:
        return partial(calls.write_ladder_sheet, deck, sheet, keep=out, force=force)

    def write(*ladder: Any, **options: Any) -> tuple[str, ...]:
        assert out is not None, "a ladder has a deck or a sheet"
        with decklab.open(deck) as opened:
            made = evals.write_ladder(opened.package, out, *ladder, force=force, **options)
        return made.left_out

    return write


def _check_name(option: str, path: Path, *suffixes: str) -> None:
    """The ending of a name says what is written, so that no deck is written as a picture."""
    if path.suffix.lower() not in suffixes:
        raise typer.BadParameter(f"{option} {path}: the name ends in {' or '.join(suffixes)}")
