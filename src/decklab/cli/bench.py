"""``decklab bench``: a group whose commands come from the module of their benchmark."""

from typing import Any

import typer
from typer.core import TyperCommand
from typer.main import get_command

from decklab.cli.terminal import Command, LazyGroup
from decklab.core.registry import installed, loaded

COMMANDS = {
    "slideeval-extract": Command("bench_slideeval", "Ask what is on slides, from their pictures."),
    "slideeval-perturb": Command(
        "bench_slideeval", "Ask for ratings of slides that were damaged by known amounts."
    ),
    "slideeval-order": Command("bench_slideeval", "Ask for the order of a deck's shuffled slides."),
    "slideeval-dataset": Command(
        "bench_slideeval", "Count what decks hold: slides, elements of each kind, words, fonts."
    ),
    "slideeval-report": Command(
        "bench_slideeval",
        "Write the report on the newest log of each task and judge: a page, and tables as CSV.",
    ),
    "slideeval-zenodo": Command(
        "bench_slideeval", "Fetch decks of Zenodo10K by the paper's filters; needs the network."
    ),
    "ppteval": Command(
        "bench_editors", "Have an editor do PPT-Eval's tasks, and grade what it leaves."
    ),
    "ppteval-fetch": Command(
        "bench_editors",
        "Download the twelve decks of the published tasks; those that are there are checked.",
    ),
    "ppteval-starter": Command(
        "bench_editors",
        "Write the starter set: tasks with rubrics and decks, in the published format.",
    ),
    "ppteval-meta": Command(
        "bench_editors", "Grade attempts whose level of completion is known, and compare."
    ),
    "pptarena": Command(
        "bench_editors",
        "Put editors to cases of edits: did they do what was asked, and nothing else?",
    ),
    "pptarena-style": Command(
        "bench_editors",
        "Have a model draft style targets for cases that have none, for a person to check.",
    ),
    "slidesgen": Command(
        "bench_writers",
        "Score decks that systems wrote from documents: content, looks, editability, cost.",
    ),
    "unippt": Command(
        "bench_writers",
        "Judge decks of systems by what their tasks ask, in four settings of input.",
    ),
    "unippt-starter": Command(
        "bench_writers",
        "Write the starter set: eight tasks with documents and annotations, two of each setting.",
    ),
}
"""The commands in the order of the help page."""


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

    def _imported(self, name: str) -> Any:
        if name in COMMANDS:
            return super()._imported(name)
        command = get_command(loaded(self._outside[name], typer.Typer))
        command.name = name
        return command


app = typer.Typer(cls=_Benchmarks, add_completion=False, no_args_is_help=True)


@app.callback()
def bench_command() -> None:
    """Put models, or decklab's own baselines, to a benchmark.

    Example: decklab bench slideeval-extract decks/ --model openai/gpt-5 --sample 50
    """
