import json
from pathlib import Path

import pytest

from decklab.core.errors import ResultsError
from decklab.core.results import DeckResult, Measurement
from decklab.pages.files import write_json
from decklab.scoring.against import compare_runs, earlier_scores, noise


def deck(path: str, quality: float, *, version: str = "1", level: float = 3.0) -> DeckResult:
    rows = (
        Measurement.of("quality.score", quality, direction="higher", version=version),
        Measurement.of("editability.level", level, direction="higher", version="1"),
        Measurement.of("rhythm.rmssd", quality / 100, direction="neutral", version="1"),
    )
    return DeckResult(deck=path, status="scored", slides=1, measurements=rows)


def told(
    before: list[DeckResult], after: list[DeckResult], tmp_path: Path
) -> list[tuple[str, ...]]:
    write_json(tmp_path / "results.json", before)
    compared = compare_runs("then", earlier_scores(tmp_path), after)
    return [(one.trend, one.deck, one.metric) for one in compared.beyond_noise()]


def test_changes_beyond_noise_are_told_worse_ones_first(tmp_path: Path) -> None:
    small = noise("quality.score") / 2
    before = [deck("a", 50), deck("b", 50), deck("c", 50), deck("d", 50, level=3)]
    after = [deck("a", 60), deck("b", 40), deck("c", 50 + small), deck("d", 50, level=4)]
    assert told(before, after, tmp_path) == [
        ("worse", "b", "quality.score"),
        ("better", "d", "editability.level"),
        ("better", "a", "quality.score"),
    ]


def test_decks_that_moved_are_known_by_a_name_that_only_one_has(tmp_path: Path) -> None:
    before = [deck("old/a.pptx", 50), deck("x/b.pptx", 50), deck("y/b.pptx", 50)]
    after = [deck("new/a.pptx", 70), deck("z/b.pptx", 70)]
    write_json(tmp_path / "results.json", before)
    compared = compare_runs("then", earlier_scores(tmp_path / "results.json"), after)
    assert {one.deck for one in compared.changes} == {"new/a.pptx"}
    assert compared.new == ("z/b.pptx",)
    assert compared.gone == ("x/b.pptx", "y/b.pptx")


def test_metrics_of_another_version_are_not_compared(tmp_path: Path) -> None:
    write_json(tmp_path / "results.json", [deck("a", 50, version="0")])
    compared = compare_runs("then", earlier_scores(tmp_path), [deck("a", 90)])
    assert [one.metric for one in compared.changes] == ["editability.level"]
    assert compared.not_comparable == {"quality.score": "measured by version 0 then, 1 now"}
    assert json.dumps(compared.as_json())


def test_a_mean_counts_where_the_decks_agree(tmp_path: Path) -> None:
    names = [f"{place}.pptx" for place in range(8)]
    write_json(tmp_path / "results.json", [deck(name, 50) for name in names])
    all_up = [deck(name, 55 + place) for place, name in enumerate(names)]
    mixed = [deck(name, 50 + (20 if place % 2 else -14)) for place, name in enumerate(names)]
    for after, trend in ((all_up, "better"), (mixed, "same")):
        compared = compare_runs("then", earlier_scores(tmp_path), after)
        (mean,) = [one for one in compared.means if one.metric == "quality.score"]
        assert (mean.trend, mean.decks) == (trend, 8)
        assert mean.interval is not None
        assert mean.interval[0] <= mean.change <= mean.interval[1]


@pytest.mark.parametrize("content", [None, "", "[]", '{"decks": 3}', '{"decks": [{"deck": 1}]}'])
def test_what_is_no_run_is_refused_by_name(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "results.json").write_text(content)
    with pytest.raises(ResultsError, match=r"results\.json: "):
        earlier_scores(tmp_path)


def test_a_deck_that_stayed_is_not_compared_with_a_new_one_of_its_name(tmp_path: Path) -> None:
    write_json(tmp_path / "results.json", [deck("a/talk.pptx", 50)])
    after = [deck("a/talk.pptx", 50), deck("b/talk.pptx", 80)]
    compared = compare_runs("then", earlier_scores(tmp_path), after)
    assert {one.deck for one in compared.changes} == {"a/talk.pptx"}
    assert (compared.new, compared.gone) == (("b/talk.pptx",), ())
    back = compare_runs("then", earlier_scores(tmp_path), [after[1]])
    assert {one.deck for one in back.changes} == {"b/talk.pptx"}, "it moved"


def test_a_new_deck_of_a_name_that_was_there_twice_is_new(tmp_path: Path) -> None:
    before = [deck("a/talk.pptx", 50), deck("b/talk.pptx", 80)]
    write_json(tmp_path / "results.json", before)
    compared = compare_runs("then", earlier_scores(tmp_path), [before[0], deck("c/talk.pptx", 60)])
    # b/talk.pptx is the only one left to be found again
    assert {one.deck for one in compared.changes} == {"a/talk.pptx", "c/talk.pptx"}
    assert (compared.new, compared.gone) == ((), ())


def test_a_deck_that_failed_this_time_is_not_gone(tmp_path: Path) -> None:
    write_json(tmp_path / "results.json", [deck("a", 50), deck("b", 50), deck("c", 50)])
    failed = DeckResult(deck="b", status="failed", error="b: damaged")
    compared = compare_runs("then", earlier_scores(tmp_path), iter([deck("a", 50), failed]))
    assert (compared.new, compared.gone) == ((), ("c",))
    assert {one.deck for one in compared.changes} == {"a"}
