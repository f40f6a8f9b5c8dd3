"""Parts of a document: headings and forms that people know as literature, appendices and the like
are told apart, and a heading or paragraph of the subject that has the same words stays body."""

import pytest

from decklab.documents.model import DocumentBlock
from decklab.documents.parts import block_part, contents_entry, heading_part, is_prompt, part_runs
from decklab.documents.reading import read_document
from decklab.documents.sections import document_sections


@pytest.mark.parametrize(
    ("heading", "part"),
    [
        ("References", "references"),
        ("7. REFERENCES AND NOTES", "references"),
        ("Literaturverzeichnis", "references"),
        ("Références bibliographiques", "references"),
        ("Bibliografía", "references"),
        ("参考文献", "references"),
        ("Appendix", "appendix"),
        ("Appendix B: Forms", "appendix"),
        ("Appendix A Shared Metric Details", "appendix"),
        ("Anhang 2", "appendix"),
        ("Supplementary Material", "appendix"),
        ("License", "licence"),
        ("GNU Free Documentation License", "licence"),
        ("Nutzungsbedingungen", "licence"),
        ("Table of Contents", "contents"),
        ("Inhaltsverzeichnis", "contents"),
        ("Table des matières", "contents"),
        ("Trademarks", "notice"),
        ("Forward-Looking Statements", "notice"),
        ("Conflicts of interest", "notice"),
        ("B.2 Judge prompt", "prompt"),
        ("Prompts", "prompt"),
        ("N Prompt For Aesthetics Evaluation", "prompt"),
        ("Acknowledgments and Disclosure of Funding", "acknowledgements"),
        ("Danksagung", "acknowledgements"),
        ("Preface", "front"),
    ],
)
def test_headings_that_name_a_part(heading, part):
    assert heading_part(heading) == part


@pytest.mark.parametrize(
    "heading",
    ["Index funds", "License plates", "Contents of the lake", "Funding", "Sources of revenue",
     "Prompt engineering", "Effect of prompts", "Driving licence", "Notice periods",
     "Anlagen im Bau", "A case study", "Summary", "Vague prompts", "Reference architecture", ""],
)  # fmt: skip
def test_headings_of_the_subject_are_body(heading):
    assert heading_part(heading) == "body"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("[12] A. Smith and B. Jones. On boats. Journal of Boats 4(2), 2019.", "references"),
        ("Smith, J. A. (2019). On boats. Proceedings of the Harbour Conference.", "references"),
        ("3.1 Cranes . . . . . . . . . . . 17", "contents"),
        ("Cranes ........ 17", "contents"),
        ("Elm and the elm leaf are registered trademarks of Elm GmbH.", "notice"),
        ("This report is licensed under the Creative Commons Attribution licence.", "licence"),
        ("In 2019 Smith et al. built a boat.", "body"),
        ("Sales rose ... and fell again.", "body"),
        ("[1] We sold boats to nobody.", "body"),
        ("Elm licensed 12 patents in 2019.", "body"),
    ],
)
def test_forms_of_paragraphs(text, part):
    assert block_part(DocumentBlock("paragraph", text)) == part


def test_a_prompt_gives_a_role_and_says_how_to_answer():
    role = DocumentBlock("paragraph", "You are a strict judge of slides.")
    answer = DocumentBlock("paragraph", "Respond with JSON only. Do not output anything else.")
    assert is_prompt([role, answer])
    assert not is_prompt([role])
    welcome = "You are a new member of our team. Coffee is free on Fridays."
    assert not is_prompt([DocumentBlock("paragraph", welcome)])
    assert not is_prompt([])


PAPER = """# On boats

Anna Smith, Elm University

## 1 Boats

Boats float. The mast was made by Elm.

## 2 Results

All boats float.

[1] A. Smith. Boats. Harbour Press, 2018.

[2] B. Jones. More boats. Harbour Press, 2019.

[3] C. Lee. No boats. Harbour Press, 2020.

## References

[4] D. Roe. Any boats. Harbour Press, 2021.

## A Masts

Masts are long.

### A.1 Prompts

You are told.

## Sails

Sails are wide.

## 3 Oars

Oars are flat.
"""


def parts_of(path):
    sections = document_sections(read_document(path))
    return [(section.heading, section.part, len(section.blocks)) for section in sections]


def test_a_section_after_the_literature_is_an_appendix_until_the_numbers_go_on(tmp_path):
    path = tmp_path / "boats.md"
    path.write_text(PAPER)
    assert parts_of(path) == [
        ("On boats", "front", 1),
        ("1 Boats", "body", 1),
        ("2 Results", "body", 1),
        ("2 Results", "references", 3),
        ("References", "references", 1),
        ("A Masts", "appendix", 1),
        ("A.1 Prompts", "prompt", 1),
        ("Sails", "appendix", 1),
        ("3 Oars", "body", 1),
    ]
    sections = document_sections(read_document(path))
    assert {section.part for section in sections if not section.is_apparatus} == {
        "body",
        "appendix",
    }
    assert [section.is_bibliography for section in sections].count(True) == 2


def test_a_title_page_with_a_sentence_is_body(tmp_path):
    path = tmp_path / "a.md"
    path.write_text("# Boats\n\nSales rose by 12 %\n\n## North\n\nMuch.\n")
    assert parts_of(path) == [("Boats", "body", 1), ("North", "body", 1)]


def test_an_empty_document_has_no_parts(tmp_path):
    path = tmp_path / "a.md"
    path.write_text("\n")
    assert parts_of(path) == []


