"""``decklab bench ppteval-fetch``, ``ppteval-starter`` and ``ppteval-meta``."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from decklab.benchmarks.ppteval.fetching import Fetched, fetch_decks
from decklab.benchmarks.ppteval.meta import (
    GradedAttempt,
    agreement_json,
    find_attempts,
    grade_attempts,
    times,
)
from decklab.benchmarks.ppteval.pages import (
    PAPER_ACCURACY,
    PAPER_RANKS,
    write_attempt_page,
    write_meta_report,
)
from decklab.benchmarks.ppteval.starter import write_starter
from decklab.benchmarks.ppteval.tasks import load_editing_tasks
from decklab.cli.parameters import AsJson
from decklab.cli.progress import progress_bar
from decklab.metrics.agreement import Agreement, agreement
from decklab.results import NotScored
from decklab.scoring.deck_pair import ComparedDecks

app = typer.Typer(add_completion=False)


@app.command("ppteval-fetch")
def fetch_command(
    files: Annotated[Path, typer.Option(metavar="DIR", help="Where the decks go.")],
) -> None:
    """Download the twelve decks of the published tasks; those that are there are checked.

    Example: decklab bench ppteval-fetch --files decks
    """

    def told(fetched: Fetched) -> None:
        typer.echo(f"{fetched.how:>10}  {fetched.name}")

    fetch_decks(files, done=told)


@app.command("ppteval-starter")
def starter_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where it goes.")],
    attempts: Annotated[
        bool, typer.Option("--attempts", help="Also make attempts at four levels of completion.")
    ] = False,
) -> None:
    """Write the starter set: tasks with rubrics and decks, in the published format.

    Example: decklab bench ppteval-starter starter --attempts
    """
    typer.echo(write_starter(folder, attempts=attempts))


@app.command("ppteval-meta")
def meta_command(
    tasks: Annotated[
        Path | None,
        typer.Argument(metavar="[DIR]", help="Tasks with attempts; by default the starter set."),
    ] = None,
    files: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The decks, where they are not beside them.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Also write a report, with a page a tree.")
    ] = None,
    pictures: Annotated[
        bool, typer.Option("--pictures", help="Draw changed slides for those pages; slow.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Grade attempts whose level of completion is known, and compare.

    Example: decklab bench ppteval-meta --out meta
    """
    if tasks is None:
        with TemporaryDirectory(prefix="decklab-starter-") as folder:
            write_starter(Path(folder), attempts=True)
            _meta(Path(folder), None, "The starter set", out, pictures, as_json)
    else:
        _meta(tasks, files, str(tasks), out, pictures, as_json)


def _meta(
    tasks: Path, files: Path | None, title: str, out: Path | None, pictures: bool, as_json: bool
) -> None:
    attempts = find_attempts(load_editing_tasks(tasks, files), tasks)
    with progress_bar() as bar:
        going = bar.add_task("Grading", total=len(attempts))

        def shown(graded: GradedAttempt, decks: ComparedDecks) -> None:
            if out is not None:
                write_attempt_page(out, graded, decks, pictures=pictures)
            bar.advance(going)

        graded = grade_attempts(attempts, shown=shown)
    found = agreement(one.attempt for one in graded)
    if out is not None:
        write_meta_report(out, title, graded, found)
    if as_json:
        typer.echo(json.dumps({**agreement_json(found), "seconds": times(graded)}))
    else:
        _print(found, graded)


def _print(found: Agreement, graded: list[GradedAttempt]) -> None:
    typer.echo(
        f"{'Level':<22}{'Expected':<10}{'Attempts':>8}{'Mean':>8}{'Accuracy':>10}{'Paper':>10}"
    )
    for row in found.levels:
        mean = "" if row.mean is None else f"{row.mean:.3f}"
        paper = f"{PAPER_ACCURACY[row.level.name]:.2%}"
        typer.echo(
            f"{row.level.title:<22}{row.level.expected:<10}{row.attempts:>8}{mean:>8}"
            f"{_percent(row.accuracy):>10}{paper:>10}"
        )
    for name, value in (("Kendall's tau-b", found.tau_b), ("Spearman's rho", found.rho)):
        known = value.reason if isinstance(value, NotScored) else f"{value:.2f}"
        paper = f"{PAPER_RANKS['tau_b' if value is found.tau_b else 'rho']:.2f}"
        typer.echo(f"{name:<48}{known:>10}{paper:>10}")
    for one in found.wrong:
        typer.echo(f"decklab: {one.task}, {one.level}: scored {one.score:.3g}", err=True)
    for one in found.not_scored:
        typer.echo(f"decklab: {one.task}, {one.level}: not scored", err=True)
    spent = times(graded)
    parts = ", ".join(f"{name} {value:.3f}" for name, value in spent.items())
    typer.echo(f"\n{len(graded)} trees; mean seconds a tree: {parts}")


def _percent(value: float | NotScored) -> str:
    return "" if isinstance(value, NotScored) else f"{value:.2%}"
