"""A deck whose slides are pages of several PDFs, made at different times."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from decklab.render.incremental.entries import PageOf
from decklab.render.model import RenderedDeck, RenderedSlide, TextReader
from decklab.render.pdf import PdfDeck

__all__ = ["IncrementalDeck"]


class IncrementalDeck(RenderedDeck):
    """Slides that are pages of PDFs, drawn when they are asked for.

    ``keys`` names each slide's picture: slides of equal keys look the same at the same size, so
    what was made of a slide can be kept under its key. ``fresh`` holds the numbers of the slides
    that LibreOffice drew for this opening; all others were known.
    """

    def __init__(
        self,
        path: str | Path,
        pages: Sequence[PageOf],
        keys: Sequence[str],
        *,
        engine: str,
        fresh: frozenset[int],
        size: tuple[int, int] = (1280, 720),
        read_picture: TextReader | None = None,
    ) -> None:
        self.path = Path(path)
        self.kind = "office"
        self.engine = engine
        self.keys = tuple(keys)
        self.fresh = fresh
        self._pages = tuple(pages)
        self._size = size
        self._read_picture = read_picture
        self._open: dict[str, PdfDeck] = {}
        self.slide_size_pt = self._first_size()

    def __len__(self) -> int:
        return len(self._pages)

    def slide(self, number: int) -> RenderedSlide:
        """Draw one slide; RenderFailed where its page is damaged, RenderTimeout past a minute."""
        pdf, page = self._place(number)
        return replace(pdf.slide(page), number=number)

    @property
    def fonts(self) -> tuple[str, ...]:
        """PostScript names of the fonts that visible text is drawn in, sorted."""
        places = [self._place(number) for number in range(1, len(self) + 1)]
        names = {span.font for pdf, page in places for span in pdf.spans(page)}
        return tuple(sorted(names - {""}))

    def close(self) -> None:
        """Release the PDFs; drawing a slide opens its own again."""
        for pdf in self._open.values():
            pdf.close()
        self._open.clear()

    def _place(self, number: int) -> tuple[PdfDeck, int]:
        """The PDF that a slide is in, and its 1-based page there."""
        self._check(number)
        place = self._pages[number - 1]
        if place.name not in self._open:
            self._open[place.name] = PdfDeck(
                self.path, place.pdf, kind="office", engine=self.engine, size=self._size,
                read_picture=self._read_picture,
            )  # fmt: skip
        return self._open[place.name], place.page + 1

    def _first_size(self) -> tuple[float, float]:
        if not self._pages:
            return (0.0, 0.0)
        return self._place(1)[0].slide_size_pt
