"""What programs find on drawn slides; needs LibreOffice."""

import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from PIL import Image

from decklab.board.blueprint import DeckPlan, Point, SlidePlan
from decklab.board.pages.layout import LaidOutDeck, lay_out_deck
from decklab.board.themes import THEMES
from decklab.core.errors import RendererMissing
from decklab.linting.lint import LintResult
from decklab.rendering.renderer import Renderer
from decklab.writer import defects
from decklab.writer.defects import DefectFinder, HtmlOverflow


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    with Renderer().started(own_cache=True) as started:
        yield started


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Browser and lint find nothing."""
    monkeypatch.setattr(defects, "html_overflows", lambda _html: [])
    monkeypatch.setattr(defects, "lint", lambda *_, **__: LintResult("deck.pptx", 1, ()))


def deck(*titles: str) -> LaidOutDeck:
    slides = tuple(
        SlidePlan(layout="body", title=title, body=(Point(text="Ships called more often"),) * 2)
        for title in titles
    )
    return lay_out_deck(DeckPlan(title="T", slides=slides), THEMES["light"])


@pytest.mark.usefixtures("quick")
def test_slides_are_shown_as_pictures_where_a_model_looks(renderer: Renderer) -> None:
    looked = DefectFinder(renderer, pictures=True).look(deck("Staff", "Traffic"))
    assert sorted(looked.pictures) == [1, 2] and not looked.not_run and not looked.defects
    with Image.open(io.BytesIO(looked.pictures[1])) as picture:
        assert (picture.format, picture.size) == ("PNG", (960, 540))
    assert looked.pictures[1] != looked.pictures[2]
    assert DefectFinder(renderer).look(deck("Staff")).pictures == {}


def test_programs_find_words_that_leave_their_boxes(
    renderer: Renderer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overflows(_html: str) -> Sequence[HtmlOverflow]:
        return [HtmlOverflow(1, "div.text", "Ships called", 12.3)]

    monkeypatch.setattr(defects, "html_overflows", overflows)
    found = DefectFinder(renderer).look(deck("Staff"))
    assert [str(one) for one in found.defects] == [
        "slide 1: text_overflow: 'Ships called' runs 12 pixels over its box"
    ]


def test_without_browser_or_office_it_is_told_what_nobody_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Broken:
        engine = property(lambda self: self.pdf(Path("deck.pptx")))
        options = property(lambda _self: {})

        def pdf(self, path: str | Path) -> bytes:
            raise RendererMissing(path, "LibreOffice is not there")

    def no_browser(_html: str) -> Sequence[HtmlOverflow]:
        raise RendererMissing("deck.html", "Chromium is not there")

    monkeypatch.setattr(defects, "html_overflows", no_browser)
    renderer = Renderer(office=Broken())  # type: ignore[arg-type]
    found = DefectFinder(renderer, pictures=True).look(deck("Staff"))
    told = " ".join(found.not_run)
    assert "Chromium is not there" in told and "LibreOffice is not there" in told
    assert found.defects == () and found.pictures == {}
