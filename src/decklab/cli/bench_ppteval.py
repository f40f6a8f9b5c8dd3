"""``decklab bench ppteval``, ``ppteval-fetch``, ``ppteval-starter`` and ``ppteval-meta``."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from decklab import evals
from decklab.cli import calls
from decklab.cli.model_options import NO_BUDGET, SPENT, BudgetOptions
from decklab.cli.option_groups import grouped_options
from decklab.cli.parameters import WALLED, AsJson, EditorOptions, Force, Overwrite
from decklab.cli.terminal import checked_first, counted, note, progress_bar
from decklab.core.options import AgentKind, EditLimits, TaskAgent, WebPage

app = typer.Typer(add_completion=False)

SabotagedTasks = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="With --sabotage: only this task; repeatable."),
]
SabotageWays = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="With --sabotage: only this one; repeatable."),
]
AgentUse = Annotated[
    AgentKind | None,
    typer.Option(help="An agent in place of an editor: on Impress's screen, on a web page, or a "
                 "program. On a screen it is --model, or --agent-scripts, or does nothing."),
]  # fmt: skip
AgentCommand = Annotated[
    str | None,
    typer.Option(metavar="CMD", help="The program, with {deck} and {instruction} in its words; it "
                 "may reach what --editor-env, -file and -network name."),
]  # fmt: skip
AgentScripts = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Lists of actions to play, TASK.json, in place of a model."),
]
Environments = Annotated[int, typer.Option(min=1, help="How many agents work side by side.")]
PageAddress = Annotated[
    str | None,
    typer.Option(metavar="URL", help="The page; {task} and {deck} stand for their names."),
]
PageHosts = Annotated[
    list[str] | None,
    typer.Option(metavar="HOST", help="Other hosts that the page may reach; repeatable."),
]
PageProfile = Annotated[
    Path | None, typer.Option(metavar="DIR", help="A Chromium profile that is signed in.")
]
PageKeys = Annotated[
    str | None, typer.Option(metavar="CHORD", help="Keys that have the page download the deck.")
]
PageClicks = Annotated[
    list[str] | None,
    typer.Option(metavar="CSS", help="What to click for the download; repeatable, in turn."),
]
PageFetch = Annotated[
    str | None, typer.Option(metavar="URL", help="The deck's address, relative to the page.")
]
LIMITS = EditLimits()


@app.command("ppteval")
@grouped_options
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
    agent: AgentUse = None,
    agent_command: AgentCommand = None,
    agent_scripts: AgentScripts = None,
    environments: Environments = 1,
    page: PageAddress = None,
    page_host: PageHosts = None,
    page_profile: PageProfile = None,
    page_keys: PageKeys = None,
    page_click: PageClicks = None,
    page_fetch: PageFetch = None,
    limit_seconds: Annotated[float, typer.Option(min=0.1, help="Time a task.")] = LIMITS.seconds,
    limit_steps: Annotated[int, typer.Option(min=1, help="Steps a task.")] = LIMITS.steps,
    limit_messages: Annotated[int, typer.Option(min=2, help="Messages a task.")] = LIMITS.messages,
    own_editor: EditorOptions = WALLED,
    budget: BudgetOptions = NO_BUDGET,
    pictures: Annotated[bool, typer.Option(help="Draw changed slides, for report and log.")] = True,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where report, log and decks go.")] = (
        Path("ppteval")
    ),
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Have an editor do PPT-Eval's tasks, and grade what it leaves.

    Exits with 3 where a budget was spent before all was done.

    Example: decklab bench ppteval --starter --editor truth
    """
    if starter == (tasks is not None):
        raise typer.BadParameter("either --tasks or --starter")
    if editor == "agent" and model is None:
        raise typer.BadParameter("the agent needs --model")
    access = own_editor.access()
    of_page = (page_keys, page_click, page_fetch)
    _check_agent(agent, {
        "--agent-command": (agent_command, "command"),
        "--page": (page, "browser"),
        "--agent-scripts": (agent_scripts, "desktop browser"),
        "--environments": (environments > 1, "desktop browser command"),
        "--page-host": (page_host, "browser"),
        "--page-profile": (page_profile, "browser"),
        "--page-keys, --page-click or --page-fetch": (any(of_page), "browser"),
    })  # fmt: skip
    if agent is not None and editor != "noop":
        raise typer.BadParameter("either --agent or --editor")
    if agent == "browser" and sum(map(bool, of_page)) != 1:
        raise typer.BadParameter("name one of --page-keys, --page-click and --page-fetch")
    web = None if page is None else WebPage(
        page, page_host or (), page_profile, page_keys or "", page_click or (), page_fetch or ""
    )  # fmt: skip
    under_test = None if agent is None else TaskAgent(
        agent, agent_scripts, agent_command or "", web, environments, access
    )  # fmt: skip
    spending = budget.spending()
    with counted("Editing and grading") as progress:
        run = evals.bench_ppteval(
            out, tasks=tasks, files=files, names=task or (), editor=editor, model=model,
            judge=judge, limits=EditLimits(limit_seconds, limit_steps, limit_messages),
            access=access, agent=under_test, spending=spending, pictures=pictures,
            overwrite=overwrite, progress=progress, tell=note,
        )  # fmt: skip
    if as_json:
        typer.echo((out / "results.json").read_text(encoding="utf-8"))
    else:
        _print(run.lines())
        typer.echo(f"\nThe report is {out / 'index.html'}.")
        _warn(run.warnings())
    if run.ended:
        raise typer.Exit(SPENT)


