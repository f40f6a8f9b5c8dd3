"""Decks of which one slide kills the office; the office and its PDFs are made up."""

import zipfile
from pathlib import Path
from zipfile import is_zipfile

import pytest
from pptx import Presentation
from tests.rendering.dying_office import DyingOffice, write_numbered

from decklab.core.errors import RendererDied, RenderFailed, RenderTimeout
from decklab.rendering.job import save_pictures
from decklab.rendering.office import Office
from decklab.rendering.opening import IncrementalDeck, open_incremental, open_rendered
from decklab.rendering.partial_copies import MOST_DEATHS
from decklab.rendering.renderer import Cache, Renderer

NO_LINKS = b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>'


def texts(deck: IncrementalDeck) -> dict[int, str]:
    return {slide.number: " ".join(span.text for span in slide.spans) for slide in deck}


@pytest.mark.parametrize(
    ("error", "fault"),
    [(RendererDied, "LibreOffice dies on it"), (RenderTimeout, "LibreOffice does not finish it")],
)
def test_one_deadly_slide_is_named_and_the_others_are_drawn(
    tmp_path: Path, error: type[RenderFailed | RenderTimeout], fault: str
) -> None:
    path = write_numbered(tmp_path / "talk.pptx", 20)
    office = DyingOffice("Slide 7", error=error)
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


def test_the_error_of_the_whole_deck_names_the_slide(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "talk.pptx", 9)
    renderer = Renderer(DyingOffice("Slide 4", error=RendererDied))
    with pytest.raises(RendererDied, match=r"\(slide 4: LibreOffice dies on it\)"):
        open_rendered(path, renderer=renderer, ocr=False)


def test_the_others_of_the_whole_deck_are_drawn_on_request(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "talk.pptx", 9)
    office = DyingOffice("Slide 4", error=RendererDied)
    renderer = Renderer(office, Cache(tmp_path / "cache"))
    # Twice the whole, its group, the slide; then twice a copy with the slide, twice the whole, the
    # slide.
    for deaths in (4, 9):
        with open_rendered(path, renderer=renderer, ocr=False, deadly="left out") as deck:
            assert [slide.number for slide in deck] == [1, 2, 3, 5, 6, 7, 8, 9]
            assert (len(deck), dict(deck.faults)) == (9, {4: "LibreOffice dies on it"})
        assert office.deaths == deaths


def test_a_deck_without_any_other_slide_still_raises(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "talk.pptx", 1)
    with pytest.raises(RendererDied, match="slide 1: LibreOffice dies on it"):
        open_rendered(path, renderer=Renderer(DyingOffice("Slide 1")), ocr=False, deadly="left out")


class DiesOnWholeDecks(DyingOffice):
    """Dies on any deck of more slides than it can take, whatever they are."""

    def pdf_once(self, path: str | Path) -> bytes:
        if is_zipfile(path) and len(Presentation(str(path)).slides) > 6:
            raise RendererDied(path, "ended without an answer")
        return super().pdf_once(path)


def test_a_deck_is_drawn_whole_where_each_slide_can_be_drawn_apart(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "talk.pptx", 9)
    with open_rendered(path, renderer=Renderer(DiesOnWholeDecks()), ocr=False) as deck:
        assert isinstance(deck, IncrementalDeck)
        assert (texts(deck), deck.faults) == ({n: f"Slide {n}" for n in range(1, 10)}, {})


def test_deadly_slides_are_not_looked_for_in_vain(tmp_path: Path) -> None:
    office = DyingOffice("Slide 4")
    with pytest.raises(RendererDied, match=r"answer$"):
        open_rendered(
            write_numbered(tmp_path / "talk.pptx", 9),
            renderer=Renderer(office), ocr=False, deadly="not looked for",
        )  # fmt: skip
    assert office.deaths == 2


