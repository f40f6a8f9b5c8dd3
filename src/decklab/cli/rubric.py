"""``decklab rubric``."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from decklab import evals
from decklab.cli.parameters import (
    AsJson,
    BudgetOptions,
    Deck,
    Force,
    argument,
    flag,
    grouped_options,
    option,
)
from decklab.cli.terminal import check_there, checked_until_begun, echo_json, noting
from decklab.core.options import RUBRIC_REPAIRS
from decklab.pages.wording import clean_line

app = typer.Typer(add_completion=False, no_args_is_help=True)


@app.callback()
def rubric_command() -> None:
    """Work with rubric trees.

    Example: decklab rubric check rubrics/ --recorded
    """


@app.command("check")
def check_command(
    folder: Annotated[Path, argument("A folder of rubrics, or a single one.", "DIR")],
    recorded: Annotated[
        bool, flag("--recorded", "Also compare recorded root scores with what their leaves give.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say whether every rubric loads; exits with 1 where one does not, or a score is off.

    Example: decklab rubric check rubrics/ --recorded --json
    """
    check_there(folder)
    checked = evals.check_rubrics(folder)
    wrong = checked.problems + (checked.mismatches if recorded else ())
    for line in wrong:
        typer.echo(f"decklab: {line}", err=True)
    if not checked.problems:
        if as_json:
            echo_json(checked.counts(recorded))
        else:
            typer.echo(checked.sentence(recorded))
    if wrong:
        raise typer.Exit(1)


Model = Annotated[str, option("The model that writes, as Inspect AI names it.")]


@app.command("draft")
@grouped_options
def draft_command(
    deck: Deck,
    task: Annotated[str, option("What is to be done to the deck.")],
    model: Model,
    out: Annotated[Path, option("Where the rubric goes.", "FILE")],
    budget: BudgetOptions,
    force: Force = False,
    critical: Annotated[list[str] | None, option("It must have; repeatable.", "NAME")] = None,
    non_critical: Annotated[list[str] | None, option("It must have; repeatable.", "NAME")] = None,
    repairs: Annotated[
        int, option("How often the model may correct its draft.", min=0)
    ] = RUBRIC_REPAIRS,
) -> None:
    """Have a model write a rubric for a task, and try it out before it is kept.

    It must load, no leaf may fail, the unedited deck must score 0, and criteria must be critical
    as told. What is wrong goes back to the model; then it is an error and nothing is written.

    Example: decklab rubric draft talk.pptx --task "Make the title bold" --model NAME --out r.json
    """
    spending = budget.spending()
    with checked_until_begun() as stages:
        rubric = evals.draft_rubric(
            task, deck, out, model=model, repairs=repairs, progress=noting(stages),
            criteria=evals.RequiredCriteria(critical or (), non_critical or ()),
            force=force, spending=spending,
        )  # fmt: skip
    typer.echo(f"{out}: {len(rubric.leaves())} leaves; an unedited deck scores 0.")


@app.command("propose")
@grouped_options
def propose_command(
    deck: Deck,
    model: Model,
    budget: BudgetOptions,
    count: Annotated[int, option("How many tasks.", min=1)] = 10,
    as_json: AsJson = False,
) -> None:
    """Have a model propose editing tasks for a deck, each with difficulty and slide.

    Example: decklab rubric propose talk.pptx --model NAME --count 5
    """
    spending = budget.spending()
    with checked_until_begun() as stages:
        tasks = evals.propose_tasks(
            deck, model=model, count=count, spending=spending, progress=noting(stages)
        )
    if as_json:
        echo_json([asdict(task) for task in tasks])
        return
    for task in tasks:
        typer.echo(f"{task.difficulty:<7} slide {task.slide:<4} {clean_line(task.goal)}")
