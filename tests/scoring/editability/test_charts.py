from dataclasses import replace
from io import BytesIO
from zipfile import ZipFile

import numpy as np
import pytest

from decklab.core.geometry import Box
from decklab.core.results import NotScored
from decklab.deck.chart_workbooks import read_workbook
from decklab.ooxml.package import Package
from decklab.ooxml.workbook import Workbook
from decklab.ooxml.writing import write_package
from decklab.rendering.office.office import RecordedOffice
from decklab.rendering.renderer import Renderer
from decklab.scoring.editability.charts import (
    NumberChange,
    chart_facts,
    number_change,
    picture_changed,
    set_cached_value,
)


@pytest.fixture
def charted(draft, opened):
    draft.chart(draft.slide())
    package, outline = opened(draft)
    chart = outline.slides[0].shapes[0].chart
    assert chart is not None
    return package, chart


def rewritten(package, chart, data, tmp_path):
    target = write_package(package, tmp_path / "changed.pptx", replace={chart.workbook: data})
    return Package.open(target)


def test_a_workbook_that_agrees_offers_a_change(charted):
    reading = read_workbook(*charted)
    assert (reading.state, reading.compared, reading.mismatches) == ("readable", 3, ())
    change = number_change(*charted)
    assert change is not None
    assert (change.series, change.point) == (0, 1)
    assert change.value == pytest.approx(2.8)
    with Workbook.from_bytes(change.workbook, "b.xlsx") as book:
        assert book.values("Sheet1!$B$2:$B$4") == pytest.approx((3, 2.8, 5))


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
    typed = replace(chart, series=(replace(series, values_ref=None),))
    assert "typed into the chart" in read_workbook(package, typed).mismatches[0]
    lost = replace(chart, series=(replace(series, values_ref="Gone!$B$2:$B$4"),))
    assert "Gone" in read_workbook(package, lost).mismatches[0]


def test_names_cannot_be_compared_and_blanks_are_gaps(charted):
    package, chart = charted
    (series,) = chart.series
    named = read_workbook(package, replace(chart, series=(replace(series, values_ref="Sales"),)))
    assert (named.compared, named.mismatches) == (0, ()) and named.detail
    gap = replace(series, values=(*series.values, None), values_ref="Sheet1!$B$2:$B$5")
    assert read_workbook(package, replace(chart, series=(gap,))).mismatches == ()


def test_a_chart_without_series_has_nothing_to_compare(charted):
    package, chart = charted
    reading = read_workbook(package, replace(chart, series=()))
    assert (reading.state, reading.compared) == ("readable", 0)
    assert number_change(package, replace(chart, series=())) is None


@pytest.mark.office
def test_a_chart_redraws_with_its_number(draft, opened, office):
    draft.text(draft.slide(), "first", (0, 0, 100, 50))
    shape = draft.chart(draft.slide())
    facts = chart_facts(*opened(draft), renderer=Renderer(office))
    assert not isinstance(facts, NotScored)
    (fact,) = facts
    assert (fact.slide, fact.shape) == (2, shape.shape_id)
    assert (fact.workbook, fact.compared, fact.redrawn) == ("readable", 3, True)


@pytest.mark.office
def test_a_chart_under_a_picture_does_not_redraw(draft, opened, office, flat):
    slide = draft.slide()
    draft.chart(slide)
    draft.picture(slide, flat, (0, 0, 960, 540))
    facts = chart_facts(*opened(draft), renderer=Renderer(office))
    assert not isinstance(facts, NotScored)
    (fact,) = facts
    assert fact.redrawn is False


def test_without_charts_nothing_is_drawn(draft, opened):
    draft.text(draft.slide(), "words", (0, 0, 100, 50))
    office = RecordedOffice({})
    assert chart_facts(*opened(draft), renderer=Renderer(office)) == ()
    assert office.asked == []


def test_a_drawing_that_fails_is_the_reason(draft, opened):
    draft.chart(draft.slide())
    facts = chart_facts(*opened(draft), renderer=Renderer(RecordedOffice({})))
    assert facts == NotScored("no PDF was recorded for it")


def test_the_cached_number_is_set_in_place(draft, opened):
    draft.chart(draft.slide())
    package, outline = opened(draft)
    chart = outline.slides[0].shapes[0].chart
    assert chart is not None and chart.part is not None
    root = package.xml(chart.part)
    assert set_cached_value(root, NumberChange(0, 1, 2.5, b""))
    values = [node.text for node in root.iter() if str(node.tag).endswith("}v")]
    assert "2.5" in values and "7" not in values and "7.0" not in values
    assert not set_cached_value(root, NumberChange(0, 9, 2.5, b""))
    assert not set_cached_value(root, NumberChange(4, 0, 2.5, b""))


def test_only_changes_inside_the_box_count():
    old = np.full((720, 1280, 3), 255, np.uint8)
    new = old.copy()
    new[600:700, 1000:1200] = 0
    assert not picture_changed(old, new, Box(0, 0, 480, 270))
    assert picture_changed(old, new, Box(700, 400, 960, 540))
    assert not picture_changed(old, old, Box(0, 0, 960, 540))
    assert not picture_changed(old, new, Box(960, 540, 1200, 700))


def test_a_chart_that_draws_more_than_it_has_cells_is_a_mismatch(charted):
    package, chart = charted
    (series,) = chart.series
    short = replace(series, values_ref="Sheet1!$B$2:$B$3")
    reading = read_workbook(package, replace(chart, series=(short,)))
    assert reading.mismatches == ("no cell holds nothing, the chart draws 5",)
    blank = replace(short, values=(3.0, 7.0, None))
    reading = read_workbook(package, replace(chart, series=(blank,)))
    assert (reading.compared, reading.mismatches) == (2, ())


def test_with_fewer_values_than_filled_cells_nothing_is_compared(charted):
    package, chart = charted
    (series,) = chart.series
    hidden_row = replace(series, values=(3.0, 9.0))
    reading = read_workbook(package, replace(chart, series=(hidden_row,)))
    assert (reading.compared, reading.mismatches) == (0, ())
