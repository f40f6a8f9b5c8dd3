"""Editors that are put to the benchmark, and the baselines among them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from decklab.agents.editor.command_editor import edit_with_commands
from decklab.agents.editor.model_editor import edit_with_model
from decklab.benchmarks.editors.handing_in import deck_bytes
from decklab.benchmarks.editors.places import Outside
from decklab.benchmarks.editors.room import EditorRoom
from decklab.benchmarks.editors.session import Editor as OutsideEditor
from decklab.benchmarks.editors.session import Session, Trusted, trusted
from decklab.benchmarks.pptarena.cases import Case
from decklab.benchmarks.pptarena.starter import slug
from decklab.errors import DeckError, MissingPart
from decklab.files import write_whole
from decklab.models.asking import Ask, Usage
from decklab.options import EditPaths

PATHS: tuple[EditPaths, ...] = ("hybrid", "program", "xml")
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


TrustedEditor: TypeAlias = Trusted[[Case, Path], Edited]
"""Writes the edited deck of a case to a path, in decklab's own process. It sees ``original`` and
``prompt`` of the case alone, ``truth`` excepted, which is there to show what the best can get. It
raises DecklabError for what is not its fault, such as a model that gives no reply; what it cannot
do it says in ``Edited``."""
Editor: TypeAlias = TrustedEditor | EditorRoom | OutsideEditor
"""What can be put to cases: what is trusted, and functions of others, from a deck and an
instruction (see ``decklab.benchmarks.editors``), which work in a room."""


def at_case(editor: Editor, hidden: Sequence[Path] = ()) -> TrustedEditor:
    """An editor as one that is put to a case; a function of others in a room of its own, where
    nothing ``hidden`` is to be seen. Raises UnknownName for one that cannot be imported there."""
    if isinstance(editor, Trusted):
        return editor
    if not isinstance(editor, EditorRoom):
        editor = EditorRoom(Outside.of(editor), hidden=hidden)
    return apart(editor)


def apart(room: EditorRoom, ask: Ask | None = None) -> TrustedEditor:
    """An editor of others at work in ``room``, with the model ``ask``.

    Where it leaves no deck, or a link in its place, an empty file stands for that, which is worth
    as little as any deck that cannot be opened.
    """

    def edit(case: Case, out: Path) -> Edited:
        session = Session(room.limits, ask)
        handed = room.edit(case.original, case.prompt, session)
        write_whole(out, handed.deck or b"")
        if handed.deck is None:
            missing = "it left no deck: nothing is in its place, or a link, a folder or a pipe"
            return Edited("failed", "; ".join(filter(None, (handed.ended, missing))))
        return Edited("failed" if handed.ended else "done", handed.ended)

    return trusted(edit)


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


def with_model(ask: Ask, **options: Any) -> TrustedEditor:
    """Edit with ``decklab.agents.editor``'s agent; ``options`` are those of ``edit_with_model``,
    such as ``rounds`` and ``paths`` for the ablation of table 4."""

    def edit(case: Case, out: Path) -> Edited:
        result = edit_with_model(case.original, case.prompt, ask, out=out, **options)
        return Edited(result.outcome, "; ".join(result.undone), result.usage)

    return trusted(edit)


def predictions(folder: Path) -> TrustedEditor:
    """Take decks that were made elsewhere: ``<name of the case>.pptx``, as it is or in lower case
    with dashes. Links are not followed: what is one counts as a deck that cannot be opened."""

    def edit(case: Case, out: Path) -> Edited:
        for name in (case.name, slug(case.name)):
            try:
                write_whole(out, deck_bytes(folder / f"{name}.pptx"))
            except MissingPart:
                continue
            except DeckError as error:
                write_whole(out, b"")
                return Edited("failed", str(error))
            return Edited("done")
        return Edited("failed", f"{folder} has no deck for this case")

    return trusted(edit)


BASELINES: dict[str, TrustedEditor] = {
    "noop": trusted(noop),
    "commands": trusted(commands),
    "truth": trusted(truth),
}
"""By the names that the command line knows."""
