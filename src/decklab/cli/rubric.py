"""``decklab rubric``."""

import json
from pathlib import Path
from typing import Annotated

import typer

from decklab.cli.parameters import AsJson
from decklab.rubrics.checking import Check, check_folder

app = typer.Typer(add_completion=False, no_args_is_help=True)


@app.callback()
def rubric_command() -> None:
    """Work with rubric trees.

    Example: decklab rubric check rubrics/ --recorded
    """


@app.command("check")
def check_command(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A folder of rubrics, or a single one.")
    ],
    recorded: Annotated[
        bool,
        typer.Option(
            "--recorded", help="Also compare recorded root scores with what their leaves give."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say whether every rubric loads; exits with 1 where one does not, or a score is off.

    Example: decklab rubric check rubrics/ --recorded --json
    """
    found = check_folder(folder)
    wrong = found.problems + (found.mismatches if recorded else ())
    for line in wrong:
        typer.echo(f"decklab: {line}", err=True)
    if not found.problems:
        typer.echo(json.dumps(_counts(found, recorded)) if as_json else _sentence(found, recorded))
    if wrong:
        raise typer.Exit(1)


def _counts(found: Check, recorded: bool) -> dict[str, int]:
    counts = {"trees": found.trees, "leaves": found.leaves}
    if recorded:
        counts |= {"recorded": found.recorded, "mismatches": len(found.mismatches)}
    return counts


def _sentence(found: Check, recorded: bool) -> str:
    told = f"{found.trees} trees with {found.leaves} leaves load."
    if recorded:
        told += (
            f" {found.recorded} carry all recorded scores; {len(found.mismatches)} of them do "
            "not add up."
        )
    return told
