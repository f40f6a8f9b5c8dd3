import pytest

from decklab.core.errors import UnknownName
from decklab.core.results import NotScored
from decklab.metrics.aesthetics.rows import PICTURE_METRICS
from decklab.metrics.catalogue import METRICS
from decklab.metrics.editability.verdict import METRIC
from decklab.metrics.metric import measured

DECK = {
    "aesthetics.total",
    "harmony.score",
    "engagement.score",
    "engagement.pacing",
    "usability.score",
    "rhythm.score",
    "rhythm.rmssd",
    "harmony.score_table10",
    "rhythm.score_table8",
    "rhythm.score_eq17",
    "rhythm.score_eq17_e7",
    "rhythm.score_eq17_table13",
    "editability.level",
    "editability.level_on_slide",
    "quality.score",
    "quality.layout",
    "quality.style",
    "quality.words",
    "quality.deck",
}
SLIDE = {
    "harmony.distance_deg",
    "engagement.colorfulness",
    "usability.contrast",
    "rhythm.subband_entropy",
    "harmony.aim",
    "rhythm.subband_entropy_aim",
    "rhythm.subband_entropy_table8",
    "quality.slide",
    *PICTURE_METRICS,
}


def test_every_published_name_is_there_at_its_level() -> None:
    assert METRIC in DECK
    assert "engagement.colorfulness" in PICTURE_METRICS
    assert {name for name in METRICS if METRICS[name].level == "deck"} == DECK
    assert {name for name in METRICS if METRICS[name].level == "slide"} == SLIDE


@pytest.mark.parametrize("name", sorted(DECK | SLIDE))
def test_an_entry_says_what_a_reader_needs(name: str) -> None:
    info = METRICS[name]
    assert info.name == name
    assert info.high is None or info.low is None or info.low < info.high
    assert info.meaning.endswith(".")
    assert info.source
    assert info.version


def test_a_row_takes_unit_direction_and_version_from_the_catalogue() -> None:
    row = measured("harmony.distance_deg", 3.5, slide=2, evidence={"template": "V"})
    assert (row.slide, row.value, row.unit, row.direction) == (2, 3.5, "deg", "lower")
    assert row.version == METRICS["harmony.distance_deg"].version
    assert row.evidence == {"template": "V"}


def test_a_row_without_a_value_keeps_its_reason() -> None:
    row = measured("usability.contrast", NotScored("the slide has no text"), slide=1)
    assert (row.status, row.reason) == ("not_scored", "the slide has no text")


def test_an_unknown_name_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(UnknownName, match=r"harmony\.score"):
        measured("harmony.scor", 1.0)
