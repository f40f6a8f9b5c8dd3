"""``decklab diff``."""

from typing import TYPE_CHECKING, Annotated

import typer

import decklab
from decklab.cli import calls
from decklab.cli.cluster_work import (
    ClusterAddress,
    DatasetFolder,
    check_cluster_options,
    cluster_job,
    run_on_cluster,
)
from decklab.cli.parameters import AsJson, ComparisonPage, Force, argument, flag
from decklab.cli.terminal import checked_first, converted_words, echo_json, note

if TYPE_CHECKING:
    from decklab.diffing.changes import DeckDiff

app = typer.Typer(add_completion=False)

DIFFERENT = 1
"""Exit code, as that of the diff that compares text files; errors have 2 there, too."""


@app.command()
def diff_command(
    context: typer.Context,
    before: Annotated[str, argument("The older deck.", "BEFORE")],
    after: Annotated[str, argument("The newer deck.", "AFTER")],
    html: ComparisonPage = None,
    force: Force = False,
    noise: Annotated[
        bool, flag("--noise", "Also tell what programs do by only saving a deck.")
    ] = False,
    as_json: AsJson = False,
    cluster: ClusterAddress = None,
    out: DatasetFolder = None,
) -> None:
    """Say what changed between two decks; exits with 0 for nothing, 1 for changes, 2 for errors.

    With --cluster both are folders, archives or addresses of decks, paired by name.

    Example: decklab diff before.pptx after.pptx --html changes.html
    """
    check_cluster_options(context, cluster, heeded=("out",), only_there=("out",))
    if cluster is not None:
        job = cluster_job("diff")
        done = run_on_cluster([after], job, out, cluster=cluster, before=before)
        raise typer.Exit(2 * done.all_failed)
    with checked_first():  # an error has this exit code whenever it is found
        if html is None:
            changes = decklab.diff(before, after, on_rules=_warn)
        else:
            changes = calls.write_comparison(html, before, after, on_rules=_warn, force=force)
    for deck, kind in changes.converted.items():
        note(converted_words(deck, kind))
    if as_json:
        echo_json(changes.as_json())
    else:
        _print(changes, noise)
    if changes.edits:
        raise typer.Exit(DIFFERENT)


def _warn(why: str) -> None:
    typer.echo(
        f"decklab: LibreOffice saved the newer deck; rules tell what it changed by that: {why}",
        err=True,
    )


def _print(diff: "DeckDiff", noise: bool) -> None:
    for item in calls.words_by_slide(diff.changes if noise else diff.edits):
        typer.secho(item.place, bold=True)
        for change, words in zip(item.changes, item.clauses, strict=True):
            typer.secho(f"  {words}", dim=change.noise)
    saved = len(diff.changes) - len(diff.edits)
    if not diff.edits:
        typer.echo("Nothing changed.")
    if saved and not noise:
        typer.echo(f"{saved} more that programs write anew when they save (--noise shows them).")
