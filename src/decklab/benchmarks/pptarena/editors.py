"""Editors that are put to the benchmark, and the baselines among them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from decklab.agents.editor.loop import ROUNDS, edit_with_model
from decklab.agents.editor.planning import Paths
from decklab.agents.editor.running import edit_with_commands
from decklab.benchmarks.pptarena.cases import Case
from decklab.benchmarks.pptarena.starter.writing import slug
from decklab.files import write_whole
from decklab.models.asking import Ask, Usage

__all__ = [
    "BASELINES", "NOT_RUN", "PATHS", "ROUNDS", "Edited", "Editor", "commands", "noop",
    "predictions", "truth", "with_model",
]  # fmt: skip

PATHS: tuple[Paths, ...] = ("hybrid", "program", "xml")
"""Of decklab's agent: the executor variants of table 4."""
NOT_RUN: Final = "not run"
"""The ending of an editor that could not be put to a case, which is not its fault."""
Ending = Literal["done", "partly", "refused", "failed", "not run"]


@dataclass(frozen=True)
class Edited:
    """What an editor says of its work; where it wrote nothing, the original counts as its deck."""

    ending: Ending
    note: str = ""
    usage: Usage = field(default_factory=Usage)


Editor = Callable[[Case, Path], Edited]
"""Writes the edited deck of a case to a path. An editor sees ``original`` and ``prompt`` of the
case alone, ``truth`` excepted, which is there to show what the best can get. It raises DecklabError
for what is not its fault, such as a model that gives no reply; what it cannot do it says in
``Edited``."""


def noop(case: Case, out: Path) -> Edited:
    """Leave the deck as it is: the least there is."""
    write_whole(out, case.original.read_bytes())
    return Edited("refused", "nothing was done")


def truth(case: Case, out: Path) -> Edited:
    """Hand in the truth: the most there is."""
    write_whole(out, case.ground_truth.read_bytes())
    return Edited("done", "the truth")


def commands(case: Case, out: Path) -> Edited:
    """Edit with ``decklab.agents.editor``'s commands, which understand exact requests only."""
    result = edit_with_commands(case.original, case.prompt, out=out, draw=False)
    return Edited(result.outcome, "; ".join(result.undone), result.usage)


def with_model(ask: Ask, **options: Any) -> Editor:
    """Edit with ``decklab.agents.editor``'s agent; ``options`` are those of ``edit_with_model``,
    such as ``rounds`` and ``paths`` for the ablation of table 4."""

    def edit(case: Case, out: Path) -> Edited:
        result = edit_with_model(case.original, case.prompt, ask, out=out, **options)
        return Edited(result.outcome, "; ".join(result.undone), result.usage)

    return edit


def predictions(folder: Path) -> Editor:
    """Take decks that were made elsewhere: ``<name of the case>.pptx``, as it is or in lower case
    with dashes."""

    def edit(case: Case, out: Path) -> Edited:
        for name in (case.name, slug(case.name)):
            path = folder / f"{name}.pptx"
            if path.is_file():
                write_whole(out, path.read_bytes())
                return Edited("done")
        return Edited("failed", f"{folder} has no deck for this case")

    return edit


BASELINES: dict[str, Editor] = {"noop": noop, "commands": commands, "truth": truth}
"""By the names that the command line knows."""
