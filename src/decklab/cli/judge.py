"""``decklab judge``."""

from pathlib import Path
from typing import Annotated, get_args

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
from decklab.cli.terminal import (
    SPENT,
    checked_first,
    checked_until_begun,
    echo_json,
    note,
    stages_shown,
)
from decklab.core.options import SCENARIO_RUNS, ScenarioSetting
from decklab.core.registry import one_of

app = typer.Typer(add_completion=False)


@app.command()
@grouped_options
def judge_command(
    decks: Annotated[list[Path], argument("Decks with text.", "DECK...")],
    budget: BudgetOptions,
    sources: Annotated[
        list[Path] | None,
        option(
            "A document they were made from; --source before each.",
            "FILE",
            name="--source --sources",
        ),
    ] = None,
    setting: Annotated[
        ScenarioSetting | None, option("What they were made from; with --task as the task says.")
    ] = None,
    task: Annotated[
        Path | None, option("Annotations of the task; drafted without it.", "FILE")
    ] = None,
    prompt: Annotated[str, option("What the user asked for.", "TEXT")] = "",
    draft_by_model: Annotated[
        bool, flag("--draft-by-model", "Have the model annotate the sources.")
    ] = False,
    save_task: Annotated[Path | None, option("Also write the task that was used.", "FILE")] = None,
    force: Force = False,
    model: Annotated[str | None, option("The model that judges; it has to see.", "NAME")] = None,
    runs: Annotated[
        int | None, option(f"How often a model judges; {SCENARIO_RUNS} by default.", min=1, max=20)
    ] = None,
    beside: Annotated[
        Path | None, option("What --json printed for another judge: how far both agree.", "FILE")
    ] = None,
    every_item: Annotated[bool, flag("--all", "Show items too that lower no score.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say how far decks do what their task asks, item by item, with evidence.

    Shared metrics, and those of the setting: what of a long document is covered and true, how
    figures are used, how several sources are brought together. Without --model programs stand in,
    which are proxies, and what only a model can judge is not scored.

    Exit codes: 0 all that was asked for is scored; 3 a metric could not be scored; 2 it could not
    begin.

    Example: decklab judge talk.pptx --source report.pdf --setting long-doc
    """
    spending = budget.spending(model, runs=runs)
    if task is None and setting is None:
        settings = one_of(get_args(ScenarioSetting))
        raise typer.BadParameter(f"judge needs --task FILE, or --setting: {settings}")
    if draft_by_model and (model is None or task is not None):
        raise typer.BadParameter("needs --model, and no --task", param_hint="--draft-by-model")
    with checked_first():
        other = None if beside is None else calls.read_score_table(beside)
    for path in _like_sources(decks, sources or []):
        note(f"{path} is judged as a deck; a source needs --source before it")
    with checked_until_begun() as stages, stages_shown(stages) as progress:
        judgements = evals.judge(
            decks, sources=sources or (), setting=setting, task=task, request=prompt, model=model,
            runs=runs or SCENARIO_RUNS, draft_by_model=draft_by_model, save_task=save_task,
            force=force, spending=spending, progress=progress,
        )  # fmt: skip
    if as_json:
        echo_json([judgement.as_json() for judgement in judgements])
    else:
        for judgement in judgements:
            calls.print_judgement(judgement, Console(), every_item=every_item)
        if len(judgements) > 1 or other is not None:
            calls.print_reliability(judgements, Console(), beside=other)
        if judgements and judgements[0].spent:
            typer.secho(judgements[0].spent, dim=True)
    raise typer.Exit(SPENT if any(judgement.missed for judgement in judgements) else 0)


def _like_sources(decks: list[Path], sources: list[Path]) -> list[Path]:
    """Decks that may be meant as sources: they have the suffix of one, and other decks have not."""
    suffixes = {path.suffix.lower() for path in sources}
    like = [path for path in decks if path.suffix.lower() in suffixes]
    return like if len(like) < len(decks) else []
