"""Several requests in a row on one deck: each may mean those before it, and can be taken back."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from decklab.core.errors import DecklabError
from decklab.core.files import scratch_folder, write_numbered, write_output
from decklab.core.stages import Progress
from decklab.editing.taking_back import keyed_changes, take_back
from decklab.editor.edit import edit
from decklab.editor.result import EditHistory, EditResult, KeptEdit, edited_path

if TYPE_CHECKING:
    from decklab.editor.model_editor import EditModel

UNDO: Final = "undo"
"""The request that takes back the last edit."""
MOST_EARLIER: Final = 5
"""Earlier requests that a model is told. Ours."""


def chat_copy(deck: Path, out: Path | None, *, force: bool = False) -> Path:
    """A copy of a deck to have requests on, at ``out``, or else beside it under a free name.

    Raises OSError if it cannot be written, NameTaken if there is a file.
    """
    if out is None:
        return write_numbered(edited_path(deck), deck.read_bytes())
    write_output(out, deck.read_bytes(), force=force)
    return out


class NothingToUndo(DecklabError):
    """No edit of a deck, or not the one that was named, can be taken back; the text says why."""


@dataclass(frozen=True)
class Undone:
    """An edit that was taken back."""

    edit: KeptEdit
    gone: tuple[str, ...]
    """Its changes that are no longer there, in words."""
    left: tuple[str, ...] = ()
    """Those that had to stay, with the reason, such as a later edit of the same text."""


def undo_edit(history: EditHistory, number: int | None = None) -> Undone:
    """Take back the newest edit that stands, or the one with a number; later ones stay.

    The deck is as it was before, byte for byte, if nothing changed it since. Else the changes
    of the edit are taken back from the deck as it is now. Raises NothingToUndo if there is no
    such edit, CannotTakeBack if none of its changes can be taken back, DeckError if a deck
    cannot be read, OSError if it cannot be written.
    """
    edit = _to_undo(history, number)
    before, after = history.kept_deck(edit.before), history.kept_deck(edit.after)
    if sha256(history.deck.read_bytes()).hexdigest() == edit.after:
        undone, made = Undone(edit, edit.sentences), before.read_bytes()
    else:
        with scratch_folder("undo") as folder:
            out = folder / f"undone{history.deck.suffix}"
            keys = [change.key for change in keyed_changes(before, after)]
            taken = take_back(before, after, keys, out, onto=history.deck)
            undone, made = Undone(edit, taken.gone, taken.left), out.read_bytes()
    outcome = "partly" if undone.left else "done"
    history.replace(made, f"undo {edit.number}", outcome, undone.gone, edit.number)
    return undone


def _to_undo(history: EditHistory, number: int | None) -> KeptEdit:
    if not (standing := {edit.number: edit for edit in history.standing}):
        raise NothingToUndo(f"no edit of {history.deck} in place is left to take back")
    if number is None:
        return standing[max(standing)]
    if number not in standing:
        there = ", ".join(map(str, standing))
        raise NothingToUndo(f"edit {number} of {history.deck} cannot be taken back; {there} can")
    return standing[number]


def undone_lines(undone: Undone) -> Iterator[str]:
    """An edit that was taken back in words, one line each."""
    yield f"Took back: {undone.edit.request}"
    yield from (f"Undone: {line}" for line in undone.gone)
    yield from (f"Stays: {line}" for line in undone.left)


def edit_words(edit: KeptEdit, most: int = 12) -> str:
    """An edit for a model: its request and its first changes."""
    more = len(edit.sentences) - most
    changes = [*edit.sentences[:most], *([f"… and {more} more"] if more > 0 else [])]
    return f"{edit.number}. “{edit.request}” ({edit.outcome}): {' '.join(changes) or 'nothing'}"


@dataclass(frozen=True)
class EditChat:
    """Requests on a deck, which is replaced by each of them."""

    deck: Path
    model: "EditModel | None" = None
    slides: Collection[int] | None = None
    """The only slides that may be edited."""
    files: Path | None = None
    """Folder of pictures and decks that requests without a model name."""

    def ask(self, request: str, *, progress: Progress | None = None) -> EditResult | Undone:
        """Carry out a request; ``undo`` takes back the last edit that stands.

        A model is told the requests before it. Raises what ``edit`` and ``undo_edit`` do.
        """
        history = EditHistory(self.deck)
        if request.strip().casefold() == UNDO:
            return undo_edit(history)
        earlier = [edit_words(kept) for kept in history.standing[-MOST_EARLIER:]]
        return edit(
            self.deck, request, in_place=True, model=self.model, slides=self.slides,
            files=self.files, earlier=earlier, progress=progress,
        )  # fmt: skip
