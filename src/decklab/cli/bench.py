"""``decklab bench``: a group whose commands come from the module of their benchmark."""

from typing import Any

import typer
from typer.core import TyperCommand
from typer.main import get_command

from decklab.cli.terminal import LazyGroup
from decklab.core.registry import installed, loaded

COMMANDS = {
    "slideeval-extract": "bench_slideeval", "slideeval-perturb": "bench_slideeval",
    "slideeval-order": "bench_slideeval", "slideeval-dataset": "bench_slideeval",
    "slideeval-report": "bench_slideeval", "slideeval-zenodo": "bench_slideeval",
    "ppteval": "bench_editors", "ppteval-fetch": "bench_editors",
    "ppteval-starter": "bench_editors", "ppteval-meta": "bench_editors",
    "pptarena": "bench_editors", "pptarena-style": "bench_editors", "slidesgen": "bench_writers",
    "unippt": "bench_writers", "unippt-starter": "bench_writers",
    "presentbench": "bench_writers",
}  # fmt: skip
"""The module of each command, in the order of the help page."""


class _Benchmarks(LazyGroup):
    """decklab's own benchmarks, then those of other packages: entry points of the group
    ``decklab.benchmarks``, each a Typer application of one command."""

    table = COMMANDS

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self._outside = {entry.name: entry for entry in installed("decklab.benchmarks")}
        for name in self._outside.keys() - COMMANDS.keys():
            owner = self._outside[name].dist
            words = "Of another package." if owner is None else f"Of the package {owner.name}."
            self.commands[name] = TyperCommand(name, help=words)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that ``args`` begin with, imported, with its name and the other words."""
        name, command, rest = super().resolve_command(ctx, args)
        if name in self._outside and name not in COMMANDS:
            command = get_command(loaded(self._outside[name], typer.Typer))
            command.name = name
        return name, command, rest


app = typer.Typer(cls=_Benchmarks, add_completion=False, no_args_is_help=True)


@app.callback()
def bench_command() -> None:
    """Put models, or decklab's own baselines, to a benchmark.

    Example: decklab bench slideeval-extract decks/ --model openai/gpt-5 --sample 50
    """
