"""``decklab bench ppteval``, ``ppteval-fetch``, ``ppteval-starter`` and ``ppteval-meta``."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from decklab import evals
from decklab.cli import calls
from decklab.cli.parameters import (
    AsJson,
    BudgetOptions,
    EditorOptions,
    Force,
    Overwrite,
    argument,
    flag,
    grouped_options,
    option,
)
from decklab.cli.terminal import checked_first, counted, note, print_lines, print_run, progress_bar
from decklab.core.options import AgentKind, EditLimits, EditorAccess, TaskAgent, WebPage

app = typer.Typer(add_completion=False)

LIMITS = EditLimits()


@dataclass(frozen=True)
class AgentUseOptions:
    """Agent: a program or model at work in place of an editor, on a screen or a page."""

    agent: Annotated[
        AgentKind | None,
        option(
            "An agent in place of an editor: on Impress's screen, on a web page, or a "
            "program. On a screen it is --model, or --agent-scripts, or does nothing."
        ),
    ] = None
    agent_command: Annotated[
        str | None,
        option(
            "The program, with {deck} and {instruction} in its words; it "
            "may reach what --editor-env, -file and -network name.",
            "CMD",
        ),
    ] = None
    agent_scripts: Annotated[
        Path | None, option("Lists of actions to play, TASK.json, in place of a model.", "DIR")
    ] = None
    environments: Annotated[int, option("How many agents work side by side.", min=1)] = 1
    page: Annotated[
        str | None, option("The page; {task} and {deck} stand for their names.", "URL")
    ] = None
    page_host: Annotated[
        list[str] | None, option("Other hosts that the page may reach; repeatable.", "HOST")
    ] = None
    page_profile: Annotated[Path | None, option("A Chromium profile that is signed in.", "DIR")] = (
        None
    )
    page_keys: Annotated[
        str | None, option("Keys that have the page download the deck.", "CHORD")
    ] = None
    page_click: Annotated[
        list[str] | None, option("What to click for the download; repeatable, in turn.", "CSS")
    ] = None
    page_fetch: Annotated[
        str | None, option("The deck's address, relative to the page.", "URL")
    ] = None

    def chosen(self, access: EditorAccess) -> TaskAgent | None:
        """The same as ``decklab.evals`` takes it; raises BadParameter for options that another
        agent takes, and if its own is missing."""
        ways = (self.page_keys, self.page_click, self.page_fetch)
        given = {
            "--agent-command": (self.agent_command, "command"),
            "--page": (self.page, "browser"),
            "--agent-scripts": (self.agent_scripts, "desktop browser"),
            "--environments": (self.environments > 1, "desktop browser command"),
            "--page-host": (self.page_host, "browser"),
            "--page-profile": (self.page_profile, "browser"),
            "--page-keys, --page-click or --page-fetch": (any(ways), "browser"),
        }
        for name, (value, kinds) in given.items():
            if value and (self.agent or "none") not in kinds.split():
                raise typer.BadParameter(f"{name} is for --agent {' or '.join(kinds.split())}")
        needed = {"command": "--agent-command", "browser": "--page"}.get(self.agent or "")
        if needed is not None and not given[needed][0]:
            raise typer.BadParameter(f"--agent {self.agent} needs {needed}")
        if self.agent is None:
            return None
        if self.agent == "browser" and sum(map(bool, ways)) != 1:
            raise typer.BadParameter("name one of --page-keys, --page-click and --page-fetch")
        web = self.page and WebPage(
            self.page, self.page_host or (), self.page_profile, self.page_keys or "",
            self.page_click or (), self.page_fetch or "",
        )  # fmt: skip
        return TaskAgent(
            self.agent, self.agent_scripts, self.agent_command or "", web or None,
            self.environments, access,
        )  # fmt: skip


@app.command("ppteval")
@grouped_options
def ppteval_command(
    under_test: AgentUseOptions,
    own_editor: EditorOptions,
    budget: BudgetOptions,
    tasks: Annotated[
        Path | None, option("A tasks.json, or the folder that holds it.", "DIR")
    ] = None,
    files: Annotated[
        Path | None, option("The decks, where they are not beside them.", "DIR")
    ] = None,
    starter: Annotated[bool, flag("--starter", "decklab's own tasks; needs nothing else.")] = False,
    task: Annotated[list[str] | None, option("Only this task; repeatable.", "NAME")] = None,
    editor: Annotated[
        str,
        option(
            "noop, truth, commands, agent, or yours: package.module:function, file.py:name.", "NAME"
        ),
    ] = "noop",
    model: Annotated[str | None, option("The editor's model, as Inspect AI names it.")] = None,
    judge: Annotated[str | None, option("The model behind rubric leaves that want one.")] = None,
    limit_seconds: Annotated[float, option("Time a task.", min=0.1)] = LIMITS.seconds,
    limit_steps: Annotated[int, option("Steps a task.", min=1)] = LIMITS.steps,
    limit_messages: Annotated[int, option("Messages a task.", min=2)] = LIMITS.messages,
    pictures: Annotated[bool, option("Draw changed slides, for report and log.")] = True,
    out: Annotated[Path, option("Where report, log and decks go.", "DIR")] = Path("ppteval"),
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
    if under_test.agent is not None and editor != "noop":
        raise typer.BadParameter("either --agent or --editor")
    access = own_editor.access()
    agent = under_test.chosen(access)
    spending = budget.spending()
    with counted("Editing and grading") as progress:
        run = evals.bench_ppteval(
            out, tasks=tasks, files=files, names=task or (), editor=editor, model=model,
            judge=judge, limits=EditLimits(limit_seconds, limit_steps, limit_messages),
            access=access, agent=agent, spending=spending, pictures=pictures,
            overwrite=overwrite, progress=progress, tell=note,
        )  # fmt: skip
    print_run(run, out, as_json=as_json)


@app.command("ppteval-fetch")
def fetch_command(files: Annotated[Path, option("Where the decks go.", "DIR")]) -> None:
    """Download the twelve decks of the published tasks; those that are there are checked.

    Example: decklab bench ppteval-fetch --files decks
    """
    calls.fetch_ppteval_decks(
        files, done=lambda fetched: typer.echo(f"{fetched.how:>10}  {fetched.name}")
    )


@app.command("ppteval-starter")
def starter_command(
    folder: Annotated[Path, argument("Where it goes.", "DIR")],
    attempts: Annotated[
        bool, flag("--attempts", "Also make attempts at four levels of completion.")
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
    budget: BudgetOptions,
    tasks: Annotated[
        Path | None, argument("Tasks with attempts; by default the starter set.", "[DIR]")
    ] = None,
    files: Annotated[
        Path | None, option("The decks, where they are not beside them.", "DIR")
    ] = None,
    out: Annotated[Path | None, option("Also write a report, with a page a tree.", "DIR")] = None,
    pictures: Annotated[
        bool, flag("--pictures", "Draw changed slides too, and time that.")
    ] = False,
    judge: Annotated[str | None, option("The model behind rubric leaves that want one.")] = None,
    repeat: Annotated[
        int, option("Judge each attempt so often, and tell how scores vary.", min=1)
    ] = 1,
    overwrite: Overwrite = False,
    sabotage: Annotated[
        bool, flag("--sabotage", "Spoil the starter set's perfect attempts by program instead.")
    ] = False,
    task: Annotated[
        list[str] | None, option("With --sabotage: only this task; repeatable.", "NAME")
    ] = None,
    way: Annotated[
        list[str] | None, option("With --sabotage: only this one; repeatable.", "NAME")
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
    spending = budget.spending()
    with counted("Grading") as progress:
        run = evals.bench_ppteval_meta(
            tasks, files=files, out=out, pictures=pictures, judge=judge, repeats=repeat,
            spending=spending, overwrite=overwrite, progress=progress,
        )  # fmt: skip
    if as_json:
        typer.echo(json.dumps(run.to_json()))
        return
    print_lines(run)
    for line in run.warnings():
        note(line)


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
        print_lines(table)
    if table.faults:
        raise typer.Exit(1)
