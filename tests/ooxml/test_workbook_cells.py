import pytest
from hypothesis import given
from hypothesis import strategies as st
from xlsxwriter.utility import quote_sheetname, xl_rowcol_to_cell

from decklab.ooxml.workbook import LAST_COLUMN, LAST_ROW, cell_name, parse_cell, parse_reference

rows, columns = st.integers(1, LAST_ROW), st.integers(1, LAST_COLUMN)


@given(rows, columns)
def test_names_agree_with_xlsxwriter_and_lead_back(row, column):
    assert cell_name(row, column) == xl_rowcol_to_cell(row - 1, column - 1)
    assert parse_cell(cell_name(row, column)) == (row, column)
    assert parse_cell(xl_rowcol_to_cell(row - 1, column - 1, True, True)) == (row, column)


@given(st.text(min_size=1, max_size=20).filter(lambda text: not set(text) & set("[]")), rows)
def test_sheet_names_that_xlsxwriter_quotes_are_read(sheet, row):
    quoted = "'" + sheet.replace("'", "''") + "'"
    found = parse_reference(f"{quoted}!$A${row}")
    assert found is not None
    (area,) = found
    assert (area.sheet, area.first_row, area.last_row, area.size) == (sheet, row, row, 1)


def test_references_of_chart_series_are_read():
    quoted = quote_sheetname("Tom's data, 2")
    ranges = parse_reference(f"({quoted}!$B$2:$B$3,Sheet1!$D$9)")
    assert [(r.sheet, list(r.cells())) for r in ranges] == [
        ("Tom's data, 2", [(2, 2), (3, 2)]),
        ("Sheet1", [(9, 4)]),
    ]
    assert parse_reference("[Book1.xlsx]Sheet1!$A$1")[0].sheet == "Sheet1"
    assert parse_reference("B3:A2")[0].size == 4


@pytest.mark.parametrize(
    "text", ["", "()", "Sheet1!", "Sheet1!A", "A0", "A1:", "A1,,B2", "SUM(A1)", "#REF!", "A1 B2",
             "AAAA1", "A9999999", "Sheet1!$A:$A", "'open!A1"],
)  # fmt: skip
def test_what_is_no_reference_is_none(text):
    assert parse_reference(text) is None
