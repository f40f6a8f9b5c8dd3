from dataclasses import replace
from io import BytesIO
from zipfile import ZipFile

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE

from decklab.deck.graphic_frames import read_workbook
from decklab.deck.reading import read_outline
from decklab.ooxml.package import Package, write_package
from decklab.ooxml.workbook import Workbook


@pytest.fixture
def charted(tmp_path):
    deck, data = Presentation(), CategoryChartData()
    data.categories = ["Q1", "Q2", "Q3"]
    data.add_series("Sales", (3, 7, 5))
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, 9_000_000, 5_000_000, data)
    deck.save(tmp_path / "deck.pptx")
    with Package.open(tmp_path / "deck.pptx") as package:
        chart = read_outline(package).slides[0].shapes[0].chart
        assert chart is not None
        yield package, chart


def rewritten(package, chart, data, tmp_path):
    target = write_package(package, tmp_path / "changed.pptx", replace={chart.workbook: data})
    return Package.open(target)


def test_a_number_that_differs_is_named_with_its_cell(charted, tmp_path):
    package, chart = charted
    with Workbook.embedded(package, chart.workbook) as book:
        other = book.with_number("Sheet1", "B3", 8.5)
    with rewritten(package, chart, other, tmp_path) as changed:
        reading = read_workbook(changed, chart)
    assert reading.mismatches == ("B3 holds 8.5, the chart draws 7",)


def test_missing_and_linked_workbooks_are_told_apart(charted):
    package, chart = charted
    assert read_workbook(package, replace(chart, workbook=None)).state == "missing"
    linked = read_workbook(package, replace(chart, workbook=None, workbook_link="C:/b.xlsx"))
    assert (linked.state, linked.detail) == ("linked", "C:/b.xlsx")
    assert read_workbook(package, replace(chart, part=None)).state == "missing"
    assert read_workbook(package, replace(chart, workbook="nowhere.xlsx")).state == "unreadable"


def test_damaged_empty_and_foreign_workbooks(charted, tmp_path):
    package, chart = charted
    archive = BytesIO()
    with ZipFile(archive, "w") as file:
        file.writestr("readme.txt", "no workbook")
    ole = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600)
    for data, state in ((b"garbage", "unreadable"), (archive.getvalue(), "unreadable"),
                        (ole, "foreign")):  # fmt: skip
        with rewritten(package, chart, data, tmp_path) as changed:
            assert read_workbook(changed, chart).state == state


def test_typed_in_values_and_lost_sheets_are_mismatches(charted):
    package, chart = charted
    (series,) = chart.series
    typed = replace(chart, series=(series.model_copy(update={"values_ref": None}),))
    assert "typed into the chart" in read_workbook(package, typed).mismatches[0]
    lost = replace(chart, series=(series.model_copy(update={"values_ref": "Gone!$B$2:$B$4"}),))
    assert "Gone" in read_workbook(package, lost).mismatches[0]


def test_names_cannot_be_compared_and_blanks_are_gaps(charted):
    package, chart = charted
    (series,) = chart.series
    named = read_workbook(
        package, replace(chart, series=(series.model_copy(update={"values_ref": "Sales"}),))
    )
    assert (named.compared, named.mismatches) == (0, ()) and named.detail
    gap = series.model_copy(
        update={"values": (*series.values, None), "values_ref": "Sheet1!$B$2:$B$5"}
    )
    assert read_workbook(package, replace(chart, series=(gap,))).mismatches == ()


def test_a_chart_that_draws_more_than_it_has_cells_is_a_mismatch(charted):
    package, chart = charted
    (series,) = chart.series
    short = series.model_copy(update={"values_ref": "Sheet1!$B$2:$B$3"})
    reading = read_workbook(package, replace(chart, series=(short,)))
    assert reading.mismatches == ("no cell holds nothing, the chart draws 5",)
    blank = short.model_copy(update={"values": (3.0, 7.0, None)})
    reading = read_workbook(package, replace(chart, series=(blank,)))
    assert (reading.compared, reading.mismatches) == (2, ())


def test_with_fewer_values_than_filled_cells_nothing_is_compared(charted):
    package, chart = charted
    (series,) = chart.series
    hidden_row = series.model_copy(update={"values": (3.0, 9.0)})
    reading = read_workbook(package, replace(chart, series=(hidden_row,)))
    assert (reading.compared, reading.mismatches) == (0, ())
