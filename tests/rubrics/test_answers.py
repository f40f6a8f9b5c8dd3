"""What models answer, in the shapes that they answer in."""

import pytest

from decklab.rubrics.answers import NoAnswer, ScoredAnswer, json_answer, scored_answer


@pytest.mark.parametrize(
    "text",
    [
        '{"score": 0.5, "reason": "half"}',
        'Well.\n```json\n{"score": 0.5, "reason": "half"}\n```\nDone.',
        '```\n{"score": 0.5, "reason": "half"}\n```',
        'I think {"score": 0.5, "reason": "half"} is fair.',
    ],
)
def test_json_is_found_wherever_it_stands(text: str) -> None:
    assert scored_answer(text) == ScoredAnswer(reason="half", score=0.5)


@pytest.mark.parametrize(
    "text", ["", "no", '{"reason": "x"}', '{"score": 2}', '{"score": true}', '{"score": "1"}', "[]"]
)
def test_an_answer_without_a_score_is_a_failure_of_the_model(text: str) -> None:
    with pytest.raises(NoAnswer):
        scored_answer(text)


def test_lists_are_json_too() -> None:
    assert json_answer('Here: [{"a": 1}]') == [{"a": 1}]
