from dataclasses import replace

import numpy as np
import pytest
from tests.drawing import RecordedOffice

from decklab.core.geometry import Box
from decklab.core.results import NotScored
from decklab.deck.graphic_frames import read_workbook
from decklab.ooxml.workbook import Workbook
from decklab.rendering.renderer import Renderer
from decklab.scoring.trial_edits import (
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


def test_a_workbook_that_agrees_offers_a_change(charted):
    reading = read_workbook(*charted)
    assert (reading.state, reading.compared, reading.mismatches) == ("readable", 3, ())
    change = number_change(*charted)
    assert change is not None
    assert (change.series, change.point) == (0, 1)
    assert change.value == pytest.approx(2.8)
    with Workbook.from_bytes(change.workbook, "b.xlsx") as book:
        assert book.values("Sheet1!$B$2:$B$4") == pytest.approx((3, 2.8, 5))


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
