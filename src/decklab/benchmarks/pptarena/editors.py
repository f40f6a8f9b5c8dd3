"""Editors by name: baselines of all benchmarks, the truths, and decks made elsewhere."""

from collections.abc import Callable
from pathlib import Path

from decklab.benchmarks.editors.baselines import commands, noop
from decklab.benchmarks.editors.isolation import EditorFor
from decklab.benchmarks.editors.protocol import Editor, EditSession, trusted
from decklab.benchmarks.editors.running import submitted_bytes
from decklab.benchmarks.pptarena.cases import Case
from decklab.benchmarks.pptarena.starter import attempt_path, slug
from decklab.errors import DeckError, MissingPart
from decklab.files import write_whole
from decklab.registry import Registry

BASELINES: Registry[EditorFor[Case]] = Registry("editor")
"""Editors by their names on the command line, each made for a case."""


def hand_in(find: Callable[[Case], Path], note: str) -> EditorFor[Case]:
    """An editor that submits an existing deck, with the remark ``note``."""

    def made(case: Case) -> Editor:
        def copied(deck: Path, instruction: str, session: EditSession) -> None:
            write_whole(deck, find(case).read_bytes())
            session.finish("done", note)

        return trusted(copied)

    return made


def attempts(folder: Path, kind: str) -> EditorFor[Case]:
    """An editor that submits the starter set's attempt of that kind, flawed on purpose."""
    return hand_in(lambda case: attempt_path(folder, case.name, kind), f"flawed on purpose: {kind}")


def predictions(folder: Path) -> EditorFor[Case]:
    """An editor that submits decks made elsewhere: ``<name of the case>.pptx``, the name unchanged
    or in lower case with dashes. A link is not followed; it counts as a deck that cannot be
    opened."""

    def made(case: Case) -> Editor:
        def taken(deck: Path, instruction: str, session: EditSession) -> None:
            for name in (case.name, slug(case.name)):
                try:
                    write_whole(deck, submitted_bytes(folder / f"{name}.pptx"))
                except MissingPart:
                    continue
                except DeckError as error:
                    write_whole(deck, b"")
                    session.finish("failed", str(error))
                return
            session.finish("failed", f"{folder} has no deck for this case")

        return trusted(taken)

    return made


BASELINES.register("noop", noop)
BASELINES.register("commands", commands)
BASELINES.register("truth", hand_in(lambda case: case.ground_truth, "the truth"))
