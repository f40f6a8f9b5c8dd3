"""``decklab grade``."""

from pathlib import Path
from typing import Annotated, cast, get_args

import typer
from rich.console import Console

from decklab import evals
from decklab.cli import calls
from decklab.cli.parameters import (
    AsJson,
    BudgetOptions,
    Force,
    argument,
    flag,
    grouped_options,
    option,
)
from decklab.cli.terminal import checked_until_begun, echo_json, noting
from decklab.core.options import AGGREGATION_RULES, LEAF_SECONDS, NON_CRITICAL_WEIGHT, DamageUse

app = typer.Typer(add_completion=False)


@app.command()
@grouped_options
def grade_command(
    original: Annotated[Path, argument("The deck before.", "ORIGINAL")],
    modified: Annotated[Path, argument("The deck as edited.", "MODIFIED")],
    rubric: Annotated[Path, option("The rubric tree, in PPT-Eval's JSON.", "FILE")],
    budget: BudgetOptions,
    as_json: AsJson = False,
    html: Annotated[
        Path | None, option("Also write a page with slides before and after.", "FILE")
    ] = None,
    force: Force = False,
    rule: Annotated[
        str, option(f"How scores are joined: {', '.join(AGGREGATION_RULES)}.")
    ] = "ppteval",
    weight: Annotated[
        float, option("The most that non-critical criteria cost.", min=0, max=1)
    ] = NON_CRITICAL_WEIGHT,
    seconds: Annotated[float, option("How long one leaf may run.", min=0.1)] = LEAF_SECONDS,
    model: Annotated[
        str | None, option("Answers leaves that want a model; as Inspect AI names it.")
    ] = None,
    explain: Annotated[
        bool, flag("--explain", "Have the model word the reasons of inner nodes too.")
    ] = False,
    damage: Annotated[
        str,
        option(
            "Damage beside the task, and work that nobody sees: count, show, off, or auto "
            "(count where the rubric states what may change, else show).",
            "HOW",
        ),
    ] = "auto",
    weak_isolation: Annotated[
        bool,
        flag(
            "--weak-isolation",
            "Run the rubric's code without bubblewrap. Only for rubrics that you trust.",
        ),
    ] = False,
) -> None:
    """Grade an edited deck against its original with a rubric tree, and say why.

    Without --model, leaves that need one are not scored; the tree gives the range still possible.

    Example: decklab grade before.pptx after.pptx --rubric task.json --html graded.html
    """
    if explain and model is None:
        raise typer.BadParameter("--explain needs --model")
    if damage not in get_args(DamageUse):
        raise typer.BadParameter(f"--damage is one of {', '.join(get_args(DamageUse))}")
    spending = budget.spending()
    with checked_until_begun() as stages:
        graded = evals.grade(
            original, modified, rubric,
            model=model, html=html, force=force, progress=noting(stages), spending=spending,
            options=evals.GradeOptions(
                rule=rule, weight=weight, seconds=seconds, damage=cast(DamageUse, damage),
                isolation="process" if weak_isolation else "bubblewrap", explain=explain,
            ),
        )  # fmt: skip
    if as_json:
        echo_json(graded.to_json())
    else:
        calls.print_graded(graded, Console())
