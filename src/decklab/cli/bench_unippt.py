"""``decklab bench unippt`` and ``unippt-starter``."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from decklab import evals
from decklab.cli import calls
from decklab.cli.model_options import NO_BUDGET, SPENT, BudgetOptions, WriterModel
from decklab.cli.option_groups import grouped_options
from decklab.cli.parameters import AsJson, Force, Overwrite
from decklab.cli.terminal import checked_first, counted, note
from decklab.core.options import SCENARIO_RUNS, WRITE_SLIDES

app = typer.Typer(add_completion=False)


@app.command("unippt")
@grouped_options
def unippt_command(
    tasks: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A folder with a folder for each task.")
    ] = None,
    starter: Annotated[
        bool, typer.Option("--starter", help="decklab's own tasks; needs nothing else.")
    ] = False,
    task: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this task; repeatable.")
    ] = None,
    decks: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Decks made elsewhere, as SYSTEM/TASK.pptx.")
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Have decklab write decks too, with --model or without.")
    ] = False,
    slides: Annotated[
        int, typer.Option(min=3, max=100, help="The most slides of a written deck.")
    ] = WRITE_SLIDES,
    model: WriterModel = None,
    judge: Annotated[
        str | None, typer.Option(help="The model that judges; without it programs stand in.")
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(
            min=1, max=20, help=f"How often the model judges a deck; {SCENARIO_RUNS} by default."
        ),
    ] = None,
    budget: BudgetOptions = NO_BUDGET,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where report, pages and log go.")] = (
        Path("unippt")
    ),
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Judge decks of systems by what their tasks ask, in four settings of input.

    With --starter alone, decklab's own four decks a task are judged, whose order is known.

    Exits with 3 where a budget was spent before all was done.

    Example: decklab bench unippt --starter --write
    """
    if starter == (tasks is not None):
        raise typer.BadParameter("either --tasks or --starter")
    if model is not None and not write and (decks is not None or starter):
        raise typer.BadParameter("--model is the writer's: it needs --write", param_hint="--model")
    if runs is not None and judge is None:
        raise typer.BadParameter("needs --judge", param_hint="--runs")
    spending = budget.spending()
    with counted("Making and judging") as progress:
        run = evals.bench_unippt(
            out, tasks=tasks, decks=decks, write=write, names=task or (), slides=slides,
            model=model, judge=judge, runs=runs or SCENARIO_RUNS, spending=spending,
            overwrite=overwrite, progress=progress, tell=note,
        )  # fmt: skip
    if as_json:
        typer.echo((out / "results.json").read_text(encoding="utf-8"))
    else:
        _print(run.lines())
        typer.echo(f"The report is {out / 'index.html'}.")
        for line in run.warnings():
            note(line)
    if run.ended:
        raise typer.Exit(SPENT)


@app.command("unippt-starter")
def starter_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where it goes.")],
    decks: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Also make its four decks of each task there."),
    ] = None,
    task: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this task; repeatable.")
    ] = None,
    force: Force = False,
) -> None:
    """Write the starter set: eight tasks with documents and annotations, two of each setting.

    Example: decklab bench unippt-starter tasks --decks decks
    """
    with checked_first():
        typer.echo(calls.write_unippt_starter(folder, task or (), force=force))
        if decks is not None:
            typer.echo(calls.write_unippt_decks(folder, decks, task or (), force=force))


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        typer.echo(line)
