"""Shared code of commands: groups whose commands are imported when they run, checks before they
begin, one-line errors in our words, JSON, progress."""

import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer
from rich.console import Console
from rich.markup import escape
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from decklab.core.errors import DecklabError, NothingToWrite, Unavailable
from decklab.core.files import NameTaken
from decklab.core.lazy import needs_extra
from decklab.core.registry import nearest, one_of

if TYPE_CHECKING:
    from rich.progress import Progress

_UsageError: Final[Any] = typer.BadParameter.__mro__[1]
_KINDS: Final = {int: "a whole number", float: "a number"}


@contextmanager
def usage_in_words() -> Iterator[None]:
    """Errors of usage in the block are raised in our words, where we have any."""
    try:
        yield
    except _UsageError as error:
        if (words := _words(error)) is None:
            raise
        raise _UsageError(words, ctx=error.ctx) from error


def _words(error: Any) -> str | None:
    if possible := getattr(error, "possibilities", None):
        bare = {name.lstrip("-"): name for name in possible}
        near = get_close_matches(error.option_name.lstrip("-"), bare, n=1)
        offer = f" Did you mean {bare[near[0]]}?" if near else ""
        return f"No such option: {error.option_name}.{offer}"
    if type(error) is not typer.BadParameter:
        return None
    param: Any = error.param
    cause: Any = error.__cause__
    if param is None or not hasattr(cause, "errors"):
        hint = error.param_hint or (param and param.get_error_hint().strip("'"))
        return f"{hint}: {error.message}" if hint else error.message
    given = str(cause.errors(include_url=False)[0]["input"])
    named = param.param_type_name == "option"
    name = param.opts[0] if named else param.metavar or param.name.upper()
    return f"{name} {given}: {_allowed(param.type_descriptor, given)}"


def _allowed(described: Any, given: str) -> str:
    """Values that an option takes, as Typer describes its type."""
    if described.choices:
        names = [str(getattr(choice, "value", choice)) for choice in described.choices]
        offer = nearest(given, names)
        return f"{offer} Choose {one_of(names)}." if offer else f"choose {one_of(names)}."
    kind = _KINDS.get(described.annotation, "another value")
    low, high = described.parameter_info.min, described.parameter_info.max
    if low is not None and high is not None:
        return f"give {kind} from {low:g} to {high:g}."
    if low is not None:
        return f"give {kind}, at least {low:g}."
    return f"give {kind}." if high is None else f"give {kind}, at most {high:g}."


NOT_BEGUN = 2
"""Exit code of a command that could not begin: something it needs is wrong or missing."""
SPENT: Final = 3
"""Exit code of a command that wrote what it had when its budget was spent."""


@contextmanager
def checked_first() -> Iterator[None]:
    """An error in the block ends the command with one line and exit code 2."""
    with checked_until_begun():
        yield


def check_there(path: Path) -> None:
    """End the command with one line and exit code 2 if there is nothing at ``path``."""
    with checked_first():
        path.stat()  # the error names the path


@contextmanager
def checked_until_begun() -> Iterator[list[str]]:
    """Yields a list to which the block adds the name of each stage of its work.

    An error before the first stage, or documents that hold nothing, ends the command with one line
    and exit code 2; another later one is raised.
    """
    stages: list[str] = []
    try:
        yield stages
    except (DecklabError, OSError) as error:
        if stages and not isinstance(error, NothingToWrite):
            raise
        typer.echo(f"decklab: {in_words(error)}", err=True)
        raise typer.Exit(NOT_BEGUN) from None


def noting(stages: list[str]) -> Callable[[str], None]:
    """A function that takes the stages of the work, single words, into ``stages``, and writes
    notes, such as of a model that is asked again, to standard error."""

    def noted(line: str) -> None:
        stages.append(line)
        if " " in line:
            note(line)

    return noted


@contextmanager
def stages_shown(stages: list[str]) -> Iterator[Callable[[str], None]]:
    """Show the current stage on standard error if that is a terminal; elsewhere only notes, such
    as of a model that is asked again.

    Yields a function to call with the name of each stage, which adds it to ``stages``.
    """
    if not (console := Console(stderr=True)).is_terminal:
        yield noting(stages)
        return
    with console.status("read") as status:

        def begin(line: str) -> None:
            note = " " in line
            shown = f"{stages[-1] if stages else 'read'} ({line})" if note else line
            status.update(escape(shown))
            if not note:
                stages.append(line)

        yield begin


def note(line: str) -> None:
    """Write a line about the work that goes on to standard error."""
    typer.echo(f"decklab: {line}", err=True)


def converted_words(deck: str | Path, kind: str) -> str:
    """A line that says of a deck that LibreOffice converted it, so that places may differ."""
    return f"{deck}: {kind}, read from a copy that LibreOffice converted to .pptx"


