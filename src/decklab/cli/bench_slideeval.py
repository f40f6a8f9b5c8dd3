"""``decklab bench slideeval-...``."""

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from decklab.cli import calls
from decklab.cli.model_options import NO_BUDGET, SPENT, BudgetOptions
from decklab.cli.option_groups import grouped_options
from decklab.cli.parameters import AsJson, LadderDrawsOption
from decklab.cli.terminal import check_there, checked_first, note
from decklab.core.errors import ModelUnavailable
from decklab.core.options import EXTRACT_SAMPLE, ORDER_SAMPLE, RATE_SAMPLE, Spending

if TYPE_CHECKING:
    from inspect_ai import Task

app = typer.Typer(add_completion=False)

Decks = Annotated[Path, typer.Argument(metavar="DECKS", help="A folder of .pptx, or a single one.")]
Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model", help="A model as Inspect AI names it, such as openai/gpt-5; repeatable."
    ),
]
Baseline = Annotated[
    bool, typer.Option("--baseline", help="Have decklab answer by itself, without a model.")
]
Out = Annotated[Path, typer.Option(help="Where logs and the report go.")]
Runs = Annotated[int, typer.Option(min=1, help="How often a model is asked each question.")]
Seed = Annotated[int, typer.Option(help="Another seed chooses and damages other slides.")]
TextOnly = Annotated[
    bool,
    typer.Option(
        "--text-only",
        help="Give models the slide as Markdown, not its picture; not the paper's protocol.",
    ),
]

OUT = Path("slideeval")


@app.command("slideeval-extract")
@grouped_options
def extract_command(
    decks: Decks,
    model: Models = None,
    baseline: Baseline = False,
    out: Out = OUT,
    sample: Annotated[int, typer.Option(min=0, help="Slides; 0 for all.")] = EXTRACT_SAMPLE,
    runs: Runs = 3,
    seed: Seed = 0,
    text_only: TextOnly = False,
    budget: BudgetOptions = NO_BUDGET,
    as_json: AsJson = False,
) -> None:
    """Ask what is on slides, from their pictures.

    Example: decklab bench slideeval-extract decks/ --baseline --sample 20
    """
    options = {"decks": str(decks), "sample": sample, "seed": seed, "text_only": text_only}
    spending = budget.spending()
    judges = _Judges(tuple(model or ()), baseline, runs, spending)
    _run(calls.slideeval_extract, options, judges, out, as_json)


@app.command("slideeval-perturb")
@grouped_options
def perturb_command(
    decks: Decks,
    model: Models = None,
    baseline: Baseline = False,
    out: Out = OUT,
    sample: Annotated[int, typer.Option(min=0, help="Seed slides; 0 for all.")] = RATE_SAMPLE,
    steps: Annotated[int, typer.Option(min=1, help="Steps in severity from 0 to 1.")] = 10,
    ladder_draws: LadderDrawsOption = "coupled",
    runs: Runs = 3,
    seed: Seed = 0,
    text_only: TextOnly = False,
    budget: BudgetOptions = NO_BUDGET,
    as_json: AsJson = False,
) -> None:
    """Ask for ratings of slides that were damaged by known amounts.

    Example: decklab bench slideeval-perturb decks/ --baseline --sample 4
    """
    options = {
        "decks": str(decks), "sample": sample, "steps": steps, "seed": seed,
        "ladder_draws": ladder_draws, "text_only": text_only,
    }  # fmt: skip
    spending = budget.spending()
    judges = _Judges(tuple(model or ()), baseline, runs, spending)
    _run(calls.slideeval_perturb, options, judges, out, as_json)


@app.command("slideeval-order")
@grouped_options
def order_command(
    decks: Decks,
    model: Models = None,
    baseline: Baseline = False,
    out: Out = OUT,
    sample: Annotated[int, typer.Option(min=0, help="Decks; 0 for all.")] = ORDER_SAMPLE,
    page_numbers: Annotated[
        bool, typer.Option(help="Let the baseline read the numbers that slides show.")
    ] = True,
    runs: Runs = 3,
    seed: Seed = 0,
    text_only: TextOnly = False,
    budget: BudgetOptions = NO_BUDGET,
    as_json: AsJson = False,
) -> None:
    """Ask for the order of a deck's shuffled slides.

    Example: decklab bench slideeval-order decks/ --baseline
    """
    options = {
        "decks": str(decks),
        "sample": sample,
        "seed": seed,
        "page_numbers": page_numbers,
        "text_only": text_only,
    }
    spending = budget.spending()
    judges = _Judges(tuple(model or ()), baseline, runs, spending)
    _run(calls.slideeval_order, options, judges, out, as_json)


