import csv
import io
import subprocess

import pytest
import xlsxwriter

from decklab.core.errors import (
    EncryptedDeck,
    LimitExceeded,
    MalformedPart,
    MissingPart,
    UnsupportedFormat,
)
from decklab.ooxml.package import Package
from decklab.ooxml.workbook import Workbook

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


@pytest.fixture(scope="module")
def book_bytes():
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        data = book.add_worksheet("Sheet1")
        data.write_row(0, 0, ["Region", "2024", "2025"])
        data.write_row(1, 0, ["North", 1.5, 2])
        data.write_row(2, 0, ["South", -3, 1e-7])
        data.write_rich_string(3, 0, "a ", book.add_format({"bold": True}), "bold", " word")
        data.write_boolean(3, 1, True)
        data.write_formula(3, 2, "=SUM(C2:C3)", value=2.0000001)
        data.write_formula(4, 2, '="x"&"y"', value="xy")
        data.write_formula(5, 2, "=1/0", value="#DIV/0!")
        book.add_worksheet("It's, mine").write(0, 0, 7)
    return out.getvalue()


@pytest.fixture
def book(book_bytes):
    with Workbook.from_bytes(book_bytes, "deck.pptx: book.xlsx") as opened:
        yield opened


def test_cells_hold_what_xlsxwriter_put_there(book):
    assert book.sheets == ("Sheet1", "It's, mine")
    assert book.cell("Sheet1", "A1") == "Region"
    assert book.cell("sheet1", "$B$2") == 1.5
    assert book.cell("Sheet1", "C3") == 1e-7
    assert book.cell("Sheet1", "A4") == "a bold word"
    assert book.cell("Sheet1", "B4") is True
    assert book.cell("Sheet1", "Z99") is None


def test_formulas_give_their_last_result(book):
    assert book.values("Sheet1!$C$4:$C$6") == (2.0000001, "xy", "#DIV/0!")


def test_references_are_read_row_by_row(book):
    assert book.values("Sheet1!$A$2:$B$3") == ("North", 1.5, "South", -3.0)
    assert book.values("('It''s, mine'!A1,Sheet1!B9)") == (7.0, None)
    assert book.values("C2") == (2.0,)


def test_what_is_no_cell_or_sheet_is_an_error(book):
    with pytest.raises(MissingPart, match=r"deck\.pptx: book\.xlsx: there is no sheet named 'Two'"):
        book.values("Two!A1")
    with pytest.raises(MalformedPart, match=r"'OFFSET\(A1\)' is no reference"):
        book.values("OFFSET(A1)")
    with pytest.raises(MalformedPart, match="'B' is no cell"):
        book.cell("Sheet1", "B")
    with pytest.raises(LimitExceeded, match="takes in more than"):
        book.values("Sheet1!$A$1:$XFD$1048576")


def test_one_number_is_changed_in_a_copy(book, book_bytes):
    with Workbook.from_bytes(book.with_number("Sheet1", "B2", 42), "copy") as copy:
        assert copy.values("Sheet1!A1:C3") == (
            "Region", "2024", "2025", "North", 42.0, 2.0, "South", -3.0, 1e-7
        )  # fmt: skip
        assert copy.values("'It''s, mine'!A1") == (7.0,)
    assert book.cell("Sheet1", "B2") == 1.5


@pytest.mark.parametrize("cell", ["A1", "B4", "C4", "D2", "A2", "B9", "AA1"])
def test_any_cell_may_be_changed_blank_or_not(book, cell):
    with Workbook.from_bytes(book.with_number("Sheet1", cell, -0.125), "copy") as copy:
        assert copy.cell("Sheet1", cell) == -0.125
        others = [name for name in ("A1", "B2", "C2", "B3", "C3", "A4") if name != cell]
        for name in others:
            assert copy.cell("Sheet1", name) == book.cell("Sheet1", name)


def test_a_cell_cannot_hold_what_is_no_number(book):
    with pytest.raises(ValueError, match="nan"):
        book.with_number("Sheet1", "A1", float("nan"))


def test_the_calculation_chain_goes_with_its_formula(book_bytes, zipped):
    with Package.from_bytes(book_bytes, "b") as package:
        parts = {name: package.read(name) for name in package.names}
    rels = "xl/_rels/workbook.xml.rels"
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/calcChain"
    link = f'<Relationship Id="rId99" Type="{kind}" Target="calcChain.xml"/></Relationships>'
    parts[rels] = parts[rels].replace(b"</Relationships>", link.encode())
    chain = f'<calcChain xmlns="{MAIN}"><c r="C4" i="1"/></calcChain>'
    parts["xl/calcChain.xml"] = chain.encode()
    with Workbook.from_bytes(zipped(parts), "b") as book:
        kept = Package.from_bytes(book.with_number("Sheet1", "B2", 1), "kept")
        gone = Package.from_bytes(book.with_number("Sheet1", "C4", 1), "gone")
    assert "xl/calcChain.xml" in kept
    assert "xl/calcChain.xml" not in gone
    assert b"calcChain" not in gone.read(rels)


