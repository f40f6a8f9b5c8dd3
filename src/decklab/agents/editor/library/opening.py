"""Decks opened and saved by python-pptx, whose complaints become one line."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pptx
from lxml import etree
from pptx.exc import PythonPptxError
from pptx.presentation import Presentation

from decklab.agents.editor.library.dangling import guarded, restored
from decklab.errors import DeckError

__all__ = ["PPTX_ERRORS", "Presentation", "opened", "saved"]

PPTX_ERRORS = (
    PythonPptxError, KeyError, IndexError, ValueError, TypeError, AttributeError,
    NotImplementedError, etree.LxmlError,
)  # fmt: skip
"""What python-pptx raises on decks that are built otherwise than it expects."""


def opened(path: str | Path) -> Presentation:
    """A deck opened for editing in memory, to be written by ``saved``; raises DeckError where that
    cannot be."""
    with TemporaryDirectory(prefix="decklab-open-") as room:
        # Its reading has limits and refusals, which hold here too.
        source = guarded(Path(path), Path(room) / "deck.pptx")
        try:
            return pptx.Presentation(str(source))
        except PPTX_ERRORS as error:
            raise DeckError(path, f"it cannot be opened for editing: {_line(error)}") from error


def saved(prs: Presentation, path: Path) -> Path:
    """The presentation in a file; raises DeckError where python-pptx cannot write it."""
    try:
        prs.save(str(path))
    except PPTX_ERRORS as error:
        raise DeckError(path, f"the edited deck cannot be saved: {_line(error)}") from error
    restored(path)
    return path


def _line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
