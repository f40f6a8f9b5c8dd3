"""``decklab bench ppteval-fetch``, ``ppteval-starter`` and ``ppteval-meta``."""

import json
from contextlib import ExitStack
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from decklab.benchmarks.ppteval.meta import (
    GradedAttempt,
    Phase,
    agreement_json,
    find_attempts,
    grade_attempts,
    phases,
    repeated,
    stability_json,
    times,
)
from decklab.benchmarks.ppteval.published_decks import Fetched, fetch_decks
from decklab.benchmarks.ppteval.report import (
    PAPER_ACCURACY,
    PAPER_RANKS,
    PAPER_STABILITY,
    write_attempt_page,
    write_meta_report,
)
from decklab.benchmarks.ppteval.sabotage import (
    SabotageResult,
    grade_sabotages,
    sabotage_faults,
    sabotage_json,
)
from decklab.benchmarks.ppteval.starter import starter_tasks, write_starter
from decklab.benchmarks.ppteval.tasks import load_editing_tasks
from decklab.cli.parameters import AsJson, Overwrite
from decklab.cli.terminal import checked_first, progress_bar
from decklab.errors import UnknownName
from decklab.files import check_run_folder
from decklab.grading.decks import ComparedDecks
from decklab.metrics.agreement import LevelAgreement, Stability, agreement
from decklab.models.opening import open_asking
from decklab.perturb.sabotage import SABOTAGES
from decklab.rendering.cache import Cache
from decklab.rendering.office.office import Office
from decklab.results import NotScored
from decklab.sandbox.sandbox import check_isolation

app = typer.Typer(add_completion=False)


@app.command("ppteval-fetch")
def fetch_command(
    files: Annotated[Path, typer.Option(metavar="DIR", help="Where the decks go.")],
) -> None:
    """Download the twelve decks of the published tasks; those that are there are checked.

    Example: decklab bench ppteval-fetch --files decks
    """

    def told(fetched: Fetched) -> None:
        typer.echo(f"{fetched.how:>10}  {fetched.name}")

    fetch_decks(files, done=told)


@app.command("ppteval-starter")
def starter_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where it goes.")],
    attempts: Annotated[
        bool, typer.Option("--attempts", help="Also make attempts at four levels of completion.")
    ] = False,
) -> None:
    """Write the starter set: tasks with rubrics and decks, in the published format.

    Example: decklab bench ppteval-starter starter --attempts
    """
    typer.echo(write_starter(folder, attempts=attempts))