def sheet(zipped, rows, main_type="spreadsheetml.sheet.main+xml"):
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    rels = "http://schemas.openxmlformats.org/package/2006/relationships"
    link = (
        '<Relationships xmlns="{}"><Relationship Id="r" Type="{}/{}" Target="{}"/></Relationships>'
    )
    return zipped(
        {
            "[Content_Types].xml": (
                '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
                f'<Override PartName="/x/book.xml" ContentType="application/vnd.{main_type}"/>'
                "</Types>"
            ).encode(),
            "_rels/.rels": link.format(rels, office, "officeDocument", "x/book.xml").encode(),
            "x/book.xml": (
                f'<workbook xmlns="{MAIN}" xmlns:r="{office}"><sheets>'
                '<sheet name="S" r:id="r"/></sheets></workbook>'
            ).encode(),
            "x/_rels/book.xml.rels": link.format(rels, office, "worksheet", "s.xml").encode(),
            "x/s.xml": (
                f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'
            ).encode(),
        }
    )


def test_rows_and_cells_without_names_follow_each_other(zipped):
    rows = (
        "<row><c><v>1</v></c><c><v>2</v></c></row>"
        '<row r="5"><c r="C5"><v>3</v></c><c><v>4</v></c></row><row><c><v>5</v></c></row>'
    )
    with Workbook.from_bytes(sheet(zipped, rows), "b") as book:
        assert book.values("A1:B1") == (1.0, 2.0)
        assert book.values("C5:D5") == (3.0, 4.0)
        assert book.cell("S", "A6") == 5.0


def test_inline_texts_leave_phonetic_guides_out(zipped):
    text = '<is><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></is>'
    row = f'<row><c t="inlineStr">{text}</c></row>'
    with Workbook.from_bytes(sheet(zipped, row), "b") as book:
        assert book.cell("S", "A1") == "東京"


@pytest.mark.parametrize(
    ("cell", "message"),
    [("<c><v>many</v></c>", "holds 'many'"), ('<c t="s"><v>9</v></c>', "shared text")],
)
def test_cells_that_hold_what_they_cannot_are_named(zipped, cell, message):
    with (
        Workbook.from_bytes(sheet(zipped, f"<row>{cell}</row>"), "b") as book,
        pytest.raises(MalformedPart, match=message),
    ):
        book.cell("S", "A1")


def test_an_empty_sheet_has_blank_cells_and_takes_a_number(zipped):
    data = sheet(zipped, "")
    with Workbook.from_bytes(data, "b") as book:
        assert book.cell("S", "A1") is None
        changed = book.with_number("S", "B2", 3)
    with Workbook.from_bytes(changed, "b") as book:
        assert book.cell("S", "B2") == 3.0


def test_workbooks_of_other_formats_are_named(zipped, ole_file):
    binary = "ms-excel.sheet.binary.macroEnabled.main"
    with pytest.raises(UnsupportedFormat, match=r"a binary workbook \(\.xlsb\)"):
        Workbook.from_bytes(sheet(zipped, "", binary), "deck.pptx: a.xlsb")
    with pytest.raises(UnsupportedFormat, match=r"an Excel 97-2003 workbook \(\.xls\)"):
        Workbook.from_bytes(ole_file("Workbook"), "deck.pptx: a.xls")
    with pytest.raises(EncryptedDeck):
        Workbook.from_bytes(ole_file("EncryptedPackage"), "deck.pptx: a.xlsx")


def test_a_deck_is_no_workbook(zipped, deck_parts):
    with pytest.raises(UnsupportedFormat, match="no workbook but"):
        Workbook.from_bytes(zipped(deck_parts()), "deck.pptx")


@pytest.mark.shared
def test_the_workbook_of_a_real_chart_is_opened_from_its_deck(shared):
    path = shared / "decks" / "features" / "test-data_slideshow_bar-chart.pptx"
    with Package.open(path) as package:
        (part,) = (name for name in package.names if name.endswith(".xlsx"))
        with Workbook.embedded(package, part) as book:
            assert book.cell("Sheet1", "A2") is not None


@pytest.mark.long
@pytest.mark.office
def test_libreoffice_reads_the_changed_number(book, tmp_path):
    path = tmp_path / "copy.xlsx"
    path.write_bytes(book.with_number("Sheet1", "C4", 123.5))
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"
    command = ["soffice", profile, "--headless", "--convert-to", "csv", "--outdir"]
    subprocess.run([*command, tmp_path, path], check=True, capture_output=True, timeout=120)
    rows = list(csv.reader((tmp_path / "copy.csv").read_text().splitlines()))
    assert rows[1] == ["North", "1.5", "2"]
    assert rows[3][2] == "123.5"
