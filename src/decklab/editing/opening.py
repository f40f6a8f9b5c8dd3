"""Decks opened and saved by python-pptx, whose complaints become one line."""

from pathlib import Path
from tempfile import TemporaryDirectory

from lxml import etree
from pptx.exc import PythonPptxError
from pptx.presentation import Presentation as Presentation  # noqa: PLC0414  # for this room

from decklab.editing.dangling import guarded, restored
from decklab.editing.open_parts import presentation_in
from decklab.errors import DeckError
from decklab.ooxml.package import Package
from decklab.ooxml.sniffing import check_archive

_STRICT = b"http://purl.oclc.org/ooxml/"  # what its namespaces begin with

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
        check_archive(path)  # python-pptx unpacks every part, also those nothing leads to
        _refuse_strict(source, path)
        try:
            return presentation_in(str(source))
        except PPTX_ERRORS as error:
            raise DeckError(path, f"it cannot be opened for editing: {_line(error)}") from error


def _refuse_strict(source: Path, path: str | Path) -> None:
    with Package.open(source) as package:
        if _STRICT in package.read(package.main_part):
            detail = (
                "it is of the strict edition, which cannot be edited; save it as an ordinary .pptx"
            )
            raise DeckError(path, detail)


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
