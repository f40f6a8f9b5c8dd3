"""What anything that turns decks into PDF looks like, and a fake that needs no LibreOffice."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from decklab.errors import RenderFailed

__all__ = ["Converter", "RecordedOffice"]


class Converter(Protocol):
    """Turns decks into PDF; ``Office`` does it with LibreOffice."""

    @property
    def engine(self) -> str:
        """Name and version of what draws."""

    @property
    def options(self) -> Mapping[str, object]:
        """Settings that change the PDF, as plain JSON values."""

    def pdf(self, path: str | Path) -> bytes:
        """The deck as PDF; raises RenderError where that fails."""


class RecordedOffice:
    """Gives PDFs made beforehand, by the name of the deck's file; draws nothing itself.

    ``asked`` lists the paths in the order they were asked for.

    >>> office = RecordedOffice({"a.pptx": b"%PDF-1.7 ..."})
    >>> office.pdf("talks/a.pptx")
    b'%PDF-1.7 ...'
    >>> office.pdf("b.pptx")
    Traceback (most recent call last):
    decklab.errors.RenderFailed: b.pptx: no PDF was recorded for it
    """

    engine = "recorded"
    options: Mapping[str, object] = {}

    def __init__(self, pdfs: Mapping[str, bytes]) -> None:
        self._pdfs = dict(pdfs)
        self.asked: list[Path] = []

    def pdf(self, path: str | Path) -> bytes:
        """The recorded PDF of that file name; RenderFailed where there is none."""
        self.asked.append(Path(path))
        try:
            return self._pdfs[Path(path).name]
        except KeyError:
            raise RenderFailed(path, "no PDF was recorded for it") from None
