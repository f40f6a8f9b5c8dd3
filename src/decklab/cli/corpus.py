"""``decklab corpus``."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

import decklab
from decklab.cli.cluster_work import needs_cluster
from decklab.cli.parameters import AsJson
from decklab.cli.terminal import checked_first, echo_json

app = typer.Typer(add_completion=False, no_args_is_help=True)

DatasetArgument = Annotated[
    Path,
    typer.Argument(metavar="DATASET", help="What decklab score --cluster wrote, or lint, extract."),
]


@app.callback()
def corpus_command() -> None:
    """Look at a data set of many decks, and make benchmarks from it.

    Example: decklab corpus summary DATASET --html corpus.html
    """


@app.command("summary")
def summary_command(
    dataset: DatasetArgument,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write a page with charts.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say what a data set holds: distributions, outliers, languages, failures, findings.

    Example: decklab corpus summary DATASET --html corpus.html
    """
    with checked_first(), needs_cluster():
        found = decklab.corpus_summary(dataset)
        if html is not None:
            decklab.write_summary_page(html, found)
    if as_json:
        echo_json(asdict(found))
        return
    for line in decklab.corpus_summary_lines(found):
        typer.echo(line)
