"""Which lines of a title page are headings."""

import pytest

from decklab.core.geometry import Box
from decklab.documents.pdf.order import ColumnLine
from decklab.documents.pdf.paragraphs import LineBlock, plain_labels
from decklab.documents.pdf.words import CharacterStyle


def heading(text: str, size: float, page: int = 1) -> LineBlock:
    box = Box(0, 0, 100, size)
    style = CharacterStyle(size=size, bold=True)
    return LineBlock("heading", [ColumnLine([], box, text, style, box)], page)


@pytest.mark.parametrize("section", ["1 Aims", "2.1 Aims", "Abstract", "SUMMARY"])
def test_names_between_the_title_and_the_first_section_are_no_headings(section: str) -> None:
    blocks = [heading("How People Read", 20), heading("Jane Doe", 12),
              heading("May 2024", 12), heading(section, 12), heading("Methods", 12),
              heading("Jane Doe", 12, page=2)]  # fmt: skip
    plain_labels(blocks)
    assert [block.lines[0].text for block in blocks if block.kind == "heading"] == [
        "How People Read", section, "Methods", "Jane Doe",
    ]  # fmt: skip


def test_a_page_without_a_known_section_keeps_its_headings() -> None:
    blocks = [heading("How People Read", 20), heading("Methods", 12), heading("Results", 12)]
    plain_labels(blocks)
    assert {block.kind for block in blocks} == {"heading"}
    plain_labels([])


def test_a_label_that_occurs_five_times_is_no_heading_unless_it_is_numbered() -> None:
    blocks = [heading("Aims", 12), *(heading(text, 12) for text in ["Note", "NOTE "] * 2)]
    plain_labels(blocks)
    assert {block.kind for block in blocks} == {"heading"}
    blocks += [heading("note", 12), *(heading("1.2 Task", 12) for _ in range(5))]
    plain_labels(blocks)
    assert [block.kind for block in blocks] == [
        "heading", *["paragraph"] * 5, *["heading"] * 5,
    ]  # fmt: skip
