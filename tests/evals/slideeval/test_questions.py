"""Reading replies."""

import json

import pytest
from tests.evals.slideeval.conftest import BLANK, RECT, text

from decklab.deck.model.base import PlainSlide
from decklab.evals.perturb.constants import AXES
from decklab.evals.slideeval.questions import (
    ANSWERS,
    OrderAnswer,
    Rating5,
    Rating100,
    named_slides,
    read_answer,
)
from decklab.evals.slideeval.tasks import criteria, extract_system, rate_system


def test_colours_may_be_in_small_letters_and_words_stay_as_they_are():
    words = 'the colour "#abcdef" and a tag'
    slide = {**BLANK, "rects": [RECT | {"fill": "#c00a0b"}], "texts": [text(words)]}
    answer, _problem = read_answer(json.dumps(slide), PlainSlide)
    assert answer is not None
    assert answer.rects[0].fill == "#C00A0B"
    assert answer.texts[0].text == words


@pytest.mark.parametrize(
    "change",
    [
        {"background": "white"}, {"texts": None}, {"extra": 1},
        {"rects": [RECT | {"w": "wide"}]}, {"rects": [{"x": 1.0, "y": 1.0, "w": 1.0, "h": 1.0}]},
    ],
)  # fmt: skip
def test_what_breaks_the_schema_is_a_failure_with_a_reason(change):
    answer, problem = read_answer(json.dumps({**BLANK, **change}), PlainSlide)
    assert answer is None
    assert problem


@pytest.mark.parametrize("score", ["0", "6", "3.5", '"3"', "null"])
def test_a_rating_off_the_scale_is_no_rating(score):
    assert read_answer(f'{{"score": {score}}}', Rating5)[0] is None


def test_ratings_at_the_ends_of_the_scale_are():
    assert read_answer('{"score": 100}', Rating100)[0] == Rating100(score=100)
    assert read_answer('```json\n{"score": 1}\n```', Rating5)[0] == Rating5(score=1)


def test_pictures_are_named_by_their_slides():
    assert named_slides([3, 1, 2], [20, 30, 10]) == [10, 20, 30]
    assert len({0, -4, -1} | set(named_slides([4, 0], [20, 30, 10]))) == 3
    assert not set(named_slides([4, 0, -2], [20, 30, 10])) & {20, 30, 10}


def test_every_form_of_answer_has_a_strict_schema():
    for form in ANSWERS.values():
        schema = form.model_json_schema()
        assert schema["additionalProperties"] is False
        assert set(schema["required"]) == set(schema["properties"])
    assert set(OrderAnswer.model_fields) == {"order"}


def test_the_question_names_every_field_of_the_schema():
    for field in PlainSlide.model_fields:
        assert f"- {field}:" in extract_system()


@pytest.mark.parametrize("axis", AXES)
def test_each_axis_is_asked_by_its_own_criteria(axis):
    prompt = rate_system(axis, 5)
    assert "from 1 to 5, both included" in prompt
    assert "3 means acceptable" in prompt
    assert all(line in prompt for line in criteria(axis)[1])
    assert len(criteria(axis)[1]) == 4
    others = [line for other in AXES if other != axis for line in criteria(other)[1]]
    assert not any(line in prompt for line in others)
