"""Decks of which one slide kills the office; the office and its PDFs are made up."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from pptx import Presentation
from pptx.util import Pt

from decklab.errors import RendererDied, RenderFailed, RenderTimeout
from decklab.rendering.cache import Cache
from decklab.rendering.incremental.apart import MOST_DEATHS
from decklab.rendering.opening import IncrementalDeck, open_incremental, open_rendered
from decklab.rendering.renderer import Renderer
from decklab.rendering.saving import save_pictures

MakePdf = Callable[..., bytes]


class DyingOffice:
    """Dies on decks with a slide whose title is in ``deadly``; a page shows its slide's title."""

    engine = "fake"
    options: Mapping[str, object] = {}

    def __init__(
        self, make_pdf: MakePdf, *deadly: str, error: type[RenderFailed | RenderTimeout]
    ) -> None:
        self._make_pdf, self._deadly, self._error = make_pdf, deadly, error
        self.deaths = 0

    def pdf(self, path: str | Path) -> bytes:
        try:
            return self.pdf_once(path)
        except self._error:
            return self.pdf_once(path)

    def pdf_once(self, path: str | Path) -> bytes:
        shown = []
        for slide in Presentation(str(path)).slides:
            title = slide.shapes.title
            shown.append("" if title is None else title.text)
        if any(title in self._deadly for title in shown):
            self.deaths += 1
            raise self._error(path, "ended without an answer")
        pages = [f"BT /F1 40 Tf 100 300 Td ({title}) Tj ET" for title in shown]
        return self._make_pdf(*pages, size=(720, 540))

    def resaved(self, path: str | Path) -> bytes:
        raise NotImplementedError


def write_numbered(path: Path, count: int) -> Path:
    deck = Presentation()
    for number in range(1, count + 1):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = f"Slide {number}"
        slide.shapes.add_textbox(Pt(9), Pt(9), Pt(90), Pt(number))
    deck.save(str(path))
    return path


def texts(deck: IncrementalDeck) -> dict[int, str]:
    return {slide.number: " ".join(span.text for span in slide.spans) for slide in deck}


@pytest.mark.parametrize(
    ("error", "fault"),
    [(RendererDied, "LibreOffice dies on it"), (RenderTimeout, "LibreOffice does not finish it")],
)
def test_one_deadly_slide_is_named_and_the_others_are_drawn(
    tmp_path: Path, make_pdf: MakePdf, error: type[RenderFailed | RenderTimeout], fault: str
) -> None:
    path = write_numbered(tmp_path / "talk.pptx", 20)
    office = DyingOffice(make_pdf, "Slide 7", error=error)
    renderer = Renderer(office, Cache(tmp_path / "cache"))
    with open_incremental(path, renderer=renderer, ocr=False) as deck:
        assert isinstance(deck, IncrementalDeck)
        assert len(deck) == 20
        assert texts(deck) == {n: f"Slide {n}" for n in range(1, 21) if n != 7}
        assert deck.faults == {7: fault}
        with pytest.raises(RenderFailed, match=rf"talk\.pptx: slide 7: {fault}"):
            deck.slide(7)
    assert office.deaths == 4  # twice the whole, its group, the slide
    with open_incremental(path, renderer=renderer, ocr=False) as again:
        assert isinstance(again, IncrementalDeck)
        assert (again.fresh, again.faults) == (frozenset(), {7: fault})
        assert len(texts(again)) == 19


def test_the_error_of_the_whole_deck_names_the_slide(tmp_path: Path, make_pdf: MakePdf) -> None:
    path = write_numbered(tmp_path / "talk.pptx", 9)
    renderer = Renderer(DyingOffice(make_pdf, "Slide 4", error=RendererDied))
    with pytest.raises(RendererDied, match=r"\(slide 4: LibreOffice dies on it\)"):
        open_rendered(path, renderer=renderer, ocr=False)


def test_the_deaths_of_a_deck_are_bounded(tmp_path: Path, make_pdf: MakePdf) -> None:
    path = write_numbered(tmp_path / "talk.pptx", 12)
    office = DyingOffice(make_pdf, *(f"Slide {n}" for n in range(1, 13)), error=RendererDied)
    with pytest.raises(RendererDied, match="slides 1, 2, 3, 4: LibreOffice dies on it; slides 5"):
        open_incremental(path, renderer=Renderer(office), ocr=False)
    assert office.deaths == 2 + MOST_DEATHS < 8


@pytest.mark.parametrize("count", [0, 1])
def test_the_smallest_decks(tmp_path: Path, make_pdf: MakePdf, count: int) -> None:
    path = write_numbered(tmp_path / "talk.pptx", count)
    office = DyingOffice(make_pdf, "Slide 1", error=RendererDied)
    if count:
        with pytest.raises(RendererDied, match=r"\(slide 1: LibreOffice dies on it\)"):
            open_incremental(path, renderer=Renderer(office), ocr=False)
    else:
        with open_incremental(path, renderer=Renderer(office), ocr=False) as deck:
            assert list(deck) == []


def test_an_office_that_only_refuses_is_not_asked_again(tmp_path: Path, make_pdf: MakePdf) -> None:
    path = write_numbered(tmp_path / "talk.pptx", 5)
    office = DyingOffice(make_pdf, "Slide 2", error=RenderFailed)
    with pytest.raises(RenderFailed) as raised:
        open_incremental(path, renderer=Renderer(office), ocr=False)
    assert "slide 2" not in str(raised.value)
    assert office.deaths == 2


def test_pictures_of_the_others_are_saved(tmp_path: Path, make_pdf: MakePdf) -> None:
    path = write_numbered(tmp_path / "talk.pptx", 5)
    renderer = Renderer(DyingOffice(make_pdf, "Slide 2", error=RendererDied))
    saved = save_pictures(path, tmp_path / "out", renderer=renderer)
    files = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert files == [f"slide-00{n}.png" for n in (1, 3, 4, 5)]
    assert "slide 2: LibreOffice dies on it" in str(saved.slides[1].error)
