"""Scores of single decks: the arithmetic by hand, and replies that do not fit."""

import json
from typing import Any

import pytest
from tests.evals.judges.preference.conftest import asking_by, deck

from decklab.core.results import NotScored
from decklab.evals.judges.preference.rating import RATING_WEIGHTS, DeckJudge
from decklab.evals.judges.preference.showing import shown_slides

MARKS: dict[str, Any] = {
    "visual_design": {"color_scheme": 8, "typography": 6, "visual_consistency": 7,
                      "image_quality": 5, "theme_appropriateness": 9},
    "layout": {"spatial_balance": 5, "element_alignment": 8, "no_overlapping": 10},
    "complexity": {"charts_and_data": 0, "visual_elements": 4, "advanced_design": 2,
                   "layout_variety": 6},
    "reason": "even and calm",
}  # fmt: skip


def test_weights_of_each_level_sum_to_one():
    assert sum(weight for weight, _ in RATING_WEIGHTS.values()) == pytest.approx(1)
    for _, parts in RATING_WEIGHTS.values():
        assert sum(parts.values()) == pytest.approx(1)


def test_the_rating_by_hand():
    # (8 + 6 + 7 + 5 + 9) / 5 = 7; 0.4 * 5 + 0.3 * 18 = 7.4; 12 / 4 = 3; 2.8 + 2.96 + 0.6 = 6.36.
    found = DeckJudge(asking_by(lambda *_: json.dumps(MARKS)), "5G").rating(deck("a"))
    assert found.scores == pytest.approx(
        {"rating": 6.36, "visual_design": 7.0, "layout": 7.4, "complexity": 3.0}
    )
    assert found.reason == "even and calm"


def test_repeats_are_averaged_and_kept():
    worse = MARKS | {"layout": dict.fromkeys(MARKS["layout"], 0)}
    said = iter([MARKS, worse])
    found = DeckJudge(asking_by(lambda *_: json.dumps(next(said))), "5G", repeats=2).rating(
        deck("a")
    )
    assert found.samples["layout"] == pytest.approx((7.4, 0.0))
    assert found.scores["rating"] == pytest.approx((6.36 + 3.4) / 2)
    assert found.usage.requests == 2


@pytest.mark.parametrize(
    "spoilt",
    [
        MARKS | {"layout": {"spatial_balance": 11, "element_alignment": 8, "no_overlapping": 1}},
        {key: value for key, value in MARKS.items() if key != "complexity"},
        MARKS | {"layout": {**MARKS["layout"], "no_overlapping": True}},
        MARKS | {"layout": {**MARKS["layout"], "no_overlapping": 7.5}},
    ],
)
def test_marks_that_do_not_fit_are_asked_for_three_times_and_then_not_scored(spoilt):
    ask = asking_by(lambda *_: json.dumps(spoilt))
    found = DeckJudge(ask, "5G").rating(deck("a"))
    assert all(isinstance(score, NotScored) for score in found.scores.values())
    assert len(ask.asked) == 3
    assert found.usage.requests == 3


@pytest.mark.parametrize("mark", [-1, 11])
def test_no_mark_is_below_0_or_above_10(mark):
    for part, marks in MARKS.items():
        for name in marks if isinstance(marks, dict) else ():
            spoilt = MARKS | {part: {**marks, name: mark}}
            found = DeckJudge(asking_by(lambda *_, said=spoilt: json.dumps(said)), "5G").rating(
                deck("a")
            )
            assert all(isinstance(score, NotScored) for score in found.scores.values()), name


def test_pptevals_scores_are_means_over_slides():
    def rule(prompt: str, images: list[bytes]) -> str:
        if "coherence" in prompt:
            assert not images
            assert "Slide 2:\na slide 2" in prompt
            return '{"score": 2, "reason": "no end"}'
        assert len(images) == 1
        content = "content" in prompt
        assert ("a slide" in prompt) == content
        return json.dumps({"score": (3 if "slide 1" in prompt else 5) if content else 4,
                           "reason": "x"})  # fmt: skip

    found = DeckJudge(asking_by(rule), "5G").ppteval(deck("a"))
    assert found.scores["content"] == 4.0
    assert found.samples["content"] == (3.0, 5.0)
    assert found.scores["design"] == 4.0
    assert found.scores["coherence"] == 2.0
    assert found.scores["ppteval"] == pytest.approx(10 / 3)
    assert found.reason == "no end"


def test_a_slide_without_a_mark_leaves_its_score_and_the_mean_unscored():
    def rule(prompt: str, images: list[bytes]) -> str:
        return '{"score": 6, "reason": "x"}' if "a slide 2" in prompt and images else (
            '{"mark": "4", "reason": "x"}'
        )  # fmt: skip

    found = DeckJudge(asking_by(rule), "5G").ppteval(deck("a"))
    assert isinstance(found.scores["content"], NotScored)
    assert found.scores["content"].reason.startswith("slide 2: ")
    assert found.scores["design"] == 4.0
    assert isinstance(found.scores["ppteval"], NotScored)
    assert "content" not in found.samples


def test_a_deck_without_slides_is_not_asked_about():
    ask = asking_by(lambda *_: "{}")
    empty = shown_slides("empty", [], [])
    for found in (DeckJudge(ask, "5G").rating(empty), DeckJudge(ask, "5G").ppteval(empty)):
        assert set(found.scores.values()) == {NotScored("the deck has no slides")}
    assert ask.asked == []
