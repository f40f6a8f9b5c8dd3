"""All commands of the command line, for tests that go through them."""

from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from decklab.cli import app


def commands() -> Iterator[tuple[str, Any]]:
    """All commands with their full names, such as ``bench ppteval``."""
    root: Any = get_command(app)
    return _leaves(root, root.context_class(root, info_name="decklab"))


def _leaves(command: Any, context: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """The commands of a group, groups in it gone through."""
    if not hasattr(command, "list_commands"):
        yield " ".join(path), command
        return
    for name in command.list_commands(context):
        _, inner, _ = command.resolve_command(context, [name])
        below = type(context)(inner, parent=context, info_name=name)
        yield from _leaves(inner, below, (*path, name))
