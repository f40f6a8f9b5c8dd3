"""``decklab edit`` and its options: where the deck goes, what may change, how a model works."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

import decklab
from decklab.cli import calls
from decklab.cli.parameters import (
    AsJson,
    BudgetOptions,
    ComparisonPage,
    Deck,
    Force,
    argument,
    flag,
    grouped_options,
    option,
)
from decklab.cli.terminal import checked_until_begun, echo_json, stages_shown
from decklab.core.errors import DecklabError
from decklab.core.options import EDIT_ROUNDS, TOOL_CALLS, EditPaths

if TYPE_CHECKING:
    from decklab.editor.chat import EditChat
    from decklab.editor.model_editor import EditModel
    from decklab.editor.result import EditResult


def _checked_path(text: str) -> str:
    if text not in get_args(EditPaths):
        raise typer.BadParameter(f"{text!r} is none of {', '.join(get_args(EditPaths))}")
    return text


def _print_forms(wanted: bool) -> None:
    if wanted:
        for line in calls.form_lines():
            typer.echo(line)
        raise typer.Exit


app = typer.Typer(add_completion=False)

EXIT_CODES = {"done": 0, "partly": 3, "asked": 4, "refused": 4}
"""Exit code by outcome; 2 is for what was missing beforehand, 1 for what went wrong later."""
_LONGEST = 400
"""Characters of what a new chart, table or text holds."""
_KINDS = frozenset({".pptx", ".pptm", ".potx", ".potm", ".ppsx", ".ppsm"})
"""Endings by which PowerPoint knows the kind of a file; it refuses one whose content differs."""


@dataclass(frozen=True)
class EditingModelOptions:
    """With a model: which edits, how often it tries, what it sees."""

    model: Annotated[
        str | None, option("Have a model edit, such as openai/gpt-5, in any words.", "NAME")
    ] = None
    rounds: Annotated[
        int, option("With a model: how often it may try, the first included.", min=1)
    ] = EDIT_ROUNDS
    paths: Annotated[
        str,
        option(
            "With a model: how edits are made; hybrid lets it choose.",
            "hybrid|program|xml",
            callback=_checked_path,
        ),
    ] = "hybrid"
    vision: Annotated[bool, option("With a model: show it the slides.")] = True
    tools: Annotated[bool, option("With a model: let it look at the deck while it works.")] = True
    tool_calls: Annotated[
        int, option("With a model: how often it may look in one question.", min=1)
    ] = TOOL_CALLS
    temperature: Annotated[
        float | None, option("With a model: goes along with every question.", min=0)
    ] = None

    def editor(self, budget: BudgetOptions) -> "EditModel | None":
        """The model that edits, None for none; raises typer.BadParameter for a wrong option."""
        spending = budget.spending(self.model, temperature=self.temperature)
        if self.model is None:
            return None
        return decklab.EditModel(
            self.model, rounds=self.rounds, paths=cast(EditPaths, self.paths), vision=self.vision,
            tools=self.tools, tool_calls=self.tool_calls, temperature=self.temperature,
            spending=spending,
        )  # fmt: skip


@app.command()
@grouped_options
def edit_command(
    deck: Deck,
    by_model: EditingModelOptions,
    budget: BudgetOptions,
    instruction: Annotated[
        str | None, argument("What to change; with --chat the first request.", "[INSTRUCTION]")
    ] = None,
    chat: Annotated[
        bool, flag("--chat", "Read requests line by line; undo takes the last one back.")
    ] = False,
    out: Annotated[
        Path | None,
        option(
            "Where the edited deck goes; else DECK.edited.pptx, or a free name like it.", "FILE"
        ),
    ] = None,
    in_place: Annotated[
        bool, flag("--in-place", "Replace the deck itself; decklab undo takes the edit back.")
    ] = False,
    force: Force = False,
    slides: Annotated[str | None, option("The only slides that may be edited.", "2,4-6")] = None,
    dry_run: Annotated[
        bool, flag("--dry-run", "Say what would change, and write no deck.")
    ] = False,
    forms: Annotated[
        bool,
        flag(
            "--forms",
            "List the forms of requests without a model, with examples.",
            callback=_print_forms,
            is_eager=True,
        ),
    ] = False,
    report: ComparisonPage = None,
    as_json: AsJson = False,
) -> None:
    """Change in a deck exactly what is asked, and say what changed.

    Without --model the instruction has to have one of the forms that --forms lists; texts with
    words such as "on" or "and" stand in quotes. With --chat requests come one by one from standard
    input, and with a model each may mean those before it, as "bigger" does.

    Exit codes: 0 all of it was done, 3 part of it, 4 nothing; 2 something that it needs is not
    there, told before anything was done; 1 it went wrong later. The input is never changed without
    --in-place, and no file is replaced without --force.

    Example: decklab edit talk.pptx "replace '2025' with '2026' in titles"
    """
    chosen = None if slides is None else _numbers(slides)
    target = _output(deck, out, in_place=in_place)
    editor = by_model.editor(budget)
    if chat:
        if dry_run or as_json or report is not None or budget.record is not None:
            raise typer.BadParameter("--chat goes without --dry-run, --json, --report and --record")
        edited = deck if in_place else calls.chat_copy(deck, target, force=force)
        talk = calls.EditChat(edited, model=editor, slides=chosen, files=Path())
        raise typer.Exit(_chat(talk, instruction))
    if instruction is None:
        raise typer.BadParameter("say what to change, or add --chat", param_hint="INSTRUCTION")
    with checked_until_begun() as stages, stages_shown(stages) as progress:
        result = decklab.edit(
            deck, instruction, out=target, slides=chosen, model=editor, dry_run=dry_run,
            report=report, force=force, in_place=in_place, files=Path(), progress=progress,
        )  # fmt: skip
    if as_json:
        echo_json(result.as_json())
    else:
        _print(result, dry_run=dry_run, report=report)
    raise typer.Exit(EXIT_CODES[result.outcome])


def _output(deck: Path, out: Path | None, *, in_place: bool) -> Path | None:
    """The file to write, of the deck's kind; None for a free name, or the deck itself."""
    if in_place:
        if out is not None:
            raise typer.BadParameter("--in-place writes to the deck itself: leave out --out")
        return None
    kinds = deck.suffix.lower(), deck.suffix.lower() if out is None else out.suffix.lower()
    if kinds[0] != kinds[1] and _KINDS.issuperset(kinds):
        detail = f"an edit keeps the kind of its deck: end the name in {deck.suffix}"
        raise typer.BadParameter(detail, param_hint="--out")
    return out


