from collections.abc import Callable

from decklab.core.results import DeckResult, Measurement
from decklab.scoring.reports.leaderboard_page import LeaderboardRow, ranked

ResultMaker = Callable[..., DeckResult]


def test_a_row_holds_what_the_result_says(scored: ResultMaker) -> None:
    row = LeaderboardRow.of(scored(deck="talks/a.pptx", slides=4, level=3, findings=5))
    assert (row.name, row.slides, row.level) == ("a.pptx", 4, 3)
    assert row.total == 4.0 + 6.5 + 7.25 + 8.0
    assert row.findings == {"error": 2, "info": 1}
    assert row.worst_label == "2 errors"


def test_what_was_not_scored_is_none_with_its_reason(without_slides: DeckResult) -> None:
    row = LeaderboardRow.of(without_slides)
    assert row.total is None
    assert row.level is None
    assert row.reasons["aesthetics.total"] == "the deck has no slides"
    assert row.worst_label == "none"


def test_level_0_is_a_level(scored: ResultMaker) -> None:
    assert LeaderboardRow.of(scored(level=0)).level == 0


def test_the_best_total_comes_first_and_failures_last(
    scored: ResultMaker, without_slides: DeckResult, failed: DeckResult
) -> None:
    worse = scored(deck="worse.pptx", parts=(-9.0, 1.0, 1.0, 1.0))
    results = [failed, worse, without_slides, scored(deck="best.pptx")]
    names = [row.name for row in ranked(map(LeaderboardRow.of, results))]
    assert names == ["best.pptx", "worse.pptx", "empty.pptx", "broken.pptx"]


def test_quality_comes_before_the_total_and_decks_without_it_follow(scored: ResultMaker) -> None:
    def quality(result: DeckResult, value: float) -> DeckResult:
        row = Measurement(metric="quality.score", value=value)
        return result.model_copy(update={"measurements": (*result.measurements, row)})

    plain = quality(scored(deck="plain.pptx", parts=(9.0, 9.0, 9.0, 9.0)), 30.0)
    fine = quality(scored(deck="fine.pptx", parts=(1.0, 1.0, 1.0, 1.0)), 60.0)
    rows = map(LeaderboardRow.of, [scored(deck="drawn.pdf"), plain, fine])
    assert [row.name for row in ranked(rows)] == ["fine.pptx", "plain.pptx", "drawn.pdf"]
