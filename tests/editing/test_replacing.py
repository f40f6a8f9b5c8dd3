"""Words replaced: exactly they, in the looks they had."""

import itertools
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE

from decklab.editing.every_text import replace_everywhere
from decklab.editing.replacing import replace_text, word_pattern

WORDS = st.text(alphabet="ab c", min_size=1, max_size=4)


def paragraph(*runs: str) -> tuple[Any, Any]:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    held = slide.shapes.title.text_frame.paragraphs[0]
    for text in runs:
        held.add_run().text = text
    return deck, held


def test_text_across_runs_takes_the_look_of_its_first_character(edited: Any) -> None:
    done = edited(lambda prs: replace_text(prs, "study", "survey"))
    runs = done.prs.slides[1].placeholders[1].text_frame.paragraphs[0].runs
    assert [(run.text, run.font.bold) for run in runs] == [
        ("The survey", None),
        (" of art in Q3", True),
    ]
    assert done.seen == {(2, "text", "text"), (2, "style", "font.bold")}  # of the letters "udy"


def test_a_whole_word_leaves_longer_words_alone(edited: Any) -> None:
    done = edited(lambda prs: replace_text(prs, "art", "craft", whole_word=True))
    assert done.prs.slides[1].placeholders[1].text_frame.text == "The study of craft in Q3\nparty"


def test_what_begins_with_a_mark_may_stand_right_behind_a_word(edited: Any) -> None:
    done = edited(lambda prs: replace_text(prs, " of art", ": art", whole_word=True))
    assert done.prs.slides[1].placeholders[1].text_frame.text == "The study: art in Q3\nparty"


def test_without_whole_word_parts_of_words_are_replaced_too(edited: Any) -> None:
    done = edited(lambda prs: replace_text(prs, "art", "craft"))
    assert done.prs.slides[1].placeholders[1].text_frame.text == "The study of craft in Q3\npcrafty"


def test_case_counts_unless_told_otherwise(deck: Any) -> None:
    assert replace_text(deck, "AGENDA", "x") == 0
    assert replace_text(deck, "AGENDA", "x", match_case=False) == 2


def test_only_titles_of_the_named_slides_change(edited: Any) -> None:
    done = edited(lambda prs: replace_text(prs, "cat", "dog", slides=[2], where="title"))
    assert done.prs.slides[1].shapes.title.text_frame.text == "A dog and what we found"
    assert done.seen == {(2, "text", "text")}


def test_notes_change_only_when_asked(edited: Any) -> None:
    assert edited(lambda prs: replace_text(prs, "teh", "the")).seen == set()
    done = edited(lambda prs: replace_text(prs, "teh", "the", where="notes"))
    assert done.prs.slides[2].notes_slide.notes_text_frame.text == "Say the word."
    assert done.seen == {(3, "notes", "text")}


def test_table_cells_are_text_as_well(edited: Any) -> None:
    assert edited(lambda prs: replace_text(prs, "15 %", "17 %")).seen == {(6, "table", "cell text")}


def test_a_line_break_is_a_wall() -> None:
    deck, held = paragraph("one")
    held.add_line_break()
    held.add_run().text = "two"
    assert replace_text(deck, "onetwo", "x") == 0
    assert held.text == "one\vtwo"


def test_a_text_taken_out_whole_leaves_the_look_to_what_is_typed_next() -> None:
    deck, held = paragraph("gone")
    held.runs[0].font.bold = True
    assert replace_text(deck, "gone", "") == 1
    assert held.text == ""
    assert held._p.find("{*}endParaRPr").get("b") == "1"


def test_nothing_is_found_for_an_empty_text(deck: Any) -> None:
    assert replace_text(deck, "", "x") == 0


@pytest.mark.parametrize("new", ["bb", "a"])
@given(runs=st.lists(WORDS, min_size=1, max_size=5), old=WORDS)
def test_a_paragraph_reads_as_the_plain_text_would(runs: list[str], old: str, new: str) -> None:
    deck, held = paragraph(*runs)
    count = replace_text(deck, old, new)
    assert held.text == "".join(runs).replace(old, new)
    assert count == "".join(runs).count(old)


TOKENS = st.sampled_from(["gone", "Costs", "gains", "2025", ",", ".", ";", "(", ")"])


def as_people_write(tokens: list[str]) -> str:
    text = ""
    for token in tokens:
        glued = not text or text[-1] == "(" or token in ",.;)"
        text += token if glued else f" {token}"
    return text


@given(st.lists(TOKENS, min_size=1, max_size=12), st.lists(st.integers(0, 60), max_size=4))
def test_a_word_taken_out_leaves_the_others_as_people_write_them(
    tokens: list[str], cuts: list[int]
) -> None:
    text = as_people_write(tokens)
    ends = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    deck, held = paragraph(*(text[start:end] for start, end in itertools.pairwise(ends)))
    assert replace_text(deck, "gone", "", whole_word=True) == tokens.count("gone")
    assert held.text == as_people_write([token for token in tokens if token != "gone"])


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("so  far gone  and wide", "so  far  and wide"),
        ("gone\vso far gone\vgone on", "\vso far\von"),
        ("far\tgone on", "far\ton"),
        ("he said 'all gone' twice", "he said 'all' twice"),
        ("bygone days", "by days"),
        ("well-gone, so", "well-, so"),
    ],
)
def test_no_other_blank_is_taken(text: str, left: str) -> None:
    deck, held = paragraph()
    held.text = text
    assert replace_text(deck, "gone", "") == text.count("gone")
    assert held.text == left


def test_blanks_go_with_words_in_notes_tables_charts_and_descriptions(deck: Any) -> None:
    slide = deck.slides[0]
    slide.notes_slide.notes_text_frame.text = "Say it gone, twice"
    table = slide.shapes.add_table(1, 1, 0, 0, 99, 99)
    table.table.cell(0, 0).text = "gone costs"
    table._element.nvGraphicFramePr.cNvPr.set("descr", "A table gone.")
    data = CategoryChartData()
    data.categories = ["North gone", "South gone east"]
    data.add_series("gone sales", (1, 2))
    chart = slide.shapes.add_chart(XL_CHART_TYPE.PIE, 0, 0, 99, 99, data).chart
    assert replace_everywhere(
        deck, word_pattern("gone", whole_word=True, match_case=True), ""
    ).total()
    assert slide.notes_slide.notes_text_frame.text == "Say it, twice"
    assert table.table.cell(0, 0).text == "costs"
    assert table._element.nvGraphicFramePr.cNvPr.get("descr") == "A table."
    assert list(chart.plots[0].categories) == ["North", "South east"]
    assert chart.plots[0].series[0].name == "sales"
    book = load_workbook(BytesIO(chart.part.chart_workbook.xlsx_part.blob)).active
    assert [cell.value for cell in book["A"]][1:] == ["North", "South east"]
    assert book["B1"].value == "sales"
