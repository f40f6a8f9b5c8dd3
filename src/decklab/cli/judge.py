"""``decklab judge``, ``prefer``, ``grade``, ``agree`` and ``board``: decks judged, and judgements
and results compared."""

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
    Overwrite,
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
    noting,
    stages_shown,
)
from decklab.core.options import (
    AGGREGATION_RULES,
    LEAF_SECONDS,
    NON_CRITICAL_WEIGHT,
    SCENARIO_RUNS,
    DamageUse,
    PreferenceWay,
    ScenarioSetting,
)
from decklab.core.registry import one_of

app = typer.Typer(add_completion=False)


@app.command("grade")
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


@app.command("prefer")
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
    if unknown := [way for way in ways if way not in get_args(PreferenceWay)]:
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


@app.command("agree")
def agree_command(
    scores: Annotated[
        Path,
        argument(
            "What decklab score wrote: its folder, results.json, results.parquet or CSV; or "
            "a CSV with the columns topic, product, metric, value.",
            "SCORES",
        ),
    ],
    ranks: Annotated[
        list[Path],
        argument("CSV files with the columns topic, annotator, product, rank.", "RANKS..."),
    ],
    metric: Annotated[
        list[str] | None, option("A metric to compare; repeatable. Else all.", "NAME")
    ] = None,
    ablation: Annotated[
        bool,
        flag(
            "--ablation",
            "Also compare the sums of all subsets: of harmony, engagement, usability and "
            "rhythm, or of the metrics named.",
        ),
    ] = False,
    select: Annotated[
        bool, flag("--select", "Also choose metrics that predict people's judgements best.")
    ] = False,
    tune: Annotated[
        bool,
        flag(
            "--tune",
            "Also fit the parameters of the aesthetics score, and say what they are worth on "
            "topics held out.",
        ),
    ] = False,
    html: Annotated[Path | None, option("Also write a page with all of it.", "FILE")] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Say how far scores of decks agree with rankings of people, and people with each other.

    A deck belongs to the topic and the product that its path names, such as topic/product.pptx.

    Example: decklab agree results ranks.csv --ablation --html agreement.html
    """
    with checked_first():
        result = evals.agree(
            scores, ranks, metrics=metric or (), ablate=ablation, select=select, tuned=tune,
            outputs=[html] if html else [], force=force,
        )  # fmt: skip
    if as_json:
        echo_json(result.as_json())
    else:
        for line in calls.agreement_lines(result):
            typer.echo(line)
    if html is not None:
        calls.write_agreement_page(html, result)


@app.command("judge")
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


@app.command()
def board(
    runs: Annotated[list[Path], argument("Folders that decklab bench wrote.", "RUN...")],
    out: Annotated[Path, option("Where the pages go.", "DIR")] = Path("board"),
    title: Annotated[str, option("The heading of the board.")] = "Results",
    overwrite: Overwrite = False,
) -> None:
    """Make a leaderboard of the systems of several runs, as pages to publish.

    Systems of runs with the same judge, prompts, cases and version of decklab stand in one table,
    compared anew; others stand apart. A board that is written again gets a new version.

    Example: decklab board slidesgen-june slidesgen-july --out board
    """
    with checked_first():
        typer.echo(evals.board(runs, out, title=title, overwrite=overwrite))


def _like_sources(decks: list[Path], sources: list[Path]) -> list[Path]:
    """Decks that may be meant as sources: they have the suffix of one, and other decks have not."""
    suffixes = {path.suffix.lower() for path in sources}
    like = [path for path in decks if path.suffix.lower() in suffixes]
    return like if len(like) < len(decks) else []
