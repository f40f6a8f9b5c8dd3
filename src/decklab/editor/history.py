"""The edits of a deck in place: kept beside it, listed by their requests, taken back one by one.

The folder ``.talk.pptx.edits`` beside ``talk.pptx`` holds ``edits.jsonl``, a line an edit, and the
decks before and after each, named for their content. It moves with the deck if both are moved.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from decklab.core.files import write_whole

_LINES = "edits.jsonl"


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
        undoes: int | None = None, *, before: bytes | None = None,
    ) -> KeptEdit:  # fmt: skip
        """Replace the deck by ``made``, and keep both with what was asked.

        ``before`` is the deck that was edited, by default the one that is replaced. Raises
        OSError, with the deck as it was, if they cannot be kept.
        """
        edited = self.deck.read_bytes() if before is None else before
        number = max((edit.number for edit in self.edits), default=0) + 1
        edit = KeptEdit(
            number, request, outcome, sentences, self._kept(edited), self._kept(made), undoes
        )
        write_whole(self.deck, made)
        with (self.folder / _LINES).open("ab") as file:
            file.write(f"{json.dumps(asdict(edit), ensure_ascii=False)}\n".encode(errors="replace"))
        return edit

    def kept_deck(self, digest: str) -> Path:
        """The deck that was kept with a digest."""
        return self.folder / f"{digest}{self.deck.suffix}"

    def _kept(self, deck: bytes) -> str:
        """Keep a deck; gives its digest."""
        digest = sha256(deck).hexdigest()
        if not self.kept_deck(digest).exists():
            write_whole(self.kept_deck(digest), deck)
        return digest

    def _read(self) -> Iterator[KeptEdit]:
        path = self.folder / _LINES
        for line in path.read_bytes().splitlines(keepends=True) if path.exists() else ():
            if line.endswith(b"\n"):
                told = json.loads(line)
                yield KeptEdit(**{**told, "sentences": tuple(told["sentences"])})


def edit_words(edit: KeptEdit, most: int = 12) -> str:
    """An edit for a model: its request and its first changes."""
    more = len(edit.sentences) - most
    changes = [*edit.sentences[:most], *([f"… and {more} more"] if more > 0 else [])]
    return f"{edit.number}. “{edit.request}” ({edit.outcome}): {' '.join(changes) or 'nothing'}"
