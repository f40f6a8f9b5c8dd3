"""Word, Excel, PowerPoint and picture files: written by the libraries of these formats."""

import datetime
import zipfile
from io import BytesIO

import docx
import openpyxl
import pytest
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from decklab.core.errors import DecklabError, NotAPackage, TruncatedDeck
from decklab.documents.reading import read_document, read_documents


def picture():
    content = BytesIO()
    Image.new("RGB", (40, 30), "red").save(content, "PNG")
    content.seek(0)
    return content


def test_numbered_items_of_word_keep_their_numbers(tmp_path):
    made = docx.Document()
    for text in ("Open it", "Wait", "Close it"):
        made.add_paragraph(text, style="List Number")
    made.add_paragraph("Then again")
    made.add_paragraph("Go", style="List Number")
    made.add_paragraph("a bullet", style="List Bullet")
    made.save(tmp_path / "a.docx")
    blocks = read_document(tmp_path / "a.docx").blocks
    assert [block.text for block in blocks] == [
        "1. Open it", "2. Wait", "3. Close it", "Then again", "1. Go", "a bullet",
    ]  # fmt: skip


def test_word(tmp_path):
    made = docx.Document()
    made.add_heading("Report", 0)
    made.add_heading("Sales", 1)
    made.add_paragraph("They rose by 12 %.")
    made.add_paragraph("first", style="List Bullet")
    table = made.add_table(rows=2, cols=2)
    for cell, text in zip(table._cells, ["Region", "Sales", "North", "10"], strict=True):
        cell.text = text
    made.add_paragraph("Table 1: By region", style="Caption")
    merged = made.add_table(rows=2, cols=2)
    merged.cell(0, 0).merge(merged.cell(0, 1)).text = "wide"
    made.add_picture(picture())
    made.save(tmp_path / "a.docx")
    document = read_document(tmp_path / "a.docx")
    assert [(block.kind, block.text) for block in document.blocks] == [
        ("heading", "Report"),
        ("heading", "Sales"),
        ("paragraph", "They rose by 12 %."),
        ("item", "first"),
        ("table", "Region\tSales\nNorth\t10"),
        ("caption", "Table 1: By region"),
        ("table", "wide\t\n\t"),
        ("figure", ""),
    ]
    assert [table.native for table in document.tables] == [True, False]
    assert document.tables[0].caption == "Table 1: By region"
    assert document.figures[0].size == (40, 30)


def test_workbook(tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Sales"
    sheet["B2"] = "Sales by region"
    for row in (
        ["Region", "Share", "Cost", "When"],
        ["North", 0.125, 1200, datetime.date(2024, 3, 12)],
        ["South", 0.5, 10, None],
    ):
        sheet.append(["", *row])
    sheet["C4"].number_format = sheet["C5"].number_format = "0.0%"
    sheet["D4"].number_format = '"$"#,##0'
    sheet["B8"], sheet["C8"] = "x", "y"
    book.create_sheet("Empty")
    book.save(tmp_path / "a.xlsx")
    document = read_document(tmp_path / "a.xlsx")
    assert document.page_names == ("Sales", "Empty")
    assert document.tables[0].rows == (
        ("Region", "Share", "Cost", "When"),
        ("North", "12.5%", "$ 1200", "2024-03-12"),
        ("South", "50%", "10", ""),
    )
    assert document.tables[0].header_rows == 1
    assert document.tables[1].rows == (("x", "y"),)
    assert "Sales by region" in [block.text for block in document.blocks]
    numbers = {(item.kind, item.values) for item in read_documents([tmp_path / "a.xlsx"]).numbers}
    assert {("percent", (12.5,)), ("money", (1200,)), ("date", (2024, 3, 12))} <= numbers


def test_deck(tmp_path):
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Sales rose"
    slide.placeholders[1].text = "By a tenth"
    slide.notes_slide.notes_text_frame.text = "Say it slowly."
    data = CategoryChartData()
    data.categories = ["2023", "2024"]
    data.add_series("North", (10, 11.5))
    slide.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(1), Inches(4), Inches(3), data
    )
    slide.shapes.add_picture(picture(), 0, 0)
    deck.save(tmp_path / "a.pptx")
    document = read_document(tmp_path / "a.pptx")
    texts = [(block.kind, block.text, block.page) for block in document.blocks]
    assert texts[0] == ("heading", "Sales rose", 1)
    assert ("item", "By a tenth", 1) in texts
    assert texts[-1] == ("paragraph", "Say it slowly.", 1)
    assert document.tables[0].rows == (("", "North"), ("2023", "10"), ("2024", "11.5"))
    assert document.figures[0].size == (40, 30)


