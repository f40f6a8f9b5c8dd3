import pytest

from decklab.core.results import Measurement, NotScored
from decklab.scoring.reports.standing import Standing, standing_of, verdict


def row(direction: str = "higher", **standing: object) -> Measurement:
    evidence = {"standing": standing} if standing else {}
    return Measurement.of("quality.score", 40.0, direction=direction, evidence=evidence)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("percentile", "word"), [(0, "poor"), (34, "poor"), (35, "fair"), (64, "fair"), (65, "good")]
)
def test_thirds_of_the_reference_decks_have_words(percentile: int, word: str) -> None:
    assert verdict(percentile) == word


def test_a_place_is_said_in_words_at_both_ends() -> None:
    places = [Standing(at, 9, None, None).rank for at in (0, 50, 100)]
    assert places == [
        "below all 9 reference decks",
        "better than 50% of 9 reference decks",
        "above all 9 reference decks",
    ]


def test_there_is_no_word_where_nobody_knows_or_less_is_better() -> None:
    assert standing_of(None) is None
    assert standing_of(row()) is None
    assert standing_of(row("lower", percentile=90, decks=9)) is None
    assert standing_of(Measurement.of("quality.score", NotScored("no slide"))) is None
    known = standing_of(row(percentile=90, decks=9, range=[1.0, 2.0, 3.0]))
    assert known == Standing(90, 9, 1.0, 3.0)
