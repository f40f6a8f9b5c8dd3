"""``decklab bench slideeval-...``."""

import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from decklab.cli import calls
from decklab.cli.parameters import (
    AsJson,
    BudgetOptions,
    LadderDrawsOption,
    argument,
    flag,
    grouped_options,
    option,
)
from decklab.cli.terminal import SPENT, check_there, checked_first, note
from decklab.core.errors import ModelUnavailable
from decklab.core.options import EXTRACT_SAMPLE, ORDER_SAMPLE, RATE_SAMPLE

if TYPE_CHECKING:
    from inspect_ai import Task

app = typer.Typer(add_completion=False)

Decks = Annotated[Path, argument("A folder of .pptx, or a single one.", "DECKS")]
Seed = Annotated[int, option("Another seed chooses and damages other slides.")]


@dataclass(frozen=True)
class JudgedOptions:
    """Judges and output: who is asked, how often and about which slides; where the report goes."""

    model: Annotated[
        list[str] | None,
        option("A model as Inspect AI names it, such as openai/gpt-5; repeatable."),
    ] = None
    baseline: Annotated[
        bool, flag("--baseline", "Have decklab answer by itself, without a model.")
    ] = False
    runs: Annotated[int, option("How often a model is asked each question.", min=1)] = 3
    seed: Seed = 0
    text_only: Annotated[
        bool,
        flag(
            "--text-only",
            "Give models the slide as Markdown, not its picture; not the paper's protocol.",
        ),
    ] = False
    out: Annotated[Path, option("Where logs and the report go.")] = Path("slideeval")
    as_json: AsJson = False


@app.command("slideeval-extract")
@grouped_options
def extract_command(
    decks: Decks,
    judged: JudgedOptions,
    budget: BudgetOptions,
    sample: Annotated[int, option("Slides; 0 for all.", min=0)] = EXTRACT_SAMPLE,
) -> None:
    """Ask what is on slides, from their pictures.

    Example: decklab bench slideeval-extract decks/ --baseline --sample 20
    """
    _run(calls.slideeval_extract, judged, budget, decks=str(decks), sample=sample)


@app.command("slideeval-perturb")
@grouped_options
def perturb_command(
    decks: Decks,
    judged: JudgedOptions,
    budget: BudgetOptions,
    sample: Annotated[int, option("Seed slides; 0 for all.", min=0)] = RATE_SAMPLE,
    steps: Annotated[int, option("Steps in severity from 0 to 1.", min=1)] = 10,
    ladder_draws: LadderDrawsOption = "coupled",
) -> None:
    """Ask for ratings of slides that were damaged by known amounts.

    Example: decklab bench slideeval-perturb decks/ --baseline --sample 4
    """
    options = {"decks": str(decks), "sample": sample, "steps": steps, "ladder_draws": ladder_draws}
    _run(calls.slideeval_perturb, judged, budget, **options)


@app.command("slideeval-order")
@grouped_options
def order_command(
    decks: Decks,
    judged: JudgedOptions,
    budget: BudgetOptions,
    sample: Annotated[int, option("Decks; 0 for all.", min=0)] = ORDER_SAMPLE,
    page_numbers: Annotated[
        bool, option("Let the baseline read the numbers that slides show.")
    ] = True,
) -> None:
    """Ask for the order of a deck's shuffled slides.

    Example: decklab bench slideeval-order decks/ --baseline
    """
    options = {"decks": str(decks), "sample": sample, "page_numbers": page_numbers}
    _run(calls.slideeval_order, judged, budget, **options)


@app.command("slideeval-dataset")
def dataset_command(
    decks: Decks,
    out: Annotated[
        Path | None, option("Where the tables and the report go; only printed without.")
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
    folder: Annotated[Path, argument("What --out named, or any folder of logs.", "DIR")],
    out: Annotated[Path | None, option("Where the report goes; DIR without it.")] = None,
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
    folder: Annotated[Path, argument("Where the decks go.", "DIR")],
    sample: Annotated[int, option("Decks to keep.", min=1)] = 100,
    seed: Seed = 0,
) -> None:
    """Fetch decks of Zenodo10K by the paper's filters; needs the network.

    Example: decklab bench slideeval-zenodo decks/ --sample 100
    """
    fetched, refused = calls.fetch_zenodo(folder, sample=sample, seed=seed)
    _say_left_out(refused)
    typer.echo(f"{len(fetched)} decks in {folder}")


def _run(
    task: "Callable[..., Task]", judged: JudgedOptions, budget: BudgetOptions, **options: Any
) -> None:
    """Have the judges do a task of SlideEval with these options of its own, and report."""
    models, baseline, out = judged.model or [], judged.baseline, judged.out
    options |= {"seed": judged.seed, "text_only": judged.text_only}
    spending = budget.spending()
    if not models and not baseline:
        raise ModelUnavailable("no judge", "give --model NAME, or --baseline to do without a model")
    if baseline and judged.text_only:
        raise typer.BadParameter("--baseline needs pictures: --text-only is for models")
    with checked_first():
        calls.check_report_folder(out)
        calls.check_models(models)
        calls.check_decks(calls.deck_files(options["decks"]))
        model_run = calls.begin_judges(spending, task, options, models=models, runs=judged.runs)
    logs = out / calls.SLIDEEVAL_LOGS
    _say_left_out(
        calls.run_judges(
            task, options, models=models, baseline=baseline, runs=judged.runs,
            logs=logs, model_run=model_run, display="rich" if sys.stderr.isatty() else "none",
        )
    )  # fmt: skip
    if model_run.words:
        typer.echo(model_run.words, err=True)
    replied = _report(logs, out, judged.as_json)
    if model_run.costs.ended:
        typer.echo(f"decklab: {model_run.costs.ended}", err=True)
        raise typer.Exit(SPENT)
    if not replied:
        note("nothing is scored: no question got a reply")
        raise typer.Exit(1)


def _report(logs: Path, out: Path, as_json: bool) -> bool:
    """Write and print the report; whether any question got a reply."""
    summary = calls.report_folder(logs, out)
    replied = any(asked.failures < asked.questions for asked in summary.questions)
    lines = list(calls.headlines(summary))
    for warning in calls.slideeval_warnings(summary):
        note(warning)
    if as_json:
        typer.echo(json.dumps([asdict(line) for line in lines], ensure_ascii=False))
        return replied
    for line in lines:
        typer.echo(line)
    typer.echo(out / calls.SLIDEEVAL_PAGE)
    return replied


def _say_left_out(lines: Iterable[str]) -> None:
    for line in lines:
        typer.echo(f"left out: {line}", err=True)
