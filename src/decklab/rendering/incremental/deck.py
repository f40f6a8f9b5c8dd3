"""A deck whose slides are pages of several PDFs, made at different times."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from decklab.rendering.incremental.entries import PageOf
from decklab.rendering.model import RenderedDeck, RenderedSlide, TextLayer, TextReader
from decklab.rendering.pdf import PAGE_SECONDS, PdfDeck

__all__ = ["IncrementalDeck"]


class IncrementalDeck(RenderedDeck):
    """Slides that are pages of PDFs, drawn when they are asked for.

    ``len`` counts the slides of the deck; ``numbers`` are those that were asked for, in order, and
    the only ones that iteration gives. ``keys`` names each one's picture, by number: slides of
    equal keys look the same at the same size, so what was made of a slide can be kept under its
    key, and two decks can be compared without drawing them. ``fresh`` holds the numbers of the
    slides that LibreOffice drew for this opening; all others were known.
    """

    def __init__(
        self,
        path: str | Path,
        count: int,
        pages: Mapping[int, PageOf],
        keys: Mapping[int, str],
        *,
        engine: str,
        fresh: frozenset[int],
        size: tuple[int, int] = (1280, 720),
        read_picture: TextReader | None = None,
        page_deadline: float | None = None,
    ) -> None:
        self.path = Path(path)
        self.kind = "office"
        self.engine = engine
        self.keys = dict(keys)
        self.fresh = fresh
        self.numbers = tuple(sorted(pages))
        self._count = count
        self._pages = dict(pages)
        self._size = size
        self._read_picture = read_picture
        self._page_deadline = page_deadline or PAGE_SECONDS
        self._open: dict[str, PdfDeck] = {}
        self.slide_size_pt = self._first_size()

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[RenderedSlide]:
        return (self.slide(number) for number in self.numbers)

    def slide(self, number: int) -> RenderedSlide:
        """Draw one slide; IndexError where there is none or it was not asked for, RenderFailed
        where its page is damaged, RenderTimeout past its deadline."""
        pdf, page = self._place(number)
        return replace(pdf.slide(page), number=number)

    def layers(self, number: int) -> list[TextLayer]:
        """One slide with and without its text: see ``text_layers``."""
        pdf, page = self._place(number)
        return pdf.layers(page)

    @property
    def fonts(self) -> tuple[str, ...]:
        """PostScript names of the fonts that visible text is drawn in, sorted."""
        places = [self._place(number) for number in self.numbers]
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
        if number not in self._pages:
            raise IndexError(f"slide {number} of {self.path} was not asked for")
        place = self._pages[number]
        if place.name not in self._open:
            self._open[place.name] = PdfDeck(
                self.path, place.pdf, kind="office", engine=self.engine, size=self._size,
                read_picture=self._read_picture, page_deadline=self._page_deadline,
            )  # fmt: skip
        return self._open[place.name], place.page + 1

    def _first_size(self) -> tuple[float, float]:
        """All slides of a deck are of one size."""
        return self._place(self.numbers[0])[0].slide_size_pt if self.numbers else (0.0, 0.0)
