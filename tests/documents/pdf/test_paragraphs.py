"""Which lines of a title page are headings."""

import pytest

from decklab.core.geometry import Box
from decklab.documents.pdf.lines import ColumnLine, DocumentStyles, joined_text
from decklab.documents.pdf.paragraphs import LineBlock, heading_levels, page_blocks, plain_labels
from decklab.documents.pdf.words import CharacterStyle, PdfWord


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


NUMBERED = ["1 Aims", "2 Methods", "2.1 Readers", "3 Results"]


@pytest.mark.parametrize(
    "title",
    ["A Study of Forty Readers", "I Robot", "C Programming", "V for Vendetta", "X Window System",
     "A. Study of Readers", "Part time work", "Chapter headings matter"],
)  # fmt: skip
def test_a_title_that_begins_like_a_number_is_no_section(title: str) -> None:
    blocks = [heading(title, 20), heading("C. Doe", 12), heading("May 2024", 12),
              *(heading(text, 12) for text in NUMBERED), heading("A Proofs", 12)]  # fmt: skip
    plain_labels(blocks)
    kept = [block for block in blocks if block.kind == "heading"]
    assert [block.lines[0].text for block in kept] == [title, *NUMBERED, "A Proofs"]
    heading_levels(kept)
    assert [block.level for block in kept] == [1, 1, 1, 2, 1, 1]


@pytest.mark.parametrize(
    ("texts", "levels"),
    [
        (
            ["1 Aims", "1.1 Scope", "1.2 Words", "A Proofs", "A.1 Setup", "B Data"],
            [1, 2, 2, 1, 2, 1],
        ),
        (["1 Aims", "1.1 Scope", "1.2 Words", "A. Proofs", "B. Data"], [1, 2, 2, 1, 1]),
        (["1 Aims", "1.1 Scope", "1.2 Words", "Appendix A Proofs"], [1, 2, 2, 1]),
        (["1 Aims", "1.1 Scope", "1.2 Words", "C Programming"], [1, 2, 2, 2]),
        (["1 Aims", "1.1 Scope", "1.2 Words", "V for Vendetta"], [1, 2, 2, 2]),
    ],
)
def test_letters_that_go_on_are_numbers_of_appendices(texts: list[str], levels: list[int]) -> None:
    blocks = [heading(text, 12) for text in texts]
    heading_levels(blocks)
    assert [block.level for block in blocks] == levels


def test_a_subtitle_after_a_colon_is_of_the_same_heading() -> None:
    def line(text: str, top: float) -> ColumnLine:
        column = Box(0, 0, 300, 400)
        style = CharacterStyle(size=20, bold=True)
        return ColumnLine([], Box(0, top, 200, top + 20), text, style, column)

    styles = DocumentStyles(10)
    for lines in (["How People Read:", "A Study of Readers"], ["How People Read", "on Screens"]):
        blocks = page_blocks([line(text, 24 * at) for at, text in enumerate(lines)], 1, styles)
        assert [joined_text(block.lines, styles) for block in blocks] == [" ".join(lines)]
    apart = page_blocks([line("Appendices", 0), line("A Proofs", 24)], 1, styles)
    assert [len(block.lines) for block in apart] == [1, 1]


@pytest.mark.parametrize(
    "text",
    ["(24)", "=", "0 1 0 0", "10/11 1/11", "x1 x3", "0.8", "fU(u) = q log(2πσ2) +", "γ = vecΓ (34)",
     "CIk(t) = Zt0 λk(u)S(u)du (3)"],
)  # fmt: skip
def test_pieces_of_formulas_and_plots_are_no_paragraphs(text: str) -> None:
    assert kind_of(text) == "code"


@pytest.mark.parametrize(
    "text",
    ["12 %", "2024", "1,930", "$4.2", "TBD", "In 2024 x = 5 was the best of all values.",
     "Costs <= 3 are fine", "MC samples;", "Elm 40"],
)  # fmt: skip
def test_short_lines_that_say_something_are_paragraphs(text: str) -> None:
    assert kind_of(text) == "paragraph"


def kind_of(text: str) -> str:
    style = CharacterStyle(size=10)
    words = [PdfWord(word, Box(0, 0, 5, 10), style) for word in text.split()]
    line = ColumnLine(words, Box(0, 0, 200, 10), text, style, Box(0, 0, 300, 400))
    [block] = page_blocks([line], 1, DocumentStyles(10))
    return block.kind


def test_the_second_line_of_a_title_may_begin_like_a_section() -> None:
    def line(text: str, top: float, size: float) -> ColumnLine:
        style = CharacterStyle(size=size, bold=True)
        words = [PdfWord(word, Box(0, top, 5, top + size), style) for word in text.split()]
        return ColumnLine(words, Box(0, top, 200, top + size), text, style, Box(0, 0, 300, 400))

    styles = DocumentStyles(10)
    whole = "Safe Harbours A Guide for 2024"
    title = page_blocks([line("Safe Harbours", 0, 20), line("A Guide for 2024", 24, 20)], 1, styles)
    assert [joined_text(block.lines, styles) for block in title] == [whole]
    years = page_blocks([line("Safe Harbours 2023–", 0, 20), line("2025", 24, 20)], 1, styles)
    assert [joined_text(block.lines, styles) for block in years] == ["Safe Harbours 2023–2025"]
    apart = page_blocks([line("1 Safe Harbours", 0, 12), line("2 Piers", 14, 12)], 1, styles)
    assert [len(block.lines) for block in apart] == [1, 1]


def test_the_last_words_of_a_bold_paragraph_are_no_heading() -> None:
    style = CharacterStyle("Any", 10, bold=True)

    def line(text: str, top: float, right: float) -> ColumnLine:
        box = Box(50, top, right, top + 10)
        return ColumnLine([PdfWord(text, box, style)], box, text, style, Box(50, 0, 550, 800))

    long = (
        "AGREED: a weekly count of breaches and lorries, and a marshal at the bend on school days "
        "until the end (planned: 19"
    )
    lines = [line(long, 100, 545), line("December).", 112, 110)]
    blocks = page_blocks(lines, 1, DocumentStyles(10.0))
    assert [(block.kind, len(block.lines)) for block in blocks] == [("paragraph", 2)]
