"""Several requests in a row on one deck, each of which may mean those before it."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from decklab.core.files import write_numbered, write_output
from decklab.core.stages import Progress
from decklab.editor.edit import edit
from decklab.editor.history import EditHistory, Undone, edit_words
from decklab.editor.result import EditResult, edited_path

if TYPE_CHECKING:
    from decklab.editor.model_editor import EditModel

UNDO = "undo"
"""The request that takes back the last edit."""
MOST_EARLIER = 5
"""Earlier requests that a model is told. Ours."""


def chat_copy(deck: Path, out: Path | None, *, force: bool = False) -> Path:
    """A copy of a deck to have requests on, at ``out``, or else beside it under a free name.

    Raises OSError if it cannot be written, NameTaken if there is a file.
    """
    if out is None:
        return write_numbered(edited_path(deck), deck.read_bytes())
    write_output(out, deck.read_bytes(), force=force)
    return out


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

        A model is told the requests before it. Raises what ``edit`` and ``EditHistory.undo`` do.
        """
        history = EditHistory(self.deck)
        if request.strip().casefold() == UNDO:
            return history.undo()
        earlier = [edit_words(kept) for kept in history.standing[-MOST_EARLIER:]]
        return edit(
            self.deck, request, in_place=True, model=self.model, slides=self.slides,
            files=self.files, earlier=earlier, progress=progress,
        )  # fmt: skip
