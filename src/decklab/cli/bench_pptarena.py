"""``decklab bench pptarena``."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer
from rich.console import Console
from rich.markup import escape

from decklab import evals
from decklab.cli import calls
from decklab.cli.parameters import (
    AsJson,
    BudgetOptions,
    EditorOptions,
    Force,
    Overwrite,
    flag,
    grouped_options,
    option,
)
from decklab.cli.terminal import SPENT, checked_until_begun, counted, note, progress_bar
from decklab.core.options import (
    BASELINE_EDITORS,
    EDIT_ROUNDS,
    JUDGE_TEMPERATURE,
    AgentOptions,
    EditLimits,
    EditPaths,
    JudgeConfiguration,
    JudgeOptions,
    names_function,
)
from decklab.pages.wording import clean_line

if TYPE_CHECKING:
    from decklab.evals.pptarena.running import ArenaEvent

app = typer.Typer(add_completion=False)

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
    if as_json:
        typer.echo((out / "results.json").read_text(encoding="utf-8"), nl=False)
    else:
        run.print(Console())
        typer.echo(f"The report is {out / 'index.html'}.")
    if run.ended:
        raise typer.Exit(SPENT)


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