def test_picture(tmp_path):
    (tmp_path / "a.png").write_bytes(picture().read())
    document = read_document(tmp_path / "a.png")
    assert [block.kind for block in document.blocks] == ["figure"]
    (tmp_path / "b.png").write_bytes(b"\x89PNG\r\n\x1a\nnothing")
    with pytest.raises(TruncatedDeck, match=r"b\.png: the picture is damaged"):
        read_document(tmp_path / "b.png")


@pytest.mark.parametrize("suffix", ["docx", "xlsx", "pptx"])
def test_a_file_that_is_no_package_is_told(tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(DecklabError, match=rf"a\.{suffix}: "):
        read_document(path)


def test_a_workbook_named_as_a_word_file_is_told(tmp_path):
    openpyxl.Workbook().save(tmp_path / "a.docx")
    with pytest.raises(NotAPackage, match=r"a\.docx: no Word document"):
        read_document(tmp_path / "a.docx")


def test_what_cannot_be_read_is_skipped_on_request_only(tmp_path):
    (tmp_path / "a.docx").write_bytes(b"PK\x03\x04 nothing")
    (tmp_path / "b.md").write_text("# Word")
    paths = [tmp_path / "a.docx", tmp_path / "b.md", tmp_path / "b.md"]
    with pytest.raises(DecklabError):
        read_documents(paths)
    kb = read_documents(paths, skip_unreadable=True)
    assert [document.name for document in kb.documents] == ["b.md", "b.md (2)"]
    assert [item.document for item in kb.unread] == ["a.docx"]


def test_formulas_that_nobody_calculated_are_told(tmp_path):
    book = openpyxl.Workbook()
    for row in (("Year", "Sum"), (2023, "=1+1"), (2024, "=2+3")):
        book.active.append(row)
    book.save(tmp_path / "sums.xlsx")
    found = read_documents([tmp_path / "sums.xlsx"])
    (unread,) = found.unread
    assert unread.page == 1
    assert unread.reason.startswith("2 formulas without a value")
    assert found.tables[0].rows == (("Year", "Sum"), ("2023", ""), ("2024", ""))


def changed(source, target, part, old, new):
    """A copy of an Office file with other words in one part."""
    with zipfile.ZipFile(source) as old_file, zipfile.ZipFile(target, "w") as new_file:
        for name in old_file.namelist():
            data = old_file.read(name)
            if name == part:
                assert old in data
                data = data.replace(old, new)
            new_file.writestr(name, data)
    return target


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("word/styles.xml", b"<w:name w:val=", b"<w:name w:vla="),
        ("word/_rels/document.xml.rels", b"Relationships ", b"Relationshapes "),
        ("word/document.xml", b"w:document ", b"w:dokument "),
        ("word/document.xml", b"w:body>", b"w:bady>"),
    ],
)
def test_a_word_file_with_damaged_parts_gives_a_line(tmp_path, part, old, new):
    made = docx.Document()
    made.add_heading("Report", 1)
    made.add_paragraph("They rose by 12 %.", style="List Bullet")
    made.save(tmp_path / "a.docx")
    data = (tmp_path / "a.docx", tmp_path / "b.docx", part, old, new)
    if old == b"w:document ":
        new_end = changed(*data)
        data = (new_end, tmp_path / "c.docx", part, b"w:document>", b"w:dokument>")
    path = changed(*data)
    try:
        document = read_document(path)
    except DecklabError as error:
        assert "\n" not in str(error)
        assert path.name in str(error)
    else:
        assert document.unread or not document.blocks


