import pytest
from tests.evals.judges.editing.conftest import Judged
from tests.evals.judges.honest import honest
from tests.openai_server import Answer, images_of, prompt_of, serving

from decklab.core.options import JudgeOptions
from decklab.core.results import NotScored
from decklab.evals.judges.editing.judging import EditJudge
from decklab.models.inspect import asking

GOOD = '{"score": 3, "reason": "The title is still not bold."}'


def test_the_judge_sees_differences_and_no_picture(judged: dict[str, Judged]) -> None:
    one = judged["Crew leaders"]
    with serving(honest([GOOD])) as server, asking(server.model()) as ask:
        found = EditJudge(ask, one.question).instruction(one.evidence)
    [request] = server.requests
    prompt = prompt_of(request)
    assert images_of(request) == []
    assert one.case.prompt in prompt
    assert one.case.style_target in prompt
    assert "six new crew leaders" in one.evidence.prediction_changes
    assert one.evidence.remaining in prompt
    assert request["temperature"] == 0.2
    assert (found.score, found.reason) == (3.0, "The title is still not bold.")
    assert (found.usage.input_tokens, found.shown) == (7, "differences as JSON")


@pytest.mark.parametrize(
    ("reply", "cause"),
    [
        ("three, I would say", "the reply is no JSON"),
        ('{"score": 6, "reason": "more than all"}', "score: Input should be less than"),
        ('{"score": 3.5, "reason": "between"}', "score: Input should be a valid integer"),
        ('{"score": 3}', "reason: Field required"),
        ('{"score": 3, "reason": ""}', "reason: String should have at least 1"),
    ],
)
def test_a_reply_that_does_not_fit_is_not_scored(
    judged: dict[str, Judged], reply: str, cause: str
) -> None:
    one = judged["Crew leaders"]
    with serving(honest([reply])) as server, asking(server.model()) as ask:
        found = EditJudge(ask, one.question).instruction(one.evidence)
    assert isinstance(found.score, NotScored)
    assert cause in found.score.reason


def test_one_odd_reply_is_asked_for_again(judged: dict[str, Judged]) -> None:
    one = judged["Crew leaders"]
    with serving(honest(["Three, I would say.", GOOD])) as server, asking(server.model()) as ask:
        found = EditJudge(ask, one.question).instruction(one.evidence)
    assert found.score == 3.0
    assert (len(server.requests), found.usage.requests, found.usage.input_tokens) == (2, 2, 14)
    assert "Three, I would say." in prompt_of(server.requests[1])


def test_the_keys_of_the_paper_are_taken(judged: dict[str, Judged]) -> None:
    one = judged["Crew leaders"]
    said = '{"instruction_following_score": "4", "instruction_following_reason": "Nearly."}'
    with serving(honest([said])) as server, asking(server.model()) as ask:
        found = EditJudge(ask, one.question).instruction(one.evidence)
    assert (found.score, found.reason, len(server.requests)) == (4.0, "Nearly.", 1)


def test_a_model_that_fails_is_not_scored(judged: dict[str, Judged]) -> None:
    one = judged["Crew leaders"]
    with serving([Answer("no such thing", status=400)]) as server, asking(server.model()) as ask:
        found = EditJudge(ask, one.question).instruction(one.evidence)
    assert isinstance(found.score, NotScored)
    assert "no such thing" in found.score.reason


def test_repeats_are_pooled_and_those_that_fail_left_out(judged: dict[str, Judged]) -> None:
    one = judged["Crew leaders"]
    replies = [GOOD, "no", "no", "no", '{"score": 4, "reason": "Nearly."}']
    with serving(honest(replies)) as server, asking(server.model()) as ask:
        found = EditJudge(ask, one.question, JudgeOptions(repeats=3, temperature=1.0)).instruction(
            one.evidence
        )
    assert found.score == 3.5
    assert [isinstance(one, NotScored) for one in found.samples] == [False, True, False]
    assert found.usage.output_tokens == 15
    assert {request["temperature"] for request in server.requests} == {1.0}


def test_a_judge_that_is_never_asked_is_refused(judged: dict[str, Judged]) -> None:
    one = judged["Crew leaders"]
    with (
        serving(honest([GOOD])) as server,
        asking(server.model()) as ask,
        pytest.raises(ValueError, match="once at least"),
    ):
        EditJudge(ask, one.question, JudgeOptions(repeats=0)).instruction(one.evidence)
