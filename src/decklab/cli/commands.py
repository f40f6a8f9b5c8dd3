"""Groups of commands whose modules are imported when a command runs, not when help lists it."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from decklab.errors import ModelUnavailable

_FRAMEWORK = "inspect_ai"


@dataclass(frozen=True)
class Command:
    """Where a command is, and what the help page of its group says of it.

    ``module`` lies in ``decklab.cli`` and has a Typer application ``app``, which is the command, or
    a group that holds it. ``help`` is the first paragraph of the command's docstring.
    """

    module: str
    help: str


class LazyGroup(TyperGroup):
    """A group that knows its commands by a table; subclasses set ``table``.

    The help page of the group shows the table's words: it imports no command.
    """

    table: Mapping[str, Command] = {}

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        """The names of the commands in the order of the help page."""
        return list(self.table)

    def get_command(self, ctx: typer.Context, cmd_name: str) -> Any:  # type: ignore[override]
        """A command without its parameters, for the help page; None for an unknown name."""
        known = self.table.get(cmd_name)
        return None if known is None else TyperCommand(cmd_name, help=known.help)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that ``args`` begin with, imported, with its name and the other words."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command and self._imported(command.name or ""), rest

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        """Run the command that was named; ModelUnavailable where it needs ``decklab[bench]``."""
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            if error.name != _FRAMEWORK:
                raise
            name = f"{ctx.info_name} {ctx.invoked_subcommand}"
            raise ModelUnavailable(name, "needs decklab[bench]") from error

    def _imported(self, name: str) -> Any:
        module = import_module(f"decklab.cli.{self.table[name].module}")
        command: Any = get_command(module.app)
        if name in getattr(command, "commands", ()):
            return command.commands[name]
        command.name = name
        return command
