"""``decklab template``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import decklab
from decklab.cli.parameters import AsJson, argument, flag
from decklab.cli.terminal import checked_first, echo_json
from decklab.pages.wording import counted

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
        check = decklab.check_template(file)
    if as_json:
        echo_json(check.as_json())
    else:
        _print(check, every=every)
    raise typer.Exit(3 if check.faults else 0)


def _print(check: "TemplateCheck", *, every: bool) -> None:
    width, height = check.size
    typer.echo(
        f"{check.path}: {counted(len(check.layouts), 'layout')}, slides of "
        f"{width:g} x {height:g} pt, made with the master {check.master!r}"
    )
    names = {layout.number: layout for layout in check.layouts}
    for use, number in check.chosen.items():
        typer.echo(f"  {use.replace('_', ' '):<14} layout {number}: {names[number].name}")
    for item in check.missing:
        typer.secho(f"  {item.use.replace('_', ' '):<14} none: {item.instead}", dim=True)
    shown = set(check.chosen.values())
    for layout in check.layouts:
        if not every and layout.number not in shown:
            continue
        uses = ", ".join(use.replace("_", " ") for use in layout.uses) or "nothing"
        typer.echo(f"\nlayout {layout.number}: {layout.name} (for {uses})")
        for area in layout.places:
            room = "" if area.lines is None else f", lines: {area.lines}, words: {area.words}"
            left, top, right, bottom = area.box
            typer.echo(
                f"  {area.kind:<9} {left:.0f},{top:.0f} to {right:.0f},{bottom:.0f}, "
                f"{area.size:g} pt{room}"
            )
    if check.slides:
        typer.echo(f"\n{counted(check.slides, 'slide')} of its own: none of them is taken over")
    faults = check.faults if every else check.faults[:_SHOWN_FAULTS]
    for fault in faults:
        where = f"layout {fault.layout}: " if fault.layout else ""
        typer.secho(f"{fault.code}: {where}{fault.text}", fg="yellow")
    if len(faults) < len(check.faults):
        typer.echo(f"and {len(check.faults) - len(faults)} more (--all shows them)")
