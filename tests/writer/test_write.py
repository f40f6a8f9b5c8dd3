import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE

from decklab.board.blueprint import DeckPlan
from decklab.core.errors import PlanError
from decklab.ooxml.validity.validating import validate_deck
from decklab.writer import write
from decklab.writer.making import MadeDeck
from decklab.writer.request import WriteOptions
from decklab.writer.write import WrittenDeck, write_deck


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("writer")


@pytest.fixture(scope="module")
def written(harbour: Path, kept: Path) -> WrittenDeck:
    options = WriteOptions(formats=("pptx", "html"), theme="corporate")
    return write_deck([harbour], kept / "deck.pptx", options=options, keep=kept / "keep")


def leaves(shapes: Iterable[Any]) -> Iterator[Any]:
    for shape in shapes:
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP:
            yield from leaves(shape.shapes)
        else:
            yield shape


def words_of(deck: Path) -> list[str]:
    """The texts of placeholders, boxes and tables of every slide, as python-pptx reads them."""
    texts = []
    for slide in Presentation(str(deck)).slides:
        for shape in leaves(slide.shapes):
            if shape.has_text_frame:
                texts += [paragraph.text for paragraph in shape.text_frame.paragraphs]
            if getattr(shape, "has_table", False):
                texts += [cell.text for row in shape.table.rows for cell in row.cells]
    return texts


def test_the_deck_says_what_its_outline_says(written: WrittenDeck) -> None:
    assert written.outline is not None
    texts = words_of(written.files[0])
    for page in written.outline.pages:
        assert page.title in texts
        assert all(point.text in texts for point in page.points)


def test_the_deck_is_native_and_whole(written: WrittenDeck) -> None:
    deck = written.files[0]
    assert [problem for problem in validate_deck(deck) if problem.severity == "error"] == []
    shapes = [shape for slide in Presentation(str(deck)).slides for shape in slide.shapes]
    (chart,) = [shape.chart for shape in shapes if shape.has_chart]
    assert list(chart.plots[0].categories) == ["Q1", "Q2", "Q3", "Q4"]
    assert list(chart.plots[0].series[0].values) == [210, 262, 301, 244]
    assert all(slide.shapes.title is not None for slide in Presentation(str(deck)).slides)


def test_notes_hold_the_quotes_of_the_slide(written: WrittenDeck) -> None:
    notes = [slide.notes_slide.notes_text_frame.text for slide in
             Presentation(str(written.files[0])).slides if slide.has_notes_slide]  # fmt: skip
    assert any("“The crane cost 4.2 million euros.” (harbour.md)" in text for text in notes)


def test_every_number_is_found_and_an_invented_one_is_named(
    written: WrittenDeck, harbour: Path, kept: Path, tmp_path: Path
) -> None:
    assert len(written.numbers) > 10
    assert written.unfounded == ()
    plan = tmp_path / "plan.json"
    plan.write_text((kept / "keep" / "plan.json").read_text().replace("60 tonnes", "65 tonnes"))
    again = write_deck([harbour], tmp_path / "deck.pptx", keep=tmp_path, start="plan")
    assert {number.values for number in again.unfounded} == {(65,)}


def test_a_changed_outline_is_gone_on_from(
    written: WrittenDeck, harbour: Path, kept: Path, tmp_path: Path
) -> None:
    data = json.loads((kept / "keep" / "outline.json").read_text())
    data["title"] = data["pages"][0]["title"] = "Another name"
    (tmp_path / "outline.json").write_text(json.dumps(data))
    again = write_deck([harbour], tmp_path / "deck.pptx", keep=tmp_path, start="outline")
    assert again.slides == written.slides
    assert "Another name" in words_of(again.files[0])


def test_the_same_documents_give_the_same_deck(
    written: WrittenDeck, harbour: Path, tmp_path: Path
) -> None:
    options = WriteOptions(theme="corporate")
    again = write_deck([harbour], tmp_path / "deck.pptx", options=options)
    digests = {sha256(path.read_bytes()).hexdigest() for path in (written.files[0], again.files[0])}
    assert len(digests) == 1


def test_nothing_to_write_from_is_told_and_inputs_stay(harbour: Path, tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="name at least one"):
        write_deck([], tmp_path / "deck.pptx")
    with pytest.raises(PlanError, match="folder that an earlier run kept"):
        write_deck([harbour], tmp_path / "deck.pptx", start="plan")
    with pytest.raises(OSError, match="changes no input"):
        write_deck([harbour], harbour)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.chromium
def test_there_are_no_more_slides_than_asked_for_if_a_page_runs_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_of, plans = write._made, list[int]()

    def crowded(plan: DeckPlan, *places: Any, **how: Any) -> MadeDeck:
        made = made_of(plan, *places, **how)
        plans.append(len(plan.slides))
        return made if len(plans) > 1 else replace(made, slides=made.slides + 1)

    monkeypatch.setattr(write, "_made", crowded)
    plain = "The {} in the yard of the old harbour was painted by volunteers in the spring. " * 3
    nouns = ["crane", "quay", "ferry", "tower", "bridge", "market", "depot"]
    text = "".join(f"## The {noun}\n\n{plain.format(*[noun] * 3)}\n\n" for noun in nouns)
    (tmp_path / "yard.md").write_text(f"# The yard\n\n{text}\n", encoding="utf-8")
    options = WriteOptions(slides=8)
    made = write_deck([tmp_path / "yard.md"], tmp_path / "deck.pptx", options=options)
    assert plans[0] == 8 and len(plans) == 2 and made.slides == plans[1] <= 7
    assert made.coverage is not None and made.coverage.asked == 8
