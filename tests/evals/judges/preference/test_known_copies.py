"""A judge that does not put a damaged deck below the deck ranks nothing, and the reader is told."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.evals.judges.honest import known_answers
from tests.evals.judges.preference.conftest import asking_by, judgement
from tests.evals.judges.preference.test_rating import MARKS

from decklab.core.results import NotScored
from decklab.evals.judges.preference.page import write_preference_page
from decklab.evals.judges.preference.prefer import prefer_shown
from decklab.evals.judges.preference.rating import DeckJudge
from decklab.evals.judges.preference.showing import ShownDeck, damaged_copy, shown_slides


def lined(name: str, gap: int, *, slides: int = 2) -> ShownDeck:
    """A deck with dark bars in its upper half, which a damaged copy has all over."""
    picture = np.full((360, 640, 3), 255, np.uint8)
    for line in range(20, 160, gap):
        picture[line : line + 8, 40:600] = 20
    texts = [f"Container traffic of {name} grew in year {n}" for n in range(1, slides + 1)]
    return shown_slides(name, [picture] * slides, texts)


TWO = [lined("one", 20), lined("two", 40)]


def known_sheets() -> set[bytes]:
    return {sheet for deck in TWO for sheet in deck.sheets}


def seeing(_prompt: str, images: list[bytes]) -> str:
    """Prefers what it knows to what is damaged, and the first deck to the second."""
    left, right = (image in known_sheets() for image in images)
    if left != right:
        return judgement("A" if left else "B")
    return judgement("A" if images[0] in TWO[0].sheets else "B")


def test_a_judge_that_sees_it_ranks_the_decks() -> None:
    ask = asking_by(seeing)
    found = DeckJudge(ask, "ports").arena(TWO)
    assert (found.known.compared_right, found.known.compared) == (4, 4)
    assert not isinstance(found.strengths, NotScored) and found.strengths[0].name == "one"
    assert len(found.meetings) == 1 and len(ask.asked) == 6
    assert found.usage.requests == 6


@pytest.mark.parametrize("said", ["A", "B", "Tie"])
def test_a_judge_that_always_says_the_same_ranks_nothing(said: str, tmp_path: Path) -> None:
    ask = asking_by(lambda *_: judgement(said))
    found = prefer_shown(ask, TWO, "ports", ["arena"], secret="test", repeats=1, temperature=0.0)
    assert found.arena is not None and isinstance(found.arena.strengths, NotScored)
    assert "damaged copy" in found.arena.strengths.reason
    assert found.arena.meetings[0].outcome == "tie"  # what was said stays
    assert any(line.startswith("arena: the judge does not put") for line in found.not_scored)
    assert json.loads(json.dumps(found.as_json()))["arena"]["known"]["compared"] == 4
    write_preference_page(tmp_path / "page.html", found)
    text = (tmp_path / "page.html").read_text()
    assert "Not ranked: the judge does not put a plainly damaged copy lower" in text
    assert "damaged copies" in text


def test_marks_that_are_the_same_for_a_damaged_copy_do_not_count() -> None:
    lenient = DeckJudge(asking_by(lambda *_: json.dumps(MARKS)), "ports").rating(TWO[0])
    assert all(isinstance(score, NotScored) for score in lenient.scores.values())
    assert lenient.samples["rating"] == pytest.approx((6.36,))

    def marks(_prompt: str, images: list[bytes]) -> str:
        worse = {"layout": dict.fromkeys(MARKS["layout"], 0)}
        return json.dumps(MARKS if images[0] in known_sheets() else MARKS | worse)

    ask = asking_by(marks)
    assert DeckJudge(ask, "ports", repeats=2).rating(TWO[0]).scores["rating"] == pytest.approx(6.36)
    assert len(ask.asked) == 3


def test_ppteval_believes_a_judge_that_knows_text_and_pictures() -> None:
    own = set(TWO[0].slides)

    def judge(knows: bool, sees: bool):
        def rule(prompt: str, images: list[bytes]) -> str:
            damaged = bool(images) and images[0] not in own
            said: dict[str, Any] = {"score": 1 if damaged and sees else 4, "reason": "seen"}
            if "Also say in known" in prompt:
                said["known"] = known_answers(prompt) if knows else known_answers(
                    prompt, lambda _: True
                )  # fmt: skip
            return json.dumps(said)

        ask = asking_by(rule)
        return DeckJudge(ask, "ports", secret="test").ppteval(TWO[0]), ask

    found, ask = judge(knows=True, sees=True)
    assert found.scores["ppteval"] == 4.0
    assert (found.known.of, found.known.compared) == (10, 1)  # a true one of a slide, two of both
    assert len(ask.asked) == 6
    for knows, sees in ((False, True), (True, False)):
        failed, _ = judge(knows=knows, sees=sees)
        assert all(isinstance(score, NotScored) for score in failed.scores.values())


def test_text_stands_between_marks_that_a_replay_repeats() -> None:
    asked = []
    for secret in ("one", "one", "two"):
        ask = asking_by(lambda *_: '{"score": 3, "reason": "seen"}')
        DeckJudge(ask, "ports", secret=secret).ppteval(TWO[0])
        asked.append([prompt for prompt, _ in ask.asked])
    assert asked[0] == asked[1] != asked[2]
    text = next(prompt for prompt in asked[0] if "Mark the coherence" in prompt)
    between = text.partition("[deck ")[2].partition("[end of deck")[0]
    assert "Slide 2:\nContainer traffic of one grew in year 2" in between


def test_an_empty_deck_has_no_damaged_copy() -> None:
    assert damaged_copy(shown_slides("blank", [np.full((36, 64, 3), 9, np.uint8)], [""])) is None
    assert damaged_copy(shown_slides("none", [], [])) is None