@contextmanager
def counted(work: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar for work that reports how much of it is done, and of how much.

    An error before the first report ends the command with one line and exit code 2.
    """
    with checked_until_begun() as stages, progress_bar() as bar:
        task = bar.add_task(work, total=None)

        def progress(done: int, total: int) -> None:
            stages.append(work)
            bar.update(task, completed=done, total=total)

        yield progress


def in_words(error: DecklabError | OSError) -> str:
    """An error as one line, which names the file if there is one."""
    if isinstance(error, DecklabError):
        return str(error)
    if isinstance(error, NameTaken):
        return error.advice("add --force")
    file = f"{error.filename}: " if error.filename else ""
    return f"{file}{error.strerror or error}"


def echo_json(value: Any) -> None:
    """Print plain data as JSON, on one line."""
    typer.echo(json.dumps(value, ensure_ascii=False))


def print_run(run: Any, out: Path, *, as_json: bool, gap: str = "\n") -> None:
    """Print the results of a benchmark's run in the folder ``out``, or its lines and warnings.

    Ends the command with ``SPENT`` if a budget ended the run, and with 1 if nothing is scored.
    """
    if as_json:
        typer.echo((out / "results.json").read_text(encoding="utf-8"))
    else:
        print_lines(run)
        typer.echo(f"{gap}The report is {out / 'index.html'}.")
        for line in run.warnings():
            note(line)
    if run.ended:
        raise typer.Exit(SPENT)
    if run.failed:
        note(f"nothing is scored: {run.failed}")
        raise typer.Exit(1)


def print_lines(printed: Any) -> None:
    """Print the lines of a table or a run."""
    for line in printed.lines():
        typer.echo(line)


@contextmanager
def needing(work: str, extra: str, *packages: str) -> Iterator[None]:
    """Unavailable, with what to install, if one of an extra's packages is missing in the block."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in packages:
            raise
        raise Unavailable(needs_extra(work, extra)) from error


def progress_bar() -> "Progress":
    """A bar with what is done, the time gone and the time left; not shown without a terminal."""
    from rich.progress import (  # noqa: PLC0415  # slow to load, and help needs none
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
        TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(),
        console=console, disable=not console.is_terminal, transient=True,
    )  # fmt: skip


_FRAMEWORK = "inspect_ai"


def _documented(app: typer.Typer, name: str) -> Any:
    """The function whose docstring describes a command, or a group's application."""
    if app.registered_callback is not None:
        return app.registered_callback.callback
    names = {command.name or command.callback.__name__: command.callback  # type: ignore[union-attr]
             for command in app.registered_commands}  # fmt: skip
    return names.get(name) or next(iter(names.values()))


class LazyGroup(TyperGroup):
    """A group that imports a command when it is run, or its help page is shown.

    ``table``, which subclasses set, names the module in ``decklab.cli`` of each command: it has a
    Typer application ``app``, which is the command, or a group that holds it.
    """

    table: Mapping[str, str] = {}

    def __init__(self, **attributes: Any) -> None:
        """A group that knows its commands by name only."""
        super().__init__(**attributes)
        names: Any = dict.fromkeys(self.table)
        self.commands = names

    def make_context(self, *args: Any, **how: Any) -> Any:
        """The context of the group; errors in its own options are put in our words."""
        with usage_in_words():
            return super().make_context(*args, **how)

    def get_help_option(self, ctx: Any) -> Any:
        """``--help``, which is False if it is not given: for None, Typer would import pydantic
        to make a truth value of it, and a help page needs no pydantic."""
        if (option := super().get_help_option(ctx)) is not None:
            option.default = False
        return option

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command as the help page of the group shows it, without its parameters."""
        if cmd_name not in self.table:
            return self.commands.get(cmd_name)
        says = inspect.getdoc(_documented(self._module(cmd_name).app, cmd_name))
        return TyperCommand(cmd_name, help=says)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that ``args`` begin with, whole, with its name and the other words."""
        name, command, rest = super().resolve_command(ctx, args)
        if name is not None and name in self.table:
            command = get_command(self._module(name).app)
            command = getattr(command, "commands", {}).get(name, command)
            command.name = name
        return name, command, rest

    def _module(self, name: str) -> Any:
        return import_module(f"decklab.cli.{self.table[name]}")

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        """Run the command that was named; Unavailable if it needs ``decklab[evals]``."""
        try:
            with usage_in_words():
                return super().invoke(ctx)
        except ModuleNotFoundError as error:
            if error.name != _FRAMEWORK:
                raise
            name = f"{ctx.command_path} {ctx.invoked_subcommand}"
            raise Unavailable(needs_extra(name, "evals")) from error
