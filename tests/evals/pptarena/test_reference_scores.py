"""What an attempt hides counts as not made, where the truth shows it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.oxml.ns import qn

from decklab.core.errors import RendererMissing, RenderFailed
from decklab.core.results import NotScored
from decklab.evals.pptarena.cases import CaseSet, Decks
from decklab.evals.pptarena.reference_scores import compare
from decklab.metrics.edits import change_agreement
from decklab.rendering.office import Office
from decklab.seen.drawn import AudienceView


@pytest.fixture(scope="module")
def decks() -> Any:
    with Decks() as found:
        yield found


def hide_shapes(deck: Any) -> None:
    """LibreOffice draws hidden titles nevertheless."""
    for shape in deck.slides[5].shapes:
        shape._element.xpath(".//p:cNvPr")[0].set("hidden", "1")


def cover(deck: Any) -> None:
    plate = deck.slides[5].shapes.add_shape(1, 0, 0, deck.slide_width, deck.slide_height)
    plate.fill.solid()
    plate.fill.fore_color.rgb = RGBColor(255, 255, 255)


def hide_slide(deck: Any) -> None:
    deck.slides[5].element.set("show", "0")


def fly_by(deck: Any) -> None:
    slide = deck.slides[5].element
    transition = slide.makeelement(qn("p:transition"), {"advClick": "0", "advTm": "0"})
    slide.find(qn("p:clrMapOvr")).addnext(transition)


@pytest.mark.by_day(1)
@pytest.mark.parametrize("spoil", [hide_shapes, cover, hide_slide, fly_by])
def test_hidden_work_is_no_work(
    spoil: Callable[[Any], None], starter: CaseSet, decks: Decks, tmp_path: Path
) -> None:
    [crew, _] = starter
    deck = Presentation(str(crew.ground_truth))
    spoil(deck)
    deck.save(str(tmp_path / "spoilt.pptx"))
    found = compare(crew, tmp_path / "spoilt.pptx", decks)
    assert (found.agreement.recall, found.edit) == (0, 0)
    assert found.agreement.unseen
    assert all(line.startswith("Slide 6: ") and ", but " in line for line in found.missing_words)


def test_the_same_work_written_by_another_program_is_seen(
    starter: CaseSet, decks: Decks, tmp_path: Path
) -> None:
    [crew, _] = starter
    Presentation(str(crew.ground_truth)).save(str(tmp_path / "again.pptx"))
    found = compare(crew, tmp_path / "again.pptx", decks)
    assert (found.edit, found.agreement.unseen) == (1, ())


def test_without_pictures_nothing_is_looked_at(starter: CaseSet, tmp_path: Path) -> None:
    [crew, _] = starter
    deck = Presentation(str(crew.ground_truth))
    hide_shapes(deck)
    deck.save(str(tmp_path / "spoilt.pptx"))
    with Decks(pictures=False) as decks:
        found = compare(crew, tmp_path / "spoilt.pptx", decks)
    assert found.agreement.recall == 1


def test_an_unseen_change_counts_for_nothing_made(starter: CaseSet) -> None:
    [_, links] = starter
    with Decks(pictures=False) as decks:
        edit = decks.edit(links.original, links.ground_truth)
    found = change_agreement(edit, edit, why_unseen=lambda asked, made: "it is in the dark")
    assert (found.recall, found.f1, found.matched, found.missing) == (0, 0, (), ())
    assert [why for _, why in found.unseen] == ["it is in the dark"] * 2


@pytest.mark.long
def test_what_alone_cannot_be_looked_at_is_not_seen(
    starter: CaseSet, decks: Decks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [crew, _] = starter
    deck = Presentation(str(crew.ground_truth))
    cover(deck)
    path = tmp_path / "spoilt.pptx"
    deck.save(str(path))
    looked_at = AudienceView.fault

    def fails(seen: AudienceView, *given: Any, **more: Any) -> Any:
        if seen.path == path:
            raise RenderFailed(path, "no picture")
        return looked_at(seen, *given, **more)

    monkeypatch.setattr(AudienceView, "fault", fails)
    found = compare(crew, path, decks)
    assert found.agreement.recall == 0
    assert all("no picture" in why for _, why in found.agreement.unseen)


def test_without_libreoffice_the_rest_is_compared(
    starter: CaseSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_: Office) -> str:
        raise RendererMissing("slides", "LibreOffice is not installed")

    [crew, _] = starter
    Presentation(str(crew.ground_truth)).save(str(tmp_path / "again.pptx"))
    monkeypatch.setattr(Office, "engine", property(missing))
    with Decks() as decks:
        found = compare(crew, tmp_path / "again.pptx", decks)
    assert found.edit == 1 and isinstance(found.pictures, NotScored)
