"""``decklab score``."""

import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

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
    run_on_cluster,
)
from decklab.cli.parameters import Deadline, DrawingOptions, argument, flag, grouped_options, option
from decklab.cli.terminal import checked_first, checked_until_begun, note, progress_bar
from decklab.core.files import check_folder
from decklab.core.options import SECONDS_A_DECK, MetricVariant, NoData, TextGate

if TYPE_CHECKING:
    from decklab.scoring.against import ScoreLimit
    from decklab.scoring.run import ScoringRun
    from decklab.scoring.scored import ScoreOptions

app = typer.Typer(add_completion=False)


class Variant(StrEnum):  # typer takes no list of Literals
    """Metric variants that ``--also`` adds."""

    aim = "aim"
    printed = "printed"


class ReportKind(StrEnum):
    """Forms of a report that ``--save`` adds."""

    md = "md"
    pdf = "pdf"
    card = "card"
    badge = "badge"


@dataclass(frozen=True)
class MeasureOptions:
    """Measures: variants of metrics, gates, what counts, and what scores are compared with."""

    also: Annotated[
        list[Variant] | None,
        option(
            "Metric variants to add: Aalto AIM's, or the numbers and formulas that "
            "SlidesGen-Bench prints elsewhere."
        ),
    ] = None
    no_data: Annotated[NoData, option("The data gate of a deck without data graphics.")] = "failed"
    text_gate: Annotated[
        TextGate, option("Where doubled text must stay to pass the text gate.")
    ] = "box"
    with_hidden: Annotated[
        bool, flag("--with-hidden", "Count hidden slides and text that cannot be seen, as before.")
    ] = False
    reference: Annotated[
        Path | None, option("Say where decks stand among those of this file of decklab reference.")
    ] = None

    def chosen(self) -> "ScoreOptions":
        """The same as ``decklab.score`` takes it; raises if there is no such reference."""
        among = calls.load_reference(self.reference) if self.reference else None
        variants: list[MetricVariant] = [variant.value for variant in self.also or ()]
        return decklab.ScoreOptions(variants, self.no_data, self.text_gate, among, self.with_hidden)


@dataclass(frozen=True)
class RunOptions:
    """Run: its folder and processes, and how it goes with earlier runs there."""

    out: Annotated[Path, option("Folder for results and reports.")] = Path("decklab-results")
    jobs: Annotated[int | None, option("Processes at work; one a core by default.", min=1)] = None
    resume: Annotated[
        bool, flag("--resume", "Do not score again what an earlier run finished.")
    ] = False
    fresh: Annotated[bool, flag("--fresh", "First remove what earlier runs wrote to OUT.")] = False
    strict: Annotated[bool, flag("--strict", "Exit with 1 if any deck failed.")] = False
    deadline: Deadline = SECONDS_A_DECK
    cluster: ClusterAddress = None
    deck_memory: DeckMemory = None


@dataclass(frozen=True)
class PrintOptions:
    """Output: what is printed, what fails the run, and other forms of the reports."""

    format: Annotated[Literal["table", "json", "csv"], option("What to print.")] = "table"
    as_json: Annotated[bool, flag("--json", "The same as --format json.")] = False
    fail_under: Annotated[
        list[str] | None,
        option(
            "Exit with 1 where a deck's score is below VALUE, such as quality=60; repeatable.",
            "METRIC=VALUE",
        ),
    ] = None
    against: Annotated[
        Path | None,
        option(
            "Say what got better or worse since an earlier run: its folder or results.json.", "RUN"
        ),
    ] = None
    save: Annotated[
        list[ReportKind] | None, option("Other forms of each report, beside its page; repeatable.")
    ] = None

    def limits(self) -> "list[ScoreLimit]":
        """The limits of ``--fail-under``; raises typer.BadParameter for one that is none."""
        try:
            return [calls.parse_limit(text) for text in self.fail_under or ()]
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--fail-under") from None


@app.command()
@grouped_options
def score_command(
    context: typer.Context,
    paths: Annotated[
        list[str],
        argument(
            "Decks (.pptx .potx .ppsx .pptm .odp .ppt .pdf .html), folders of slide images, "
            "folders of decks, or patterns.",
            "PATH...",
        ),
    ],
    runs: RunOptions,
    measures: MeasureOptions,
    drawing: DrawingOptions,
    output: PrintOptions,
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
    if runs.fresh and runs.resume:
        raise typer.BadParameter("--fresh removes what --resume would go on from")
    check_cluster_options(context, runs.cluster, heeded=_ON_CLUSTER, only_there=("deck_memory",))
    limits = output.limits()
    if runs.cluster is not None:
        _score_on_cluster(paths, runs, measures, drawing, runs.cluster)
    try:
        run = _scored(paths, runs, measures, drawing, output)
        _print(run, "json" if output.as_json else output.format)
        missed = list(calls.missed_limits(run.results(), limits))
        for limit in missed:
            note(str(limit))
    except KeyboardInterrupt:
        typer.echo("decklab: stopped; the same command with --resume goes on from here", err=True)
        raise typer.Exit(130) from None
    if not run.scored or missed or (runs.strict and run.failed):
        raise typer.Exit(1)


def _score_on_cluster(
    paths: list[str],
    runs: RunOptions,
    measures: MeasureOptions,
    drawing: DrawingOptions,
    cluster: str,
) -> NoReturn:
    with checked_first():
        options = measures.chosen()
    cache = drawing.for_workers()
    job = cluster_job(
        "score", runs.deck_memory, options=options, deadline=runs.deadline, cache=cache
    )
    done = run_on_cluster(paths, job, runs.out, cluster=cluster, jobs=runs.jobs, fresh=runs.fresh)
    raise typer.Exit(int(done.all_failed or (runs.strict and done.failed > 0)))


def _scored(
    paths: list[str],
    runs: RunOptions,
    measures: MeasureOptions,
    drawing: DrawingOptions,
    output: PrintOptions,
) -> "ScoringRun":
    """The run, shown on a bar; it ends with 2 if it cannot begin."""
    with checked_first():
        calls.check_decks(calls.find_decks(paths))
        check_folder(runs.out)
        if output.against is not None:
            calls.earlier_scores(output.against)
        options = measures.chosen()
    with checked_until_begun() as stages, progress_bar() as bar:
        task = bar.add_task("Scoring", total=None)

        def progress(done: int, total: int) -> None:
            stages.append("score")
            bar.update(task, completed=done, total=total)

        def at_work(deck: str, slide: int, slides: int) -> None:
            bar.update(task, description=_at_work(deck, slide, slides))

        return decklab.score(
            paths, runs.out,
            jobs=runs.jobs, resume=runs.resume, fresh=runs.fresh, options=options,
            renderer=decklab.Renderer(cache=drawing.kept(), deadline=runs.deadline),
            progress=progress, on_slide=at_work, against=output.against,
            save=[form.value for form in output.save or ()], fork=True,
        )  # fmt: skip


_ON_CLUSTER = (
    "out", "jobs", "resume", "fresh", "strict", "also", "no_data", "text_gate",
    "with_hidden", "reference", "deadline", "cache", "no_cache", "deck_memory",
)  # fmt: skip
"""Options that are heeded with ``--cluster``; its runs always go on where one stopped."""

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
