"""Authors and dates: those that a reader of the title page would name, and no others."""

import docx
import pytest
from reportlab.pdfgen.canvas import Canvas

from decklab.documents.bylines import read_byline, recorded_date
from decklab.documents.model import DocumentBlock
from decklab.documents.reading import read_document


@pytest.mark.parametrize(
    ("lines", "author", "date"),
    [
        (["By Anna Smith, 12 March 2024"], "Anna Smith", "12 March 2024"),
        (["Author: Anna Smith and Bob Jones", "Date: 2024-03-12"], "Anna Smith, Bob Jones",
         "2024-03-12"),
        (["Anna Smith1, Bob Jones2*", "1 Elm University"], "Anna Smith, Bob Jones", ""),
        (["Anna Smith | 12 March 2024"], "Anna Smith", "12 March 2024"),
        (["Berlin, 12. März 2024"], "", "12. März 2024"),
        (["Dr. Ana Müller, Elm GmbH", "Stand: März 2025"], "Dr. Ana Müller", "März 2025"),
        (["From: Ann Lee", "To: All staff", "Date: 3 May 2024"], "Ann Lee", "3 May 2024"),
        (["Prepared by: Finance Team", "Version 1.2", "Q3 2024"], "Finance Team", "Q3 2024"),
        (["Quarterly Report", "North Region"], "", ""),
        (["An: Alle. Von: Dr. Eva Vogel, Referat Z 2. Datum: 12. November 2026. Zeichen: 7-26."],
         "Dr. Eva Vogel", "12. November 2026"),
        (["By the end of 2024 sales rose."], "", ""),
        (["Sales rose by 12 % in March 2024"], "", ""),
        ([], "", ""),
    ],
)  # fmt: skip
def test_lines_under_the_title(lines, author, date):
    blocks = [DocumentBlock("heading", "Boats", level=1)]
    blocks += [DocumentBlock("paragraph", line) for line in lines]
    found = read_byline(blocks, "Boats")
    assert (found.author, found.date) == (author, date)


@pytest.mark.parametrize(
    ("stated", "date"),
    [
        ("D:20240312101500+01'00'", "2024-03-12"),
        ("2024-03-12T10:15:00Z", "2024-03-12"),
        ("20241399", ""),
        (None, ""),
    ],
)
def test_dates_of_records(stated, date):
    assert recorded_date(stated) == date


def test_front_matter_of_markdown(tmp_path):
    path = tmp_path / "a.md"
    path.write_text(
        "---\ntitle: 'Boats'\nauthors:\n  - name: Anna Smith\n  - Bob Jones\n"
        "date: 2024-03-12\n---\nBoats float.\n"
    )
    document = read_document(path)
    assert (document.title, document.author, document.date) == (
        "Boats",
        "Anna Smith, Bob Jones",
        "2024-03-12",
    )


def test_meta_elements_of_html(tmp_path):
    path = tmp_path / "a.html"
    path.write_text(
        '<meta name=author content="Anna Smith"><meta property="article:published_time"'
        ' content="2024-03-12T08:00:00Z"><h1>Boats</h1><p>Boats float.'
    )
    document = read_document(path)
    assert (document.author, document.date) == ("Anna Smith", "2024-03-12")


def test_properties_of_word_documents(tmp_path):
    written = docx.Document()
    written.add_heading("Boats", 0)
    written.add_paragraph("Boats float.")
    written.save(tmp_path / "plain.docx")
    written.core_properties.author = "Anna Smith"
    written.save(tmp_path / "named.docx")
    plain, named = (read_document(tmp_path / f"{name}.docx") for name in ("plain", "named"))
    assert (plain.author, plain.date) == ("", "")  # python-docx's own template
    assert named.author == "Anna Smith"


def test_the_record_of_a_pdf_counts_less_than_its_title_page(tmp_path):
    path = tmp_path / "a.pdf"
    canvas = Canvas(str(path))
    canvas.setAuthor("Robot")
    canvas.setFont("Helvetica-Bold", 24)
    canvas.drawString(72, 760, "Boats")
    canvas.setFont("Helvetica", 10)
    canvas.drawString(72, 720, "By Anna Smith, 12 March 2024")
    canvas.drawString(72, 680, "Boats float on water, and have done so for a long time now.")
    canvas.save()
    document = read_document(path)
    assert (document.title, document.author, document.date) == (
        "Boats",
        "Anna Smith",
        "12 March 2024",
    )
