"""Pairs in both orders: bias cancels, flicker is counted, odd replies are asked for again."""

import io
import json
from math import log10

import numpy as np
import pytest
from PIL import Image
from tests.evals.judges.preference.conftest import asking_by, deck, judgement
from tests.openai_server import images_of, prompt_of, serving

from decklab.core.results import NotScored
from decklab.evals.judges.preference.rating import DeckJudge
from decklab.models.inspect import asking


def brightness(image: bytes) -> float:
    """Of the darkest large area: sheets are light around their slides."""
    return float(np.percentile(np.asarray(Image.open(io.BytesIO(image)).convert("L")), 20))


def brighter(_prompt: str, images: list[bytes]) -> str:
    left, right = (brightness(image) for image in images)
    return judgement("A" if left > right else "B")


def test_a_judge_that_always_says_a_decides_nothing(three):
    found = DeckJudge(asking_by(lambda *_: judgement("A")), "5G").arena(three)
    assert [one.outcome for one in found.meetings] == ["tie"] * 3
    assert found.flicker == 1.0
    assert found.first_place == 1.0
    assert {round(one.rating, 6) for one in found.strengths} == {1000.0}
    assert {one.elo for one in found.strengths} == {1000.0}
    assert {(one.won, one.lost, one.tied) for one in found.strengths} == {(0, 0, 2)}


def test_a_judge_of_looks_orders_the_decks_whatever_stands_first(three):
    ask = asking_by(brighter)
    found = DeckJudge(ask, "5G").arena(three[::-1])
    assert [one.name for one in found.strengths] == ["bright", "middle", "dark"]
    assert [(one.won, one.lost) for one in found.strengths] == [(2, 0), (1, 1), (0, 2)]
    assert (found.flicker, found.first_place) == (0.0, 0.5)
    assert len(ask.asked) == 6
    assert found.usage.input_tokens == 60
    # Each pair met once and has half a tie beside: by symmetry the middle is the mean.
    assert found.strengths[1].rating == pytest.approx(1000, abs=0.1)


def test_a_judge_that_leans_to_what_stands_first_still_orders_what_it_sees(three):
    """It says A unless B is far brighter: the near pairs cancel, the far one is decided."""

    def leaning(_prompt: str, images: list[bytes]) -> str:
        left, right = (brightness(image) for image in images)
        return judgement("B" if right > left + 120 else "A")

    for order in (three, three[::-1]):
        found = DeckJudge(asking_by(leaning), "5G").arena(order)
        outcomes = {frozenset((one.first, one.second)): one.outcome for one in found.meetings}
        assert outcomes[frozenset(("bright", "middle"))] == "tie"
        assert outcomes[frozenset(("middle", "dark"))] == "tie"
        assert [one.name for one in found.strengths] == ["bright", "middle", "dark"]
        assert found.flicker == pytest.approx(2 / 3)
        # Of six answers four of the near pairs and one of the far one prefer what stands first.
        assert found.first_place == pytest.approx(5 / 6)


def test_two_decks_have_the_odds_of_their_meetings():
    pair = [deck("bright", shade=250), deck("dark", shade=50)]
    found = DeckJudge(asking_by(brighter), "5G", repeats=3).arena(pair)
    assert not isinstance(found.strengths, NotScored)
    best, other = found.strengths
    assert best.rating - other.rating == pytest.approx(400 * log10(3.25 / 0.25), abs=0.1)
    assert found.repeat_flicker == 0.0


def test_ties_and_repeats_that_differ_are_told():
    said = iter(["A", "B", "Tie", "Tie"])  # first meeting: the first deck twice; then a tie
    pair = [deck("one"), deck("two")]
    found = DeckJudge(asking_by(lambda *_: judgement(next(said))), "5G", repeats=2).arena(pair)
    assert [one.outcome for one in found.meetings] == ["first", "tie"]
    assert [one.flickered for one in found.meetings] == [False, False]
    assert found.repeat_flicker == 1.0
    assert found.flicker == 0.0


def test_one_answer_and_one_tie_is_a_tie_and_a_flicker():
    said = iter(["A", "Tie"])
    found = DeckJudge(asking_by(lambda *_: judgement(next(said))), "5G").arena(
        [deck("a"), deck("b")]
    )
    assert found.meetings[0].outcome == "tie"
    assert found.flicker == 1.0


def test_names_are_not_shown_and_every_slide_is():
    ask = asking_by(lambda *_: judgement("Tie"))
    DeckJudge(ask, "5G for investors").arena([deck("skywork", slides=8), deck("gamma")])
    prompt, images = ask.asked[0]
    assert "skywork" not in prompt
    assert "5G for investors" in prompt
    assert "Deck A: 8 slides, pictures 1 to 2." in prompt
    assert "Deck B: 2 slides, picture 3." in prompt
    assert len(images) == 3
    assert "Deck A: 2 slides, picture 1." in ask.asked[1][0]


def test_malformed_and_contradictory_replies_are_asked_again():
    replies = [
        "I prefer A.",
        judgement("A", design="B", layout="B"),
        '{"Visual_Design": {"winner": "ppt a", "score_difference": "2", "reason": "x"}, "Layout": '
        '{"winner": "a", "score_difference": 1, "reason": "x"}, "Overall_Winner": "PPT A", '
        '"Overall_Reason": "x", "Confidence": 4}',
        judgement("B"),
    ]
    with serving(replies) as server, asking(server.model()) as ask:
        found = DeckJudge(ask, "5G").arena([deck("a"), deck("b")])
    assert found.meetings[0].outcome == "first"
    assert len(server.requests) == 4
    assert "both criteria say B, and overall_winner A" in prompt_of(server.requests[2])
    assert len(images_of(server.requests[0])) == 2


def test_a_meeting_without_a_fitting_reply_is_not_scored_and_the_others_count(three):
    def rule(prompt: str, images: list[bytes]) -> str:
        dark = min(map(brightness, images)) < 100
        return json.dumps({"overall_winner": "C"}) if dark else brighter(prompt, images)

    found = DeckJudge(asking_by(rule), "5G").arena(three)
    assert [isinstance(one.outcome, NotScored) for one in found.meetings] == [False, True, True]
    assert found.strengths == NotScored("no meeting of dark was judged")
    assert "does not fit" in found.meetings[1].outcome.reason
    assert len(found.judged) == 1


def test_an_arena_needs_two_decks_of_different_names():
    ask = asking_by(lambda *_: judgement("A"))
    with pytest.raises(ValueError, match="two decks"):
        DeckJudge(ask, "5G").arena([deck("a")])
    with pytest.raises(ValueError, match="different names"):
        DeckJudge(ask, "5G").arena([deck("a"), deck("a")])
    with pytest.raises(ValueError, match="not 0 times"):
        DeckJudge(ask, "5G", repeats=0).arena([deck("a"), deck("b")])
