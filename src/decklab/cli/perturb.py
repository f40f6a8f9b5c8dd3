"""``decklab perturb``."""

from pathlib import Path
from typing import Annotated

import typer

import decklab
from decklab.cli.parameters import Deck, LadderDrawsOption, parse_numbers, parse_steps
from decklab.cli.terminal import checked_first
from decklab.files import check_file, free_name
from decklab.options import Axis, LadderDraws

app = typer.Typer(add_completion=False)


@app.command()
def perturb_command(
    deck: Deck,
    axis: Annotated[Axis, typer.Option(help="What is degraded.")],
    severity: Annotated[
        float | None, typer.Option(min=0, max=1, help="How much, from 0 (nothing) to 1.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed gives other damage.")] = 0,
    slides: Annotated[
        str, typer.Option(help="Slides to degrade, such as 1,3-5; all without it.")
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(
            help="The deck to write; else a free name with axis and severity. With --ladder, the "
            "deck of the damaged slides, or a .png of them."
        ),
    ] = None,
    ladder: Annotated[
        str, typer.Option(help="Severities to show side by side, such as 0,0.2,...,1.")
    ] = "",
    slide: Annotated[
        int | None, typer.Option(min=1, help="The slide that a ladder shows; 1 without it.")
    ] = None,
    sheet: Annotated[
        Path | None,
        typer.Option(help="The PNG to draw a ladder on; named for the axis without --out."),
    ] = None,
    ladder_draws: LadderDrawsOption = "coupled",
) -> None:
    """Degrade the slides of a deck by a known amount, or show a ladder of amounts.

    Example: decklab perturb talk.pptx --axis geometry --severity 0.4 --seed 7
    """
    if bool(ladder) == (severity is not None):
        raise typer.BadParameter("give either --severity or --ladder")
    if severity is None:
        if slides:
            raise typer.BadParameter("a ladder shows one slide: give --slide instead of --slides")
        steps = parse_steps(ladder)
        kept, drawn = _targets(out, sheet, free_name(f"{deck.stem}-{axis}-ladder.png"))
        with checked_first():
            for path in (kept, drawn):
                if path is not None:
                    check_file(path, inputs=[deck])
            if drawn is not None:
                decklab.find_installation()
        left_out = _write_ladder(
            deck, axis, steps, kept, drawn,
            slide=slide or 1, seed=seed, ladder_draws=ladder_draws,
        )  # fmt: skip
        made = [path for path in (kept, drawn) if path is not None]
    else:
        if slide is not None or sheet is not None:
            raise typer.BadParameter("--slide and --sheet are for a --ladder")
        target = out or free_name(f"{deck.stem}-{axis}-{severity:g}.pptx")
        _check_name("--out", target, ".pptx")
        with checked_first():
            check_file(target, inputs=[deck])
        numbers = parse_numbers(slides) if slides else None
        with decklab.open(deck) as opened:
            left_out = decklab.write_perturbed(
                opened.package, target, axis, severity,
                seed=seed, slides=numbers, ladder_draws=ladder_draws,
            ).left_out  # fmt: skip
        made = [target]
    for line in left_out:
        typer.echo(f"left out: {line}", err=True)
    for path in made:
        typer.echo(path)


def _targets(out: Path | None, sheet: Path | None, named: Path) -> tuple[Path | None, Path | None]:
    """Where a ladder's deck and its drawing go; None for what is not asked for."""
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


def _write_ladder(
    deck: Path,
    axis: Axis,
    steps: list[float],
    kept: Path | None,
    drawn: Path | None,
    *,
    slide: int,
    seed: int,
    ladder_draws: LadderDraws,
) -> tuple[str, ...]:
    """Write what was asked for; gives what was left out."""
    if drawn is not None:
        return decklab.write_ladder_sheet(
            deck, drawn, axis, steps,
            slide=slide, seed=seed, ladder_draws=ladder_draws, keep=kept,
        )  # fmt: skip
    if kept is None:
        return ()
    with decklab.open(deck) as opened:
        return decklab.write_ladder(
            opened.package, kept, axis, steps, slide=slide, seed=seed, ladder_draws=ladder_draws
        ).left_out


def _check_name(option: str, path: Path, *suffixes: str) -> None:
    """What is written is told by the name's end, so that no deck is taken for a picture."""
    if path.suffix.lower() not in suffixes:
        raise typer.BadParameter(f"{option} {path}: the name ends in {' or '.join(suffixes)}")
