"""The edits of a deck in place: kept beside it, listed by their requests, taken back one by one.

The folder ``.talk.pptx.edits`` beside ``talk.pptx`` holds ``edits.jsonl``, a line an edit, and the
decks before and after each, named for their content. It moves with the deck if both are moved.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from decklab.core.errors import DecklabError
from decklab.core.files import scratch_folder, write_whole
from decklab.editing.taking_back import keyed_changes, take_back

_LINES = "edits.jsonl"


class NothingToUndo(DecklabError):
    """No edit of a deck, or not the one that was named, can be taken back; the text says why."""


@dataclass(frozen=True)
class KeptEdit:
    """An edit that replaced a deck."""

    number: int
    """Counted from 1."""
    request: str
    outcome: str
    sentences: tuple[str, ...]
    """Its changes in words."""
    before: str
    """SHA-256 of the deck before."""
    after: str
    undoes: int | None = None
    """The edit that it took back; None for an edit by a request."""


@dataclass(frozen=True)
class Undone:
    """An edit that was taken back."""

    edit: KeptEdit
    gone: tuple[str, ...]
    """Its changes that are no longer there, in words."""
    left: tuple[str, ...] = ()
    """Those that had to stay, with the reason, such as a later edit of the same text."""


class EditHistory:
    """The edits of the deck at one path, as far as they were made in place."""

    def __init__(self, deck: str | Path) -> None:
        self.deck = Path(deck)
        self.folder = self.deck.with_name(f".{self.deck.name}.edits")

    @property
    def edits(self) -> tuple[KeptEdit, ...]:
        """All edits, the oldest first. A line that was cut off by a kill is left out."""
        return tuple(self._read())

    @property
    def standing(self) -> tuple[KeptEdit, ...]:
        """The edits by requests that were not taken back."""
        edits = self.edits
        undone = {edit.undoes for edit in edits}
        return tuple(e for e in edits if e.undoes is None and e.number not in undone)

    def replace(
        self, made: bytes, request: str, outcome: str, sentences: tuple[str, ...],
        undoes: int | None = None,
    ) -> KeptEdit:  # fmt: skip
        """Replace the deck by ``made``, and keep both with what was asked.

        Raises OSError, with the deck as it was, if they cannot be kept.
        """
        before, after = self._kept(self.deck.read_bytes()), self._kept(made)
        number = max((edit.number for edit in self.edits), default=0) + 1
        edit = KeptEdit(number, request, outcome, sentences, before, after, undoes)
        write_whole(self.deck, made)
        with (self.folder / _LINES).open("ab") as file:
            file.write(f"{json.dumps(asdict(edit), ensure_ascii=False)}\n".encode(errors="replace"))
        return edit

    def undo(self, number: int | None = None) -> Undone:
        """Take back the newest edit that stands, or the one with a number; later ones stay.

        The deck is as it was before, byte for byte, if nothing changed it since. Else the changes
        of the edit are taken back from the deck as it is now. Raises NothingToUndo if there is no
        such edit, CannotTakeBack if none of its changes can be taken back, DeckError if a deck
        cannot be read, OSError if it cannot be written.
        """
        edit = self._to_undo(number)
        before, after = self._deck(edit.before), self._deck(edit.after)
        if sha256(self.deck.read_bytes()).hexdigest() == edit.after:
            undone, made = Undone(edit, edit.sentences), before.read_bytes()
        else:
            with scratch_folder("undo") as folder:
                out = folder / f"undone{self.deck.suffix}"
                keys = [change.key for change in keyed_changes(before, after)]
                taken = take_back(before, after, keys, out, onto=self.deck)
                undone, made = Undone(edit, taken.gone, taken.left), out.read_bytes()
        outcome = "partly" if undone.left else "done"
        self.replace(made, f"undo {edit.number}", outcome, undone.gone, edit.number)
        return undone

    def _to_undo(self, number: int | None) -> KeptEdit:
        standing = {edit.number: edit for edit in self.standing}
        if not standing:
            raise NothingToUndo(f"no edit of {self.deck} in place is left to take back")
        if number is None:
            return standing[max(standing)]
        if number not in standing:
            there = ", ".join(map(str, standing))
            raise NothingToUndo(f"edit {number} of {self.deck} cannot be taken back; {there} can")
        return standing[number]

    def _deck(self, digest: str) -> Path:
        return self.folder / f"{digest}{self.deck.suffix}"

    def _kept(self, deck: bytes) -> str:
        """Keep a deck; gives its digest."""
        digest = sha256(deck).hexdigest()
        if not self._deck(digest).exists():
            write_whole(self._deck(digest), deck)
        return digest

    def _read(self) -> Iterator[KeptEdit]:
        path = self.folder / _LINES
        for line in path.read_bytes().splitlines(keepends=True) if path.exists() else ():
            if line.endswith(b"\n"):
                told = json.loads(line)
                yield KeptEdit(**{**told, "sentences": tuple(told["sentences"])})


def undone_lines(undone: Undone) -> Iterator[str]:
    """An edit that was taken back in words, one line each."""
    yield f"Took back: {undone.edit.request}"
    yield from (f"Not there any more: {line}" for line in undone.gone)
    yield from (f"Stays: {line}" for line in undone.left)


def edit_words(edit: KeptEdit, most: int = 12) -> str:
    """An edit for a model: its request and its first changes."""
    more = len(edit.sentences) - most
    changes = [*edit.sentences[:most], *([f"… and {more} more"] if more > 0 else [])]
    return f"{edit.number}. “{edit.request}” ({edit.outcome}): {' '.join(changes) or 'nothing'}"
