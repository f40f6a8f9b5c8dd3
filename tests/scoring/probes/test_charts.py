import numpy as np
import pytest

from decklab.geometry import Box
from decklab.rendering.office.office import RecordedOffice
from decklab.results import NotScored
from decklab.scoring.probes.charts import chart_facts, picture_changed, set_cached_value
from decklab.scoring.probes.workbooks import Change


@pytest.mark.office
def test_a_chart_redraws_with_its_number(draft, opened, libreoffice):
    draft.text(draft.slide(), "first", (0, 0, 100, 50))
    shape = draft.chart(draft.slide())
    (fact,) = chart_facts(*opened(draft), office=libreoffice)
    assert (fact.slide, fact.shape) == (2, shape.shape_id)
    assert (fact.workbook, fact.compared, fact.redrawn) == ("readable", 3, True)


@pytest.mark.office
def test_a_chart_under_a_picture_does_not_redraw(draft, opened, libreoffice, flat):
    slide = draft.slide()
    draft.chart(slide)
    draft.picture(slide, flat, (0, 0, 960, 540))
    (fact,) = chart_facts(*opened(draft), office=libreoffice)
    assert fact.redrawn is False


def test_without_charts_nothing_is_drawn(draft, opened):
    draft.text(draft.slide(), "words", (0, 0, 100, 50))
    office = RecordedOffice({})
    assert chart_facts(*opened(draft), office=office) == ()
    assert office.asked == []


def test_a_drawing_that_fails_is_the_reason(draft, opened):
    draft.chart(draft.slide())
    facts = chart_facts(*opened(draft), office=RecordedOffice({}))
    assert facts == NotScored("no PDF was recorded for it")


def test_the_cached_number_is_set_in_place(draft, opened):
    draft.chart(draft.slide())
    package, outline = opened(draft)
    chart = outline.slides[0].shapes[0].chart
    assert chart is not None and chart.part is not None
    root = package.xml(chart.part)
    assert set_cached_value(root, Change(0, 1, 2.5, b""))
    values = [node.text for node in root.iter() if str(node.tag).endswith("}v")]
    assert "2.5" in values and "7" not in values and "7.0" not in values
    assert not set_cached_value(root, Change(0, 9, 2.5, b""))
    assert not set_cached_value(root, Change(4, 0, 2.5, b""))


def test_only_changes_inside_the_box_count():
    old = np.full((720, 1280, 3), 255, np.uint8)
    new = old.copy()
    new[600:700, 1000:1200] = 0
    assert not picture_changed(old, new, Box(0, 0, 480, 270))
    assert picture_changed(old, new, Box(700, 400, 960, 540))
    assert not picture_changed(old, old, Box(0, 0, 960, 540))
    assert not picture_changed(old, new, Box(960, 540, 1200, 700))
