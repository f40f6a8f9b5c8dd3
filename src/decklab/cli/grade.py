"""``decklab grade``."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

import decklab
from decklab.cli.parameters import AsJson
from decklab.cli.terminal import checked_until_begun, noting
from decklab.options import AGGREGATION_RULES, LEAF_SECONDS, NON_CRITICAL_WEIGHT, DamageUse
from decklab.reports.wording import clean

if TYPE_CHECKING:
    from decklab.rubrics.graded import GradedNode, GradedTree

app = typer.Typer(add_completion=False)


@app.command()
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
            "(count where the rubric states what may change).",
        ),
    ] = "auto",
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
    with checked_until_begun() as stages:
        graded = decklab.grade(
            original, modified, rubric,
            model=model, explain=explain, html=html, progress=noting(stages),
            options=decklab.GradeOptions(
                rule=rule, weight=weight, seconds=seconds, damage=cast(DamageUse, damage),
                isolation="process" if weak_isolation else "bubblewrap",
            ),
        )  # fmt: skip
    if as_json:
        typer.echo(json.dumps(graded.to_json(), ensure_ascii=False))
    else:
        _print(graded)


def _print(graded: "GradedTree") -> None:
    _print_node(graded.root, 0)
    if isinstance(graded.damage, decklab.NotScored):
        typer.echo(f"\n{_line(graded.damage.reason)}")
    elif graded.damage is not None:
        leaves = "leaves" if graded.counted else "would leave"
        typer.echo(f"\nDamage beside the task {leaves} {graded.damage.factor:.0%} of the score.")
        for words in decklab.harm_words(graded.damage):
            typer.secho(f"  {_line(words)}", dim=True)
    if isinstance(graded.score, decklab.NotScored):
        low, high = graded.root.low, graded.root.high
        typer.echo(f"\nScore: open, from {low:.3g} to {high:.3g}")
    else:
        typer.echo(f"\nScore: {graded.score:.3g}")


def _print_node(node: "GradedNode", depth: int) -> None:
    indent = "  " * depth
    critical = " [critical]" if node.is_critical else ""
    typer.secho(f"{indent}{_shown(node):>9}  {_line(node.name)}{critical}", bold=not depth)
    told = f"not scored: {node.not_scored}" if node.not_scored is not None else node.reason
    if told:
        typer.secho(f"{indent}           {_line(told)}", dim=True)
    for child in node.children:
        _print_node(child, depth + 1)


def _shown(node: "GradedNode") -> str:
    if isinstance(node.score, decklab.NotScored):
        return f"{node.low:.2f}-{node.high:.2f}"
    return f"{node.score:.2f}"


def _line(text: str) -> str:
    """Text of strangers on one line, without anything a terminal would obey."""
    return clean(" ".join(text.split()))
