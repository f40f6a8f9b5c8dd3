"""``decklab template``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import decklab
from decklab.cli.parameters import AsJson, argument, flag
from decklab.cli.terminal import checked_first, echo_json

if TYPE_CHECKING:
    from decklab.board.templates.checking import TemplateCheck

app = typer.Typer(add_completion=False, no_args_is_help=True)

_SHOWN_FAULTS = 20


@app.callback()
def template_command() -> None:
    """Work with templates for decklab write.

    Example: decklab template check company.potx
    """


@app.command("check")
def check_command(
    file: Annotated[Path, argument("A .pptx or .potx.", "FILE")],
    every: Annotated[
        bool, flag("--all", "Show all layouts and faults, not only the main ones.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say what the layouts of a template can be used for, and what is wrong with it.

    Exit codes: 0 it can be used and nothing is wrong; 3 it can be used, but something is wrong; 2
    it cannot be read or has no layout.

    Example: decklab template check company.potx --json
    """
    with checked_first():
        found = decklab.check_template(file)
    if as_json:
        echo_json(found.as_json())
    else:
        _print(found, every=every)
    raise typer.Exit(3 if found.faults else 0)


def _print(found: "TemplateCheck", *, every: bool) -> None:
    width, height = found.size
    typer.echo(
        f"{found.path}: {len(found.layouts)} layouts, slides of {width:g} x {height:g} pt, "
        f"made with the master {found.master!r}"
    )
    names = {layout.number: layout for layout in found.layouts}
    for use, number in found.chosen.items():
        typer.echo(f"  {use.replace('_', ' '):<14} layout {number}: {names[number].name}")
    for item in found.missing:
        typer.secho(f"  {item.use.replace('_', ' '):<14} none: {item.instead}", dim=True)
    shown = set(found.chosen.values())
    for layout in found.layouts:
        if not every and layout.number not in shown:
            continue
        uses = ", ".join(use.replace("_", " ") for use in layout.uses) or "nothing"
        typer.echo(f"\nlayout {layout.number}: {layout.name} (for {uses})")
        for place in layout.places:
            room = "" if place.lines is None else f", lines: {place.lines}, words: {place.words}"
            left, top, right, bottom = place.box
            typer.echo(
                f"  {place.kind:<9} {left:.0f},{top:.0f} to {right:.0f},{bottom:.0f}, "
                f"{place.size:g} pt{room}"
            )
    if found.slides:
        typer.echo(f"\n{found.slides} slides of its own: none of them is taken over")
    faults = found.faults if every else found.faults[:_SHOWN_FAULTS]
    for fault in faults:
        where = f"layout {fault.layout}: " if fault.layout else ""
        typer.secho(f"{fault.code}: {where}{fault.text}", fg="yellow")
    if len(faults) < len(found.faults):
        typer.echo(f"and {len(found.faults) - len(faults)} more (--all shows them)")
