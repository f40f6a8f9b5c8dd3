"""The plain deck: what it has and, above all, what it has not."""

from pathlib import Path

import pytest
from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.presentation import Presentation as Deck


@pytest.fixture
def deck(sample_decks: dict[str, Path]) -> Deck:
    return Presentation(str(sample_decks["plain"]))


def test_it_has_seven_wide_slides(deck: Deck) -> None:
    assert len(deck.slides) == 7
    assert deck.slide_width * 9 == deck.slide_height * 16


def test_every_slide_has_its_own_title_in_a_placeholder(deck: Deck) -> None:
    titles = [slide.shapes.title.text_frame.text for slide in deck.slides]
    assert all(titles)
    assert len(set(titles)) == 7


def test_all_text_but_the_table_sits_in_placeholders(deck: Deck) -> None:
    others = [s for slide in deck.slides for s in slide.shapes if not s.is_placeholder]
    assert [s.name for s in others] == ["Work by month"]


def test_no_placeholder_is_left_empty(deck: Deck) -> None:
    for slide in deck.slides:
        for shape in slide.placeholders:
            filled = shape.placeholder_format.type == PP_PLACEHOLDER.PICTURE
            assert filled or shape.text_frame.text, (slide.slide_id, shape.name)


def test_the_table_adds_up(deck: Deck) -> None:
    (table,) = (s.table for slide in deck.slides for s in slide.shapes if s.has_table)
    rows = [[cell.text for cell in row.cells] for row in table.rows]
    for column in (1, 2, 3):
        numbers = [float(row[column]) for row in rows[1:]]
        assert sum(numbers[:-1]) == numbers[-1]


def test_the_one_picture_is_described_and_sharp_enough(deck: Deck) -> None:
    pictures = [s for slide in deck.slides for s in slide.shapes if hasattr(s, "image")]
    assert len(pictures) == 1
    assert "ridges" in pictures[0].element.xpath(".//p:cNvPr/@descr")[0]
    assert pictures[0].image.size[0] / (pictures[0].width / 914400) > 150


def test_nothing_moves(deck: Deck) -> None:
    for slide in deck.slides:
        assert slide.element.xpath("./p:transition | ./p:timing") == []


def test_there_is_a_link_and_there_are_notes(deck: Deck) -> None:
    assert sum(slide.has_notes_slide for slide in deck.slides) == 2
    links = {r.target_ref for s in deck.slides for r in s.part.rels.values() if r.is_external}
    assert links == {"https://ridgetrail.example.org/"}
