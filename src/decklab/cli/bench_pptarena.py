"""``decklab bench pptarena``."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from decklab.benchmarks.editors.baselines import PATHS, agent, editor_for
from decklab.benchmarks.editors.isolation import EditorFor, describe_isolation, isolation_facts
from decklab.benchmarks.editors.protocol import EditLimits, EditTask
from decklab.benchmarks.pptarena.case_decks import Decks
from decklab.benchmarks.pptarena.cases import CaseSet, load_cases
from decklab.benchmarks.pptarena.editors import BASELINES
from decklab.benchmarks.pptarena.editors import predictions as made_elsewhere
from decklab.benchmarks.pptarena.judging import judging
from decklab.benchmarks.pptarena.report import arena_run, print_arena, results_json, write_pages
from decklab.benchmarks.pptarena.running import PREDICTIONS, Judge, secrets_of
from decklab.benchmarks.pptarena.session import chosen, run_session
from decklab.benchmarks.pptarena.starter import starter_cases
from decklab.cli.parameters import (
    AsJson,
    EditorEnvironment,
    EditorFiles,
    EditorNetwork,
    Overwrite,
    TrustEditor,
)
from decklab.cli.terminal import checked_first, note, progress_bar
from decklab.files import check_run_folder, write_whole
from decklab.judges.editing.judging import CONFIGURATIONS
from decklab.judges.editing.verdict import TEMPERATURE
from decklab.models.asking import Ask
from decklab.models.inspect import open_model
from decklab.models.opening import open_asking
from decklab.options import EDIT_ROUNDS
from decklab.reports.files import strict_json
from decklab.sandbox.sandbox import check_isolation

app = typer.Typer(add_completion=False)

Cases = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="A checkout of the data set, or a JSON list of cases."),
]
Starter = Annotated[
    bool, typer.Option("--starter", help="The cases that decklab makes itself, written to --out.")
]
Editors = Annotated[
    list[str] | None,
    typer.Option(
        "--editor",
        metavar="NAME",
        help=f"{', '.join(BASELINES)}, a model with which decklab's agent edits, such as "
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
AgentPaths = Annotated[str, typer.Option(help=f"How the agent edits: {', '.join(PATHS)}.")]
Rounds = Annotated[int, typer.Option(min=1, help="Of the agent.")]
Judges = Annotated[
    list[str] | None,
    typer.Option("--judge", help="A model that judges; a second one is compared with the first."),
]
Configured = Annotated[
    str, typer.Option(help=f"How judges are asked: {', '.join(CONFIGURATIONS)}.")
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
    temperature: Temperature = TEMPERATURE,
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
    if check_judge and not (judge and self_check):
        raise typer.BadParameter("--check-judge needs --judge and the self-check")
    if predictions and predictions.resolve().is_relative_to((out / PREDICTIONS).resolve()):
        raise typer.BadParameter("--predictions is where this run would write; name another --out")
    names = _editor_names(editor, predictions)
    with ExitStack() as stack:
        with checked_first():
            check_run_folder(out, overwrite=overwrite)
            judges = [
                _judge(_opened(stack, name), configuration, temperature, repeats)
                for name in judge or ()
            ]
            found = _cases(cases, out, case or ())
            asked = open_model(model) if model else None
            if any(name not in BASELINES and not _is_outside(name) for name in names):
                check_isolation()
            editors = {
                name: editor_for(
                    name, BASELINES, limits=EditLimits(limit_seconds), trust=trust_editor,
                    environment=editor_env or (), files=editor_file or (), network=editor_network,
                    hidden=secrets_of(found, out),
                )
                if name in BASELINES or _is_outside(name)
                else _agent(_opened(stack, name), paths, rounds, draw=pictures)
                for name in names
            }  # fmt: skip
            facts = {
                name: isolation_facts(editors[name](case))
                for name in names
                for case in found.cases[:1]
            }
            apart = {name: told for name, told in facts.items() if told}
            if predictions is not None:
                editors[predictions.name] = made_elsewhere(predictions)
        decks = stack.enter_context(Decks(pictures=pictures))
        bar = stack.enter_context(progress_bar())
        attempts = _starter_folder(out) if starter else None
        task = bar.add_task("cases", total=len(found) * (len(editors) + 3 * starter))
        session = run_session(
            found, editors, out / PREDICTIONS, decks=decks, model=asked, check=self_check,
            check_judge=check_judge,
            judge=judges[0] if judges else None, second=judges[1] if judges[1:] else None,
            attempts=attempts, report=lambda _result: bar.advance(task),
        )  # fmt: skip
        title = "PPTArena, starter set" if starter else f"PPTArena, {found.path.name}"
        run = arena_run(
            title, found.version, session.runs,
            facts=(*session.facts, *(f"{name} was kept apart: {describe_isolation(kept)}."
                                     for name, kept in apart.items())),
            difficulty=session.difficulty, orders=session.orders,
        )  # fmt: skip
        page = write_pages(run, out, decks)
    told = strict_json({"version": found.version, "facts": list(session.facts),
                        "kept_apart": apart, "editors": results_json(session.runs)})  # fmt: skip
    write_whole(out / "results.json", (told + "\n").encode())
    if as_json:
        typer.echo(told)
    else:
        print_arena(run, Console())
        typer.echo(f"The report is {page}.")


def _starter_folder(out: Path) -> Path:
    return out / "starter"


def _cases(cases: Path | None, out: Path, names: Sequence[str]) -> CaseSet:
    if cases is None:
        return starter_cases(_starter_folder(out), names)
    return chosen(load_cases(cases), names)


def _editor_names(names: Sequence[str] | None, folder: Path | None) -> list[str]:
    for name in names or ():
        if name not in BASELINES and "/" not in name and not _is_outside(name):
            known = ", ".join(BASELINES)
            raise typer.BadParameter(
                f"no editor {name!r}; there are {known}, models such as openai/gpt-5, and yours "
                "as package.module:function"
            )
    return list(names) if names else ([] if folder else list(BASELINES))


def _is_outside(name: str) -> bool:
    """Whether it names a function of somebody's; models have colons, too, after a slash."""
    module, _, function = name.rpartition(":")
    return bool(module) and (module.endswith(".py") or ("/" not in name and function != ""))


def _opened(stack: ExitStack, model: str) -> Ask:
    return stack.enter_context(open_asking(model, tell=note))


def _agent(ask: Ask, paths: str, rounds: int, *, draw: bool) -> EditorFor[EditTask]:
    for known in PATHS:
        if paths == known:
            return agent(ask, paths=known, rounds=rounds, draw=draw)
    raise typer.BadParameter(f"the agent's paths are {', '.join(PATHS)}")


def _judge(ask: Ask, configuration: str, temperature: float, repeats: int) -> Judge:
    for known in CONFIGURATIONS:
        if configuration == known:
            return judging(ask, configuration=known, temperature=temperature, repeats=repeats)
    raise typer.BadParameter(f"judges are asked as {', '.join(CONFIGURATIONS)}")