def test_a_workbook_with_cells_of_unknown_formats_says_which_sheet_is_damaged(tmp_path):
    book = openpyxl.Workbook()
    book.active["A1"], book.active["B1"] = "Region", 0.5
    book.active["B1"].number_format = "0%"
    book.create_sheet("Second").append(["x", "y"])
    book.save(tmp_path / "a.xlsx")
    path = changed(
        tmp_path / "a.xlsx", tmp_path / "b.xlsx", "xl/worksheets/sheet1.xml", b's="1"', b's="99"'
    )
    document = read_document(path)
    [told] = document.unread
    assert (told.page, told.reason) == (1, "the sheet is damaged: list index out of range")
    assert document.tables[0].rows == (("x", "y"),)


def test_a_workbook_whose_main_part_is_of_another_kind_is_named(tmp_path):
    openpyxl.Workbook().save(tmp_path / "a.xlsx")
    with (
        zipfile.ZipFile(tmp_path / "a.xlsx") as whole,
        zipfile.ZipFile(tmp_path / "b.xlsx", "w") as damaged,
    ):
        for name in whole.namelist():
            damaged.writestr(name, whole.read(name).replace(b"sheet.main+xml", b"other+xml"))
    with pytest.raises(NotAPackage, match=r"b\.xlsx"):
        read_document(tmp_path / "b.xlsx")


def test_lines_of_one_cell_are_text_and_the_first_is_the_title_of_a_workbook(tmp_path):
    book = openpyxl.Workbook()
    rows = [["Stock and parcels, Q3"], ["Weights in kg."], [], ["Site", "Kg"], ["North", 3], [],
            ["Notes"], ["1. The hall was closed."], [], ["Kg"], [3], [4]]  # fmt: skip
    for row in rows:
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    document = read_document(tmp_path / "a.xlsx")
    assert document.title == "Stock and parcels, Q3"
    assert [table.rows[0] for table in document.tables] == [("Site", "Kg"), ("Kg",)]
    assert "1. The hall was closed." in [block.text for block in document.blocks]


def test_headings_in_bold_that_paragraphs_go_on_behind_part_a_word_document(tmp_path):
    document = docx.Document()
    lines = [
        ("Minutes of the committee", ""), ("Present:", " Gill, Phil"),
        ("1. Minutes", " (2 September) were agreed."), ("2. Boats.", " The engine failed twice."),
        ("3. Dates.", " Next on 4 November. The AGM is on 29 November."), ("Actions", ""),
        ("", "GT – draft the notice."),
    ]  # fmt: skip
    for bold, plain in lines:
        paragraph = document.add_paragraph()
        paragraph.add_run(bold).bold = True
        paragraph.add_run(plain)
    document.save(str(tmp_path / "minutes.docx"))
    read = read_document(tmp_path / "minutes.docx")
    assert [(block.kind, block.text) for block in read.blocks] == [
        ("heading", "Minutes of the committee"), ("paragraph", "Present: Gill, Phil"),
        ("heading", "Minutes"), ("paragraph", "Minutes (2 September) were agreed."),
        ("heading", "Boats"), ("paragraph", "The engine failed twice."),
        ("heading", "Dates"),
        ("paragraph", "Next on 4 November. The AGM is on 29 November."),
        ("heading", "Actions"), ("paragraph", "GT – draft the notice."),
    ]  # fmt: skip


def test_bold_words_that_are_no_headings_stay_in_their_paragraphs(tmp_path):
    document = docx.Document()
    document.add_heading("Report", 1)
    for number in range(4):
        paragraph = document.add_paragraph()
        paragraph.add_run(f"{number}. Note.").bold = True
        paragraph.add_run(" It rained.")
    document.save(str(tmp_path / "report.docx"))
    read = read_document(tmp_path / "report.docx")
    assert [block.text for block in read.blocks if block.kind == "heading"] == ["Report"]
    assert read.blocks[1].text == "0. Note. It rained."
