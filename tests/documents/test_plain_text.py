"""Plain text: what people mean as headings and lists is read as such, and other lines are not."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.documents.drafting import DocumentDraft
from decklab.documents.markdown import is_markdown
from decklab.documents.plain_text import add_plain_text
from decklab.documents.reading import read_document
from decklab.documents.sections import document_sections

BELOW = "The harbour has grown for ten years and now serves ships from thirty-one countries."


def blocks_of(folder: Path, text: str) -> list[tuple[str, int, str]]:
    path = folder / "a.txt"
    path.write_text(text)
    return [(one.kind, one.level, one.text) for one in read_document(path).blocks]


def headings_of(folder: Path, text: str) -> list[tuple[int, str]]:
    return [(level, words) for kind, level, words in blocks_of(folder, text) if kind == "heading"]


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        (f"Report\n======\n{BELOW}\n\nShips\n-----\n\n{BELOW}", [(1, "Report"), (2, "Ships")]),
        (f"=======\nReport\n=======\n\n{BELOW}", [(1, "Report")]),
        (f"1. Ships\n\n{BELOW}\n\n1.2 Cranes\n\n{BELOW}", [(1, "1. Ships"), (2, "1.2 Cranes")]),
        (f"Ships and cranes\n\n{BELOW}", [(2, "Ships and cranes")]),
        (f"Elm harbour\n\n1. Ships\n\n{BELOW}", [(1, "Elm harbour"), (1, "1. Ships")]),
        (f"SHIPS\n\n{BELOW}", [(1, "SHIPS")]),
        (f"NAME\n    elm - {BELOW}\n\nSYNOPSIS\n    elm", [(1, "NAME"), (1, "SYNOPSIS")]),
        (f"Größe\n\n{BELOW}", [(2, "Größe")]),
    ],
)
def test_headings(tmp_path, text, headings):
    assert headings_of(tmp_path, text) == headings


@pytest.mark.parametrize(
    "text",
    [
        "1. Buy rope\n\n2. Buy paint\n\n3. Buy flags\n",
        f"Dear Anna,\n\n{BELOW}",
        f"It was late.\n\n{BELOW}",
        "Anna Smith\n\nElm Street 5\n\nHarbour Town\n",
        f"{BELOW}\n----------\n{BELOW}",
        f"a line without a capital\n\n{BELOW}",
        f"- only item\n\n{BELOW}",
        "Alone",
        " \n",
        "====\n----\n",
    ],
)
def test_no_headings(tmp_path, text):
    assert headings_of(tmp_path, text) == []


def test_lists_are_items_with_the_lines_that_go_on(tmp_path):
    text = "Reasons:\n\n- lower fees\n- a new pier\n  of steel\n\n1) first\n2) second\n"
    assert blocks_of(tmp_path, text) == [
        ("paragraph", 0, "Reasons:"),
        ("item", 1, "lower fees"),
        ("item", 1, "a new pier of steel"),
        ("item", 1, "1) first"),
        ("item", 1, "2) second"),
    ]


WRAPPED = """The harbour has grown for ten years and now serves ships from
thirty-one countries. It is the largest of the coast.
The cranes were built in 2019. Each of them lifts forty tonnes,
which no other crane of the coast does.
Key numbers
In 2024 the harbour served 1,930 ships, 12 % more than in the
year before, and earned 4.2 million euros with them.
"""


def test_paragraphs_of_wrapped_lines_without_empty_lines_between(tmp_path):
    assert blocks_of(tmp_path, WRAPPED) == [
        ("paragraph", 0, "The harbour has grown for ten years and now serves ships from "
         "thirty-one countries. It is the largest of the coast."),
        ("paragraph", 0, "The cranes were built in 2019. Each of them lifts forty tonnes, "
         "which no other crane of the coast does."),
        ("heading", 2, "Key numbers"),
        ("paragraph", 0, "In 2024 the harbour served 1,930 ships, 12 % more than in the "
         "year before, and earned 4.2 million euros with them."),
    ]  # fmt: skip


def test_an_indented_line_begins_a_paragraph(tmp_path):
    text = (
        "  The harbour has grown for ten years and now serves many ships.\n"
        "It is the largest of the coast, and has been for years and years.\n"
        "  The cranes were built in 2019, and each of them can lift forty.\n"
        "No other crane of the coast does that.\n"
    )
    assert [words[:11] for _, _, words in blocks_of(tmp_path, text)] == [
        "The harbour",
        "The cranes ",
    ]


def test_long_lines_are_paragraphs(tmp_path):
    text = "\n".join(["Elm harbour", "1 Ships", BELOW * 2, BELOW * 2, "References", "[1] Elm."])
    assert blocks_of(tmp_path, text) == [
        ("heading", 1, "Elm harbour"),
        ("heading", 1, "1 Ships"),
        ("paragraph", 0, BELOW * 2),
        ("paragraph", 0, BELOW * 2),
        ("heading", 1, "References"),
        ("paragraph", 0, "[1] Elm."),
    ]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (f"# Ships\n\n{BELOW}\n\n## Cranes\n\n- **forty** tonnes", ["heading", "paragraph"] * 2),
        (f"Ships\n\n{BELOW}\n\n| a | b |\n|---|---|\n| x | 1 |", ["paragraph"] * 2 + ["table"]),
    ],
)
def test_markdown_in_a_text_is_read_as_such(tmp_path, text, kinds):
    pytest.importorskip("markdown_it")
    found = blocks_of(tmp_path, text)
    assert "#" not in str(found) and "**" not in str(found) and "---" not in str(found)
    assert {"heading", "table"} & {kind for kind, _, _ in found}
    assert len(kinds) <= len(found)


def test_markdown_signs_below_plain_headings_are_taken_out(tmp_path):
    text = f"1 SHIPS\n\n{BELOW} See **the** `plan` and *more* [there](https://example.org).\n\n2 CRANES\n\n{BELOW} **So**."  # noqa: E501
    found = blocks_of(tmp_path, text)
    assert [words for kind, _, words in found if kind == "heading"] == ["1 SHIPS", "2 CRANES"]
    assert found[1][2] == f"{BELOW} See the plan and more there."


@pytest.mark.parametrize(
    "text",
    [
        "# a remark\nx = 2 * 3 * 4\n",
        "a_b * c * d",
        "Stars: ***",
        "5 * 3 = 15",
        f"Elm\n---\n{BELOW}",
    ],
)
def test_other_texts_are_no_markdown(text):
    assert not is_markdown(text)


def test_columns_of_numbers_are_a_table(tmp_path):
    text = (
        "Quarter  Calls   Tonnage\n-------  ------  -------\n"
        "Q1       1,204   88.1\nQ2       1,310   90.4\n"
    )
    path = tmp_path / "a.txt"
    path.write_text(text)
    [table] = read_document(path).tables
    assert table.rows == (
        ("Quarter", "Calls", "Tonnage"),
        ("Q1", "1,204", "88.1"),
        ("Q2", "1,310", "90.4"),
    )
    assert (table.native, table.header_rows) == (True, 1)


def test_the_lines_of_a_memo_head_stay_apart(tmp_path):
    text = f"From: Ann Lee\nTo: All staff\nDate: 3 May 2024\n\n{BELOW}"
    assert [words for _, _, words in blocks_of(tmp_path, text)] == [
        "From: Ann Lee",
        "To: All staff",
        "Date: 3 May 2024",
        BELOW,
    ]


@pytest.mark.parametrize("text", ["." * 2_000_000, "a " * 500_000, "*" * 100_000, "|" * 100_000])
@pytest.mark.timeout(20)
def test_endless_lines_end(tmp_path, text):
    path = tmp_path / "a.txt"
    path.write_text(text)
    document_sections(read_document(path))


def test_title_names_and_dates_above_wrapped_lines_stay_apart(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(f"Depot report\nAnna Smith, 12 March 2024\n{WRAPPED}")
    document = read_document(path)
    assert (document.title, document.author, document.date) == (
        "Depot report",
        "Anna Smith",
        "12 March 2024",
    )
    assert [block.text for block in document.headings] == ["Depot report", "Key numbers"]


def test_questions_above_answers_are_headings(tmp_path):
    text = f"Harbour FAQ\n\nHow many ships come?\n{BELOW}\n\nWhat does it cost?\n{BELOW}\n"
    assert headings_of(tmp_path, text) == [
        (1, "Harbour FAQ"),
        (2, "How many ships come?"),
        (2, "What does it cost?"),
    ]
    assert headings_of(tmp_path, f"{BELOW}\n\nWhy?\n\n{BELOW}") == []


def test_chinese_numbers_head_sections(tmp_path):
    text = (
        "一、总体情况\n\n项目进展顺利。\n\n二、本月完成的工作\n\n"
        "1. 完成测试。\n2. 培训员工。\n\n三、下月计划\n上线。\n"
    )
    assert headings_of(tmp_path, text) == [
        (1, "一、总体情况"),
        (1, "二、本月完成的工作"),
        (1, "三、下月计划"),
    ]


MINUTES = """Kestrel Lane Allotment Society
Minutes of the committee meeting, 14 October 2026
Present: A. Obi (chair), J. Marsh, P. Novak
1. Minutes of the last meeting
The minutes of 9 September were approved with one correction: plot 17b was let.
2. Water
The new meter shows that we used 412 cubic metres from May
to September, 38 more than last year. P. Novak proposed
to split full plots. Two of six - or more - are long- and short-term.
DECISION: Taps are closed from 1 November.
"""


def test_minutes_without_empty_lines(tmp_path):
    found = blocks_of(tmp_path, MINUTES)
    assert [(kind, words[:24]) for kind, _, words in found] == [
        ("heading", "Kestrel Lane Allotment S"),
        ("paragraph", "Minutes of the committee"),
        ("paragraph", "Present: A. Obi (chair),"),
        ("heading", "1. Minutes of the last m"),
        ("paragraph", "The minutes of 9 Septemb"),
        ("heading", "2. Water"),
        ("paragraph", "The new meter shows that"),
        ("paragraph", "DECISION: Taps are close"),
    ]
    document = read_document(tmp_path / "a.txt")
    assert (document.title, document.date) == ("Kestrel Lane Allotment Society", "14 October 2026")


WORDS = st.sampled_from(
    ["to", "o", "a", "Two", "of", "the", "end.", "o'clock", "well-", "known", "-", "–", "1.", "1.2",
     "a)", "Water", "NOTE:", "Why?", "*", "x*y", "3", "|", "  ", "\t", "\n", "\n\n", "APPENDIX",
     "- "]
)  # fmt: skip


@given(st.lists(WORDS, max_size=60), st.booleans())
def test_no_letter_and_no_digit_is_lost(words, spaced):
    text = (" " if spaced else "").join(words)
    draft = DocumentDraft("a.txt", "a.txt", "text")
    add_plain_text(draft, text)
    read = "".join(block.text for block in draft.blocks)
    assert re.findall(r"\w", read) == re.findall(r"\w", text)


MANUAL = """THE FAQ OF ELM

