"""``decklab bench slideeval-...``."""

import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from inspect_ai import Task
from rich.console import Console

from decklab.benchmarks.slideeval.dataset import dataset_of_decks, keep_dataset
from decklab.benchmarks.slideeval.extract import EXTRACT_SAMPLE, slideeval_extract
from decklab.benchmarks.slideeval.items import deck_files
from decklab.benchmarks.slideeval.order import ORDER_SAMPLE, slideeval_order
from decklab.benchmarks.slideeval.rate import RATE_SAMPLE, slideeval_perturb
from decklab.benchmarks.slideeval.report import PAGE, headlines, report_folder, view_of_dataset
from decklab.benchmarks.slideeval.running import LOGS, run_judges
from decklab.benchmarks.slideeval.tables import print_dataset
from decklab.benchmarks.slideeval.zenodo import fetch_zenodo
from decklab.cli.parameters import AsJson, LadderDrawsOption
from decklab.cli.terminal import checked_first
from decklab.errors import ModelUnavailable
from decklab.files import check_folder
from decklab.models.inspect import open_model
from decklab.rendering.inputs import check_decks

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

OUT = Path("slideeval")


@app.command("slideeval-extract")
def extract_command(
    decks: Decks,
    model: Models = None,
    baseline: Baseline = False,
    out: Out = OUT,
    sample: Annotated[int, typer.Option(min=0, help="Slides; 0 for all.")] = EXTRACT_SAMPLE,
    runs: Runs = 3,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Ask what is on slides, from their pictures.

    Example: decklab bench slideeval-extract decks/ --baseline --sample 20
    """
    options = {"decks": str(decks), "sample": sample, "seed": seed}
    _run(slideeval_extract, options, model, baseline, runs, out, as_json)


@app.command("slideeval-perturb")
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
    as_json: AsJson = False,
) -> None:
    """Ask for ratings of slides that were damaged by known amounts.

    Example: decklab bench slideeval-perturb decks/ --baseline --sample 4
    """
    options = {
        "decks": str(decks), "sample": sample, "steps": steps, "seed": seed,
        "ladder_draws": ladder_draws,
    }  # fmt: skip
    _run(slideeval_perturb, options, model, baseline, runs, out, as_json)


@app.command("slideeval-order")
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
    as_json: AsJson = False,
) -> None:
    """Ask for the order of a deck's shuffled slides.

    Example: decklab bench slideeval-order decks/ --baseline
    """
    options = {"decks": str(decks), "sample": sample, "seed": seed, "page_numbers": page_numbers}
    _run(slideeval_order, options, model, baseline, runs, out, as_json)


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
    dataset, left_out = dataset_of_decks(decks)
    view = view_of_dataset(dataset)
    for line in left_out:
        typer.echo(f"left out: {line}", err=True)
    if as_json:
        typer.echo(json.dumps(asdict(view), ensure_ascii=False))
    else:
        print_dataset(view, Console())
    if out is not None:
        keep_dataset(view, out)
        report_folder(out / LOGS, out)
        typer.echo(out / PAGE, err=as_json)


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
    logs = folder / LOGS
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
    kept, refused = fetch_zenodo(folder, sample=sample, seed=seed)
    for line in refused:
        typer.echo(f"left out: {line}", err=True)
    typer.echo(f"{len(kept)} decks in {folder}")


def _run(
    task: Callable[..., Task],
    options: dict[str, Any],
    models: list[str] | None,
    baseline: bool,
    runs: int,
    out: Path,
    as_json: bool,
) -> None:
    if not models and not baseline:
        raise ModelUnavailable("no judge", "give --model NAME, or --baseline to do without a model")
    with checked_first():
        check_folder(out)
        for name in models or ():
            open_model(name)
        check_decks(deck_files(options["decks"]))
    left_out = run_judges(
        task, options, models=models or [], baseline=baseline, runs=runs, logs=out / LOGS,
        display="rich" if sys.stderr.isatty() else "none",
    )  # fmt: skip
    for line in left_out:
        typer.echo(f"left out: {line}", err=True)
    _report(out / LOGS, out, as_json)


def _report(logs: Path, out: Path, as_json: bool) -> None:
    summary = report_folder(logs, out)
    lines = headlines(summary)
    if as_json:
        typer.echo(json.dumps([line.to_json() for line in lines], ensure_ascii=False))
        return
    for line in lines:
        typer.echo(line)
    typer.echo(out / PAGE)