def _chat(talk: "EditChat", first: str | None) -> int:
    """Carry out requests until there are no more; gives the highest exit code."""
    code = 0
    for request in _requests(first):
        try:
            with stages_shown([]) as progress:
                said = talk.ask(request, progress=progress)
        except DecklabError as error:
            typer.secho(str(error), err=True)
            code = max(code, 1)
            continue
        if isinstance(said, calls.Undone):
            for line in calls.undone_lines(said):
                typer.echo(line)
        else:
            _print(said, dry_run=False, report=None)
            code = max(code, EXIT_CODES[said.outcome])
    return code


def _requests(first: str | None) -> Iterator[str]:
    """The first request, if there is one, then those of standard input, a line each."""
    if first is not None:
        yield first
    stream = typer.get_text_stream("stdin")
    while True:
        if stream.isatty():
            typer.echo("> ", nl=False, err=True)
        if not (line := stream.readline()):
            return
        if line.strip():
            yield line.strip()


def _shortened(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _numbers(slides: str) -> tuple[int, ...]:
    try:
        return calls.slide_numbers(slides)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--slides") from None


def _print_beside(result: "EditResult") -> None:
    """Print additions, texts left alone, warnings and changes that were put back."""
    for line in result.added:
        typer.echo(f"Added: {_shortened(line)}")
    if result.left_alone_words:
        typer.echo(result.left_alone_words)
    for line in result.warnings:
        typer.secho(line, fg="yellow")
    for line in result.left_out:
        typer.echo(f"{line[:1].upper()}{line[1:]}.")
    for line in result.put_back_lines:
        typer.secho(f"Put back, since nobody asked for it: {line}", fg="yellow")
    if result.amended:
        typer.echo(f"The plan was amended: {result.amended}")


def _print_undone(lines: Iterable[str]) -> None:
    """Print each thing that was not done, with its reason."""
    for line in lines:
        typer.secho(line[:1].upper() + line[1:], err=True)


def _print(result: "EditResult", *, dry_run: bool, report: Path | None) -> None:
    for line in result.rejected:
        typer.secho(line, fg="red", err=True)
    undone = result.undone[len(result.rejected) :]
    if result.outcome == "partly":
        _print_undone(undone)
    for line in result.sentences:
        typer.echo(line)
    _print_beside(result)
    if result.outcome != "partly":
        _print_undone(undone)
    for line in result.remarks:
        typer.secho(f"To you: {line}", bold=True)
    for line in result.spent:
        typer.secho(line, dim=True)
    if report is not None:
        typer.echo(f"Wrote {report}")
    if result.output:
        typer.echo(f"Wrote {result.output}")
    elif result.outcome in ("asked", "refused"):
        typer.echo("No deck was written.")
    elif dry_run:
        typer.echo("A dry run: no deck was written.")
