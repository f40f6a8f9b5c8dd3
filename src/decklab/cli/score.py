"""``decklab score``."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import Console
from rich.markup import escape

import decklab
from decklab.cli import calls
from decklab.cli.cluster_work import (
    ClusterAddress,
    DeckMemory,
    check_cluster_options,
    cluster_job,
    drawing_cache,
    run_on_cluster,
)
from decklab.cli.parameters import CacheFolder, Deadline, NoCache
from decklab.cli.terminal import checked_first, checked_until_begun, note, progress_bar
from decklab.core.files import check_folder
from decklab.core.options import SECONDS_A_DECK, NoData, TextGate

if TYPE_CHECKING:
    from decklab.scoring.limits import ScoreLimit
    from decklab.scoring.run import ScoringRun

app = typer.Typer(add_completion=False)


class Variant(StrEnum):  # typer takes no list of Literals
    """Metric variants that ``--also`` adds."""

    aim = "aim"
    printed = "printed"


class Form(StrEnum):
    """Forms of a report that ``--save`` adds."""

    md = "md"
    pdf = "pdf"
    card = "card"
    badge = "badge"


@app.command()
def score_command(
    context: typer.Context,
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
        bool, typer.Option("--resume", help="Do not score again what an earlier run finished.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="First remove what earlier runs wrote to OUT.")
    ] = False,
    format: Annotated[
        Literal["table", "json", "csv"], typer.Option(help="What to print.")
    ] = "table",
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if any deck failed.")
    ] = False,
    also: Annotated[
        list[Variant] | None,
        typer.Option(
            help="Metric variants to add: Aalto AIM's, or the numbers and formulas that "
            "SlidesGen-Bench prints elsewhere."
        ),
    ] = None,
    no_data: Annotated[
        NoData, typer.Option(help="The data gate of a deck without data graphics.")
    ] = "failed",
    text_gate: Annotated[
        TextGate, typer.Option(help="Where doubled text must stay to pass the text gate.")
    ] = "box",
    with_hidden: Annotated[
        bool,
        typer.Option(
            "--with-hidden", help="Count hidden slides and text that cannot be seen, as before."
        ),
    ] = False,
    reference: Annotated[
        Path | None,
        typer.Option(help="Say where decks stand among those of this file of decklab reference."),
    ] = None,
    fail_under: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METRIC=VALUE",
            help="Exit with 1 where a deck's score is below VALUE, such as quality=60; repeatable.",
        ),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN",
            help="Say what got better or worse since an earlier run: its folder or results.json.",
        ),
    ] = None,
    save: Annotated[
        list[Form] | None,
        typer.Option(help="Other forms of each report, beside its page; repeatable."),
    ] = None,
    deadline: Deadline = SECONDS_A_DECK,
    cache: CacheFolder = None,
    no_cache: NoCache = False,
    cluster: ClusterAddress = None,
    deck_memory: DeckMemory = None,
) -> None:
    """Score decks: aesthetics, editability, findings, and a report worth looking at.

    Decks that earlier runs into OUT scored stay in its report.

    With --cluster PATH may also be an address (http, s3, gs ...), an archive of decks, a Parquet
    file with their bytes, or a list of these, and OUT is a data set of any size (docs/cluster.md).

    Exit codes: 0 a deck was scored, 1 none was or one is below --fail-under, 2 nothing could be
    begun and nothing was written.

    Example: decklab score talks/ --out results
    """
    if "" in paths:
        raise typer.BadParameter("a path is empty", param_hint="PATH...")
    if fresh and resume:
        raise typer.BadParameter("--fresh removes what --resume would go on from")
    check_cluster_options(context, cluster, heeded=_ON_CLUSTER, only_there=("deck_memory",))
    limits = [_limit(text) for text in fail_under or ()]
    if cluster is not None:
        with checked_first():
            among = calls.load_reference(reference) if reference else None
        options = decklab.ScoreOptions(
            [one.value for one in also or ()], no_data, text_gate, among, with_hidden
        )
        stored = drawing_cache(cache, no_cache=no_cache)
        job = cluster_job("score", deck_memory, options=options, deadline=deadline, cache=stored)
        done = run_on_cluster(paths, job, out, cluster=cluster, jobs=jobs, fresh=fresh)
        raise typer.Exit(int(done.all_failed or (strict and done.failed > 0)))
    try:
        with checked_first():
            calls.check_decks(calls.find_decks(paths))
            check_folder(out)
            if against is not None:
                calls.earlier_scores(against)
            among = calls.load_reference(reference) if reference else None
        with checked_until_begun() as stages, progress_bar() as bar:
            task = bar.add_task("Scoring", total=None)

            def progress(done: int, total: int) -> None:
                stages.append("score")
                bar.update(task, completed=done, total=total)

            kept = None if no_cache else decklab.Cache(cache)
            run = decklab.score(
                paths, out,
                jobs=jobs, resume=resume, fresh=fresh,
                options=decklab.ScoreOptions(
                    [one.value for one in also or ()], no_data, text_gate, among, with_hidden
                ),
                renderer=decklab.Renderer(cache=kept, deadline=deadline),
                progress=progress,
                on_slide=lambda deck, slide, slides: bar.update(
                    task, description=_at_work(deck, slide, slides)
                ),
                against=against, save=[one.value for one in save or ()],
            )  # fmt: skip
        _print(run, "json" if as_json else format)
        missed = list(calls.missed_limits(run.results(), limits))
        for one in missed:
            note(str(one))
    except KeyboardInterrupt:
        typer.echo("decklab: stopped; the same command with --resume goes on from here", err=True)
        raise typer.Exit(130) from None
    if not run.scored or missed or (strict and run.failed):
        raise typer.Exit(1)


_ON_CLUSTER = (
    "out", "jobs", "resume", "fresh", "strict", "also", "no_data", "text_gate",
    "with_hidden", "reference", "deadline", "cache", "no_cache", "deck_memory",
)  # fmt: skip
"""Options that are heeded with ``--cluster``; its runs always go on where one stopped."""


def _limit(text: str) -> "ScoreLimit":
    try:
        return calls.parse_limit(text)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--fail-under") from None


_NAME_WIDTH = 32


def _at_work(deck: str, slide: int, slides: int) -> str:
    """The words before the progress bar: a deck at work, and the slide that is measured."""
    name = Path(deck).name
    name = name if len(name) <= _NAME_WIDTH else f"{name[: _NAME_WIDTH - 1]}…"
    return escape(f"{name}, slide {slide} of {slides}")


def _print(run: "ScoringRun", format: str) -> None:
    if format == "json":
        calls.print_json(run.results(), sys.stdout)
    elif format == "csv":
        calls.print_csv(run.results(), sys.stdout)
    else:
        calls.print_table(run.rows(), Console())
        others = f", with {run.earlier} of earlier runs" if run.earlier else ""
        if run.against is not None:
            calls.print_comparison(run.against, Console())
        typer.echo(f"Report: {run.index}{others}")
