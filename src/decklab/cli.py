"""The command line: parses and calls, no logic."""

import io
import json
import signal
import sys
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from decklab import __version__
from decklab.deck.elements import plain_slide, read_elements
from decklab.deck.samples import write_samples
from decklab.deck.snapshot import snapshot, snapshot_bytes
from decklab.errors import DecklabError
from decklab.ooxml.package import Package
from decklab.ooxml.validity import validate
from decklab.reports import print_csv, print_table
from decklab.scoring import Run, score

app = typer.Typer(
    name="decklab",
    help="A workbench for slide decks and for the agents that judge, edit and write them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


class Format(StrEnum):
    """What ``decklab score`` prints."""

    table = "table"
    json = "json"
    csv = "csv"


class Variant(StrEnum):
    """Metric variants that ``--also`` adds."""

    aim = "aim"


class NoData(StrEnum):
    """What a deck without data graphics gets at the data gate."""

    failed = "failed"
    not_applicable = "not_applicable"


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"decklab {__version__}")
        raise typer.Exit


@app.callback()
def _decklab(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


@app.command(name="score")
def score_command(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help="Decks (.pptx .potx .ppsx .pptm .odp .ppt .pdf .html), folders of slide images, "
            "folders of decks, or patterns.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder for results and reports.")] = Path(
        "decklab-results"
    ),
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes at work; one a core by default.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Keep what an earlier run into OUT finished.")
    ] = False,
    format: Annotated[Format, typer.Option(help="What to print.")] = Format.table,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if any deck failed.")
    ] = False,
    also: Annotated[
        list[Variant] | None, typer.Option(help="Metric variants to add, such as Aalto AIM's.")
    ] = None,
    no_data: Annotated[
        NoData, typer.Option(help="The data gate of a deck without data graphics.")
    ] = NoData.failed,
    deadline: Annotated[
        float, typer.Option(min=1, help="Seconds that drawing one deck may take.")
    ] = 120.0,
    cache: Annotated[
        Path | None, typer.Option(help="Folder that keeps drawn decks between runs.")
    ] = None,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Draw every deck anew and keep nothing.")
    ] = False,
) -> None:
    """Score decks: aesthetics, editability, findings, and a report worth looking at.

    Example: decklab score talks/ --out results
    """
    if "" in paths:
        raise typer.BadParameter("a path is empty", param_hint="PATH...")
    try:
        with _progress() as bar:
            task = bar.add_task("Scoring", total=None)
            run = score(
                paths, out,
                jobs=jobs, resume=resume, also=[item.value for item in also or ()],
                no_data=no_data.value, deadline=deadline, cache=cache, use_cache=not no_cache,
                progress=lambda done, total: bar.update(task, completed=done, total=total),
            )  # fmt: skip
    except KeyboardInterrupt:
        typer.echo("decklab: stopped; the same command with --resume goes on from here", err=True)
        raise typer.Exit(130) from None
    _print(run, format)
    if not run.scored or (strict and run.failed):
        raise typer.Exit(1)


def _progress() -> Progress:
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
        TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(),
        console=console, disable=not console.is_terminal, transient=True,
    )  # fmt: skip


def _print(run: Run, format: Format) -> None:
    if format is Format.json:
        sys.stdout.write((run.out / "results.json").read_text(encoding="utf-8"))
    elif format is Format.csv:
        print_csv(run.results(), sys.stdout)
    else:
        print_table(run.rows(), Console())
        typer.echo(f"Report: {run.index}")


@app.command()
def samples(
    folder: Annotated[Path, typer.Argument(help="Where the decks go; made where missing.")],
) -> None:
    """Write three sample decks: a plain one, a rich one and a bad one.

    Example: decklab samples build/samples
    """
    for path in write_samples(folder):
        typer.echo(path)


Deck = Annotated[Path, typer.Argument(metavar="DECK", help="A .pptx, .potx, .ppsx or .pptm.")]


@app.command(name="snapshot")
def snapshot_command(deck: Deck) -> None:
    """Print a deck as plain JSON: the same file always gives the same bytes.

    Example: decklab snapshot talk.pptx > talk.json
    """
    with Package.open(deck) as package:
        typer.echo(snapshot_bytes(snapshot(package)).decode())


@app.command()
def extract(
    deck: Deck,
    plain: Annotated[
        bool, typer.Option("--plain", help="Only what a picture shows: the schema for models.")
    ] = False,
) -> None:
    """Print the elements of every slide, effective styles and where they come from, as JSON.

    Example: decklab extract talk.pptx --plain
    """
    with Package.open(deck) as package:
        slides = read_elements(package).slides
    shown = [plain_slide(slide) if plain else slide for slide in slides]
    typer.echo(json.dumps([slide.model_dump(mode="json") for slide in shown], ensure_ascii=False))


@app.command(name="validate")
def validate_command(
    deck: Deck,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of lines.")] = False,
) -> None:
    """Say what PowerPoint would want to repair; exits with 1 where there is an error.

    Example: decklab validate talk.pptx
    """
    with Package.open(deck) as package:
        problems = validate(package)
    if as_json:
        typer.echo(json.dumps([asdict(problem) for problem in problems], ensure_ascii=False))
    else:
        for problem in problems:
            typer.echo(f"{problem.severity}: {problem.part}: {problem.detail} [{problem.rule}]")
    if any(problem.severity == "error" for problem in problems):
        raise typer.Exit(1)


def main() -> None:
    """Run the command line; errors of ours end in one line and exit code 1."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a name may not fit what the terminal speaks
            stream.reconfigure(errors="backslashreplace")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # to leave nothing behind either
    try:
        app()
    except DecklabError as error:
        sys.exit(f"decklab: {error}")
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        sys.exit(f"decklab: {place}{error.strerror or error}")
