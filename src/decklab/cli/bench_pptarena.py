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
from decklab.cli.model_options import NO_BUDGET, SPENT, BudgetOptions
from decklab.cli.option_groups import grouped_options
from decklab.cli.parameters import WALLED, AsJson, EditorOptions, Force, Overwrite
from decklab.cli.terminal import checked_until_begun, counted, note, progress_bar
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
    from decklab.evals.pptarena.progress import ArenaEvent

app = typer.Typer(add_completion=False)

Cases = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="A checkout of the data set, or a JSON list of cases."),
]
Subset = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Only cases that it names: a JSON list, or one a line."),
]
Starter = Annotated[
    bool, typer.Option("--starter", help="The cases that decklab makes itself, written to --out.")
]
Editors = Annotated[
    list[str] | None,
    typer.Option(
        "--editor",
        metavar="NAME",
        help=f"{', '.join(BASELINE_EDITORS)}, a model with which decklab's agent edits, such as "
        "openai/gpt-5, or yours: package.module:function, file.py:name; repeatable, all baselines "
        "without it.",
    ),
]
Predictions = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[NAME=]DIR",
        help="Decks made elsewhere, by any tool, named like their cases; repeatable.",
    ),
]
AskedModel = Annotated[str | None, typer.Option(help="The model that an editor of yours may ask.")]
LimitSeconds = Annotated[
    float, typer.Option("--limit-seconds", min=0.1, help="Time a case, of an editor of yours.")
]
AgentPaths = Annotated[
    str, typer.Option(help=f"How the agent edits: {', '.join(get_args(EditPaths))}.")
]
Rounds = Annotated[int, typer.Option(min=1, help="Of the agent.")]
Judges = Annotated[
    list[str] | None,
    typer.Option("--judge", help="A model that judges; a second one is compared with the first."),
]
Configured = Annotated[
    str, typer.Option(help=f"How judges are asked: {', '.join(get_args(JudgeConfiguration))}.")
]
Temperature = Annotated[float, typer.Option(min=0, help="Of the judges.")]
Repeats = Annotated[int, typer.Option(min=1, help="How often a judge is asked.")]
Named = Annotated[
    list[str] | None, typer.Option("--case", help="Only the case of this name; repeatable.")
]
Pictures = Annotated[bool, typer.Option(help="Draw the slides and compare them.")]
Check = Annotated[bool, typer.Option(help="Check whether the cases are sound.")]
CheckJudge = Annotated[
    bool, typer.Option("--check-judge", help="Have the judge asked in that check, too.")
]
Out = Annotated[Path, typer.Option(metavar="DIR", help="Where decks and pages go.")]

OUT = Path("pptarena")
SECONDS = EditLimits().seconds


@app.command("pptarena")
@grouped_options
def pptarena_command(
    cases: Cases = None,
    subset: Subset = None,
    starter: Starter = False,
    editor: Editors = None,
    predictions: Predictions = None,
    paths: AgentPaths = "hybrid",
    rounds: Rounds = EDIT_ROUNDS,
    model: AskedModel = None,
    limit_seconds: LimitSeconds = SECONDS,
    own_editor: EditorOptions = WALLED,
    judge: Judges = None,
    configuration: Configured = "dual",
    temperature: Temperature = JUDGE_TEMPERATURE,
    repeats: Repeats = 1,
    case: Named = None,
    pictures: Pictures = True,
    self_check: Check = True,
    check_judge: CheckJudge = False,
    budget: BudgetOptions = NO_BUDGET,
    out: Out = OUT,
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
    cases: Annotated[
        Path, typer.Option(metavar="DIR", help="A checkout, or a JSON list of cases.")
    ],
    model: Annotated[str, typer.Option(help="The model that writes, as Inspect AI names it.")],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Where the list with the drafts goes, beside it.")
    ],
    force: Force = False,
    case: Named = None,
    pictures: Annotated[bool, typer.Option(help="Show the model the slides that change.")] = True,
    budget: BudgetOptions = NO_BUDGET,
) -> None:
    """Have a model draft style targets for cases that have none, for a person to check.

    Exits with 3 where some could not be drafted; they stay as they are.

    Example: decklab bench pptarena-style --cases ~/PPTArena --model NAME --out ~/PPTArena/new.json
    """
    with counted("cases") as progress:
        found = calls.draft_style_targets(
            cases,
            out,
            model=model,
            names=case or (),
            pictures=pictures,
            force=force,
            progress=progress,
            spending=budget.spending(),
        )
    for name, why in found.failed.items():
        note(clean_line(f"{name}: {why}"))
    typer.echo(f"{out}: {len(found.drafted)} style targets drafted. {found.spent}".rstrip())
    if found.failed:
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


def _folders(told: Sequence[str], editors: Sequence[str], out: Path) -> dict[str, Path]:
    """Folders of decks by the names of their makers: ``NAME=DIR``, or a folder and its own name."""
    found: dict[str, Path] = {}
    for text in told:
        name, _, place = text.rpartition("=")
        folder = Path(place if name else text)
        name = name or folder.resolve().name
        if name in found or name in editors:
            raise typer.BadParameter(f"two editors are named {name!r}: say --predictions NAME=DIR")
        if folder.resolve().is_relative_to((out / "predictions").resolve()):
            raise typer.BadParameter(
                "--predictions is where this run would write; name another --out"
            )
        found[name] = folder
    return found


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
