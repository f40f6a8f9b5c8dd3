"""``decklab grade``."""

from pathlib import Path
from typing import Annotated, cast, get_args

import typer
from rich.console import Console

from decklab import evals
from decklab.cli import calls
from decklab.cli.model_options import NO_BUDGET, BudgetOptions
from decklab.cli.option_groups import grouped_options
from decklab.cli.parameters import AsJson, Force
from decklab.cli.terminal import checked_until_begun, echo_json, noting
from decklab.core.options import AGGREGATION_RULES, LEAF_SECONDS, NON_CRITICAL_WEIGHT, DamageUse

app = typer.Typer(add_completion=False)


@app.command()
@grouped_options
def grade_command(
    original: Annotated[Path, typer.Argument(metavar="ORIGINAL", help="The deck before.")],
    modified: Annotated[Path, typer.Argument(metavar="MODIFIED", help="The deck as edited.")],
    rubric: Annotated[
        Path, typer.Option(metavar="FILE", help="The rubric tree, in PPT-Eval's JSON.")
    ],
    as_json: AsJson = False,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write a page with slides before and after."),
    ] = None,
    force: Force = False,
    rule: Annotated[
        str, typer.Option(help=f"How scores are joined: {', '.join(AGGREGATION_RULES)}.")
    ] = "ppteval",
    weight: Annotated[
        float, typer.Option(min=0, max=1, help="The most that non-critical criteria cost.")
    ] = NON_CRITICAL_WEIGHT,
    seconds: Annotated[
        float, typer.Option(min=0.1, help="How long one leaf may run.")
    ] = LEAF_SECONDS,
    model: Annotated[
        str | None, typer.Option(help="Answers leaves that want a model; as Inspect AI names it.")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Have the model word the reasons of inner nodes too.")
    ] = False,
    damage: Annotated[
        str,
        typer.Option(
            metavar="HOW",
            help="Damage beside the task, and work that nobody sees: count, show, off, or auto "
            "(count where the rubric states what may change, else show).",
        ),
    ] = "auto",
    budget: BudgetOptions = NO_BUDGET,
    weak_isolation: Annotated[
        bool,
        typer.Option(
            "--weak-isolation",
            help="Run the rubric's code without bubblewrap. Only for rubrics that you trust.",
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