def _check_agent(agent: AgentKind | None, given: Mapping[str, tuple[object, str]]) -> None:
    """Raise BadParameter for options that another agent takes, and if its own is missing.

    ``given`` has for each option its value and the agents that take it.
    """
    for name, (value, kinds) in given.items():
        if value and agent not in kinds.split():
            raise typer.BadParameter(f"{name} is for --agent {' or '.join(kinds.split())}")
    needed = {"command": "--agent-command", "browser": "--page"}.get(agent or "")
    if needed is not None and not given[needed][0]:
        raise typer.BadParameter(f"--agent {agent} needs {needed}")


@app.command("ppteval-fetch")
def fetch_command(
    files: Annotated[Path, typer.Option(metavar="DIR", help="Where the decks go.")],
) -> None:
    """Download the twelve decks of the published tasks; those that are there are checked.

    Example: decklab bench ppteval-fetch --files decks
    """
    calls.fetch_ppteval_decks(
        files, done=lambda fetched: typer.echo(f"{fetched.how:>10}  {fetched.name}")
    )


@app.command("ppteval-starter")
def starter_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where it goes.")],
    attempts: Annotated[
        bool, typer.Option("--attempts", help="Also make attempts at four levels of completion.")
    ] = False,
    force: Force = False,
) -> None:
    """Write the starter set: tasks with rubrics and decks, in the published format.

    Example: decklab bench ppteval-starter starter --attempts
    """
    with checked_first():
        typer.echo(calls.write_ppteval_starter(folder, attempts=attempts, force=force))


@app.command("ppteval-meta")
@grouped_options
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
    budget: BudgetOptions = NO_BUDGET,
    overwrite: Overwrite = False,
    sabotage: Annotated[
        bool,
        typer.Option(
            "--sabotage", help="Spoil the starter set's perfect attempts by program instead."
        ),
    ] = False,
    task: SabotagedTasks = None,
    way: SabotageWays = None,
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
    spending = budget.spending()
    with counted("Grading") as progress:
        run = evals.bench_ppteval_meta(
            tasks, files=files, out=out, pictures=pictures, judge=judge, repeats=repeat,
            spending=spending, overwrite=overwrite, progress=progress,
        )  # fmt: skip
    if as_json:
        typer.echo(json.dumps(run.to_json()))
        return
    _print(run.lines())
    _warn(run.warnings())


def _sabotage(names: list[str], ways: list[str], *, as_json: bool) -> None:
    """The table sabotage by task; exit code 1 where any scores what it should not."""
    with progress_bar() as bar:
        going = bar.add_task("Spoiling and grading", total=None)
        table = evals.bench_sabotage(
            names, ways, progress=lambda done, total: bar.update(going, completed=done, total=total)
        )
    if as_json:
        typer.echo(json.dumps(table.to_json()))
    else:
        _print(table.lines())
    if table.faults:
        raise typer.Exit(1)


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        typer.echo(line)


def _warn(lines: Iterable[str]) -> None:
    for line in lines:
        typer.echo(f"decklab: {line}", err=True)
