"""Answers read out of replies: what is taken, and what is not."""

import json
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from decklab.models.reading import json_answer, read_answer


class Score(BaseModel):
    OTHER_NAMES: ClassVar[dict[str, str]] = {"visual_quality_score": "score"}
    model_config = ConfigDict(extra="forbid")

    score: int = Field(ge=0, le=5)
    reason: str = "none"
    share: float = 0.5


FOUR = Score(score=4)


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ('{"score": 4}', ()),
        ('  {"score": 4}\n', ()),
        ('```json\n{"score": 4}\n```', ("left out the fence around it",)),
        ('```\n{"score": 4}\n```\nIs that all?', ("left out the words around it",)),
        ('Score: {"score": 4}.', ("left out the words around it",)),
        ('It is {bad}. {"score": 4}', ("left out the words around it",)),
        ('See [1] and {"score": 4}', ("left out the words around it",)),
        ('{"score": 4} or, again, {"score": 4}', ("left out the words around it",)),
        ('<think>{"score": 1}?</think>{"score": 4}', ("left out its thoughts",)),
        ('perhaps {"score": 1}</think>{"score": 4}', ("left out its thoughts",)),
        ('{"score": 4,}', ("left out a comma or a comment",)),
        ('{"score": 4 // good\n}', ("left out a comma or a comment",)),
        ('{/* good */"score": 4}', ("left out a comma or a comment",)),
        ('{"score": 4, "mood":\n"a\nb"}', ("took line breaks in a text", "left out the key mood")),
        ('{"score": 4.0}', ("read 4.0 as 4",)),
        ('{"score": "4"}', ('read "4" as 4',)),
        ('{"score": " 4.0 "}', ('read " 4.0 " as 4',)),
        ('{"score": 4, "share": "0.5"}', ('read "0.5" as 0.5',)),
        ('{"score": 4, "mood": [1]}', ("left out the key mood",)),
        ('{"visual_quality_score": 4}', ("took visual_quality_score for score",)),
        ('{"score": 4, "visual_quality_score": 4}', ("took visual_quality_score for score",)),
    ],
)
def test_what_is_meant_is_read_and_said(text: str, mended: tuple[str, ...]) -> None:
    found = read_answer(text, Score)
    assert (found.answer, found.problem, found.mended) == (FOUR, None, mended)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the reply is empty"),
        (" \n", "the reply is empty"),
        ("four", "the reply is no JSON: four"),
        ("4", "the reply is no JSON: 4"),
        ('{"score": 4', "the reply is no JSON: it is cut off"),
        ('[{"a": {"score": 4}, ', "the reply is no JSON: it is cut off"),
        ("<think>it is {score", "the reply is no JSON: <think>it is {score"),
        ('<think>{"score": 4}', 'the reply is no JSON: <think>{"score": 4}'),
        ('{"score": true}', "score: Input should be a valid integer"),
        ('{"score": 4.5}', "score: Input should be a valid integer"),
        ('{"score": "four"}', "score: Input should be a valid integer"),
        ('{"score": null}', "score: Input should be a valid integer"),
        ('{"score": 6}', "score: Input should be less than or equal to 5"),
        ('{"score": "100"}', "score: Input should be less than or equal to 5"),
        ('{"reason": "x"}', "score: Field required"),
        ('{"answer": {"score": 4}}', "score: Field required"),
        ('{"score": 4, "reason": 3}', "reason: Input should be a valid string"),
        ('{"score": 4, "share": NaN}', "the reply is no JSON"),
        ('{"score": 4, "share": true}', "share: Input should be a valid number"),
        ('{"score": 3, "score": 4}', "the reply is no JSON"),
        ('{"score": 3, "visual_quality_score": 4}', "visual_quality_score and score mean"),
        ('First {"score": 3}, no: {"score": 4}', "the reply holds two answers"),
        ('```json\n{"score": 3}\n```\n```json\n{"score": 4}\n```', "the reply holds two answers"),
        ("[" * 100_000, "the reply is no JSON"),
        ("[" * 50_000 + "]" * 50_000, "the reply is no JSON"),
    ],
)
def test_what_would_be_a_guess_is_a_problem(text: str, problem: str) -> None:
    found = read_answer(text, Score)
    assert found.answer is None
    assert found.problem and found.problem.startswith(problem)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), JSON, min_size=1, max_size=4), st.booleans())
def test_any_object_in_prose_is_read_as_it_is(value: dict[str, Any], indented: bool) -> None:
    text = f"Here it is: {json.dumps(value, indent=2 if indented else None)} – as asked."
    assert json_answer(text) == value


@given(st.text(max_size=300))
def test_no_text_breaks_the_reading(text: str) -> None:
    assert read_answer(text, Score).answer is None or "score" in text


def test_lists_are_json_too() -> None:
    assert json_answer('Here: [{"a": 1}]') == [{"a": 1}]
