"""An office that dies on some slides, made up, and decks for it."""

from collections.abc import Mapping
from pathlib import Path
from zipfile import is_zipfile

from pptx import Presentation
from pptx.util import Pt
from tests.rendering.conftest import minimal_pdf

from decklab.core.errors import RendererDied, RenderFailed, RenderTimeout


class DyingOffice:
    """Dies on decks with a slide whose title is in ``deadly``; a page shows its slide's title."""

    engine = "fake"
    options: Mapping[str, object] = {}

    def __init__(
        self, *deadly: str, error: type[RenderFailed | RenderTimeout] = RendererDied
    ) -> None:
        self._deadly, self._error = deadly, error
        self.deaths = 0

    def pdf(self, path: str | Path) -> bytes:
        try:
            return self.pdf_once(path)
        except self._error:
            return self.pdf_once(path)

    def pdf_once(self, path: str | Path) -> bytes:
        if not is_zipfile(path):  # the page on which fonts are tried
            return minimal_pdf("", size=(720, 540))
        shown = []
        for slide in Presentation(str(path)).slides:
            title = slide.shapes.title
            shown.append("" if title is None else title.text)
        if any(title in self._deadly for title in shown):
            self.deaths += 1
            raise self._error(path, "ended without an answer")
        pages = [f"BT /F1 40 Tf 100 300 Td ({title}) Tj ET" for title in shown]
        return minimal_pdf(*pages, size=(720, 540))

    def resaved(self, path: str | Path) -> bytes:
        raise NotImplementedError

    def close(self) -> None:
        """Nothing is open."""


def write_numbered(path: Path, count: int) -> Path:
    """A deck of slides with the titles "Slide 1", "Slide 2" and so on."""
    deck = Presentation()
    for number in range(1, count + 1):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = f"Slide {number}"
        slide.shapes.add_textbox(Pt(9), Pt(9), Pt(90), Pt(number))
    deck.save(str(path))
    return path
