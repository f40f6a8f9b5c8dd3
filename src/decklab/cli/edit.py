"""``decklab edit``."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.console import Console

from decklab.agents.editor.command_editor import default_output
from decklab.agents.editor.grammar import NUMBERS, numbers_in
from decklab.agents.editor.model_editor import ROUNDS
from decklab.agents.editor.result import EditResult
from decklab.agents.editor.stages import Progress
from decklab.cli.checked import checked_first
from decklab.cli.edit_model import ModelName, Prices, RecordFolder, Rounds, Vision, Way, editor
from decklab.cli.parameters import AsJson, Deck, check_run_folder
from decklab.comparing.page import compare_decks, write_diff_page
from decklab.editing.finding import EditError
from decklab.errors import RendererMissing
from decklab.files import check_file
from decklab.ooxml.package import Package
from decklab.rendering.cache import Cache
from decklab.rendering.office.office import Office

app = typer.Typer(add_completion=False)

EXIT_CODES = {"done": 0, "partly": 3, "refused": 4}
"""Exit code by outcome; 2 is for what was missing beforehand, 1 for what went wrong later."""
_KINDS = frozenset({".pptx", ".pptm", ".potx", ".potm", ".ppsx", ".ppsm"})
"""Endings by which PowerPoint tells what a file is, and refuses one that says otherwise inside."""


@app.command()
def edit_command(
    deck: Deck,
    instruction: Annotated[str, typer.Argument(metavar="INSTRUCTION", help="What to change.")],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Where the edited deck goes; else DECK.edited.pptx, or a free name like it.",
        ),
    ] = None,
    slides: Annotated[
        str | None, typer.Option(metavar="2,4-6", help="The only slides that may be edited.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would change, and write no deck.")
    ] = False,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write a page with pictures before and after."),
    ] = None,
    as_json: AsJson = False,
    model: ModelName = None,
    rounds: Rounds = ROUNDS,
    paths: Way = "hybrid",
    vision: Vision = True,
    prices: Prices = None,
    record: RecordFolder = None,
) -> None:
    """Change in a deck exactly what is asked, and say what changed.

    Without --model the instruction has to have one of the known forms.

    Exit codes: 0 all of it was done, 3 part of it, 4 nothing; 2 something that it needs is not
    there, told before anything was done; 1 it went wrong later. The input is never changed, unless
    --out names it.

    Example: decklab edit talk.pptx "replace '2025' with '2026' in titles"
    """
    chosen = None if slides is None else _numbers(slides)
    _check_kind(deck, out)
    with ExitStack() as stack:
        with checked_first():
            target = default_output(deck) if out is None else out
            _check_files(deck, None if dry_run else target, report, record if model else None)
            edit = stack.enter_context(
                editor(model, rounds=rounds, paths=paths, vision=vision, prices=prices)
            )
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="decklab-edit-")))
        before = folder / f"before{deck.suffix}"
        if report is not None:  # --out may name the input
            before.write_bytes(deck.read_bytes())
        office, cache = _office(stack), Cache()
        with _stages() as progress:
            result = edit(
                deck, instruction, out=target, slides=chosen, dry_run=dry_run, cache=cache,
                folder=record if model and record else folder, office=office,
                draw=office is not None, progress=progress,
            )  # fmt: skip
            if report is not None:
                progress("report")
                after = result.best.deck if result.best and result.best.deck else before
                _found, comparison = compare_decks(before, after, office=office, cache=cache)
                shown = replace(comparison, before=str(deck), after=str(target))
                write_diff_page(report, shown, edit=result)
    if as_json:
        typer.echo(json.dumps(result.as_json(), ensure_ascii=False))
    else:
        _print(result, dry_run=dry_run, report=report)
    raise typer.Exit(EXIT_CODES[result.outcome])


def _check_files(deck: Path, out: Path | None, report: Path | None, record: Path | None) -> None:
    """Whether the deck can be read, and everything be written that is to be."""
    with Package.open(deck):
        pass
    if out is not None:
        check_file(out)
    if report is not None:
        check_file(report, inputs=[deck])
    if record is not None:
        check_run_folder(record, overwrite=None, mark="edit.json")


def _check_kind(deck: Path, out: Path | None) -> None:
    """An edit keeps the kind of its deck."""
    kinds = deck.suffix.lower(), deck.suffix.lower() if out is None else out.suffix.lower()
    if kinds[0] != kinds[1] and _KINDS.issuperset(kinds):
        detail = f"an edit keeps the kind of its deck: end the name in {deck.suffix}"
        raise typer.BadParameter(detail, param_hint="--out")


def _numbers(slides: str) -> tuple[int, ...]:
    if re.fullmatch(NUMBERS, slides.strip()) is None:
        raise typer.BadParameter(f"{slides!r} is no list such as 2,4-6", param_hint="--slides")
    try:
        return numbers_in(slides)
    except EditError as error:
        raise typer.BadParameter(str(error), param_hint="--slides") from None


def _office(stack: ExitStack) -> Office | None:
    try:
        return stack.enter_context(Office())
    except RendererMissing:
        return None


@contextmanager
def _stages() -> Iterator[Progress]:
    """Shows the stage that is under way, on standard error, where that is a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _stage: None
        return
    with console.status("read") as status:
        yield status.update


def _print(result: EditResult, *, dry_run: bool, report: Path | None) -> None:
    for line in result.sentences:
        typer.echo(line)
    for line in result.warnings:
        typer.secho(line, fg="yellow")
    for line in result.undone:
        typer.secho(line[:1].upper() + line[1:], err=True)
    if result.seconds:
        spent = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in result.seconds.items())
        typer.secho(f"Time: {spent}.", dim=True)
    if result.tokens:
        cost = "" if result.cost is None else f", {result.cost:.4f} US dollars"
        typer.secho(f"Model: {result.tokens:,} tokens{cost}.", dim=True)
    if report is not None:
        typer.echo(f"Wrote {report}")
    if result.output:
        typer.echo(f"Wrote {result.output}")
    elif result.outcome == "refused":
        typer.echo("No deck was written.")
    elif dry_run:
        typer.echo("A dry run: no deck was written.")
