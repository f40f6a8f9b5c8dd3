import numpy as np
import pytest
from tests.evals.judges.honest import honest
from tests.openai_server import Answer, images_of, prompt_of, serving

from decklab.core.results import NotScored
from decklab.evals.judges.editing.judging import EditJudge
from decklab.evals.judges.editing.verdict import Question
from decklab.models.inspect import asking

ASKED = Question("Make the title bold.", "The title is bold.")


def said(score: int) -> str:
    return f'{{"score": {score}, "reason": "It looks like {score}."}}'


def test_only_slides_that_differ_are_shown_five_at_a_time_and_the_lowest_batch_counts(
    slides: list[np.ndarray],
) -> None:
    made = [slides[0], *(255 - slide for slide in slides[1:8]), *slides[8:]]
    with serving(honest([said(4), said(2)])) as server, asking(server.model()) as ask:
        found = EditJudge(ask, ASKED).visual(slides, made)
    first, second = server.requests[:2]
    assert len(images_of(first)) == 10
    assert len(images_of(second)) == 4
    assert "slide 2, truth: a picture\nslide 2, prediction: a picture" in prompt_of(first)
    assert "slide 8, truth" in prompt_of(second)
    assert "slide 1, truth" not in prompt_of(first)
    assert (found.score, found.reason) == (2.0, "It looks like 2.")
    assert found.shown.startswith("7 of 12 slides")
    assert found.usage.input_tokens == 28  # two batches, and a slide beside itself and damaged


def test_the_judge_sees_no_differences_in_structured_form(slides: list[np.ndarray]) -> None:
    with serving(honest([said(4)])) as server, asking(server.model()) as ask:
        EditJudge(ask, ASKED).visual(slides[:1], [255 - slides[0]])
    prompt = prompt_of(server.requests[0])
    assert not {"<a:", "<p:", '"kind"', "xml", "json"} & set(prompt.lower().split())
    assert "<" not in prompt
    assert '"property"' not in prompt


def test_where_every_slide_looks_right_nobody_is_asked(slides: list[np.ndarray]) -> None:
    with serving(honest([said(0)])) as server, asking(server.model()) as ask:
        found = EditJudge(ask, ASKED).visual(slides, slides)
    assert server.requests == []
    assert (found.score, found.reason) == (5.0, "every slide looks like the truth")


def test_a_slide_that_is_missing_is_shown_by_half(slides: list[np.ndarray]) -> None:
    with serving(honest([said(1)])) as server, asking(server.model()) as ask:
        found = EditJudge(ask, ASKED).visual(slides[:2], slides[:1])
    request = server.requests[0]
    assert len(images_of(request)) == 1
    assert "slide 2, prediction: there is no such slide" in prompt_of(request)
    assert found.score == 1


@pytest.mark.parametrize("amiss", ["five stars", Answer("down", status=400)])
def test_a_batch_without_a_score_leaves_the_whole_without_one(
    slides: list[np.ndarray], amiss: str | Answer
) -> None:
    made = [255 - slide for slide in slides[:6]]
    with serving(honest([said(3), amiss])) as server, asking(server.model()) as ask:
        found = EditJudge(ask, ASKED).visual(slides[:6], made)
    assert isinstance(found.score, NotScored)
    assert found.score.reason.startswith("slides 6: ")


def test_a_deck_without_slides_is_not_scored() -> None:
    with serving(honest([said(3)])) as server, asking(server.model()) as ask:
        found = EditJudge(ask, ASKED).visual([], [])
    assert found.score == NotScored("there are no slides")
