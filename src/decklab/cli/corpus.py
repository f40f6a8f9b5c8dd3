"""``decklab corpus``."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer

from decklab import workbench
from decklab.cli import calls
from decklab.cli.cluster_work import needs_cluster
from decklab.cli.parameters import (
    AsJson,
    BudgetOptions,
    Force,
    argument,
    flag,
    grouped_options,
    option,
)
from decklab.cli.terminal import SPENT, checked_first, checked_until_begun, echo_json, noting
from decklab.core.files import check_file, write_output

app = typer.Typer(add_completion=False, no_args_is_help=True)

DatasetArgument = Annotated[
    Path, argument("What decklab score --cluster wrote, or lint, extract.", "DATASET")
]


@app.callback()
def corpus_command() -> None:
    """Look at a data set of many decks, and make benchmarks from it.

    Example: decklab corpus summary DATASET --html corpus.html
    """


@app.command("summary")
def summary_command(
    dataset: DatasetArgument,
    html: Annotated[Path | None, option("Also write a page with charts.", "FILE")] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Say what a data set holds: distributions, outliers, languages, failures, findings.

    Example: decklab corpus summary DATASET --html corpus.html
    """
    with checked_first(), needs_cluster():
        if html is not None:
            calls.check_summary_page(html, force=force)
        result = workbench.corpus_summary(dataset)
        if html is not None:
            calls.write_summary_page(html, result)
    if as_json:
        echo_json(asdict(result))
        return
    for line in calls.corpus_summary_lines(result):
        typer.echo(line)


@app.command("duplicates")
def duplicates_command(dataset: DatasetArgument, as_json: AsJson = False) -> None:
    """Name decks that are nearly the same, by their words and pictures, in groups.

    Example: decklab corpus duplicates DATASET --json
    """
    with checked_first(), needs_cluster():
        pairs = workbench.corpus_duplicates(dataset)
        groups = calls.duplicate_groups(dataset, pairs)
    if as_json:
        echo_json(
            {"groups": [asdict(item) for item in groups], "pairs": [asdict(item) for item in pairs]}
        )
        return
    for group in groups:
        typer.secho(group.keep, bold=True)
        for deck in group.others:
            typer.echo(f"  {deck}")
    others = sum(len(group.others) for group in groups)
    typer.echo(f"{len(groups)} groups; {others} decks are near-duplicates of another")


@app.command("select")
def select_command(
    dataset: DatasetArgument,
    out: Annotated[
        Path | None, option("Write a line of JSON a deck, chosen or refused, with reasons.", "FILE")
    ] = None,
    force: Force = False,
    count: Annotated[int | None, option("How many decks are wanted.", min=1)] = None,
    slides: Annotated[str, option("Slides of a deck.", "A-B")] = "5-60",
    words: Annotated[float, option("Words a slide, at least.", min=0)] = 5.0,
    titled: Annotated[float, option("Share of slides with a title, at least.", min=0, max=1)] = 0.5,
    aesthetics: Annotated[float | None, option("The total of aesthetics, at least.")] = None,
    language: Annotated[str, option("Only these languages, such as en,de; two letters each.")] = "",
    licence: Annotated[str, option("Only licences that begin so, such as cc-by,cc0.")] = "",
    licence_field: Annotated[
        str, option("Where the source says the licence: a column or field.")
    ] = "license",
    near_duplicates: Annotated[
        bool, flag("--near-duplicates", "Also take decks that are nearly the same.")
    ] = False,
    a_theme: Annotated[
        int | None, option("Decks of one theme, author and program at most.", min=1)
    ] = None,
    rank: Annotated[
        Literal["quality", "aesthetics", "size", "random"], option("What comes first.")
    ] = "quality",
    seed: Annotated[int, option("Of the random rank.")] = 0,
) -> None:
    """Choose decks for a benchmark, and say of each other why it was not; the same every time.

    Exit codes: 0 decks were chosen, 1 none was, 2 nothing could be begun.

    Example: decklab corpus select DATASET --count 50 --language en --out chosen.jsonl
    """
    if out is not None:
        with checked_first():
            check_file(out, force=force)
    least, most = _range(slides)
    with checked_first(), needs_cluster():
        wishes = workbench.SelectionWishes(
            count, least, most, words, titled, aesthetics, frozenset(_names(language)),
            tuple(_names(licence)), licence_field, near_duplicates, a_theme, rank, seed,
        )  # fmt: skip
        selection = workbench.corpus_select(dataset, wishes)
    if out is not None:
        lines = (json.dumps(row, ensure_ascii=False) for row in calls.selection_rows(selection))
        text = "".join(f"{line}\n" for line in lines)
        write_output(out, text.encode("utf-8", "replace"), force=force)
    chosen = [item for item in selection if item.chosen]
    for item in chosen:
        typer.echo(f"{item.rank:>5}  {item.score:7.2f}  {item.deck}")
    typer.echo(f"{len(chosen)} of {len(selection)} decks chosen")
    if out is None:
        for item in selection[len(chosen) :]:
            typer.echo(f"not {item.deck}: {'; '.join(item.reasons)}", err=True)
    if not chosen:
        raise typer.Exit(1)


