"""Benchmarks of editors: ``decklab bench ppteval``, ``ppteval-fetch``, ``ppteval-starter``,
``ppteval-meta``, ``pptarena`` and ``pptarena-style``.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer
from rich.markup import escape

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
from decklab.cli.terminal import (
    SPENT,
    checked_first,
    checked_until_begun,
    counted,
    note,
    print_lines,
    print_run,
    progress_bar,
)
from decklab.core.options import (
    BASELINE_EDITORS,
    EDIT_ROUNDS,
    JUDGE_TEMPERATURE,
    AgentKind,
    AgentOptions,
    EditLimits,
    EditorAccess,
    EditPaths,
    JudgeConfiguration,
    JudgeOptions,
    TaskAgent,
    WebPage,
    names_function,
)
from decklab.pages.wording import clean_line

if TYPE_CHECKING:
    from decklab.evals.pptarena.running import ArenaEvent

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
    agent_format: Annotated[
        str | None,
        option("The model answers in words: pyautogui, qwen3-vl, ui-tars, opencua, ...", "NAME"),
    ] = None
    agent_controls: Annotated[
        bool, flag("--agent-controls", "Give the model the controls of the screen as text, too.")
    ] = False
    screen: Annotated[str | None, option("The desktop's size; 1280x800.", "WxH")] = None
    delay: Annotated[
        float | None, option("Seconds without a change before the desktop is shown; 0.45.", min=0)
    ] = None
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
            "--agent-format": (self.agent_format, "desktop browser"),
            "--agent-controls": (self.agent_controls, "desktop browser"),
            "--screen": (self.screen, "desktop"),
            "--delay": (self.delay, "desktop"),
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
        keys = self.page_keys or "", self.page_click or (), self.page_fetch or ""
        web = self.page and WebPage(self.page, self.page_host or (), self.page_profile, *keys)
        answers = self.agent_format or "", self.agent_controls, self.screen or "", self.delay
        command, copies = self.agent_command or "", self.environments
        return TaskAgent(
            self.agent, self.agent_scripts, command, web or None, copies, access, *answers
        )


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
        raise typer.BadParameter("give either --tasks FILE or --starter")
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


Rounds = Annotated[int, option("Of the agent.", min=1)]
Judges = Annotated[
    list[str] | None,
    option("A model that judges; a second one is compared with the first.", name="--judge"),
]
Temperature = Annotated[float, option("Of the judges.", min=0)]
Named = Annotated[
    list[str] | None, option("Only the case of this name; repeatable.", name="--case")
]
Pictures = Annotated[bool, option("Draw the slides and compare them.")]
Check = Annotated[bool, option("Check whether the cases are sound.")]

OUT = Path("pptarena")
SECONDS = EditLimits().seconds


@app.command("pptarena")
@grouped_options
def pptarena_command(
    own_editor: EditorOptions,
    budget: BudgetOptions,
    cases: Annotated[
        Path | None, option("A checkout of the data set, or a JSON list of cases.", "DIR")
    ] = None,
    subset: Annotated[
        Path | None, option("Only cases that it names: a JSON list, or one a line.", "FILE")
    ] = None,
    starter: Annotated[
        bool, flag("--starter", "The cases that decklab makes itself, written to --out.")
    ] = False,
    editor: Annotated[
        list[str] | None,
        option(
            f"{', '.join(BASELINE_EDITORS)}, a model with which decklab's agent edits, such as "
            "openai/gpt-5, or yours: package.module:function, file.py:name; repeatable, all "
            "baselines without it.",
            "NAME",
        ),
    ] = None,
    predictions: Annotated[
        list[str] | None,
        option(
            "Decks made elsewhere, by any tool, named like their cases; repeatable.", "[NAME=]DIR"
        ),
    ] = None,
    paths: Annotated[
        str, option(f"How the agent edits: {', '.join(get_args(EditPaths))}.")
    ] = "hybrid",
    rounds: Rounds = EDIT_ROUNDS,
    model: Annotated[str | None, option("The model that an editor of yours may ask.")] = None,
    limit_seconds: Annotated[
        float, option("Time a case, of an editor of yours.", name="--limit-seconds", min=0.1)
    ] = SECONDS,
    judge: Judges = None,
    configuration: Annotated[
        str, option(f"How judges are asked: {', '.join(get_args(JudgeConfiguration))}.")
    ] = "dual",
    temperature: Temperature = JUDGE_TEMPERATURE,
    repeats: Annotated[int, option("How often a judge is asked.", min=1)] = 1,
    case: Named = None,
    pictures: Pictures = True,
    self_check: Check = True,
    check_judge: Annotated[
        bool, flag("--check-judge", "Have the judge asked in that check, too.")
    ] = False,
    out: Annotated[Path, option("Where decks and pages go.", "DIR")] = OUT,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Put editors to cases of edits: did they do what was asked, and nothing else?

    Exits with 3 where a budget was spent before all was done.

    Example: decklab bench pptarena --starter --editor commands --no-pictures
    """
    checked = not check_judge or bool(judge and self_check)
    _check_options(cases, subset, starter=starter, checked=checked)
    editors = _editor_names(editor, any_folder=bool(predictions))
    folders = _folders(predictions or (), editors, out)
    agent = AgentOptions(_known(paths, EditPaths, "the agent's paths are"), rounds)
    how = _known(configuration, JudgeConfiguration, "judges are asked as")
    with _shown() as progress:
        run = evals.bench_pptarena(
            out, cases=cases, subset=subset, names=case or (), editors=editors,
            predictions=folders, model=model, limits=EditLimits(limit_seconds), agent=agent,
            access=own_editor.access(),
            judges=JudgeOptions(judge or (), how, temperature, repeats),
            spending=budget.spending(),
            pictures=pictures, check=self_check, check_judge=check_judge, overwrite=overwrite,
            progress=progress,
        )  # fmt: skip
    print_run(run, out, as_json=as_json, gap="")