def test_lines_that_repeat_headings_are_contents():
    blocks = [DocumentBlock("item", text) for text in
              ("1. Ships", "2. Cranes ..... 17", "The harbour", "Ships came.")]  # fmt: skip
    headings = {contents_entry(text) for text in ("1 Ships", "CRANES", "The harbour")}
    runs = {
        run.part: [block.text[:5] for block in run.blocks] for run in part_runs(blocks, headings)
    }
    assert runs == {"contents": ["1. Sh", "2. Cr", "The h"], "body": ["Ships"]}
    assert [run.part for run in part_runs(blocks[:2], headings)] == ["body"]


def test_a_licence_under_the_title_hides_no_section_below_the_title(tmp_path):
    path = tmp_path / "a.html"
    path.write_text(
        "<h1>Elm</h1><p>Elm prints files.</p><p>This work is licensed under the MIT licence.</p>"
        "<h2>Use</h2><p>Press the key.</p>"
    )
    found = [(one.part, one.level) for one in document_sections(read_document(path))]
    assert found == [("body", 1), ("licence", 6), ("body", 2)]


def test_the_fields_of_a_memo_and_its_letter_head_are_front(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(
        "        ELM & OAK SURVEYS LTD\n        Tel. 01595 555 0142\n" + "-" * 60 + "\n\n"
        "MEMORANDUM                      Ref: EO/26-031\n\n"
        "TO:       All leaders\nFROM:     Moira Sinclair\nDATE:     9 November 2026\n"
        "SUBJECT:  Fuel cards\n\nIn the year to 30 September we spent too much on fuel and on\n"
        "ferries, and we want to spend less from now on, by a good deal.\n"
    )
    sections = document_sections(read_document(path))
    body = [(one.heading, one.text) for one in sections if not one.is_apparatus and one.text]
    assert [(heading, text[:11]) for heading, text in body] == [("", "In the year")]
    assert [len(one.blocks) for one in sections if one.part == "front"] == [6]


def test_lines_above_the_title_and_fields_under_it_are_front(tmp_path):
    path = tmp_path / "a.html"
    path.write_text(
        "<p>ELM DISTRICT TRANSPORT</p><h1>Buses</h1><p>Report to: Assets Committee, item 6</p>"
        "<p>Status: for decision. Open to the public.</p><p>The buses are old.</p>"
        "<h2>Costs</h2><p>Status: two weeks late.</p><p>Date: open.</p>"
    )
    assert parts_of(path) == [
        ("", "front", 1),
        ("Buses", "front", 2),
        ("Buses", "body", 1),
        ("Costs", "body", 2),
    ]


def test_a_sentence_above_the_title_is_body(tmp_path):
    path = tmp_path / "a.html"
    path.write_text("<p>The buses are old.</p><h1>Buses</h1><p>They are slow.</p>")
    assert parts_of(path) == [("", "body", 1), ("Buses", "body", 1)]


def test_numbered_paragraphs_under_notes_are_footnotes(tmp_path):
    path = tmp_path / "a.html"
    path.write_text(
        "<h1>Buses</h1><p>The buses are old.</p><h2>Notes</h2><p>1 Without tax.</p>"
        "<h1>More</h1><h2>Notes</h2><p>Bring the keys.</p>"
    )
    notes = [part for heading, part, _ in parts_of(path) if heading == "Notes"]
    assert notes == ["notice", "body"]


def test_raised_numbers_of_footnotes_are_no_text(tmp_path):
    path = tmp_path / "a.html"
    path.write_text(
        '<h1>Cost</h1><p>Total in euros<sup><a href="#n1">1</a></sup> for 4 m<sup>2</sup></p>'
        '<p id="n1"><small><sup>1</sup> Rate of 30 September.</small></p>'
    )
    found = [(one.part, one.text) for one in document_sections(read_document(path))]
    assert found[0] == ("body", "Total in euros for 4 m2")
    assert [part for part, _ in found] == ["body", "notice"]


def test_footnotes_that_a_page_names_are_left_out_and_told(tmp_path):
    path = tmp_path / "a.html"
    path.write_text(
        '<h1>Cost</h1><p>Total in euros<a class="footnote-reference brackets" href="#f1">1</a>.</p>'
        '<dl class="footnote brackets"><dt id="f1">1</dt><dd><p>Without tax.</p></dd></dl>'
        '<p>Paid in May<a role="doc-noteref" href="#f2">2</a>.</p>'
        '<aside role="doc-footnote">Or in June.</aside>'
    )
    document = read_document(path)
    assert [block.text for block in document.blocks[1:]] == ["Total in euros.", "Paid in May."]
    assert any("footnotes (" in item.reason for item in document.unread)


def test_what_follows_a_line_of_copyright_in_a_licence_is_licence():
    texts = (
        "Copyright © 1996-2019 Ann Smith",
        "Redistributions of source code must retain the above copyright notice.",
        "Altered versions must be plainly marked.",
    )
    blocks = [DocumentBlock("paragraph", text) for text in ("The crane is red.", *texts)]
    runs = {run.part: [block.text for block in run.blocks] for run in part_runs(blocks)}
    assert runs == {"body": ["The crane is red."], "licence": list(texts)}


def test_the_first_lettered_section_after_numbered_ones_begins_the_appendix(tmp_path):
    path = tmp_path / "a.md"
    path.write_text(
        "# 1. Cranes\n\nThey lift.\n\n# 2. Docks\n\nThey hold.\n\n# A. Code\n\nIt runs.\n\n"
        "# A new dock\n\nIt is dry.\n"
    )
    assert [part for _, part, _ in parts_of(path)] == ["body", "body", "appendix", "appendix"]
