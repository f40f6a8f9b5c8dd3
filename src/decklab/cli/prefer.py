"""``decklab prefer``."""

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
from decklab.cli.terminal import SPENT, checked_until_begun, echo_json, stages_shown
from decklab.core.options import PreferenceWay

app = typer.Typer(add_completion=False)


@app.command()
@grouped_options
def prefer_command(
    decks: Annotated[list[Path], argument("Decks that were made for one task.", "DECK...")],
    prompt: Annotated[str, option("What the decks were to be about, and for whom.", "TASK")],
    budget: BudgetOptions,
    model: Annotated[
        str | None, option("Who judges, such as openai/gpt-5; it has to see.", "NAME")
    ] = None,
    how: Annotated[
        list[str] | None,
        option(
            "arena (all pairs, in both orders), rating (0 to 10, how each deck looks) or "
            "ppteval (content, design and coherence of each, 1 to 5); repeatable. arena, or rating "
            "for one deck, unless told otherwise.",
            "WAY",
        ),
    ] = None,
    repeats: Annotated[int, option("How often each question is put.", min=1, max=20)] = 1,
    scores: Annotated[
        Path | None, option("Also write the scores as CSV, for decklab agree.", "FILE")
    ] = None,
    systems: Annotated[
        bool,
        flag(
            "--systems",
            "Each DECK is a folder with the decks of one system; decks of one file name are "
            "for one topic, and {topic} in TASK stands for that name.",
        ),
    ] = False,
    html: Annotated[
        Path | None, option("Also write a page with ranks and every comparison.", "FILE")
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Have a model say which of several decks for one task, or systems, is better, and how surely.

    A pair counts as decided only where the model says the same in both orders.

    Exit codes: 0 all was judged; 3 something could not be judged, and is told; 2 it could not
    begin; 1 something went wrong later.

    Example: decklab prefer a.pptx b.pptx --model openai/gpt-5 --prompt "5G for investors"
    """
    if model is None:
        detail = "only a model prefers; without one, decklab score scores decks"
        raise typer.BadParameter(detail, param_hint="--model")
    ways = how or ["arena" if len(decks) > 1 else "rating"]
    unknown = [way for way in ways if way not in get_args(PreferenceWay)]
    if unknown:
        known = ", ".join(get_args(PreferenceWay))
        raise typer.BadParameter(f"{unknown[0]!r} is none of {known}", param_hint="--how")
    if "arena" in ways and len(decks) < 2:
        raise typer.BadParameter("an arena needs two decks at least", param_hint="--how")
    if len(set(decks)) < len(decks):
        raise typer.BadParameter("a deck is named twice", param_hint="DECK...")
    spending = budget.spending()
    with checked_until_begun() as stages, stages_shown(stages) as progress:
        prefer = evals.prefer_systems if systems else evals.prefer
        result = prefer(
            decks, model=model, task=prompt, ways=cast(list[PreferenceWay], ways),
            repeats=repeats, spending=spending,
            outputs=[path for path in (scores, html) if path is not None], force=force,
            progress=progress,
        )  # fmt: skip
    if scores is not None:
        calls.write_preference_scores(scores, result, force=force)
    if html is not None:
        calls.write_preference_page(html, result)
    if as_json:
        echo_json(result.as_json())
    else:
        calls.print_preference(result, Console())
        if result.spent:
            typer.secho(result.spent, dim=True)
    raise typer.Exit(SPENT if result.not_scored else 0)