def _check_options(
    cases: Path | None, subset: Path | None, *, starter: bool, checked: bool
) -> None:
    """Raise typer.BadParameter if options do not go together."""
    if (cases is None) is not starter:
        raise typer.BadParameter("name one of --cases and --starter")
    if subset is not None and starter:
        raise typer.BadParameter("--subset is of --cases")
    if not checked:
        raise typer.BadParameter("--check-judge needs --judge and the self-check")


@app.command("pptarena-style")
@grouped_options
def style_command(
    cases: Annotated[Path, option("A checkout, or a JSON list of cases.", "DIR")],
    model: Annotated[str, option("The model that writes, as Inspect AI names it.")],
    out: Annotated[Path, option("Where the list with the drafts goes, beside it.", "FILE")],
    budget: BudgetOptions,
    force: Force = False,
    case: Named = None,
    pictures: Annotated[bool, option("Show the model the slides that change.")] = True,
) -> None:
    """Have a model draft style targets for cases that have none, for a person to check.

    Exits with 3 where some could not be drafted; they stay as they are.

    Example: decklab bench pptarena-style --cases ~/PPTArena --model NAME --out ~/PPTArena/new.json
    """
    with counted("cases") as progress:
        result = calls.draft_style_targets(
            cases,
            out,
            model=model,
            names=case or (),
            pictures=pictures,
            force=force,
            progress=progress,
            spending=budget.spending(),
        )
    for name, why in result.failed.items():
        note(clean_line(f"{name}: {why}"))
    typer.echo(f"{out}: {len(result.drafted)} style targets drafted. {result.spent}".rstrip())
    if result.failed:
        raise typer.Exit(SPENT)


@contextmanager
def _shown() -> Iterator[Callable[["ArenaEvent"], None]]:
    """Show what goes on: a bar with the case and the editor at work, or, without a terminal, a line
    for each finished case and for each time that a model is asked again."""
    with checked_until_begun() as stages, progress_bar() as bar:
        task = bar.add_task("cases", total=None)

        def show(event: "ArenaEvent") -> None:
            stages.append("cases")
            if bar.disable:
                if event.note:
                    note(clean_line(event.words))
                return
            words = escape(clean_line(event.words)) or "cases"
            bar.update(task, completed=event.done, total=event.total, description=words)

        yield show


def _folders(pairs: Sequence[str], editors: Sequence[str], out: Path) -> dict[str, Path]:
    """Folders of decks by the names of their makers: ``NAME=DIR``, or a folder and its own name."""
    folders: dict[str, Path] = {}
    for text in pairs:
        name, _, path = text.rpartition("=")
        folder = Path(path if name else text)
        name = name or folder.resolve().name
        if name in folders or name in editors:
            raise typer.BadParameter(f"two editors are named {name!r}: say --predictions NAME=DIR")
        if folder.resolve().is_relative_to((out / "predictions").resolve()):
            raise typer.BadParameter(
                "--predictions is where this run would write; name another --out"
            )
        folders[name] = folder
    return folders


def _known(value: str, kind: Any, message: str) -> Any:
    """A value that is one of a kind's; typer would show the kind otherwise on the help page."""
    if value not in get_args(kind):
        raise typer.BadParameter(f"{message} {', '.join(get_args(kind))}")
    return value


def _editor_names(names: Sequence[str] | None, *, any_folder: bool) -> list[str]:
    known = ", ".join(BASELINE_EDITORS)
    for name in names or ():
        if name not in BASELINE_EDITORS and "/" not in name and not names_function(name):
            raise typer.BadParameter(
                f"no editor {name!r}; there are {known}, models such as openai/gpt-5, and yours "
                "as package.module:function"
            )
    return list(names) if names else ([] if any_folder else list(BASELINE_EDITORS))