def test_the_deaths_of_a_deck_are_bounded(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "talk.pptx", 12)
    office = DyingOffice(*(f"Slide {n}" for n in range(1, 13)), error=RendererDied)
    with pytest.raises(RendererDied, match="slides 1, 2, 3, 4: LibreOffice dies on it; slides 5"):
        open_incremental(path, renderer=Renderer(office), ocr=False)
    assert office.deaths == 2 + MOST_DEATHS < 8


@pytest.mark.parametrize("count", [0, 1])
def test_the_smallest_decks(tmp_path: Path, count: int) -> None:
    path = write_numbered(tmp_path / "talk.pptx", count)
    office = DyingOffice("Slide 1", error=RendererDied)
    if count:
        with pytest.raises(RendererDied, match=r"\(slide 1: LibreOffice dies on it\)"):
            open_incremental(path, renderer=Renderer(office), ocr=False)
    else:
        with open_incremental(path, renderer=Renderer(office), ocr=False) as deck:
            assert list(deck) == []


def test_an_office_that_only_refuses_is_not_asked_again(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "talk.pptx", 5)
    office = DyingOffice("Slide 2", error=RenderFailed)
    with pytest.raises(RenderFailed) as raised:
        open_incremental(path, renderer=Renderer(office), ocr=False)
    assert "slide 2" not in str(raised.value)
    assert office.deaths == 2


def test_pictures_of_the_others_are_saved(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "talk.pptx", 5)
    renderer = Renderer(DyingOffice("Slide 2", error=RendererDied))
    saved = save_pictures(path, tmp_path / "out", renderer=renderer)
    files = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert files == [f"slide-00{n}.png" for n in (1, 3, 4, 5)]
    assert "slide 2: LibreOffice dies on it" in str(saved.slides[1].error)


@pytest.mark.long
@pytest.mark.office
@pytest.mark.parametrize("layouts", ["whole", "of slide 2 missing", "missing"])
def test_damaged_properties_of_the_deck_cost_no_slide(
    tmp_path: Path, office: Office, layouts: str
) -> None:
    path = write_numbered(tmp_path / "talk.pptx", 3)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["docProps/app.xml"] = parts["docProps/app.xml"] + b"e></Properties>"
    bare = {"whole": (), "of slide 2 missing": (2,), "missing": (1, 2, 3)}[layouts]
    parts.update({f"ppt/slides/_rels/slide{number}.xml.rels": NO_LINKS for number in bare})
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    with pytest.raises(RendererDied):  # LibreOffice 7.4
        office.pdf(path)
    with open_rendered(path, renderer=Renderer(office), ocr=False, deadly="left out") as deck:
        shown = [" ".join(span.text for span in slide.spans) for slide in deck]
        assert shown == ["Slide 1", "Slide 2", "Slide 3"]
        assert deck.faults == {}


def test_a_slide_without_a_layout_costs_no_other(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "talk.pptx", 9)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["ppt/slides/_rels/slide6.xml.rels"] = NO_LINKS
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)

    class Dead(DyingOffice):
        def pdf(self, path: str | Path) -> bytes:
            raise RendererDied(Path(path), "ended without an answer")

    office = Dead("Slide 4")
    with open_rendered(path, renderer=Renderer(office), ocr=False, deadly="left out") as deck:
        assert [slide.number for slide in deck] == [1, 2, 3, 5, 7, 8, 9]
        assert deck.faults[4] == "LibreOffice dies on it"
        assert deck.faults[6].endswith("a copy cannot show this slide as it is")


def test_a_part_that_cannot_be_read_is_named_in_place_of_slides(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "talk.pptx", 3)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["ppt/slides/slide2.xml"] = b"<p:sld"

    class Dead(DyingOffice):
        def pdf_once(self, path: str | Path) -> bytes:
            raise RendererDied(path, "LibreOffice died")

    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    with pytest.raises(RendererDied, match=r"died \(ppt/slides/slide2\.xml: not well-formed"):
        open_rendered(path, renderer=Renderer(Dead()), ocr=False, deadly="left out")
