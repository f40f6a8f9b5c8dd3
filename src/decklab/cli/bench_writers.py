"""Benchmarks of systems that write decks: ``decklab bench slidesgen``, ``unippt``,
``unippt-starter`` and ``presentbench``.
"""

from pathlib import Path
from typing import Annotated

import typer

from decklab import evals
from decklab.cli import calls
from decklab.cli.parameters import (
    AsJson,
    BudgetOptions,
    Force,
    Overwrite,
    WriterModel,
    argument,
    flag,
    grouped_options,
    option,
)
from decklab.cli.terminal import checked_first, counted, note, print_run
from decklab.core.options import SCENARIO_RUNS, WRITE_SLIDES, SlideReading

app = typer.Typer(add_completion=False)

WriteToo = Annotated[
    bool, flag("--write", "Have decklab write decks too, with --model or without.")
]
MostSlides = Annotated[int, option("The most slides of a written deck.", min=3, max=100)]
"""Options of benchmarks to which decklab's writer is put besides."""


@app.command("unippt")
@grouped_options
def unippt_command(
    budget: BudgetOptions,
    tasks: Annotated[Path | None, option("A folder with a folder for each task.", "DIR")] = None,
    starter: Annotated[bool, flag("--starter", "decklab's own tasks; needs nothing else.")] = False,
    task: Annotated[list[str] | None, option("Only this task; repeatable.", "NAME")] = None,
    decks: Annotated[
        Path | None, option("Decks made elsewhere, as SYSTEM/TASK.pptx.", "DIR")
    ] = None,
    write: WriteToo = False,
    slides: MostSlides = WRITE_SLIDES,
    model: WriterModel = None,
    judge: Annotated[
        str | None, option("The model that judges; without it programs stand in.")
    ] = None,
    runs: Annotated[
        int | None,
        option(f"How often the model judges a deck; {SCENARIO_RUNS} by default.", min=1, max=20),
    ] = None,
    out: Annotated[Path, option("Where report, pages and log go.", "DIR")] = (Path("unippt")),
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Judge decks of systems by what their tasks ask, in four settings of input.

    With --starter alone, decklab's own four decks a task are judged, whose order is known.

    Exits with 3 where a budget was spent before all was done.

    Example: decklab bench unippt --starter --write
    """
    if starter == (tasks is not None):
        raise typer.BadParameter("give either --tasks FILE or --starter")
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
    print_run(run, out, as_json=as_json, gap="")


@app.command("unippt-starter")
def starter_command(
    folder: Annotated[Path, argument("Where it goes.", "DIR")],
    decks: Annotated[
        Path | None, option("Also make its four decks of each task there.", "DIR")
    ] = None,
    task: Annotated[list[str] | None, option("Only this task; repeatable.", "NAME")] = None,
    force: Force = False,
) -> None:
    """Write the starter set: eight tasks with documents and annotations, two of each setting.

    Example: decklab bench unippt-starter tasks --decks decks
    """
    with checked_first():
        typer.echo(calls.write_unippt_starter(folder, task or (), force=force))
        if decks is not None:
            typer.echo(calls.write_unippt_decks(folder, decks, task or (), force=force))


@app.command("presentbench")
@grouped_options
def presentbench_command(
    budget: BudgetOptions,
    data: Annotated[
        Path | None, option("Instances in the published layout; decklab's own by default.", "DIR")
    ] = None,
    instance: Annotated[list[str] | None, option("Only this one; repeatable.", "NAME")] = None,
    decks: Annotated[
        Path | None,
        option("Systems: SYSTEM/CASE/generation_task/results/slides.pdf or .pptx.", "DIR"),
    ] = None,
    write: WriteToo = False,
    slides: MostSlides = WRITE_SLIDES,
    model: WriterModel = None,
    judge: Annotated[
        str | None, option("The model that answers; without it only slides are counted.")
    ] = None,
    out: Annotated[Path, option("Where report, pages and log go.", "DIR")] = Path("presentbench"),
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Judge decks by the yes/no checklists of PresentBench's instances.

    Exits with 3 where a budget was spent before all was done.

    Example: decklab bench presentbench --decks results/ --judge openai/gpt-5
    """
    if model is not None and not write and decks is not None:
        raise typer.BadParameter("--model is the writer's: it needs --write", param_hint="--model")
    spending = budget.spending()
    with counted("Making and judging") as progress:
        run = evals.bench_presentbench(
            out, data=data, decks=decks, write=write, names=instance or (), slides=slides,
            model=model, judge=judge, spending=spending, overwrite=overwrite, progress=progress,
            tell=note,
        )  # fmt: skip
    print_run(run, out, as_json=as_json, gap="")


@app.command("slidesgen")
@grouped_options
def slidesgen_command(
    budget: BudgetOptions,
    instructions: Annotated[
        Path | None, argument("An instructions.json, or the folder that holds it.", "[SET]")
    ] = None,
    starter: Annotated[bool, flag("--starter", "decklab's own set; needs nothing else.")] = False,
    write_starter: Annotated[
        Path | None, option("Only write decklab's own set there, as an example.", "DIR")
    ] = None,
    force: Force = False,
    topic: Annotated[list[str] | None, option("Only this topic; repeatable.", "NAME")] = None,
    decks: Annotated[
        Path | None, option("Decks made elsewhere: SYSTEM/TOPIC.pptx, or a CSV.", "PATH")
    ] = None,
    writer: Annotated[
        bool, flag("--writer", "Have decklab write, with --model or without one.")
    ] = False,
    baseline: Annotated[
        bool, flag("--baseline", "The floor: first sentences on plain slides.")
    ] = False,
    model: WriterModel = None,
    judge: Annotated[
        str | None, option("The model that makes and answers the questions about content.")
    ] = None,
    reading: Annotated[
        SlideReading, option("Slides by the deck's own text, or as the judge sees their pictures.")
    ] = "text",
    out: Annotated[Path, option("Where report, log and decks go.", "DIR")] = (Path("slidesgen")),
    resume: Annotated[bool, flag("--resume", "Go on with an earlier run in --out.")] = False,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Score decks that systems wrote from documents: content, looks, editability, cost.

    Without --judge programs make and answer the questions, which is a proxy.

    Exits with 3 where a budget was spent before all was done.

    Example: decklab bench slidesgen --starter --writer --baseline
    """
    if write_starter is not None:
        with checked_first():
            typer.echo(calls.write_slidesgen_set(write_starter, force=force))
        return
    if starter == (instructions is not None):
        raise typer.BadParameter("either a SET or --starter")
    if not (decks or writer or baseline):
        raise typer.BadParameter("name whose decks: --decks, --writer or --baseline")
    if model is not None and not writer:
        raise typer.BadParameter("needs --writer", param_hint="--model")
    if reading == "pictures" and judge is None:
        raise typer.BadParameter("needs --judge", param_hint="--reading")
    if resume and overwrite:
        raise typer.BadParameter("either --resume or --overwrite")
    spending = budget.spending()
    with counted("Writing and scoring") as progress:
        run = evals.bench_slidesgen(
            out, instructions=instructions, topics=topic or (), decks=decks, writer=writer,
            baseline=baseline, model=model, judge=judge, reading=reading, spending=spending,
            resume=resume, overwrite=overwrite, progress=progress, tell=note,
        )  # fmt: skip
    print_run(run, out, as_json=as_json)
