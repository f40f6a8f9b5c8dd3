"""``decklab lint``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import Console

import decklab
from decklab.cli.cluster_work import ClusterAddress, DatasetFolder, cluster_job, run_on_cluster
from decklab.cli.parameters import CacheFolder, NoCache
from decklab.cli.terminal import echo_json
from decklab.errors import DecklabError, UnknownName
from decklab.options import Severity

if TYPE_CHECKING:
    from decklab.linting.lint import LintResult

app = typer.Typer(add_completion=False)


@app.command()
def lint_command(
    decks: Annotated[
        list[str], typer.Argument(metavar="DECK...", help="Decks: .pptx, .potx, .ppsx or .pptm.")
    ],
    format: Annotated[
        Literal["table", "json", "sarif"], typer.Option(help="What to print.")
    ] = "table",
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    rules: Annotated[
        str, typer.Option(help="Only these rules or groups, such as text,accessibility.")
    ] = "",
    ignore: Annotated[str, typer.Option(help="All rules or groups but these.")] = "",
    min_severity: Annotated[
        Severity, typer.Option(help="Leave out what matters less; info shows all.")
    ] = "warning",
    cache: CacheFolder = None,
    no_cache: NoCache = False,
    cluster: ClusterAddress = None,
    out: DatasetFolder = None,
) -> None:
    """Say what is wrong with decks: layout, contrast, accessibility; exits with 1 on findings.

    Notes (severity info) are only counted unless --min-severity info asks for them.
    Exit codes: 0 nothing found, 1 findings, 2 a deck could not be read.

    Example: decklab lint talk.pptx --min-severity warning --format sarif > lint.sarif
    """
    try:
        wanted = decklab.lint_rules(_names(rules), _names(ignore))
    except UnknownName as error:
        raise typer.BadParameter(str(error)) from None
    if cluster is not None:
        done = run_on_cluster(decks, cluster_job("lint", rules=wanted), out, cluster=cluster)
        raise typer.Exit(int(done.all_failed))
    renderer = decklab.Renderer(cache=None if no_cache else decklab.Cache(cache))
    form = "json" if as_json else format
    outcomes: list[LintResult | DecklabError] = []
    for result in decklab.lint_each(map(Path, decks), rules=wanted, renderer=renderer):
        outcome = result if isinstance(result, DecklabError) else result.at_least(min_severity)
        outcomes.append(outcome)
        if isinstance(outcome, DecklabError):
            typer.echo(f"decklab: {outcome}", err=True)
        elif form == "table":
            left_out = 0 if isinstance(result, DecklabError) else len(result.findings)
            decklab.print_findings(
                outcome.deck,
                outcome.slides,
                outcome.findings,
                outcome.not_run,
                Console(),
                left_out=left_out - len(outcome.findings),
            )
    if form == "sarif":
        echo_json(decklab.sarif_log(outcomes))
    elif form == "json":
        echo_json(decklab.lint_json(outcomes))
    if any(isinstance(item, DecklabError) for item in outcomes):
        raise typer.Exit(2)
    if any(not isinstance(item, DecklabError) and item.findings for item in outcomes):
        raise typer.Exit(1)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]
