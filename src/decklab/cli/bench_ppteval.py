"""``decklab bench ppteval``."""

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from decklab.benchmarks.editors.baselines import editor_for
from decklab.benchmarks.editors.isolation import describe_isolation, isolation_facts
from decklab.benchmarks.editors.protocol import EditLimits
from decklab.benchmarks.ppteval.editors import EDITORS
from decklab.benchmarks.ppteval.outcomes import GroupRow, MeanScore, RunSummary, summarize
from decklab.benchmarks.ppteval.report import write_report
from decklab.benchmarks.ppteval.starter import write_starter
from decklab.benchmarks.ppteval.task import MESSAGES, SECONDS, STEPS, results_in, run_ppteval
from decklab.benchmarks.ppteval.tasks import EditingTask, case_files, load_editing_tasks
from decklab.cli.parameters import (
    AsJson,
    EditorEnvironment,
    EditorFiles,
    EditorNetwork,
    Overwrite,
    TrustEditor,
)
from decklab.cli.terminal import checked_first, progress_bar
from decklab.errors import UnknownName
from decklab.files import check_run_folder, write_whole
from decklab.models.inspect import open_model
from decklab.reports.files import strict_json
from decklab.reports.wording import clean
from decklab.results import NotScored
from decklab.sandbox.sandbox import check_isolation

app = typer.Typer(add_completion=False)


@app.callback()
def group() -> None:
    """Only so that its one command keeps its name.

    Example: decklab bench ppteval --starter --editor truth
    """


@app.command("ppteval")
def ppteval_command(
    tasks: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A tasks.json, or the folder that holds it.")
    ] = None,
    files: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The decks, where they are not beside them.")
    ] = None,
    starter: Annotated[
        bool, typer.Option("--starter", help="decklab's own tasks; needs nothing else.")
    ] = False,
    task: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this task; repeatable.")
    ] = None,
    editor: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="noop, truth, commands, agent, or yours: package.module:function, file.py:name.",
        ),
    ] = "noop",
    model: Annotated[
        str | None, typer.Option(help="The editor's model, as Inspect AI names it.")
    ] = None,
    judge: Annotated[
        str | None, typer.Option(help="The model behind rubric leaves that want one.")
    ] = None,
    limit_seconds: Annotated[float, typer.Option(min=0.1, help="Time a task.")] = SECONDS,
    limit_steps: Annotated[int, typer.Option(min=1, help="Steps a task.")] = STEPS,
    limit_messages: Annotated[int, typer.Option(min=2, help="Messages a task.")] = MESSAGES,
    trust_editor: TrustEditor = False,
    editor_env: EditorEnvironment = None,
    editor_file: EditorFiles = None,
    editor_network: EditorNetwork = False,
    pictures: Annotated[bool, typer.Option(help="Draw changed slides, for report and log.")] = True,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where report, log and decks go.")] = (
        Path("ppteval")
    ),
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Have an editor do PPT-Eval's tasks, and grade what it leaves.

    Example: decklab bench ppteval --starter --editor truth
    """
    if starter == (tasks is not None):
        raise typer.BadParameter("either --tasks or --starter")
    if editor == "agent" and model is None:
        raise typer.BadParameter("the agent needs --model")
    limits = EditLimits(limit_seconds, limit_steps, limit_messages)
    title = "PPT-Eval, starter set" if tasks is None else f"PPT-Eval, {tasks.resolve().name}"
    with ExitStack() as stack:
        with checked_first():
            check_run_folder(out, overwrite=overwrite)
            for model_name in filter(None, (model, judge)):
                open_model(model_name)
            check_isolation()
            if tasks is None:
                folder = Path(stack.enter_context(TemporaryDirectory(prefix="decklab-starter-")))
                tasks = write_starter(folder)
            listed = load_editing_tasks(tasks, files)
            chosen = _chosen(listed, task or [])
            under_test = editor_for(
                editor, EDITORS, limits=limits, trust=trust_editor, environment=editor_env or (),
                files=editor_file or (), network=editor_network,
                hidden=[*case_files(tasks, listed), *results_in(out)],
            )  # fmt: skip
            apart = isolation_facts(under_test(chosen[0]))
        bar = stack.enter_context(progress_bar())
        going = bar.add_task("Editing and grading", total=len(chosen))
        outcomes = run_ppteval(
            chosen,
            under_test,
            name=editor,
            model=model,
            judge=judge,
            limits=limits,
            pictures=pictures,
            out=out,
            ended=lambda: bar.advance(going),
        )
    found = summarize(outcomes)
    assert isinstance(found, RunSummary), "a run without tasks has raised"
    named = {"editor": editor, "model": model, "judge": judge}
    told = [one.to_json() for one in outcomes]
    results = strict_json({**named, "kept_apart": apart, "summary": found.to_json(), "tasks": told})
    write_whole(out / "results.json", results.encode())
    facts = _facts(named, limits) | (
        {"Editor kept apart": describe_isolation(apart)} if apart else {}
    )
    report = write_report(out, title, chosen, outcomes, summary=found, facts=facts)
    if as_json:
        typer.echo(results)
    else:
        _print(found)
        typer.echo(f"\nThe report is {report}.")
        for one in outcomes:
            if isinstance(one.score, NotScored):
                typer.echo(clean(f"decklab: {one.task}: not scored: {one.reason}"), err=True)


def _chosen(tasks: tuple[EditingTask, ...], names: list[str]) -> tuple[EditingTask, ...]:
    unknown = set(names) - {one.name for one in tasks}
    if unknown:
        raise UnknownName(f"no task named {', '.join(sorted(unknown))}")
    return tuple(one for one in tasks if not names or one.name in names)


def _facts(named: dict[str, str | None], limits: EditLimits) -> dict[str, str]:
    return {word.capitalize(): value for word, value in named.items() if value} | {
        "Limits": f"{limits.seconds:g} s, {limits.steps} steps, {limits.messages} messages a task"
    }


def _print(found: RunSummary) -> None:
    typer.echo(f"{'':<16}{'Tasks':>6}{'Open':>6}{'Success':>14}{'Score':>14}{'Steps':>8}")
    _line("Overall", found.overall)
    for name, row in found.by_difficulty.items():
        _line(name, row)
    typer.echo("")
    for name, row in found.by_category.items():
        _line(name, row)
    if found.multi_category is not None:
        _line("several", found.multi_category)


def _line(name: str, row: GroupRow) -> None:
    steps = "" if isinstance(row.steps, NotScored) else f"{row.steps:.2f}"
    typer.echo(
        f"{name:<16}{row.tasks:>6}{row.open:>6}{_mean(row.success):>14}{_mean(row.score):>14}"
        f"{steps:>8}"
    )


def _mean(average: MeanScore) -> str:
    value = average.value
    if isinstance(value, NotScored):
        return f"{average.low:.2f} to {average.high:.2f}"
    return f"{value:.2f}"