CONTENTS

1. GENERAL
1.1. What is elm?
1.2. How do I print a very long file, with many lines and pages,
     on two sides?

2. FURTHER SECTIONS


1. GENERAL

1.1. What is elm?

   Elm prints every line of a file. It is *not* an editor, and there is
   _never_ any reason to call it one. Its options are:

     -v = say more about what is printed
     -q = say nothing, except where a file cannot be opened at all

   elm v3.60
   This is the version that we recommend, since it has most of the known
   options, and since it is free.

   Elm could also print my file with double spaces when it came time to
   look at it:

     elm G myfile >newfile

   will print it once more. An address or a range of them may take many
   words and may name Al Aab, Anna Smith, Barbara Jones, Jim
   Dennis and others. The files are listed by:

     #!/bin/sh
     elm -l *.txt | sort -n
     exit 0

1.2. How do I print a very long file, with many lines and pages,
     on two sides?

   (1) Turn the paper by hand, as the older printers had no way to do
       that by themselves.

       This takes time.

   (2) Use a newer printer, which does it all.
"""


def test_a_manual_with_code_terms_and_contents(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(MANUAL)
    document = read_document(path)
    sections = document_sections(document)
    assert [(one.heading[:12], one.level, one.part) for one in sections] == [
        ("THE FAQ OF E", 1, "body"),
        ("CONTENTS", 1, "contents"),
        ("1. GENERAL", 1, "body"),
        ("1.1. What is", 2, "body"),
        ("1.2. How do ", 2, "body"),
    ]
    assert sections[-1].heading.endswith("pages, on two sides?")
    told = [(block.kind, block.text) for block in sections[3].blocks]
    assert [(kind, text[:24]) for kind, text in told] == [
        ("paragraph", "Elm prints every line of"),
        ("item", "-v: say more about what "),
        ("item", "-q: say nothing, except "),
        ("item", "elm v3.60: This is the v"),
        ("paragraph", "Elm could also print my "),
        ("code", "#!/bin/sh\nelm -l *.txt |"),
    ]
    assert "It is not an editor, and there is never any" in told[0][1]
    assert "look at it: elm G myfile >newfile will print it once more." in told[4][1]
    assert "Barbara Jones, Jim Dennis and others." in told[4][1]
    answers = [(block.kind, block.level, block.text[:12]) for block in sections[4].blocks]
    assert answers == [
        ("item", 1, "(1) Turn the"),
        ("item", 1, "This takes t"),
        ("item", 1, "(2) Use a ne"),
    ]


def test_columns_that_are_no_certain_table_are_kept_as_they_are(tmp_path):
    text = (
        f"{BELOW}\n\n{BELOW}\n\n{BELOW}\n\n{BELOW}\n\n{BELOW}\n\n{BELOW}\n\n"
        "  Status      Pending   Awaited   Satisfies  Remedy\n"
        "              triggers  triggers  Depends\n\n  unpacked    never      maybe    No    run\n"
        "  installed   never      never    Yes   n/a\n  removed     never      never    Yes   n/a\n"
    )
    path = tmp_path / "a.txt"
    path.write_text(text)
    document = read_document(path)
    assert document.tables == ()
    assert {block.kind for block in document.blocks[6:]} == {"code"}
    assert "unpacked    never" in document.blocks[-1].text


def test_headings_and_listings_of_asciidoc(tmp_path):
    pytest.importorskip("markdown_it")
    text = (
        f"= Elm manual\n\n[preface]\n== Start\n\n{BELOW}\nTo begin, type\n\n"
        "------\n$ elm --help\n\n$ elm -l\n------\n\n[[more]]\n=== Options of `elm`\n\n"
        f"{BELOW}\n"
    )
    found = blocks_of(tmp_path, text)
    assert [(kind, level) for kind, level, _ in found] == [
        ("heading", 1), ("heading", 2), ("paragraph", 0), ("code", 0), ("heading", 3),
        ("paragraph", 0),
    ]  # fmt: skip
    assert found[3][2] == "$ elm --help\n\n$ elm -l"


def test_sentences_and_output_of_programs_are_no_definitions(tmp_path):
    text = (
        "Simple -- execute lsof and give it the path name of the file of\n"
        "interest -- e.g., this.\n\n"
        "If netstat says:\n\nProto Recv-Q Send-Q  Local Address    Foreign Address\n"
        "tcp        0      0  vic.1023         ipscgate.login\n\nWhat process is that?\n\n"
        "$ netstat -a -f unix\n  Active UNIX domain sockets are listed with their addresses here.\n"
    )
    blocks = blocks_of(tmp_path, text)
    assert [kind for kind, _, _ in blocks if kind in {"item", "code"}] == ["code", "code"]
    assert blocks[0][2].endswith("the file of interest -- e.g., this.")


def test_underlined_headings_may_have_wide_spaces_behind_their_letter(tmp_path):
    text = "Lsof\n====\n\nIt lists files.\n\na.  The Fundamentals\n====================\n\nMore.\n"
    assert "a. The Fundamentals" in [name for _, name in headings_of(tmp_path, text)]


def test_a_letter_head_is_no_title_and_capitals_with_a_date_are_a_heading(tmp_path):
    text = (
        "ELM ANGLERS e.V.                 Leaflet 7 (July 2025)\n"
        "=====================================================\n\nCARP IN SPRING\n\n"
        f"1. WHEN\n\n{BELOW}\n\n2. HOW\n\n{BELOW}\n"
    )
    assert headings_of(tmp_path, text) == [
        (1, "CARP IN SPRING"), (1, "1. WHEN"), (1, "2. HOW"),
    ]  # fmt: skip
    changes = f"WHAT CHANGES ON MONDAY NOV 17\n\n{BELOW}\n"
    assert headings_of(tmp_path, changes) == [(1, "WHAT CHANGES ON MONDAY NOV 17")]


def test_lines_that_begin_with_a_number_of_a_fault_or_a_label_stay_apart(tmp_path):
    faults = " #217 zh: three names are cut\n #240 de: text too long\n #251 crash in a scene\n"
    assert [text for *_, text in blocks_of(tmp_path, faults)] == [
        "#217 zh: three names are cut", "#240 de: text too long", "#251 crash in a scene",
    ]  # fmt: skip
    open_tasks = "[ ] book the hall\n[x] ask the board\n"
    assert blocks_of(tmp_path, open_tasks) == [
        ("item", 1, "book the hall"), ("item", 1, "ask the board"),
    ]  # fmt: skip


def test_wrapped_cells_below_headings_underlined_column_by_column(tmp_path):
    text = (
        "     mites a day        what to do\n     -----------        ---------------------\n"
        "     below 5            wait until the honey is in\n"
        "     above 10           treat now, even if the\n"
        "                        honey is in the hive\n"
    )
    (table,) = blocks_of(tmp_path, text)
    assert table[0] == "table" and table[2].splitlines() == [
        "mites a day\twhat to do", "below 5\twait until the honey is in",
        "above 10\ttreat now, even if the honey is in the hive",
    ]  # fmt: skip
