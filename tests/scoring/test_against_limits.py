import pytest

from decklab.core.results import DeckResult, Measurement, NotScored
from decklab.scoring.against import ScoreLimit, missed_limits, parse_limit


def deck(name: str, quality: float | NotScored) -> DeckResult:
    row = Measurement.of("quality.score", quality, direction="higher")
    return DeckResult(deck=name, status="scored", measurements=(row,))


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("quality=60", ScoreLimit("quality.score", 60.0)),
        ("quality.layout = 7.5", ScoreLimit("quality.layout", 7.5)),
        ("total=20", ScoreLimit("aesthetics.total", 20.0)),
        ("level=3", ScoreLimit("editability.level", 3.0)),
        ("harmony=-1", ScoreLimit("harmony.score", -1.0)),
    ],
)
def test_limits_are_read_by_full_and_short_names(text: str, limit: ScoreLimit) -> None:
    assert parse_limit(text) == limit


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("quality", "METRIC=VALUE"),
        ("=5", "METRIC=VALUE"),
        ("quality=good", "no number"),
        ("quality=nan", "no number"),
        ("qualiti=5", "is it quality"),
        ("rhythm.rmssd=0.1", "neither more nor less"),
        ("quality.slide=5", "of a slide"),
    ],
)
def test_what_is_no_limit_is_refused_with_the_reason(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        parse_limit(text)


def test_decks_below_or_without_the_score_miss_it() -> None:
    broken = DeckResult(deck="d", status="failed", error="d: damaged")
    decks = [deck("a", 59.99), deck("b", 60.0), deck("c", NotScored("no elements")), broken]
    missed = list(missed_limits(decks, [parse_limit("quality=60")]))
    assert [str(one) for one in missed] == [
        "a: quality.score is 59.99; at least 60 wanted",
        "c: quality.score is not scored (no elements); at least 60 wanted",
        "d: quality.score is not scored (d: damaged); at least 60 wanted",
    ]
    assert list(missed_limits(decks, [])) == []


def test_no_metric_of_slides_is_proposed_for_decks() -> None:
    with pytest.raises(ValueError, match=r"there is no metric 'quality\.slid' of decks") as caught:
        parse_limit("quality.slid=5")
    assert "quality.slide" not in str(caught.value)
    with pytest.raises(ValueError, match="known are ") as caught:
        parse_limit("zzzzzz=5")
    known = str(caught.value).partition("known are ")[2].split(", ")
    assert {"quality", "quality.layout", "level", "total"} <= set(known)
    assert "quality.slide" not in known and known == sorted(known)