@app.command("slideeval-dataset")
def dataset_command(
    decks: Decks,
    out: Annotated[
        Path | None, typer.Option(help="Where the tables and the report go; only printed without.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Count what decks hold: slides, elements of each kind, words, fonts.

    Example: decklab bench slideeval-dataset decks/
    """
    check_there(decks)
    if out is not None:
        with checked_first():
            calls.check_report_folder(out)
    tables, left_out = calls.dataset_of_decks(decks)
    _say_left_out(left_out)
    if as_json:
        typer.echo(json.dumps(asdict(tables), ensure_ascii=False))
    else:
        calls.print_dataset(tables, Console())
    if out is not None:
        typer.echo(calls.report_dataset(tables, out), err=as_json)


@app.command("slideeval-report")
def report_command(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="What --out named, or any folder of logs.")
    ],
    out: Annotated[Path | None, typer.Option(help="Where the report goes; DIR without it.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write the report on the newest log of each task and judge: a page, and tables as CSV.

    Example: decklab bench slideeval-report slideeval/
    """
    check_there(folder)
    with checked_first():
        calls.check_report_folder(out or folder)
    logs = folder / calls.SLIDEEVAL_LOGS
    _report(logs if logs.is_dir() else folder, out or folder, as_json)


@app.command("slideeval-zenodo")
def zenodo_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the decks go.")],
    sample: Annotated[int, typer.Option(min=1, help="Decks to keep.")] = 100,
    seed: Seed = 0,
) -> None:
    """Fetch decks of Zenodo10K by the paper's filters; needs the network.

    Example: decklab bench slideeval-zenodo decks/ --sample 100
    """
    fetched, refused = calls.fetch_zenodo(folder, sample=sample, seed=seed)
    _say_left_out(refused)
    typer.echo(f"{len(fetched)} decks in {folder}")


@dataclass(frozen=True)
class _Judges:
    """Who is asked, how often, and what it may cost."""

    models: tuple[str, ...]
    baseline: bool
    runs: int
    spending: Spending


def _run(
    task: "Callable[..., Task]",
    options: Mapping[str, Any],
    judges: _Judges,
    out: Path,
    as_json: bool,
) -> None:
    if not judges.models and not judges.baseline:
        raise ModelUnavailable("no judge", "give --model NAME, or --baseline to do without a model")
    if judges.baseline and options["text_only"]:
        raise typer.BadParameter("--baseline needs pictures: --text-only is for models")
    with checked_first():
        calls.check_report_folder(out)
        calls.check_models(judges.models)
        calls.check_decks(calls.deck_files(options["decks"]))
        model_run = calls.begin_judges(
            judges.spending, task, options, models=judges.models, runs=judges.runs
        )
    logs = out / calls.SLIDEEVAL_LOGS
    _say_left_out(
        calls.run_judges(
            task, options, models=judges.models, baseline=judges.baseline, runs=judges.runs,
            logs=logs, model_run=model_run, display="rich" if sys.stderr.isatty() else "none",
        )
    )  # fmt: skip
    if model_run.words:
        typer.echo(model_run.words, err=True)
    _report(logs, out, as_json)
    if model_run.costs.ended:
        typer.echo(f"decklab: {model_run.costs.ended}", err=True)
        raise typer.Exit(SPENT)


def _report(logs: Path, out: Path, as_json: bool) -> None:
    summary = calls.report_folder(logs, out)
    lines = list(calls.headlines(summary))
    for warning in calls.slideeval_warnings(summary):
        note(warning)
    if as_json:
        typer.echo(json.dumps([asdict(line) for line in lines], ensure_ascii=False))
        return
    for line in lines:
        typer.echo(line)
    typer.echo(out / calls.SLIDEEVAL_PAGE)


def _say_left_out(lines: Iterable[str]) -> None:
    for line in lines:
        typer.echo(f"left out: {line}", err=True)
