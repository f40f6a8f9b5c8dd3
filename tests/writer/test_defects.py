"""What programs and a model find on drawn slides; needs LibreOffice."""

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.writer.scripted import Script

from decklab.board.blueprint import DeckPlan, Point, SlidePlan
from decklab.board.pages.layout import LaidOutDeck, lay_out_deck
from decklab.board.themes import THEMES
from decklab.core.errors import RendererMissing
from decklab.linting.lint import LintResult
from decklab.models.asking_loop import PicturesUnseen
from decklab.rendering.overflows import HtmlOverflow
from decklab.rendering.renderer import Renderer
from decklab.writer import defects
from decklab.writer.defects import DefectFinder

SEEN = {"defects": [{"kind": "image_text_mismatch", "where": "right", "what": "a crane"}]}
CLEAN: dict[str, Any] = {"defects": []}


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    with Renderer().started(own_cache=True) as started:
        yield started


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the model looks: browser and lint find nothing."""
    monkeypatch.setattr(defects, "html_overflows", lambda _html: [])
    monkeypatch.setattr(defects, "lint", lambda *_, **__: LintResult("deck.pptx", 1, ()))


def deck(*titles: str) -> LaidOutDeck:
    slides = tuple(
        SlidePlan(layout="body", title=title, body=(Point(text="Ships called more often"),) * 2)
        for title in titles
    )
    return lay_out_deck(DeckPlan(title="T", slides=slides), THEMES["light"])


def by_slide(**found: Any) -> Script:
    """A model that sees on a slide what is written down for a word of its title."""

    def reply(prompt: str) -> Any:
        return next((said for word, said in found.items() if word in prompt), CLEAN)

    return Script(defects=[reply])


@pytest.mark.usefixtures("quick")
def test_a_model_looks_at_the_picture_of_each_slide_once(renderer: Renderer) -> None:
    script = by_slide(Traffic=SEEN)
    finder = DefectFinder(renderer, script)
    found = finder.look(deck("Staff", "Traffic"))
    assert [str(one) for one in found.defects] == ["slide 2: image_text_mismatch: right: a crane"]
    assert found.weight == 4 and found.not_run == ()
    assert script.asked["defects"] == 2 and all(len(images) == 1 for _, images in script.images)
    shown = sorted(found.pictures)
    assert shown == [1, 2]
    with Image.open(io.BytesIO(found.pictures[1])) as picture:
        assert (picture.format, picture.size) == ("PNG", (960, 540))
    # A slide that moved is not looked at again; one that changed is.
    again = finder.look(deck("New", "Staff", "Traffic"))
    assert script.asked["defects"] == 3
    assert [one.slide for one in again.defects] == [3]


@pytest.mark.usefixtures("quick")
def test_a_model_that_sees_nothing_is_told_and_asked_once(renderer: Renderer) -> None:
    script = Script(defects=[PicturesUnseen("script", "takes no pictures")])
    finder = DefectFinder(renderer, script)
    for _ in range(2):
        found = finder.look(deck("Staff"))
        assert found.defects == () and found.pictures == {}
        assert "takes no pictures" in found.not_run[0]
    assert script.asked["defects"] == 1


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("bad", ["all is well", {"defects": [{"kind": "ugly"}]}])
def test_answers_in_no_form_are_asked_again_then_count(renderer: Renderer, bad: Any) -> None:
    script = Script(defects=[bad, CLEAN])
    assert DefectFinder(renderer, script).look(deck("Staff")).defects == ()
    assert script.asked["defects"] == 2
    script = Script(defects=[bad])
    (one,) = DefectFinder(renderer, script).look(deck("Staff")).defects
    assert (one.kind, script.asked["defects"]) == ("not_inspected", 3)


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
    assert found.usage.requests == 0


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
    script = Script(defects=[CLEAN])
    found = DefectFinder(Renderer(office=Broken()), script).look(deck("Staff"))  # type: ignore[arg-type]
    told = " ".join(found.not_run)
    assert "Chromium is not there" in told and "LibreOffice is not there" in told
    assert found.defects == () and not script.asked
