"""``decklab bench pptarena``."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, get_args

import typer
from rich.console import Console

import decklab
from decklab.cli.parameters import (
    AsJson,
    EditorEnvironment,
    EditorFiles,
    EditorNetwork,
    Overwrite,
    TrustEditor,
)
from decklab.cli.terminal import counted
from decklab.options import (
    BASELINE_EDITORS,
    EDIT_ROUNDS,
    JUDGE_TEMPERATURE,
    AgentOptions,
    EditLimits,
    EditorAccess,
    EditPaths,
    JudgeConfiguration,
    JudgeOptions,
    names_function,
)

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
    Path | None, typer.Option(metavar="DIR", help="Decks made elsewhere, named like their cases.")
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


@app.callback()
def _bench() -> None:
    """Makes a group of the one command, as ``decklab bench`` is."""


@app.command("pptarena")
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
    trust_editor: TrustEditor = False,
    editor_env: EditorEnvironment = None,
    editor_file: EditorFiles = None,
    editor_network: EditorNetwork = False,
    judge: Judges = None,
    configuration: Configured = "dual",
    temperature: Temperature = JUDGE_TEMPERATURE,
    repeats: Repeats = 1,
    case: Named = None,
    pictures: Pictures = True,
    self_check: Check = True,
    check_judge: CheckJudge = False,
    out: Out = OUT,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Put editors to cases of edits: did they do what was asked, and nothing else?

    Example: decklab bench pptarena --starter --editor commands --no-pictures
    """
    if (cases is None) is not starter:
        raise typer.BadParameter("name one of --cases and --starter")
    if subset is not None and starter:
        raise typer.BadParameter("--subset is of --cases")
    if check_judge and not (judge and self_check):
        raise typer.BadParameter("--check-judge needs --judge and the self-check")
    if predictions and predictions.resolve().is_relative_to((out / "predictions").resolve()):
        raise typer.BadParameter("--predictions is where this run would write; name another --out")
    agent = AgentOptions(_known(paths, EditPaths, "the agent's paths are"), rounds)
    how = _known(configuration, JudgeConfiguration, "judges are asked as")
    with counted("cases") as progress:
        run = decklab.bench_pptarena(
            out, cases=cases, subset=subset, names=case or (), editors=_editor_names(editor, predictions),
            predictions=predictions, model=model, limits=EditLimits(limit_seconds), agent=agent,
            access=EditorAccess(trust_editor, editor_env or (), editor_file or (), editor_network),
            judges=JudgeOptions(judge or (), how, temperature, repeats),
            pictures=pictures, check=self_check, check_judge=check_judge, overwrite=overwrite,
            progress=progress,
        )  # fmt: skip
    if as_json:
        typer.echo((out / "results.json").read_text(encoding="utf-8"), nl=False)
    else:
        run.print(Console())
        typer.echo(f"The report is {out / 'index.html'}.")


def _known(value: str, kind: Any, message: str) -> Any:
    """A value that is one of a kind's; typer would show the kind otherwise on the help page."""
    if value not in get_args(kind):
        raise typer.BadParameter(f"{message} {', '.join(get_args(kind))}")
    return value


def _editor_names(names: Sequence[str] | None, folder: Path | None) -> list[str]:
    known = ", ".join(BASELINE_EDITORS)
    for name in names or ():
        if name not in BASELINE_EDITORS and "/" not in name and not names_function(name):
            raise typer.BadParameter(
                f"no editor {name!r}; there are {known}, models such as openai/gpt-5, and yours "
                "as package.module:function"
            )
    return list(names) if names else ([] if folder else list(BASELINE_EDITORS))
