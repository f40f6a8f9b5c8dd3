"""``decklab bench slidesgen``."""

from pathlib import Path
from typing import Annotated

import typer

from decklab import evals
from decklab.cli import calls
from decklab.cli.model_options import NO_BUDGET, SPENT, BudgetOptions, WriterModel
from decklab.cli.option_groups import grouped_options
from decklab.cli.parameters import AsJson, Force, Overwrite
from decklab.cli.terminal import checked_first, counted, note
from decklab.core.options import SlideReading

app = typer.Typer(add_completion=False)


@app.command()
@grouped_options
def slidesgen_command(
    instructions: Annotated[
        Path | None,
        typer.Argument(metavar="[SET]", help="An instructions.json, or the folder that holds it."),
    ] = None,
    starter: Annotated[
        bool, typer.Option("--starter", help="decklab's own set; needs nothing else.")
    ] = False,
    write_starter: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Only write decklab's own set there, as an example."),
    ] = None,
    force: Force = False,
    topic: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this topic; repeatable.")
    ] = None,
    decks: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Decks made elsewhere: SYSTEM/TOPIC.pptx, or a CSV."),
    ] = None,
    writer: Annotated[
        bool, typer.Option("--writer", help="Have decklab write, with --model or without one.")
    ] = False,
    baseline: Annotated[
        bool, typer.Option("--baseline", help="The floor: first sentences on plain slides.")
    ] = False,
    model: WriterModel = None,
    judge: Annotated[
        str | None,
        typer.Option(help="The model that makes and answers the questions about content."),
    ] = None,
    reading: Annotated[
        SlideReading,
        typer.Option(help="Slides by the deck's own text, or as the judge sees their pictures."),
    ] = "text",
    budget: BudgetOptions = NO_BUDGET,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where report, log and decks go.")] = (
        Path("slidesgen")
    ),
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with an earlier run in --out.")
    ] = False,
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
    if as_json:
        typer.echo((out / "results.json").read_text(encoding="utf-8"))
    else:
        for line in run.lines():
            typer.echo(line)
        typer.echo(f"\nThe report is {out / 'index.html'}.")
        for line in run.warnings():
            note(line)
    if run.ended:
        raise typer.Exit(SPENT)
