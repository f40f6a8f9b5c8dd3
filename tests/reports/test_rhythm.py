from collections.abc import Callable

import pytest

from decklab.metrics.aesthetics.rhythm import RMSSD_FLATLINE, RMSSD_HEALTHY, RMSSD_STROBE
from decklab.reports.rhythm import RMSSD_BANDS, colour_pacing, rhythm
from decklab.results import DeckResult, Measurement

ResultMaker = Callable[..., DeckResult]


def test_the_bands_drawn_are_those_that_the_metric_decides_by() -> None:
    assert [low for _, low, _ in RMSSD_BANDS[1:]] == [RMSSD_FLATLINE, RMSSD_HEALTHY, RMSSD_STROBE]


def test_the_line_shows_the_slide_scores_and_leaves_gaps(scored: ResultMaker) -> None:
    result = scored(slides=15)
    shown = rhythm(result)
    assert shown is not None
    row = result.row("rhythm.score")
    assert row is not None
    drawn = [[mark.slide, mark.value] for mark in shown.lines[0].marks]
    assert drawn == row.evidence["slide_scores"]
    assert [tick.label for tick in shown.lines[0].missing] == ["7", "14"]
    assert (shown.mean, shown.rmssd, shown.band) == (0.6, 0.05, "healthy")


def test_slide_scores_are_enough_where_the_deck_has_no_score() -> None:
    rows = [
        Measurement.of("rhythm.subband_entropy", 3.0, slide=s, evidence={"slide_score": s / 10})
        for s in (1, 2)
    ]
    shown = rhythm(DeckResult(deck="a", status="scored", slides=2, measurements=tuple(rows)))
    assert shown is not None
    assert [mark.value for mark in shown.lines[1].marks] == [0.1, 0.2]
    assert shown.steps[0].steps[0].size == pytest.approx(0.1)
    assert shown.band == ""


def test_the_scale_of_colourfulness_holds_the_most_colourful_slide() -> None:
    rows = [
        Measurement.of("engagement.colorfulness", value, slide=slide)
        for slide, value in ((1, 12.0), (2, 133.0))
    ]
    shown = colour_pacing(DeckResult(deck="a", status="scored", slides=2, measurements=tuple(rows)))
    assert shown is not None
    assert shown.lines[0].y_ticks[-1].label == "150"
    assert shown.lines[0].marks[1].y > shown.lines[0].frame.top


def test_no_slide_scores_make_no_charts(without_slides: DeckResult) -> None:
    assert rhythm(without_slides) is None
    assert colour_pacing(without_slides) is None