@app.command("ppteval-meta")
def meta_command(
    tasks: Annotated[
        Path | None,
        typer.Argument(metavar="[DIR]", help="Tasks with attempts; by default the starter set."),
    ] = None,
    files: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The decks, where they are not beside them.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Also write a report, with a page a tree.")
    ] = None,
    pictures: Annotated[
        bool, typer.Option("--pictures", help="Draw changed slides too, and time that.")
    ] = False,
    judge: Annotated[
        str | None, typer.Option(help="The model behind rubric leaves that want one.")
    ] = None,
    repeat: Annotated[
        int, typer.Option(min=1, help="Judge each attempt so often, and tell how scores vary.")
    ] = 1,
    overwrite: Overwrite = False,
    sabotage: Annotated[
        bool,
        typer.Option(
            "--sabotage", help="Spoil the starter set's perfect attempts by program instead."
        ),
    ] = False,
    task: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="With --sabotage: only this task; repeatable."),
    ] = None,
    way: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="With --sabotage: only this one; repeatable."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Grade attempts whose level of completion is known, and compare.

    Example: decklab bench ppteval-meta --out meta
    """
    if sabotage:
        if tasks is not None:
            raise typer.BadParameter("--sabotage is of the starter set, and takes no DIR")
        _sabotage(task or [], way or [], as_json=as_json)
        return
    with ExitStack() as stack:
        title = "The starter set" if tasks is None else str(tasks)
        if tasks is None:
            tasks = Path(stack.enter_context(TemporaryDirectory(prefix="decklab-starter-")))
            write_starter(tasks, attempts=True)
        with checked_first():
            attempts = find_attempts(load_editing_tasks(tasks, files), tasks)
            if out is not None:
                check_run_folder(out, overwrite=overwrite, mark="index.html")
            check_isolation()
            ask = stack.enter_context(open_asking(judge)) if judge else None
            office = stack.enter_context(Office())
        cache = Cache(stack.enter_context(TemporaryDirectory(prefix="decklab-drawn-")))
        bar = stack.enter_context(progress_bar())
        going = bar.add_task("Grading", total=len(attempts))

        def shown(one: GradedAttempt, decks: ComparedDecks) -> None:
            if out is not None:
                write_attempt_page(out, one, decks, pictures=pictures)
            bar.advance(going)

        graded = grade_attempts(
            attempts, ask=ask, repeats=repeat, pictures=pictures, office=office, cache=cache,
            shown=shown,
        )  # fmt: skip
    found = agreement(one.attempt for one in graded)
    steady = repeated(graded) if repeat > 1 else None
    if out is not None:
        write_meta_report(out, title, graded, found)
    if as_json:
        told = {**agreement_json(found), "seconds": times(graded)}
        typer.echo(json.dumps(told | ({"repeated": stability_json(steady)} if steady else {})))
        return
    _print(found)
    if steady is not None:
        _print_stability(steady, repeat)
    _print_times(graded)


def _sabotage(names: list[str], ways: list[str], *, as_json: bool) -> None:
    """The table sabotage by task; exit code 1 where any scores what it should not."""
    chosen = [one for one in starter_tasks() if not names or one.name in names]
    unknown = {*names} - {one.name for one in chosen} | {*ways} - SABOTAGES.keys()
    if unknown:
        raise UnknownName(f"no task or sabotage named {', '.join(sorted(unknown))}")
    with ExitStack() as stack:
        office = stack.enter_context(Office())
        cache = Cache(stack.enter_context(TemporaryDirectory(prefix="decklab-drawn-")))
        bar = stack.enter_context(progress_bar())
        going = bar.add_task("Spoiling and grading", total=len(chosen) * len(ways or SABOTAGES))
        found = grade_sabotages(
            chosen, ways, office=office, cache=cache, done=lambda _: bar.advance(going)
        )
    faults = sabotage_faults(found)
    if as_json:
        typer.echo(json.dumps({"attempts": sabotage_json(found), "faults": sabotage_json(faults)}))
    else:
        _print_sabotages(found, [one.name for one in chosen])
        fitting = sum(one.score is not None for one in found)
        typer.echo(f"\n{fitting} attempts; {len(faults)} score what they should not")
    if faults:
        raise typer.Exit(1)


def _print_sabotages(found: list[SabotageResult], tasks: list[str]) -> None:
    """Rows are sabotages, columns tasks by number; ``!`` marks what should not be."""
    wrong = {(one.name, one.task) for one in sabotage_faults(found)}
    cells = {(one.name, one.task): one for one in found}
    for number, task in enumerate(tasks, 1):
        typer.echo(f"{number:>3} {task}")
    typer.echo(f"\n{'':<28}" + "".join(f"{number:>6}" for number in range(1, len(tasks) + 1)))
    for name in dict.fromkeys(one.name for one in found):
        row = []
        for task in tasks:
            score = cells[name, task].score
            shown = "-" if score is None else "open" if isinstance(score, NotScored) else (
                f"{score:.2f}"
            )  # fmt: skip
            row.append(f"{shown + ('!' if (name, task) in wrong else ''):>6}")
        typer.echo(f"{name:<28}" + "".join(row))


def _print(found: LevelAgreement) -> None:
    typer.echo(
        f"{'Level':<22}{'Expected':<10}{'Attempts':>8}{'Mean':>8}{'Accuracy':>10}{'Paper':>10}"
    )
    for row in found.levels:
        mean = "" if row.mean is None else f"{row.mean:.3f}"
        paper = f"{PAPER_ACCURACY[row.level.name]:.2%}"
        typer.echo(
            f"{row.level.title:<22}{row.level.expected:<10}{row.attempts:>8}{mean:>8}"
            f"{_percent(row.accuracy):>10}{paper:>10}"
        )
    ranks = (("Kendall's tau-b", found.tau_b, "tau_b"), ("Spearman's rho", found.rho, "rho"))
    for name, value, key in ranks:
        known = value.reason if isinstance(value, NotScored) else f"{value:.2f}"
        typer.echo(f"{name:<48}{known:>10}{PAPER_RANKS[key]:>10.2f}")
    for one in found.wrong:
        typer.echo(f"decklab: {one.task}, {one.level}: scored {one.score:.3g}", err=True)
    for one in found.not_scored:
        typer.echo(f"decklab: {one.task}, {one.level}: not scored", err=True)


def _print_stability(found: Stability | NotScored, runs: int) -> None:
    if isinstance(found, NotScored):
        typer.echo(f"\nJudged {runs} times: {found.reason}")
        return
    typer.echo(f"\n{f'{found.tasks} attempts, judged {runs} times':<48}{'':>10}{'Paper':>10}")
    values = (
        ("Mean variance", found.mean_variance, "mean_variance"),
        ("Median variance", found.median_variance, "median_variance"),
        ("Mean coefficient of variation", found.mean_cv, "mean_cv"),
    )
    for name, value, key in values:
        known = value.reason if isinstance(value, NotScored) else f"{value:.4f}"
        typer.echo(f"{name:<48}{known:>10}{PAPER_STABILITY[key]:>10.4f}")


def _print_times(graded: list[GradedAttempt]) -> None:
    own = [leaf.seconds for one in graded for leaf in one.tree.root.leaves()]
    leaf = Phase(f"a leaf, of {len(own)}", fmean(own), median(own), max(own))
    typer.echo(f"\n{f'{len(graded)} trees, seconds':<22}{'Mean':>8}{'Median':>8}{'Most':>8}")
    for one in (*phases(graded), leaf):
        typer.echo(f"{one.name:<22}{one.mean:>8.3f}{one.median:>8.3f}{one.most:>8.3f}")
    for cause in sorted({one.no_pictures for one in graded if one.no_pictures}):
        typer.echo(f"decklab: not drawn: {cause}", err=True)


def _percent(value: float | NotScored) -> str:
    return "" if isinstance(value, NotScored) else f"{value:.2%}"