@app.command("annotate")
@grouped_options
def annotate_command(
    dataset: DatasetArgument,
    budget: BudgetOptions,
    model: Annotated[
        str | None, option("Ask this model, as Inspect AI names it, not word lists.")
    ] = None,
    parallel: Annotated[int, option("Questions that are open at once, with --model.", min=1)] = 10,
    batch: Annotated[
        int | None, option("Questions that go to the provider's batch interface together.", min=2)
    ] = None,
) -> None:
    """Say what each deck is about and what it is for, in a table of the data set.

    Run it again to annotate the rest. Exit codes: 0 every deck was annotated or has its cause, 1
    some were not answered, 2 nothing could be begun, 3 the budget was spent.

    Example: decklab corpus annotate DATASET
    """
    spending = budget.spending(model, batch=batch)
    with checked_until_begun() as stages, needs_cluster():
        result = workbench.corpus_annotate(
            dataset, model=model, parallel=parallel, batch=batch, spending=spending,
            progress=noting(stages),
        )  # fmt: skip
    for deck, cause in result.failed:
        typer.echo(f"not {deck}: {cause}", err=True)
    before = f", {result.before} before" if result.before else ""
    typer.echo(f"{result.done} decks annotated{before}: {dataset / 'annotations'}")
    for line in filter(None, (result.spent, result.ended)):
        typer.echo(line)
    if result.ended:
        raise typer.Exit(SPENT)
    if result.failed:
        raise typer.Exit(1)


@app.command("draft")
@grouped_options
def draft_command(
    sources: Annotated[
        list[str],
        argument(
            "Decks, or the file of decklab corpus select; for unippt and quizbank also "
            "documents and folders of them.",
            "SOURCE...",
        ),
    ],
    out: Annotated[Path, option("Where tasks and decks go.", "FOLDER")],
    budget: BudgetOptions,
    benchmark: Annotated[
        Literal["pptarena", "ppteval", "unippt", "quizbank"],
        option("The benchmark that takes them.", name="--for"),
    ] = "pptarena",
    tasks: Annotated[int, option("Tasks of a source, at most.", min=1)] = 2,
    seed: Annotated[int, option("Of the choice of tasks.")] = 0,
    together: Annotated[bool, flag("--together", "All sources are documents of one task.")] = False,
    model: Annotated[str | None, option("Have this model draft, as Inspect AI names it.")] = None,
) -> None:
    """Draft tasks for a benchmark from decks or documents, and try each out.

    Exit codes: 0 tasks were drafted, 2 none was or nothing could be begun, 3 the budget was spent.

    Example: decklab corpus draft chosen.jsonl --out tasks
    """
    spending = budget.spending(model)
    if together and benchmark in {"pptarena", "ppteval"}:
        raise typer.BadParameter("is for unippt and quizbank", param_hint="--together")
    with checked_first(), needs_cluster():
        result = workbench.draft_cases(
            sources, out, benchmark=benchmark, tasks=tasks, seed=seed, together=together,
            model=model, spending=spending,
        )  # fmt: skip
    for line in result.left_out:
        typer.echo(f"not {line}", err=True)
    typer.echo(f"{result.cases} drafts: {result.path}")
    for line in filter(None, (result.spent, result.ended)):
        typer.echo(line)
    if result.ended:
        raise typer.Exit(SPENT)


@app.command("check")
def check_command(
    folder: Annotated[Path, argument("Tasks in the form of one of the four benchmarks.", "FOLDER")],
) -> None:
    """Check the tasks of a folder: the untouched deck must not pass, the truth must.

    Exit codes: 0 no task has a fault, 1 some have, 2 nothing could be begun.

    Example: decklab corpus check tasks
    """
    with checked_first(), needs_cluster():
        faults = workbench.check_cases(folder)
    for line in faults.faults:
        typer.echo(line)
    for line in faults.notes:
        typer.echo(line, err=True)
    typer.echo(
        f"{faults.benchmark}: {faults.cases} tasks, {len(faults.faults)} faults, "
        f"{len(faults.drafts)} still drafts"
    )
    if faults.faults:
        raise typer.Exit(1)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _range(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    try:
        least, most = int(first), int(last or first)
    except ValueError:
        least, most = 1, 0
    if not 0 <= least <= most:
        raise typer.BadParameter(f"{text!r} is no range such as 5-60", param_hint="--slides")
    return least, most
